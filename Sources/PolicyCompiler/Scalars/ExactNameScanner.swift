package import TrustEngine

/// A name, e-mail address or IP address of `identity`.
package struct ScannedName: Hashable, Sendable {
    /// The canonical spelling.
    package let canonicalText: String
    /// Whether it was written in the canonical spelling. If not, replacing the text by
    /// `canonicalText` is a safe fix.
    package let isCanonical: Bool
    /// The canonical text with U-labels; nil if it has none.
    package let unicodeText: String?
}

/// Reads exact names for `identity.dns`: a name without wildcard and port.
package enum ExactNameScanner {
    /// Reads a name.
    ///
    /// - Throws: HW201 for text that is not a name, HW203 for a URL, HW204 for a wildcard; HW014,
    ///   HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> ScannedName {
        try ScalarProblem.requireText(text, of: "the name")
        let quoted = ScalarProblem.quote(text)
        if let star = text.utf8.firstIndex(of: UInt8(ascii: "*")) {
            let at = text.utf8.distance(from: text.utf8.startIndex, to: star)
            throw ScalarProblem(
                .badWildcard,
                "\(quoted) has a wildcard; the names that a certificate must present "
                    + "are exact", range: at..<at + 1,
                help: ["write each name, or the name that all the certificates share"])
        }
        // Text that is wrong as a host pattern is wrong as a name for the same reason.
        let scanned = try HostPatternScanner.scan(text, in: .exactNames)
        guard scanned.pattern.port == nil else {
            throw ScalarProblem(
                .badHost, "\(quoted) has a port, which no certificate names",
                range: text.utf8.count - "\(scanned.pattern.port ?? 0)".utf8.count
                    - 1..<text.utf8.count,
                help: [
                    "write `\(HostPattern(host: scanned.pattern.host, port: nil).canonicalText)`"
                ])
        }
        guard case .name(let name) = scanned.pattern.host else {
            throw ScalarProblem(
                .badHost, "\(quoted) is an address; names are wanted here",
                help: ["write it under `identity.ip`"])
        }
        return ScannedName(
            canonicalText: name, isCanonical: scanned.isCanonical,
            unicodeText: scanned.unicodeText)
    }
}

/// Reads addresses for `identity.ip`: IPv4 or IPv6 without prefix and port.
package enum AddressScanner {
    /// Reads an address, and tells whether its spelling is canonical.
    ///
    /// - Throws: HW201; HW203 for a URL; HW014, HW011.
    package static func scan(
        _ text: String
    ) throws(ScalarProblem) -> (address: IPAddress, name: ScannedName) {
        try ScalarProblem.requireText(text, of: "the address")
        let quoted = ScalarProblem.quote(text)
        let scanned = try HostPatternScanner.scan(text, in: .exactNames)
        let help: [String]
        switch scanned.pattern.host {
        case .address(let address) where scanned.pattern.port == nil && !text.contains("/"):
            return (
                address,
                ScannedName(
                    canonicalText: scanned.canonicalText, isCanonical: scanned.isCanonical,
                    unicodeText: nil)
            )
        case .address(let address):
            help = ["write `\(address)`"]
        case .network:
            help = ["write each address that a certificate may name"]
        case .name:
            help = ["write a name under `identity.dns`"]
        case .oneLabel, .anyLabels:
            help = ["write each address that a certificate may name"]
        }
        throw ScalarProblem(
            .badHost, "\(quoted) is not one IPv4 or IPv6 address without prefix and port",
            help: help)
    }
}
