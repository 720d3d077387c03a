import Hawser
import PolicyCompiler
import Rendering

/// The message about a path that is the file of another system and no policy: the command that
/// imports it.
struct ForeignFileHint {
    /// The whole message.
    let words: String

    /// A kind of file with the words of its import.
    private struct Kind {
        let command: String
        let name: String
        /// Options that the import needs.
        var options: [String] = []
    }

    /// Nil for a path that is not the file of another system, by its name or, for YAML and JSON, by
    /// its content.
    init?(_ path: String) {
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        guard let kind = Self.kind(named: name) ?? Self.kind(ofContent: path, named: name) else {
            return nil
        }
        guard NamedPath.isFile(path) else { return nil }
        let line =
            kind.command == "chrome-root-store"
            ? ShellWords.line(["hawser", "import", kind.command, "--help"])
            : ShellWords.line(
                ["hawser", "import", kind.command, path] + kind.options + ["-o", "policy"])
        let form = Self.isData(name) ? "of another form" : "YAML"
        words =
            "`\(path)` is \(kind.name), and a policy is \(form); to make a policy of it: `\(line)`"
    }

    private static func kind(named name: String) -> Kind? {
        if name.hasSuffix(".plist") {
            return Kind(command: "ats", name: "a property list")
        } else if name.hasSuffix(".xml") {
            return Kind(command: "nsc", name: "XML")
        } else if name.hasSuffix("pins.json") {
            return Kind(command: "pins-json", name: "a list of pins")
        } else if name.hasSuffix("curlrc") {
            return Kind(command: "curl", name: "a configuration of curl")
        } else if name == "root_store.textproto" {
            return Kind(command: "chrome-root-store", name: "a Chrome Root Store")
        } else if name == "certdata.txt" {
            return Kind(command: "certdata", name: "Mozilla's list of roots")
        } else if name == "cacerts" || storeEndings.contains(where: name.hasSuffix) {
            return Kind(command: "trust-store", name: "a key store")
        }
        return nil
    }

    /// The endings of key stores' names.
    private static let storeEndings = [
        ".jks", ".jceks", ".p12", ".pfx", ".keystore", ".truststore",
    ]

    // MARK: Content

    /// Whether a file may be YAML or JSON by its name.
    private static func isData(_ name: String) -> Bool {
        [".yaml", ".yml", ".json"].contains(where: name.hasSuffix) && !name.hasSuffix("pins.json")
    }

    /// The octets that are looked at.
    private static let octets = 1 << 16

    /// The kind of a file in YAML or JSON, by keys that the policies of Hawser do not have; nil for
    /// a file that has the key `hawser`.
    private static func kind(ofContent path: String, named name: String) -> Kind? {
        guard isData(name), OwnFileKind(named: name) == nil,
            let bytes = FileReader.beginning(of: path, count: octets)
        else { return nil }
        var words: Set<Substring> = []
        let text = String(decoding: bytes, as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("hawser:") { return nil }
            // `kind: X`, `"kind": "X",` and `- kind: X` are the same words.
            words.formUnion(line.split { " \t\"'{}[],:-".contains($0) })
        }
        func has(_ all: Substring...) -> Bool { all.allSatisfy(words.contains) }
        if has("static_resources") || has("staticResources")
            || text.contains("type.googleapis.com/envoy.")
        {
            return Kind(command: "envoy", name: "a configuration of Envoy")
        }
        if has("kind", "BackendTLSPolicy") {
            return Kind(command: "backend-tls-policy", name: "a manifest of the Gateway API")
        }
        if has("kind", "DestinationRule") {
            return Kind(command: "destination-rule", name: "a manifest of Istio")
        }
        if has("spiffe_sequence") || has("spiffe_refresh_hint") || text.contains("\"x509-svid\"") {
            return Kind(
                command: "spiffe", name: "a trust bundle of SPIFFE",
                options: ["--trust-domain", "NAME"])
        }
        if has("CACertificates") || has("CACertificatesWithConstraints") {
            return Kind(command: "chrome-enterprise", name: "a file of Chrome's policies")
        }
        return nil
    }
}
