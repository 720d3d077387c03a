import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// Random statements about random policies are decided as a slow look at every class of hosts and
/// every instant decides. `HAWSER_FULL=1` asks eighty times as many.
@Suite("assertions against a slow decision") struct AssertionProperties {
    private static let seeds: [UInt64] = [0xA55E_0001, 0xA55E_0002]
    /// The statements that are proved, and those that are refuted, for each seed.
    private static var wanted: Int { Sample.isWhole ? 1_000 : 12 }

    /// A statement about a pair of policies.
    private struct Asked {
        let policy: RandomStatementPolicy
        let statement: RandomStatement
        let patterns: [HostPattern]?
        let window: DateWindow
        let assertion: Assertion
        let file: SourceFile

        init?(_ random: inout SplitMix) throws {
            policy = RandomStatementPolicy(&random)
            statement = RandomStatement.make(policy.contents[0], &random)
            let all = policy.contents[0].rules.flatMap(\.hosts)
            // IPv4 addresses written as IPv6 are refused.
            let names = all.filter {
                $0.canonicalText.utf8.count < 200
                    && (try? HostPatternScanner.scan($0.canonicalText)) != nil
            }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: patterns = nil
            // Around all of the policy's names.
            case 1: patterns = [HostPattern(host: .anyLabels(base: "x"), port: nil)]
            default:
                let some = names.shuffled(using: &random)
                    .prefix(Int.random(in: 1...2, using: &random))
                guard !some.isEmpty else { return nil }
                patterns = some.sorted()
            }
            let end =
                RandomPair.ends.filter { $0 > RandomPair.since }
                .randomElement(using: &random) ?? .day(20)
            let isEnded = Bool.random(using: &random)
            window = DateWindow(from: RandomPair.since, until: isEnded ? end : nil)
            let hosts =
                patterns.map { "[\($0.map { "\"\($0.canonicalText)\"" }.joined(separator: ", "))]" }
                ?? "all"
            let text =
                "hawser-assert: 1\nassertions:\n  said:\n    hosts: \(hosts)\n    during: { from: "
                + RandomPair.since.description + (isEnded ? ", until: \(end.description)" : "")
                + " }\n" + statement.text
            file = SourceFile(path: "said.assert.yaml", bytes: Array(text.utf8))
            let read = AssertionFile.read(
                file, of: nil, resources: RandomResources(), crypto: LibCryptoBackend())
            let errors = read.diagnostics.filter { $0.severity == .error }
            #expect(errors == [], "\(text)\(errors.map(\.message))")
            guard let first = read.assertions?.first else { return nil }
            assertion = first
        }

        var result: AssertionResult {
            get throws {
                let other = policy.tables[1]
                return try AssertionProver(
                    policy.tables[0], at: RandomPair.since,
                    neighbours: NeighbourUnits { (_) throws(ResourceError) in other },
                    crypto: LibCryptoBackend()
                ).prove(assertion, in: file)
            }
        }

        func isInside(_ host: CanonicalHost, _ port: UInt16) -> Bool {
            patterns.map { $0.contains { $0.matches(host, port: port) } } ?? true
        }

        func shown(
            _ side: Int, _ host: CanonicalHost, _ port: UInt16, at time: UTCInstant
        ) -> RandomStatement.Shown {
            RandomStatement.Shown(
                rule: RandomStatementPolicy.show(policy.tables[side], host, port), time: time,
                contents: policy.contents[side])
        }

        func holds(_ host: CanonicalHost, _ port: UInt16, at time: UTCInstant) -> Bool {
            statement.holds(shown(0, host, port, at: time), shown(1, host, port, at: time))
        }

        /// Every instant at which anything can change.
        var instants: [UTCInstant] {
            ([RandomPair.since] + RandomPair.ends.flatMap { [$0, $0.advanced(bySeconds: 1)] })
                .filter { window.contains($0) }
        }

        /// A host of every class that the policies and the statement part; whether a rule decides
        /// one of them, or none must (`decision: deny`); and whether the statement holds for all at
        /// every instant.
        func slow() throws -> (isDecided: Bool, holds: Bool, classes: Int) {
            let mask = RandomStatementPolicy.table(
                PolicyContents(
                    defaultRule: .deny,
                    rules: (patterns ?? []).enumerated().map {
                        RuleContents(id: "mask-\($0)", hosts: [$1], body: AssertionProperties.body)
                    }, anchorSets: [.system], pinSets: []))
            let hosts = HostClasses(policy.tables + [mask])
            var (isDecided, isHeld, count) = (false, true, 0)
            for found in try hosts.all() {
                let witness = try #require(hosts.witness(found))
                guard isInside(witness.host, witness.port) else { continue }
                count += 1
                let own = shown(0, witness.host, witness.port, at: RandomPair.since)
                if !own.rule.rule.isEmpty { isDecided = true }
                isHeld =
                    isHeld
                    && instants.allSatisfy { holds(witness.host, witness.port, at: $0) }
            }
            return (isDecided || patterns == nil || statement.needsNoRule, isHeld, count)
        }

        /// The table that accepts what the statement allows of the hosts that a rule decides; nil
        /// where no table does.
        func floor(of rule: String) -> PolicyTable? {
            if statement.text.contains("unit:") { return policy.tables[1] }
            guard let floor = statement.floor else { return nil }
            var contents = policy.contents[0]
            if let index = contents.rules.firstIndex(where: { $0.id == rule }) {
                guard let body = floor(contents.rules[index].body) else {
                    return RandomStatementPolicy.denying
                }
                contents.rules[index].body = body
            } else {
                guard case .body(let own) = contents.defaultRule else { return nil }
                guard let body = floor(own) else { return RandomStatementPolicy.denying }
                contents.defaultRule = .body(body)
            }
            return RandomStatementPolicy.table(contents)
        }
    }

    @Test("statements that hold and statements that do not", arguments: seeds)
    func exact(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var (proved, refuted, stale, forbidden, judged) = (0, 0, 0, 0, 0)
        var round = 0
        while proved < Self.wanted || refuted < Self.wanted {
            round += 1
            guard round < Self.wanted * 60 else { break }
            guard let asked = try Asked(&random) else { continue }
            let said: Comment =
                "seed \(seed), round \(round): \(String(decoding: asked.file.bytes, as: UTF8.self))"
            let slow = try asked.slow()
            let result = try asked.result
            switch result.verdict {
            case .stale:
                #expect(!slow.isDecided, said)
                stale += 1
            case .proved:
                #expect(slow.isDecided && slow.holds, said)
                // Cut only by the mask, or by the other policy too.
                #expect(result.classes > 0 && result.classes <= slow.classes, said)
                proved += 1
                guard proved <= Self.wanted else { continue }
                judged += try Self.acceptsNothingForbidden(asked, &random, said)
            case .refuted(let list):
                #expect(slow.isDecided && !slow.holds, said)
                refuted += 1
                guard refuted <= Self.wanted else { continue }
                for refutation in list {
                    try Self.confirm(refutation, asked, said)
                }
                if let first = list.first,
                    try Self.acceptsForbidden(first, asked, &random)
                {
                    forbidden += 1
                }
            }
        }
        print(
            "assertions, seed \(seed): \(proved) proved, \(refuted) refuted, \(stale) stale; "
                + "\(forbidden) refutations with an accept that the statement forbids; "
                + "\(judged) accepts under what is proved")
        #expect(proved >= Self.wanted && refuted >= Self.wanted, "\(proved), \(refuted)")
        #expect(forbidden * 10 > Self.wanted && judged > Self.wanted / 4, "\(forbidden) \(judged)")
    }

    @Test(
        "a denial is never stale for want of a rule",
        arguments: [
            ("decision: deny", DefaultRule.deny, "proved"),
            ("decision: deny", .body(body), "refuted"),
            ("identity: host", .deny, "stale"), ("identity: host", .body(body), "stale"),
        ] as [(String, DefaultRule, String)])
    func denial(demand: String, fallback: DefaultRule, expected: String) throws {
        let table = RandomStatementPolicy.table(
            PolicyContents(
                defaultRule: fallback,
                rules: [
                    RuleContents(
                        id: "other", hosts: [HostPattern(host: .name("a.y"), port: nil)],
                        body: Self.body)
                ], anchorSets: [.system], pinSets: []))
        let text = "hawser-assert: 1\nassertions: { said: { hosts: [\"**.x\"], \(demand) } }\n"
        let file = SourceFile(path: "said.assert.yaml", bytes: Array(text.utf8))
        let read = AssertionFile.read(
            file, of: nil, resources: RandomResources(), crypto: LibCryptoBackend())
        let assertion = try #require(read.assertions?.first, "\(read.diagnostics)")
        let result = try AssertionProver(
            table, at: RandomPair.since, neighbours: .none, crypto: LibCryptoBackend()
        ).prove(assertion, in: file)
        switch result.verdict {
        case .proved: #expect(expected == "proved")
        case .refuted: #expect(expected == "refuted")
        case .stale: #expect(expected == "stale")
        }
    }

    private static let body = RuleBody(
        anchors: ["system"], pins: [], profile: "baseline", requirements: Requirements(),
        identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)

    /// `show` confirms the witness of a refutation.
    private static func confirm(
        _ refutation: AssertionRefutation, _ asked: Asked, _ said: Comment
    ) throws {
        let (host, port) = (refutation.witness.host, refutation.witness.port)
        #expect(asked.isInside(host, port), said)
        let shown = asked.shown(0, host, port, at: refutation.from)
        #expect(shown.rule.rule == refutation.rule.id, said)
        #expect(asked.window.contains(refutation.from), said)
        #expect(!asked.holds(host, port, at: refutation.from), said)
        #expect(!refutation.gaps.isEmpty, said)
        // It holds at every instant before, and right after its end.
        for time in asked.instants where time < refutation.from {
            #expect(asked.holds(host, port, at: time), said)
        }
        if let until = refutation.until {
            #expect(!asked.holds(host, port, at: until), said)
            #expect(asked.holds(host, port, at: until.advanced(bySeconds: 1)), said)
        }
    }

    /// Whether a minted chain is accepted that the statement forbids.
    private static func acceptsForbidden(
        _ refutation: AssertionRefutation, _ asked: Asked, _ random: inout SplitMix
    ) throws -> Bool {
        guard let table = asked.floor(of: refutation.rule.id) else { return false }
        let (own, floor) = (
            try RandomWorld.engine(asked.policy.tables[0]), try RandomWorld.engine(table)
        )
        for _ in 0..<25 {
            let request = Self.request(
                refutation.witness.host, refutation.witness.port, at: refutation.from, &random)
            if own.evaluate(request).isAccept, !floor.evaluate(request).isAccept { return true }
        }
        return false
    }

    /// Judges minted chains for hosts that a proved statement is about. None may be accepted that
    /// the statement forbids. Returns the number of accepts.
    private static func acceptsNothingForbidden(
        _ asked: Asked, _ random: inout SplitMix, _ said: Comment
    ) throws -> Int {
        let own = try RandomWorld.engine(asked.policy.tables[0])
        var accepts = 0
        for _ in 0..<40 {
            let host = asked.policy.pair.host(&random)
            let port = RandomPair.port(&random)
            guard asked.isInside(host, port) else { continue }
            let time = asked.instants.randomElement(using: &random) ?? RandomPair.since
            let request = Self.request(host, port, at: time, &random)
            guard own.evaluate(request).isAccept else { continue }
            accepts += 1
            let rule = asked.shown(0, host, port, at: time).rule.rule
            guard let table = asked.floor(of: rule) else { continue }
            #expect(
                try RandomWorld.engine(table).evaluate(request).isAccept,
                "\(said) \(host.text):\(port) at \(time)")
        }
        return accepts
    }

    private static func request(
        _ host: CanonicalHost, _ port: UInt16, at time: UTCInstant, _ random: inout SplitMix
    ) -> TrustRequest {
        TrustRequest(
            host: host.text, port: port, presentedChain: RandomWorld.chain(for: host, &random),
            time: time, tls: .observed(RandomWorld.parameters(&random)), evidence: Evidence())
    }
}

/// Statements that name no file.
private struct RandomResources: UnitResources {
    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        throw ResourceError(code: .notFound, context: "there is no `\(path)`")
    }

    func list(_ folder: String) throws(ResourceError) -> [String] {
        throw ResourceError(code: .notFound, context: "there is no `\(folder)`")
    }
}
