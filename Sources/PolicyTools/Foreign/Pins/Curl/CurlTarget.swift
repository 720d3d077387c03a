import PolicyCompiler
import Rendering
package import TrustEngine

/// A configuration file of curl as a target of exports: `CurlModel` is its model.
package struct CurlTarget: ForeignTarget {
    package static let name = "curl"
    package static let title = "a configuration file of curl"
    package static let system = "curl"
    package static let usualFile = "curlrc"
    package static let unstated = [
        "revocation", "transparency", "keys", "signatures", "path", "validity", "identity",
        "forbidden-keys", "checks", "report-only", "tls.forward-secrecy", "tls.maximum-version",
        "tls.cipher-suites", "tls.groups", "tls.signature-schemes", "tls.alpn",
    ]

    package init(_ options: [ForeignOption: Int]) {}

    package func read(
        _ file: ForeignFile, as bound: ForeignBound, crypto: any CryptoBackend
    ) throws(ForeignError) -> ForeignImport {
        let read = try CurlReader.read(file.source.bytes)
        var resources = CurlImport.Resources()
        if let option = read.last("cacert"), let path = option.literal,
            let octets = file.companion(path)
        {
            resources.anchors = try ForeignCertificates.read(
                octets, named: path, at: option.argumentRange)
        }
        // Every version reads the hashes of an export alike.
        let version = CurlModel.Version(splitsAtSemicolons: true)
        return try CurlImport.policy(
            of: read, version: version, source: file.source, resources: resources)
    }

    package func write(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        let export = CurlExport(policy)
        let (text, companions) = (export.text, export.companions)
        guard let existing else {
            return ExportedFile(Array(text.utf8), companions: companions)
        }
        let old = try CurlReader.read(existing)
        var dropped = old.options.map(\.name).filter { !CurlExport.options.contains($0) }
            .unrepeated.map { "`\($0)`" }
        if !old.urls.isEmpty { dropped.append(Words.count(old.urls.count, "URL")) }
        return ExportedFile(
            Array(text.utf8), companions: companions, dropped: dropped,
            wasExported: ExportMark.isIn(existing))
    }
}

/// Writes the demands of a policy as options of curl.
///
/// The options bind every host that the command asks, so they state the demands of `default`, or,
/// if that denies, of the exported hosts: of several rules the strictest one.
struct CurlExport {
    /// The options that an export writes.
    static let options: Set<String> = [
        "cacert", "capath", "pinnedpubkey", "tlsv1.0", "tlsv1.1", "tlsv1.2", "tlsv1.3",
    ]

    private let policy: ExportedPolicy
    private let body: RuleBody?
    private let demands: ExportedDemands?

    init(_ policy: ExportedPolicy) {
        self.policy = policy
        body = policy.body(of: Self.decision(policy))
        demands = body.map { ExportedDemands($0, in: policy) }
    }

    /// The decision whose demands the file states.
    private static func decision(_ policy: ExportedPolicy) -> DatedRules.Decision {
        guard policy.body(of: policy.fallback) == nil else { return policy.fallback }
        var chosen: DatedRules.Decision?
        for index in policy.contents.rules.indices {
            let decision = DatedRules.Decision(rule: index, pattern: nil)
            guard policy.body(of: decision) != nil else { continue }
            chosen = chosen.map { policy.stricter($0, decision) } ?? decision
        }
        return chosen ?? policy.fallback
    }

    /// The certificates of `cacert`, with the name of their file.
    private var authorities: (name: String, members: [[UInt8]])? {
        guard let body, let demands, case .certificates(let members) = demands.anchors else {
            return nil
        }
        let octets = PEMText.certificates(members)
        let digest = policy.crypto.digest(.sha256, of: octets.span)
        let sets = policy.anchorSets(of: body).filter { set in
            set.groups.contains { if case .members = $0.source { true } else { false } }
        }
        let own = sets.count == 1 ? sets[0].id : Hexadecimal.encode(Array(digest.bytes.prefix(8)))
        return ("hawser-\(own).pem", members)
    }

    var companions: [(path: String, octets: [UInt8])] {
        authorities.map { [($0.name, PEMText.certificates($0.members))] } ?? []
    }

    var text: String {
        var lines = ExportedYAML.mark(policy)
        lines.append("# Use it with `curl --config`; it binds each host that the command asks.")
        guard let body, let demands else { return Self.text(lines + Self.nothing) }
        switch demands.anchors {
        case .nothing: return Self.text(lines + Self.nothing)
        case .system, .pinnedLeaves: break
        case .certificates:
            lines.append("# The path of `cacert` counts from the folder in which curl runs.")
            lines.append("cacert = \"\(authorities?.name ?? "")\"")
            // Without it a curl with a directory of CAs trusts these, too.
            lines.append("capath = \"/dev/null\"")
        }
        let pins = demands.leafPins.filter { !$0.isOfCertificate }.map { "sha256//\($0.digest)" }
        if !pins.isEmpty { lines.append("pinnedpubkey = \"\(pins.joined(separator: ";"))\"") }
        return Self.text(lines + [Self.version(body)])
    }

    private static func text(_ lines: [String]) -> String {
        lines.map { $0 + "\n" }.joined()
    }

    /// The lines that refuse every server: a pin that no key has.
    private static let nothing = [
        "# The policy accepts no server here: this digest matches no key.",
        "pinnedpubkey = \"sha256//\(WrittenPolicy.Pin.none(at: "leaf").digest)\"",
    ]

    private static func version(_ body: RuleBody) -> String {
        var floor = body.requirements.tls.minimumVersion == .tls13 ? "tlsv1.3" : "tlsv1.2"
        for case .tls(let version) in body.waivers.map(\.tolerance) {
            if version == .tls10 { floor = "tlsv1.0" }
            if version == .tls11 { floor = "tlsv1.1" }
        }
        return floor
    }
}
