import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import TrustEngine

/// Imports of pin lists that a test writes as text.
enum PinImports {
    /// Digests that no placeholder looks like.
    static let digests = (1...6).map { number in
        Base64.encode(
            ForeignImports.crypto.digest(.sha256, of: [UInt8(number)].span).bytes)
    }
    static let one = digests[0]
    static let two = digests[1]
    static let three = digests[2]
    static let zero = Base64.encode([UInt8](repeating: 0, count: 32))
    static let ofNothing = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    static func source(_ name: String, _ text: String) -> SourceFile {
        SourceFile(path: name, bytes: Array(text.utf8))
    }

    static func version(_ text: String) throws -> OkHttpModel.Version {
        guard let version = OkHttpModel.Version(text) else { throw Problem(words: text) }
        return version
    }

    struct Problem: Error { let words: String }

    /// A builder in Kotlin, of patterns and pins.
    static func kotlin(_ entries: (String, [String])...) -> String { kotlin(entries) }

    static func kotlin(_ entries: [(String, [String])]) -> String {
        "val pinner = CertificatePinner.Builder()\n"
            + entries.map { pattern, pins in
                "    .add(\"\(pattern)\", \(pins.map { "\"\($0)\"" }.joined(separator: ", ")))\n"
            }.joined() + "    .build()\n"
    }

    static func okhttpModel(_ text: String, _ version: String = "5") throws -> OkHttpModel {
        let version = try self.version(version)
        let bytes = Array(text.utf8)
        return OkHttpModel(
            try OkHttpReader.read(bytes, OkHttpReader.language(of: "", bytes), version), version)
    }

    static func okhttp(_ text: String, _ version: String = "5") throws -> ForeignImport {
        PinListImport.policy(
            of: try okhttpModel(text, version), command: "okhttp", source: source("Pins.kt", text),
            owner: "mobile")
    }

    static func trustKitModel(_ text: String, takesAll: Bool = false) throws -> TrustKitModel {
        let bytes = Array(text.utf8)
        return TrustKitModel(
            try TrustKitReader.read(
                bytes, TrustKitReader.form(of: "", bytes), takesAll: takesAll))
    }

    static func trustKit(_ text: String, takesAll: Bool = false) throws -> ForeignImport {
        PinListImport.policy(
            of: try trustKitModel(text, takesAll: takesAll), command: "trustkit",
            source: source("AppDelegate.swift", text), owner: "mobile")
    }

    static func json(_ text: String, takesAll: Bool = false) throws -> ForeignImport {
        PinListImport.policy(
            of: PinsJSONModel(try PinsJSONReader.read(Array(text.utf8), takesAll: takesAll)),
            command: "pins-json", source: source("pins.json", text), owner: "mobile")
    }

    static func curlModel(_ text: String, _ version: String = "8") throws -> CurlModel {
        guard let version = CurlModel.Version(version) else { throw Problem(words: version) }
        return CurlModel(try CurlReader.read(Array(text.utf8)), version)
    }

    static func curl(
        _ text: String, _ version: String = "8",
        _ resources: CurlImport.Resources = CurlImport.Resources()
    ) throws -> ForeignImport {
        guard let version = CurlModel.Version(version) else { throw Problem(words: version) }
        return try CurlImport.policy(
            of: try CurlReader.read(Array(text.utf8)), version: version,
            source: source("curlrc", text), resources: resources, owner: "mobile")
    }

    /// A dictionary of TrustKit in Swift, of domains and their settings.
    static func swift(_ domains: (String, String)...) -> String {
        "let config: [String: Any] = [\n  kTSKSwizzleNetworkDelegates: false,\n  kTSKPinnedDomains: [\n"
            + domains.map { "    \"\($0.0)\": [\($0.1)],\n" }.joined() + "  ],\n]\n"
    }

    static func hashes(_ digests: String...) -> String {
        "kTSKPublicKeyHashes: [\(digests.map { "\"\($0)\"" }.joined(separator: ", "))]"
    }

    /// The digests that a policy demands for a host: nil without a pin, empty if nothing is
    /// accepted.
    static func demanded(_ host: String, _ imported: ForeignImport) -> Set<String>? {
        guard let body = ForeignProperties.body(of: host, in: imported.policy) else { return nil }
        if body.anchors == ["nothing"] { return [] }
        guard !body.pins.isEmpty else { return nil }
        return Set(
            ForeignProperties.pins(of: body, in: imported.policy).map {
                String($0.split(separator: " ")[1])
            })
    }
}
