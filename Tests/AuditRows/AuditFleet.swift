import ConformanceCases
import TestPKI
import TrustEngine

/// A fleet whose connections are recorded: a policy, certificates, and rows that follow from a
/// seed. Each row is known as a request too, so that the library can be asked without the row.
struct AuditFleet {
    private let seed: UInt64
    private let issuers: [Authority]
    private let root: Authority
    private var leaves: [Minted] = []
    private var vectors: [ConformanceCase] = []

    /// Makes a fleet of so many servers. `files` are public vectors, of which every tenth row is
    /// made.
    init(servers: Int, seed: UInt64, vectors files: [String]) throws {
        self.seed = seed
        let world = Scenario()
        root = world.root("Fleet Root", key: .p384("audit root"))
        issuers = [
            root.issueCA("Fleet Issuing 1", key: .p256("audit issuing 1"), pathLength: 0),
            root.issueCA("Fleet Issuing 2", key: .rsa2048("audit issuing 2"), pathLength: 0),
            root.issueCA("Fleet Issuing 3", key: .p384("audit issuing 3"), pathLength: 0),
        ]
        for number in 0..<servers {
            leaves.append(
                issuers[number % 64 == 0 ? 1 : number % 64 == 1 ? 2 : 0].issueLeaf(
                    dns: [AuditFleet.host(number)], key: .p256("audit leaf \(number % 16)"))
            )
        }
        for file in files {
            try CaseReader.read(file) { vectors.append($0) }
        }
    }

    private static func host(_ number: Int) -> String { "h\(number).fleet.example" }

    /// The certificates that rows name by their digests, as PEM.
    var dictionary: String { issuers.map(\.pem).joined() + root.pem }

    /// The policy: the fleet's own hosts, and the vectors' anchors for every other host.
    var contents: PolicyContents {
        func set(_ id: String, _ certificates: [[UInt8]]) -> AnchorSetContents {
            AnchorSetContents(
                id: id,
                groups: [
                    AnchorGroup(
                        source: .members(
                            Set(certificates).sorted { $0.lexicographicallyPrecedes($1) }),
                        kind: .root, standard: .rfc5280, ignoredLimits: [])
                ])
        }
        func body(_ set: String) -> RuleBody {
            RuleBody(
                anchors: [set], pins: [], profile: BuiltInProfile.baseline.rawValue,
                requirements: BuiltInProfile.baseline.requirements,
                identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)
        }
        let trusted = vectors.flatMap(\.trusted).filter { (try? Certificate(der: $0)) != nil }
        return PolicyContents(
            defaultRule: .body(body(trusted.isEmpty ? "fleet" : "vectors")),
            rules: [
                RuleContents(
                    id: "fleet",
                    hosts: [HostPattern(host: .anyLabels(base: "fleet.example"), port: nil)],
                    body: body("fleet"))
            ],
            anchorSets: [set("fleet", [root.der])]
                + (trusted.isEmpty ? [] : [set("vectors", trusted)]), pinSets: [])
    }

    /// A request and the row that says it.
    func row(_ number: Int) -> (request: TrustRequest, text: String) {
        var numbers = SplitMix(state: seed &+ UInt64(number) &* 0x9E37_79B9)
        if !vectors.isEmpty, Int.random(in: 0..<10, using: &numbers) == 0 {
            return vector(Int.random(in: 0..<vectors.count, using: &numbers), number)
        }
        let server = Int.random(in: 0..<leaves.count, using: &numbers)
        let leaf = leaves[server]
        let issuer = issuers[server % 64 == 0 ? 1 : server % 64 == 1 ? 2 : 0]
        let host: String
        switch Int.random(in: 0..<40, using: &numbers) {
        case 0: host = AuditFleet.host(server + 1)
        case 1: host = "x\(server % 3_000).elsewhere.example"
        case 2: host = "not a host \(server % 7)"
        default: host = AuditFleet.host(server)
        }
        // From January to December: three of four are within the leaves' dates.
        let time = UTCInstant.at("2026-02-15").advanced(
            bySeconds: Int64.random(in: 0..<19_000_000, using: &numbers))
        let (tls, words): (TLSState, String)
        switch Int.random(in: 0..<20, using: &numbers) {
        case 0: (tls, words) = (.observed(TLSParameters(version: .tls11)), #"{"version":"tls1.1"}"#)
        case 1: (tls, words) = (.cleartext, #"{"state":"cleartext"}"#)
        case 2: (tls, words) = (.notSupplied, #"{"state":"not-supplied"}"#)
        case 3: (tls, words) = (.assumed(TLSParameters()), "null")
        default:
            tls = .observed(
                TLSParameters(version: .tls13, cipherSuite: "TLS_AES_128_GCM_SHA256", alpn: "h2"))
            words = #"{"version":"tls1.3","cipherSuite":"TLS_AES_128_GCM_SHA256","alpn":"h2"}"#
        }
        let isCleartext = tls == .cleartext
        let chain: [Item]
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0: chain = [.inline(leaf.der)]
        case 1: chain = [.inline(issuer.der), .inline(leaf.der)]
        case 2...4: chain = [.inline(leaf.der), .inline(issuer.der)]
        default: chain = [.inline(leaf.der), .named(issuer.der)]
        }
        return made(
            number, host: host, port: 443, time: time, tls: tls, words,
            chain: isCleartext ? [] : chain)
    }

    private enum Item {
        case inline([UInt8])
        case named([UInt8])

        var der: [UInt8] {
            switch self {
            case .inline(let der), .named(let der): return der
            }
        }
    }

    private func vector(_ index: Int, _ number: Int) -> (request: TrustRequest, text: String) {
        let one = vectors[index]
        return made(
            number, host: one.names.first?.value ?? "example.com", port: 443,
            time: one.time ?? PreparedCase.presentDay,
            tls: .observed(TLSParameters(version: .tls13)), #"{"version":"tls1.3"}"#,
            chain: ([one.peer] + one.bag).map { .inline($0) })
    }

    private func made(
        _ number: Int, host: String, port: UInt16, time: UTCInstant, tls: TLSState,
        _ words: String, chain: [Item]
    ) -> (request: TrustRequest, text: String) {
        let request = TrustRequest(
            host: host, port: port, presentedChain: chain.map(\.der), time: time, tls: tls)
        let items = chain.map { item -> String in
            switch item {
            case .inline(let der): return "\"\(Base64.encode(der))\""
            case .named(let der): return "\"\(AuditRows.digest(der).text)\""
            }
        }
        // Hosts of vectors are ASCII without quotes or backslashes, as our own are.
        let plain: (UInt8) -> Bool = { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
        precondition(host.utf8.allSatisfy(plain))
        let text =
            #"{"id":"\#(number)","host":"\#(host)","port":\#(port),"time":"\#(time)","#
            + #""tls":\#(words),"chain":[\#(items.joined(separator: ","))]}"#
        return (request, text)
    }
}
