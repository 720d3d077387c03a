import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// A policy of one rule and one request for it, open to change: a test spoils the one thing it is
/// about.
struct World: Sendable {
    static let host = "api.acme.example"

    /// Presented chain, the end entity first.
    var chain: [[UInt8]]
    /// Every anchor set of the policy.
    var sets: [AnchorSetContents] = []
    /// Ids of the rule's sets; nil for all.
    var anchors: [String]?
    /// Whether what the rule pins is its anchors, and nothing else is.
    var anchorsArePinnedKeys = false
    /// The machine's store.
    var store: [[UInt8]]?
    /// Pin sets, all of them the rule's.
    var pins: [PinSetContents] = []
    var requirements = Requirements()
    var identity = IdentityRequirement()
    var waivers: [Waiver] = []
    var reportOnly: [ReportOnly] = []
    /// Rules for other hosts.
    var otherRules: [RuleContents] = []
    /// What the program registers.
    var checks: [String: CustomCheck] = [:]
    var workLimit = Engine.standardWorkLimit
    /// Until when the table is fresh.
    var freshness: TableFreshness?
    /// What no policy can lift.
    var overrides = EngineOverrides()
    var host = World.host
    var time = Scenario.judgedAt
    var tls = TLSState.observed(TLSParameters(version: .tls13))
    var evidence = Evidence()
    /// The log list of the rule, where it demands timestamps in any way.
    var logList = TestLogList.json([])
    /// Whether the rule has the log list although it demands no timestamps.
    var keepsLogList = false
    /// One that is given to the load.
    var laterLogList: String?

    /// A request with a chain, for a rule that trusts one set of roots.
    init(_ chain: [[UInt8]], roots: [[UInt8]]) {
        self.chain = chain
        trust("corp", roots)
    }

    /// Adds an anchor set.
    mutating func trust(
        _ id: String, _ members: [[UInt8]], kind: AnchorKind = .root,
        standard: Standard = .rfc5280
    ) {
        sets.append(
            AnchorSetContents(
                id: id,
                groups: [AnchorGroup(source: .members(members), kind: kind, standard: standard)]))
    }

    /// Adds a pin set; the backup is a key that is on no path.
    mutating func pin(
        _ keys: [(certificate: Minted, at: PinPosition)], match: Int = 1, id: String = "acme",
        _ change: (inout PinSetContents) -> Void = { _ in }
    ) {
        var set = PinSetContents(
            id: id,
            keys: keys.enumerated().map { index, key in
                PinContents(
                    id: "key-\(index)", matches: [World.key(of: key.certificate.key)],
                    position: key.at, note: nil)
            },
            backups: [
                PinContents(
                    id: "spare", matches: [World.key(of: .p256("a backup in a safe"))],
                    position: .any, note: nil)
            ],
            match: match, warnFrom: nil, enforceUntil: nil, onExpiry: .fail, owner: nil, note: nil)
        change(&set)
        pins.append(set)
    }

    /// Adds a waiver in force through a second.
    mutating func waive(
        _ tolerance: Waiver.Tolerance, until: UTCInstant = .at("2026-12-31T23:59:59Z")
    ) {
        waivers.append(
            Waiver(tolerance: tolerance, until: until, reason: "r", owner: "o", ticket: nil))
    }

    /// Adds what the members of the first set may vouch for.
    mutating func constrain(_ change: (inout AnchorConstraints) -> Void) {
        var constraints = AnchorConstraints()
        change(&constraints)
        sets[0].groups[0].constraints.append(constraints)
    }

    static func certificate(of certificate: Minted) -> KeyMatch {
        guard let digest = Digest(.sha256, bytes: certificate.fingerprint) else {
            preconditionFailure("SHA-256 has 32 octets")
        }
        return KeyMatch(kind: .certificate, digest: digest)
    }

    /// Puts a check under report-only through a second.
    mutating func report(
        _ check: ReportOnly.Check, until: UTCInstant = .at("2026-12-31T23:59:59Z")
    ) {
        reportOnly.append(ReportOnly(check: check, until: until, note: nil))
    }

    static func key(of key: TestKey) -> KeyMatch {
        guard let digest = Digest(.sha256, bytes: key.spkiSHA256) else {
            preconditionFailure("SHA-256 has 32 octets")
        }
        return KeyMatch(kind: .spki, digest: digest)
    }

