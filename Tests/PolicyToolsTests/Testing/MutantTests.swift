import LibCrypto
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// The mistakes that are made in a policy, and which of them cases notice.
@Suite("mutants") struct MutantTests {
    private static let since = CoverageTests.day("2026-12-01")

    private static func mutants(_ text: String) throws -> Mutants {
        try Mutants(CoverageTests.table(text), since: since, crypto: LibCryptoBackend())
    }

    private static func lines(_ mutants: Mutants) -> [String] {
        mutants.list.map { "\($0.location.map { "\($0.line)" } ?? "-") \($0.change)" }
    }

    /// Whether a change adds something that the policy does not have.
    private static func isAddition(_ line: String) -> Bool {
        [
            "has a waiver of", "only reports", "has a rule of its own", "another key under",
            "with the name `mutant.invalid`",
        ].contains { line.contains($0) }
    }

    @Test("every kind of mistake is made where the policy writes the demand")
    func everyKind() throws {
        let mutants = try Self.mutants(
            """
            hawser: 1
            default: deny
            anchors:
              corp:
                files: [corp.pem]
                standard: web-pki
                constraints: { permitted-names: ["**.example"], maximum-lifetime: 398d }
              other: { files: [other.pem] }
            pins:
              pay:
                keys:
                  now: { spki: \(CoverageTests.pin(CoverageTests.leafKey)), at: leaf }
                  next: { spki: \(CoverageTests.pin(.p256("coverage next"))) }
                backups: { spare: { spki: \(CoverageTests.pin(.p256("coverage spare"))) } }
                match: all
                enforce-until: 2027-06-01
                on-expiry: fail
            profiles:
              strict:
                keys: { types: [p256, p384], rsa-minimum: 3072 }
                revocation: { preset: require, maximum-age: 26h }
                report-only: { lifetime: { until: 2027-02-01 } }
                validity: { maximum-lifetime: 90d }
            rules:
              payments:
                hosts: ["**.pay.example", "*.wallet.example:8443"]
                anchors: [corp]
                profile: strict
                pins: [pay]
                tls: { minimum-version: tls1.3, alpn: [h2] }
                checks: [short]
                waivers:
                  expired: { tolerance: 7d, until: 2027-03-01, reason: renewal, owner: net }
              site:
                hosts: ["site.example"]
                anchors: [corp, other]
                profile: strict
                identity: { reference: host-and-listed, dns: [www.site.example] }
                forbidden-keys: { old: { spki: \(CoverageTests.pin(.p256("coverage old"))) } }
            """)
        #expect(
            Self.lines(mutants).filter { !Self.isAddition($0) } == [
                "2 `default` trusts `corp` and no longer denies",
                "6 anchors `corp` have `standard: rfc5280` in place of `web-pki`",
                "7 anchors `corp` lose `constraints.permitted-names`",
                "7 anchors `corp` lose `constraints.maximum-lifetime`",
                "12 entry `now` of pins `pay` matches anywhere, not only at `leaf`",
                "15 pins `pay` need 1 of their keys and not 2",
                "17 pins `pay` have `on-expiry: report` in place of `fail`",
                "20 profile `strict` has `rsa` too in `keys.types`",
                "20 profile `strict` has `keys.rsa-minimum: 2048` in place of `3072`",
                "21 profile `strict` has `revocation.preset: best-effort` in place of `require`",
                "21 profile `strict` no longer has `revocation.maximum-age`",
                "22 `report-only.lifetime` of profile `strict` lasts until 2028-02-01 and not until 2027-02-01",
                "23 profile `strict` no longer has `validity.maximum-lifetime`",
                "26 `payments` has the hosts `**.wallet.example:8443` in place of `*.wallet.example:8443`",
                "27 `payments` also trusts `other`",
                "29 `payments` loses its pins",
                "30 `payments` has `tls.minimum-version: tls1.2` in place of `tls1.3`",
                "30 `payments` no longer has `tls.alpn`",
                "31 `payments` no longer asks the check `short`",
                "33 `waivers.expired` of `payments` lasts until 2028-02-29 and not until 2027-03-01",
                "38 `site` has `identity.reference: host` in place of `host-and-listed`",
                "38 `site` has `identity.reference: listed` in place of `host-and-listed`",
                "39 `site` no longer forbids the key `old`",
            ])
    }

    @Test("what an author could add is tried, too")
    func additions() throws {
        let lines = Self.lines(
            try Self.mutants(
                """
                hawser: 1
                default: deny
                anchors:
                  corp: { files: [corp.pem] }
                rules:
                  payments:
                    hosts: ["**.pay.bank.example", "one.pay.other.example:8443"]
                    anchors: [corp]
                    tls: { minimum-version: tls1.3 }
                """))
        for line in [
            "6 `payments` has a waiver of `identity`", "6 `payments` has a waiver of `path`",
            "6 `payments` has a waiver of `cleartext`",
            "6 `payments` has a waiver of `revocation`", "6 `payments` has a waiver of `expired`",
            "6 `payments` only reports `revocation`, `tls`, `keys`, `signatures`",
            "6 `payments` has `identity.reference: listed` with the name `mutant.invalid`",
            "7 `mutant.pay.bank.example` inside `**.pay.bank.example` of `payments` has a rule of "
                + "its own without its demands",
            "7 `**.pay.bank.example:8443` inside `**.pay.bank.example` of `payments` has a rule of "
                + "its own without its demands",
            "7 `payments` has the hosts `**.bank.example` in place of `**.pay.bank.example`",
            "7 `payments` has the hosts `**.pay.other.example:8443` in place of "
                + "`one.pay.other.example:8443`",
        ] {
            #expect(lines.contains(line), "\(line)\n\(lines.joined(separator: "\n"))")
        }
        let exchanged = lines.filter { $0.hasPrefix("4 anchors `corp` have another key under") }
        #expect(exchanged.count == 1, "\(lines)")
        // What nothing demands cannot be suspended.
        #expect(!lines.contains { $0.contains("`pins`") || $0.contains("`transparency`") })
    }

    @Test("survivors are told with their places")
    func survivors() throws {
        let table = try CoverageTests.table()
        let mutants = try Mutants(table, since: Self.since, crypto: LibCryptoBackend())
        let host = try CanonicalHost(text: "y.x.site.example")
        let report = MutationReport(mutants, crypto: LibCryptoBackend()) { mutant in
            mutant.lookUp(host, port: 8443) == nil ? [] : ["nobody-decides"]
        }
        let lines = CoverageTests.text(TestDocument.mutation(report) { "unit/\($0)" }).split(
            separator: "\n")
        #expect(lines[0].hasPrefix("24 mistakes tried: 1 noticed, 23 not"), "\(lines[0])")
        #expect(lines.count == 1 + 2 * 23)
        for (sentence, place) in [
            (
                "`default` trusts `corp` and no longer denies",
                "unit/policy.yaml:2:1, such as unlisted.example:443 at 2026-12-01T00:00:00Z"
            ),
            (
                "entry `now` of pins `pay` matches anywhere, not only at `leaf`",
                "unit/policy.yaml:7:26, such as pay.example:443 at 2026-12-01T00:00:00Z"
            ),
            (
                "profile `strict` has `keys.rsa-minimum: 2048` in place of `3072`",
                "unit/policy.yaml:10:34, such as pay.example:443 at 2026-12-01T00:00:00Z"
            ),
            (
                "`payments` has a waiver of `path`",
                "unit/policy.yaml:12:3, such as pay.example:443 at 2026-12-01T00:00:00Z"
            ),
            (
                "`payments` loses its pins",
                "unit/policy.yaml:16:11, such as pay.example:443 at 2026-12-01T00:00:00Z"
            ),
            (
                "`waivers.expired` of `payments` lasts until 2028-02-29 and not until 2027-03-01",
                "unit/policy.yaml:18:7, such as pay.example:443 at 2027-03-02T00:00:00Z"
            ),
        ] {
            let index = lines.firstIndex { $0 == "  nothing notices when \(sentence)" }
            #expect(index.map { lines[$0 + 1] } == "      \(place)", "\(sentence)")
        }
        #expect(
            report.excess(over: 22)
                == "23 mistakes are noticed by no case, 1 more than `--most-survivors` lets pass")
        #expect(report.excess(over: 23) == nil)
        #expect(report.entries.last?.noticedBy == ["nobody-decides"])
    }

    /// Random policies: a mutant accepts more by the one order, for its witness, and makes no other
    /// change.
    @Test("random policies", arguments: [UInt64(0x0517_0001), 0x0517_0002])
    func random(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var (made, equal) = (0, 0)
        for round in 0..<(Sample.isWhole ? 20 : 10) {
            let pair = RandomPair(&random)
            let table = pair.tables[0]
            let note: Comment = "seed \(seed), round \(round)"
            let mutants = try Mutants(table, since: RandomPair.since, crypto: LibCryptoBackend())
            let again = try Mutants(table, since: RandomPair.since, crypto: LibCryptoBackend())
            #expect(mutants.list.map(\.change) == again.list.map(\.change), note)
            let before = PolicyBehaviours(table, since: RandomPair.since)
            for mutant in mutants.list {
                let mutated = mutant.table(crypto: LibCryptoBackend())
                // Its bytes are a table that loads.
                let decoded = try PolicyTable(decoding: mutated.bytes, crypto: LibCryptoBackend())
                let after = PolicyBehaviours(decoded, since: RandomPair.since)
                func decider(_ table: PolicyTable) -> Int {
                    table.lookUp(mutant.witness.host, port: mutant.witness.port)
                        .map { Int($0.rule) } ?? HostClass.byDefault
                }
                let relation = BehaviourOrder().relation(
                    after.behaviour(of: decider(decoded)).asOf(mutant.time),
                    before.behaviour(of: decider(table)).asOf(mutant.time))
                #expect(
                    relation == .weaker || relation == .incomparable, "\(note): \(mutant.change)")
            }
            made += mutants.list.count
            equal += mutants.equal
        }
        #expect(made > 100)
        #expect(equal > 0)
    }
}
