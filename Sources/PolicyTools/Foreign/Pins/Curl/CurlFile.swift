package import PolicyCompiler

/// A curl command line, or a configuration file of curl, with the place of each option.
package struct CurlFile: Sendable {
    package struct Option: Sendable {
        /// The long name, without dashes and without `no-`.
        package let name: String
        /// Whether a flag is switched on.
        package let isOn: Bool
        /// Nil for a flag, and for an argument that is not a literal.
        package let literal: String?
        let range: Range<Int>
        let argumentRange: Range<Int>
    }

    package struct URL: Sendable {
        package let text: String
        let range: Range<Int>
        /// The canonical host; nil for a text that is not a URL of a host.
        package let host: String?
        package let port: Int
        package let usesTLS: Bool
    }

    package internal(set) var options: [Option] = []
    package internal(set) var urls: [URL] = []
    package internal(set) var findings: [Diagnostic] = []

    /// The option that counts of those with a name.
    func last(_ name: String) -> Option? { options.last { $0.name == name } }

    /// The floor of TLS that the last of its options states: `1.0` to `1.3`.
    var minimumTLS: String? {
        guard let option = floor else { return nil }
        return option.name == "tlsv1" ? "1.0" : String(option.name.dropFirst(4))
    }

    var floor: Option? { options.last { $0.name.hasPrefix("tlsv1") } }

    /// The names of files that the import needs.
    package var certificateFile: String? { last("cacert")?.literal }
}