    /// A digest, and the digest of a key on no path, in the order of their octets: the given digest
    /// is the first of the two, or the second.
    static func beside(_ match: KeyMatch, isFirst: Bool) throws -> [KeyMatch] {
        let strangers = (0..<64).lazy.map { key(of: .p256("a key on no path \($0)")) }
        let stranger = try #require(
            strangers.first {
                match.digest.bytes.lexicographicallyPrecedes($0.digest.bytes) == isFirst
            })
        return isFirst ? [match, stranger] : [stranger, match]
    }

    /// The same world, changed.
    func with(_ change: (inout World) -> Void) -> World {
        var world = self
        change(&world)
        return world
    }

    /// The same world, judged at another instant.
    func at(_ time: UTCInstant) -> World { with { $0.time = time } }

    // MARK: Judging

    func engine(crypto: any CryptoBackend = LibCryptoBackend()) throws -> Engine {
        var requirements = requirements
        var logLists: [LogListContents] = []
        let areTimestampsAsked = sets.contains {
            $0.groups.contains { $0.constraints.contains { $0.sct != nil } }
        }
        if requirements.transparency.isDemanded || areTimestampsAsked || keepsLogList {
            let bytes = Array(logList.utf8)
            let digest = crypto.digest(.sha256, of: bytes.span)
            requirements.transparency.logList = digest
            logLists = [LogListContents(digest: digest, bytes: bytes)]
        }
        let body = RuleBody(
            anchors: anchorsArePinnedKeys ? [] : (anchors ?? sets.map(\.id)).sorted(),
            anchorsArePinnedKeys: anchorsArePinnedKeys, pins: pins.map(\.id).sorted(),
            profile: "baseline", requirements: requirements, identity: identity,
            reportOnly: reportOnly.sorted { $0.check.precedes($1.check) }, waivers: waivers,
            owner: nil, note: nil)
        let contents = PolicyContents(
            defaultRule: .deny,
            rules: ([
                RuleContents(
                    id: "api", hosts: [HostPattern(host: .name(World.host), port: nil)], body: body)
            ] + otherRules).sorted { $0.id < $1.id },
            anchorSets: sets.sorted { $0.id < $1.id }, pinSets: pins.sorted { $0.id < $1.id },
            logLists: logLists)
        let table = PolicyTable.encode(contents, provenance: nil, crypto: crypto)
        var engine = try Engine(
            table: table,
            inputs: EngineInputs(
                systemStore: store, checks: checks, logList: laterLogList.map { Array($0.utf8) }),
            crypto: crypto,
            workLimit: workLimit, overrides: overrides)
        engine.freshness = freshness
        return engine
    }

    /// Expects the same verdict where the engine is given the head of the request first. It asks
    /// for the rest once, where there is a rule.
    func expectSameByHead(_ location: SourceLocation = #_sourceLocation) throws {
        let engine = try engine()
        let verdict = engine.evaluate(request)
        var asked = 0
        let ofHead = engine.evaluate(RequestHead(host: host, port: 443, time: time)) {
            asked += 1
            return request
        }
        #expect(ofHead == verdict, sourceLocation: location)
        let hasNoRule = verdict.violations.contains {
            ["no-applicable-rule", "bad-host"].contains($0.id)
        }
        #expect(asked == (hasNoRule ? 0 : 1), sourceLocation: location)
    }

    private var request: TrustRequest {
        TrustRequest(
            host: host, port: 443, presentedChain: chain, time: time, tls: tls,
            evidence: evidence)
    }

    /// The verdict, which `evaluate`, `explain` and the replay of the trace must all give.
    func judge(
        crypto: any CryptoBackend = LibCryptoBackend(),
        _ location: SourceLocation = #_sourceLocation
    ) throws -> Judged {
        let engine = try engine(crypto: crypto)
        let request = request
        let verdict = engine.evaluate(request)
        let explanation = engine.explain(request)
        #expect(verdict == explanation.verdict, sourceLocation: location)
        #expect(verdict == explanation.trace.replayedVerdict(), sourceLocation: location)
        return Judged(verdict: verdict, trace: explanation.trace)
    }
}

/// A verdict and its trace, in the words that tests ask for.
struct Judged {
    let verdict: Verdict
    let trace: Trace

    /// `accept`, or the ids of the violations.
    var outcome: [String] {
        verdict.isAccept ? ["accept"] : verdict.violations.map(\.id)
    }

    /// What an accept carries.
    var acceptance: Acceptance? {
        if case .accept(let acceptance) = verdict.outcome { return acceptance }
        return nil
    }

    /// Common names of the accepted path, end entity first.
    var path: [String] { acceptance?.path.map { String($0.subject.dropFirst(3)) } ?? [] }

    /// Ids of what an accept let through.
    var reported: [String] { acceptance?.reported.map(\.violation.id) ?? [] }

    /// Ids of the notices of an accept.
    var notices: [String] { acceptance?.notices.map(\.id) ?? [] }

    /// The demands of the notice of issuance, from the end entity upwards.
    var breaches: [String] {
        for case .issuance(let breaches) in acceptance?.notices ?? [] {
            return breaches.map(\.demand)
        }
        return []
    }

    /// Its cost.
    var work: WorkStep? {
        for case .work(let step) in trace.steps { return step }
        return nil
    }
}

/// One line of a table of cases.
struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: [String]
    let world: World

    init(_ name: String, _ expected: [String], _ world: World) {
        self.testDescription = name
        self.expected = expected
        self.world = world
    }
}

/// One root, one issuing authority and one good certificate.
struct Acme: Sendable {
    let root = Scenario().root("Root A", key: .p256("evaluation root a"))
    let issuing: Authority
    let good: Minted

    init() {
        issuing = root.issueCA("Issuing A", key: .p256("evaluation issuing a"))
        good = issuing.issueLeaf(dns: [World.host])
    }

    /// The chain of the good certificate.
    var world: World { World([good.der, issuing.der], roots: [root.der]) }

    /// The world of another certificate from the same authority.
    func presenting(_ change: (inout CertificateRecipe) -> Void) -> World {
        let leaf = issuing.issueLeaf(dns: [World.host], change)
        return World([leaf.der, issuing.der], roots: [root.der])
    }

    /// The world of a changed issuing authority.
    func issuing(_ change: (inout CertificateRecipe) -> Void) -> World {
        let changed = root.issueCA("Issuing A", key: issuing.key, change)
        let leaf = changed.issueLeaf(dns: [World.host])
        return World([leaf.der, changed.der], roots: [root.der])
    }

    /// The world of a changed root.
    func root(_ change: (inout CertificateRecipe) -> Void) -> World {
        let changed = Scenario().root("Root A", key: root.key, change)
        return World([good.der, issuing.der], roots: [changed.der])
    }
}

/// The terms of a set of one group, as `World.trust` makes them.
extension AnchorSetContents {
    var members: [[UInt8]] {
        get {
            guard case .members(let members) = groups[0].source else { return [] }
            return members
        }
        set { groups[0].source = .members(newValue) }
    }

    var standard: Standard {
        get { groups[0].standard }
        set { groups[0].standard = newValue }
    }
}
