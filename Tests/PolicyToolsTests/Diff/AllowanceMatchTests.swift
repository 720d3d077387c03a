import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// What an allowance lets pass: exactly the printed change, for the hosts that it covers, while it
/// is in force.
@Suite("allowances and changes, row by row") struct AllowanceMatchTests {
    private static let since = UTCInstant(secondsSinceEpoch: 1_780_272_000)  // 2026-06-01T00:00:00Z

    private static func policy(
        bits: Int = 3072, lifetime: String = "90d", policies: String? = nil,
        pinEnd: String = "2027-06-30", more: String = ""
    ) throws -> PolicyTable {
        let wanted = policies.map { "path: { certificate-policies: [\($0)] }" } ?? ""
        return try CoverageTests.table(
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: [corp.pem] }
            pins:
              cdn:
                keys: { now: { spki: \(CoverageTests.pin(CoverageTests.leafKey)), at: leaf } }
                backups: { spare: { spki: \(CoverageTests.pin(.p256("allowance spare"))) } }
                enforce-until: \(pinEnd)
                on-expiry: unpinned
            profiles:
              org:
                keys: { rsa-minimum: \(bits) }
                validity: { maximum-lifetime: \(lifetime) }
                \(wanted)
            rules:
              cdn:
                hosts: ["**.cdn.example", "api.port.example:8443"]
                anchors: [corp]
                pins: [cdn]
                profile: org
                owner: web
            """)
    }

    /// The lines of one allowance; `also` is left out where it is nil.
    struct Terms: Sendable {
        var hosts = "[\"**.cdn.example\", \"api.port.example:8443\"]"
        var field = "keys.rsa-minimum"
        var from = "3072"
        var to = "2048"
        var also: String?
        var until = "2026-08-31"

        func text(_ id: String) -> String {
            """
              \(id):
                hosts: \(hosts)
                field: \(field)
                from: "\(from)"
                to: "\(to)"
                reason: readers are replaced
                owner: web
                until: \(until)
            \(also.map { "    also: \($0)\n" } ?? "")

            """
        }
    }

    /// Whether allowances let every change pass that is not equal or stricter, and the words about
    /// allowances that no change needs.
    private static func judge(
        _ old: PolicyTable, _ new: PolicyTable, _ terms: [Terms]
    ) throws -> (isAllowed: Bool, words: String) {
        let text =
            "hawser-allow: 1\nallowances:\n"
            + terms.enumerated().map { $1.text("a\($0)") }.joined()
        let file = SourceFile(path: "review.allow.yaml", bytes: Array(text.utf8))
        let (read, diagnostics) = Allowances.read(file, crypto: LibCryptoBackend())
        let problems = diagnostics.map(\.message)
        let allowances = try #require(read, "\(problems)")
        let question = DiffQuestion(
            DiffSide("OLD", old), DiffSide("NEW", new), since: since,
            options: DiffQuestion.Options(allowances: allowances))
        let diff = try question.compare(crypto: LibCryptoBackend())
        let weaker = diff.changes.filter { !$0.relation.isNoWeaker }
        #expect(!weaker.isEmpty)
        let words = allowances.findings(after: [diff], since: since)
            .map { ([$0.message] + $0.help).joined(separator: "\n") }.joined(separator: "\n")
        return (weaker.allSatisfy { $0.allowance != nil }, words)
    }

    /// The lines that the words about an unused allowance ask for.
    private static func lines(_ words: String) throws -> String {
        let start = try #require(words.firstRange(of: "`also: "), "\(words)").upperBound
        let end = try #require(words[start...].firstRange(of: "]`"), "\(words)").lowerBound
        return words[start..<end] + "]"
    }

    @Test("the printed field and values")
    func values() throws {
        let (old, new) = (try Self.policy(), try Self.policy(bits: 2048))
        #expect(try Self.judge(old, new, [Terms()]).isAllowed)
        for terms in [
            Terms(field: "keys.ec-curves"), Terms(field: "keys"), Terms(from: "4096"),
            Terms(to: "1024"), Terms(also: "[more]"),
        ] {
            #expect(try !Self.judge(old, new, [terms]).isAllowed, "\(terms)")
        }
    }

    @Test("each field of a change needs an allowance")
    func fields() throws {
        let (old, new) = (try Self.policy(), try Self.policy(bits: 2048, lifetime: "100d"))
        let longer = Terms(field: "validity.maximum-lifetime", from: "90d", to: "100d")
        #expect(try !Self.judge(old, new, [Terms()]).isAllowed)
        #expect(try !Self.judge(old, new, [longer]).isAllowed)
        #expect(try Self.judge(old, new, [Terms(), longer]).isAllowed)
    }

    @Test("each class of hosts needs an allowance, with its port")
    func hosts() throws {
        let (old, new) = (try Self.policy(), try Self.policy(bits: 2048))
        for hosts in [
            "[\"**.cdn.example\"]", "[\"api.port.example:8443\"]", "default",
            "[\"**.cdn.example\", \"api.port.example:443\"]",
            "[\"**.cdn.example:8443\", \"api.port.example:8443\"]",
        ] {
            #expect(try !Self.judge(old, new, [Terms(hosts: hosts)]).isAllowed, "\(hosts)")
        }
        for hosts in ["[\"**.example\"]", "[\"**.cdn.example\", \"*.port.example:8443\"]"] {
            #expect(try Self.judge(old, new, [Terms(hosts: hosts)]).isAllowed, "\(hosts)")
        }
    }

    @Test("an allowance in force, now and when the change begins")
    func dates() throws {
        let (old, new) = (try Self.policy(), try Self.policy(bits: 2048))
        #expect(try Self.judge(old, new, [Terms(until: "2026-06-01T00:00:00Z")]).isAllowed)
        #expect(try !Self.judge(old, new, [Terms(until: "2026-05-31")]).isAllowed)
        // Weaker from 2026-09-16 on.
        let later = try Self.policy(pinEnd: "2026-09-15")
        var terms = Terms(
            hosts: "[\"**.example\"]", field: "pins.cdn", from: "a mismatch rejects",
            to: "not pinned", until: "2026-09-30")
        terms.also = try Self.lines(Self.judge(old, later, [terms]).words)
        #expect(try Self.judge(old, later, [terms]).isAllowed)
        terms.until = "2026-09-15"
        #expect(try !Self.judge(old, later, [terms]).isAllowed)
    }

    /// An allowance of one more certificate policy, with the text that is printed of it.
    private static func policies(_ text: String) -> Terms {
        Terms(
            field: "path.certificate-policies", from: "[\(known)]", to: "[\(text), \(known)]",
            also: "[\"now accepted: \(text)\"]")
    }

    private static let known = "2.999"

    @Test("long arcs of object identifiers are printed alike, so an allowance has a digest")
    func longArcs() throws {
        let old = try Self.policy(policies: Self.known)
        let one = try Self.policy(policies: "\(Self.known), 2.25.329800735698586629295641978511506")
        let other = try Self.policy(
            policies: "\(Self.known), 2.25.329800735698586629295641978511507")
        var terms = Self.policies("2.25.(arc beyond 64 bits)")
        let words = try Self.judge(old, one, [terms])
        #expect(!words.isAllowed)
        terms.also = try Self.lines(words.words)
        #expect(try Self.judge(old, one, [terms]).isAllowed)
        #expect(try !Self.judge(old, other, [terms]).isAllowed)
    }

    @Test("a value that is cut short is allowed by nothing")
    func cutShort() throws {
        let arcs = "2.1" + String(repeating: ".1", count: 255)
        let old = try Self.policy(policies: Self.known)
        let whole = try Self.policy(policies: "\(Self.known), \(arcs)")
        #expect(try Self.judge(old, whole, [Self.policies(arcs)]).isAllowed)
        let longer = try Self.policy(policies: "\(Self.known), \(arcs).1")
        #expect(try !Self.judge(old, longer, [Self.policies("\(arcs).…")]).isAllowed)
    }
}
