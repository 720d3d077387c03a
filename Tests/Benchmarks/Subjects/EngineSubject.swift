import LibCrypto
import TrustEngine

/// An engine and the requests of a case. The engine's backend has seen nothing before, and its
/// memory is its own: a new subject has an empty memory.
package struct EngineSubject: Sendable {
    private let engine: Engine
    private let subject: VerdictCase
    private let first: TrustRequest
    /// The requests that are measured, in turn.
    private let requests: [TrustRequest]
    /// The backends that take turns, where each verdict has its own.
    private let backends: BackendsInTurn?

    /// Prepares an engine for a case; a request of it costs nothing later. `store` has the roots
    /// that the rule trusts in addition to the roots of the case. Linear in the roots and the
    /// chains.
    ///
    /// - Throws: the engine's error about the table; the tables of the cases cause none.
    package init(_ subject: VerdictCase, store: [[UInt8]]) throws {
        let crypto = LibCryptoBackend()
        let encoded = PolicyTable.encode(
            try EngineSubject.policy(of: subject, store: store, crypto: crypto), provenance: nil,
            crypto: crypto)
        self.engine = try Engine(
            table: PolicyTable(decoding: encoded.bytes, crypto: crypto),
            crypto: EngineSubject.emptyBackend)
        self.backends = nil
        self.subject = subject
        func request(_ chain: [[UInt8]]) -> TrustRequest {
            TrustRequest(
                host: subject.host, port: 443, presentedChain: chain,
                time: UTCInstant(secondsSinceEpoch: subject.seconds),
                tls: .observed(TLSParameters(version: .tls13)))
        }
        self.first = request(subject.chains[0])
        self.requests = subject.measured.map(request)
    }

    /// The same engine with a backend that has seen nothing. Linear in the roots.
    ///
    /// - Throws: as `init`.
    package func withEmptyMemory() throws -> EngineSubject {
        EngineSubject(
            engine: try Engine(table: engine.table, crypto: EngineSubject.emptyBackend),
            backends: nil, subject: subject, first: first, requests: requests)
    }

    /// The same engine with a backend that has seen nothing for each of `count` verdicts. Linear in
    /// the roots and in `count`. After them the last backend goes on.
    ///
    /// - Throws: as `init`.
    package func withEmptyMemories(_ count: Int) throws -> EngineSubject {
        let backends = BackendsInTurn((0..<count).map { _ in EngineSubject.emptyBackend })
        return EngineSubject(
            engine: try Engine(table: engine.table, crypto: backends), backends: backends,
            subject: subject, first: first, requests: requests)
    }

    /// What a store makes for its engines: libcrypto, with a memory of signatures. It has seen
    /// nothing.
    private static var emptyBackend: any CryptoBackend {
        RememberingBackend(LibCryptoBackend(), memory: SignatureMemory(capacity: 16_384))
    }

    private init(
        engine: Engine, backends: BackendsInTurn?, subject: VerdictCase, first: TrustRequest,
        requests: [TrustRequest]
    ) {
        self.engine = engine
        self.backends = backends
        self.subject = subject
        self.first = first
        self.requests = requests
    }

    /// Looks the host up `count` times, from its text to the rule, as each verdict begins. Whether
    /// the rule was found as often as the case says.
    package func lookUp(_ count: Int) -> Bool {
        var found = 0
        for _ in 0..<count {
            guard let host = try? CanonicalHost(text: subject.host) else { return false }
            if engine.table.lookUp(host, port: 443) != nil { found += 1 }
        }
        return found == (subject.isAccepted ? count : 0)
    }

    /// Judges the first chain of the case, which makes its issuers known where something is
    /// remembered. Whether the verdict is the right one.
    package func prime() -> Bool { judge(first) }

    /// Judges the requests in turn, `count` times in all. Whether each verdict is the right one.
    package func run(_ count: Int) -> Bool {
        var index = 0
        var isRight = true
        if requests.count == 1 {
            // An element of a list is copied for each call, and would count as the engine's.
            let only = requests[0]
            for _ in 0..<count { isRight = judge(only) && isRight }
            return isRight
        }
        for _ in 0..<count {
            isRight = judge(requests[index]) && isRight
            index = index + 1 == requests.count ? 0 : index + 1
        }
        return isRight
    }

    /// The reasons of the verdict on the first chain, for messages; empty for an accept.
    package var violations: [String] {
        engine.evaluate(first).violations.map { "\($0.id)" }
    }

    @inline(never)
    private func judge(_ request: TrustRequest) -> Bool {
        defer { backends?.turn() }
        switch subject.question {
        case .evaluate: return engine.evaluate(request).isAccept == subject.isAccepted
        case .explain: return engine.explain(request).verdict.isAccept == subject.isAccepted
        }
    }
}

extension EngineSubject {
    /// A deny by default, and one rule for the case's host and a thousand others.
    private static func policy(
        of subject: VerdictCase, store: [[UInt8]], crypto: LibCryptoBackend
    ) throws -> PolicyContents {
        let others = (0..<1_000).map { "service-\($0).team-\($0 % 7).acme.example" }
        let pins = try EngineSubject.pins(of: subject, crypto: crypto)
        let body = RuleBody(
            anchors: ["store"], pins: pins.map(\.id), profile: "baseline",
            requirements: Requirements(), identity: IdentityRequirement(), waivers: [], owner: nil,
            note: nil)
        let roots = Set(store + subject.anchors).sorted { $0.lexicographicallyPrecedes($1) }
        return PolicyContents(
            defaultRule: .deny,
            rules: [
                RuleContents(
                    id: "site",
                    hosts: (others + [subject.ruledHost]).sorted().map {
                        HostPattern(host: .name($0), port: nil)
                    }, body: body)
            ],
            anchorSets: [
                AnchorSetContents(id: "store", groups: [AnchorGroup(source: .members(roots))])
            ],
            pinSets: pins)
    }

    /// The pin set of a case: the key of the second certificate in the middle of keys that nobody
    /// has.
    private static func pins(
        of subject: VerdictCase, crypto: LibCryptoBackend
    ) throws -> [PinSetContents] {
        guard subject.pins > 0 else { return [] }
        func pin(_ number: Int, _ digest: Digest) -> PinContents {
            let zeros = String(repeating: "0", count: 6 - "\(number)".count)
            return PinContents(
                id: "key-\(zeros)\(number)", matches: [KeyMatch(kind: .spki, digest: digest)],
                position: .any, note: nil)
        }
        func nobody(_ number: Int) -> Digest {
            crypto.digest(.sha256, of: Array("nobody \(number)".utf8).span)
        }
        let issuer = try Certificate(der: subject.chains[0][1])
        let held = crypto.digest(.sha256, of: issuer.spkiBytes.span)
        return [
            PinSetContents(
                id: "pins",
                keys: (0..<subject.pins).map {
                    pin($0, $0 == subject.pins / 2 ? held : nobody($0))
                },
                backups: [pin(subject.pins, nobody(subject.pins))], match: 1, warnFrom: nil,
                enforceUntil: nil, onExpiry: .fail, owner: nil, note: nil)
        ]
    }
}
