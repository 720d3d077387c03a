import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

/// Who must approve a change: the owners before it, and never those that it writes itself.
@Suite("who must approve what hawser diff shows") struct DiffApprovalTests {
    private static let old = """
        hawser: 1
        default: deny
        anchors:
          corp: { files: [anchors/root.pem], owner: pki }
          others: { files: [anchors/other.pem] }
        pins:
          pay:
            owner: keys-team
            keys:
              issuing: { spki: \(Workshop.issuing.certificate.pin), at: ca }
            backups:
              offline: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
        rules:
          bank:
            hosts: ["**.bank.example"]
            anchors: [corp]
            owner: payments
            keys: { rsa-minimum: 3072 }
            waivers: { expired: { tolerance: 1d, reason: r, owner: ops, until: 2026-12-31 } }
          pinned:
            hosts: ["pinned.example"]
            anchors: [others]
            pins: [pay]
          bare:
            hosts: ["bare.example"]
            anchors: [others]
            keys: { rsa-minimum: 3072 }

        """

    private static func run(
        _ edits: [(String, String)], _ options: [String] = [], more: String = ""
    ) throws -> CommandRun {
        var new = old
        for (from, to) in edits {
            #expect(new.contains(from), "\(from)")
            new = new.replacing(from, with: to)
        }
        let workshop = try Workshop(old: old, new: new + more)
        return try CommandRun(
            ["diff", "old", "new", "--at", "2026-06-01"] + options, in: workshop.folder,
            environment: CommandRun.wide)
    }

    private static func approvals(
        _ edits: [(String, String)], _ options: [String] = [], more: String = ""
    ) throws -> JSONDocument {
        let run = try run(edits, options + ["--format", "json"], more: more)
        let json = try JSONDocument(text: run.output)
        let file = CommandRun.repository.appending(path: "grammar/diff.schema.json")
        let schema = try JSONSchema(text: String(contentsOf: file, encoding: .utf8))
        #expect(schema.violations(of: json) == [], "\(run.transcript)")
        return try #require(json["comparisons"]?.items.first?["approvals"])
    }

    private static func texts(_ json: JSONDocument?) -> [String?] { json?.items.map(\.text) ?? [] }

    @Test("a rule, an anchor set, a pin set and a waiver, each by its owner before the change")
    func parts() throws {
        let edits = [
            ("keys: { rsa-minimum: 3072 }\n    waivers", "waivers"),
            ("[anchors/root.pem]", "[anchors/root.pem, anchors/other.pem]"),
            ("at: ca", "at: any"), ("tolerance: 1d", "tolerance: 9d"),
        ]
        let json = try Self.approvals(edits)
        #expect(Self.texts(json["owners"]) == ["keys-team", "ops", "payments", "pki"])
        let parts = json["required"]?.items.map {
            "\($0["owner"]?.text ?? "-") \($0["part"]?["kind"]?.text ?? "") "
                + "\($0["part"]?["id"]?.text ?? "") \($0["relation"]?.text ?? "")"
        }
        #expect(
            Set(parts ?? []) == [
                "payments rule bank weaker", "pki anchors corp weaker",
                "keys-team pins pay weaker", "ops waiver expired weaker",
            ])
        #expect(
            Self.texts(json["codeOwners"]) == [
                "/new/policy.yaml @keys-team", "/new/policy.yaml @ops",
                "/new/policy.yaml @payments", "/new/policy.yaml @pki",
            ])
        #expect(json["claimed"]?.items.isEmpty == true)
        let text = try Self.run(edits).output
        #expect(
            text.contains(
                """
                must approve, by the owners before this change
                  keys-team   pin set `pay`: weaker for `pinned.example` (pins.pay)
                  ops         waiver `expired` of rule `bank`: weaker for `**.bank.example` \
                (waivers.expired)
                  payments    rule `bank`: weaker for `**.bank.example` (keys.rsa-minimum)
                  pki         anchor set `corp`: weaker for `**.bank.example` (anchors.corp)

                """), "\(text)")
    }

    @Test("an owner that the change writes is claimed, and the owner before it must approve")
    func claimed() throws {
        // The author takes the rule over and weakens it.
        let taken = try Self.approvals([
            ("owner: payments\n    keys: { rsa-minimum: 3072 }", "owner: mallory")
        ])
        #expect(Self.texts(taken["owners"]) == ["payments"])
        #expect(taken["claimed"]?.items.map { $0["owner"]?.text } == ["mallory"])
        #expect(taken["claimed"]?.items.first?["former"]?.text == "payments")
        // A narrower rule with an owner and a waiver of its own.
        let narrow = """
              narrow:
                hosts: ["a.bank.example"]
                anchors: [corp]
                owner: mallory
                waivers: { revocation: { reason: r, owner: mallory, until: 2026-12-31 } }

            """
        let carved = try Self.approvals([], ["--author", "@acme/Mallory"], more: narrow)
        #expect(Self.texts(carved["owners"]) == ["payments"])
        let waiver = try #require(
            carved["required"]?.items.first { $0["part"]?["kind"]?.text == "waiver" })
        #expect(waiver["owner"]?.text == "payments" && waiver["part"]?["rule"]?.text == "narrow")
        #expect(Self.texts(waiver["claimed"]) == ["mallory"])
        #expect(waiver["isAuthors"] == .bool(true))
        let text = try Self.run([], ["--author", "mallory"], more: narrow).output
        #expect(text.contains("waiver `revocation` of rule `narrow`: weaker for `a.bank.example`"))
        #expect(
            text.contains(
                """
                owners that this change writes: claims, which approve nothing
                  mallory     waiver `revocation` of rule `narrow`, owned by the author
                              rule `narrow`, owned by the author

                """), "\(text)")
        let unmarked = try Self.run([], ["--author", "payments-2"], more: narrow).output
        #expect(!unmarked.contains("owned by the author"), "\(unmarked)")
    }

    @Test("giving a part away must be approved, though no host is decided otherwise")
    func takeover() throws {
        let json = try Self.approvals([
            ("owner: payments", "owner: mallory"), ("owner: pki", "owner: mallory"),
            ("owner: keys-team", "note: nobody"), ("owner: ops", "owner: mallory"),
        ])
        #expect(Self.texts(json["owners"]) == ["keys-team", "ops", "payments", "pki"])
        #expect(
            json["required"]?.items.allSatisfy { $0["relation"]?.text == "equal" } == true)
        #expect(json["claimed"]?.items.count == 3)
        let run = try Self.run([("owner: payments", "owner: mallory")])
        #expect(run.output.hasPrefix("equal: "), "\(run.transcript)")
        #expect(run.output.contains("  payments    rule `bank` gets another owner\n"))
    }

    @Test("parts without an owner are told, and hosts that were denied")
    func unowned() throws {
        let more = """
              fresh: { hosts: ["fresh.example"], anchors: [others], owner: mallory }

            """
        let bare = ("[others]\n    keys: { rsa-minimum: 3072 }", "[others]")
        let json = try Self.approvals([bare], more: more)
        #expect(Self.texts(json["owners"]) == [])
        #expect(
            json["required"]?.items.map { $0["part"]?["kind"]?.text } == ["rule", "denied"])
        #expect(
            Self.texts(json["codeOwners"]) == [
                "# /new/policy.yaml has a part without an owner before this change"
            ])
        let run = try Self.run([bare], more: more)
        #expect(
            run.output.contains(
                """
                  (no owner)  rule `bare`: weaker for `bare.example` (keys.rsa-minimum)
                              hosts that were denied: weaker for `fresh.example` (decision)

                """), "\(run.transcript)")
        // A pin set without an owner is answered for by the rule that decides.
        let pins = try Self.approvals([
            ("owner: keys-team\n    ", ""), ("at: ca", "at: any"),
            ("anchors: [others]\n    pins", "anchors: [others]\n    owner: web\n    pins"),
        ])
        #expect(Self.texts(pins["owners"]).contains("keys-team"))
    }

    @Test("what got stricter asks nobody, and every format names who must approve")
    func formats() throws {
        let stricter = try Self.approvals([("rsa-minimum: 3072", "rsa-minimum: 4096")])
        #expect(stricter["required"]?.items.isEmpty == true)
        let edit = ("keys: { rsa-minimum: 3072 }\n    waivers", "waivers")
        for format in ["text", "json", "markdown", "sarif", "github", "html"] {
            let run = try Self.run([edit], ["--format", format])
            #expect(run.output.contains("payments"), "\(format)")
            let equal = try Self.run([], ["--format", format])
            #expect(!equal.output.contains("must approve"), "\(format): \(equal.output)")
        }
    }

    @Test("owners and files as CODEOWNERS writes them")
    func codeOwners() throws {
        func line(_ owner: String) throws -> String? {
            let run = try Workshop(
                old: Self.old.replacing("owner: payments", with: "owner: \"\(owner)\""),
                new: Self.old.replacing("owner: payments", with: "owner: \"\(owner)\"")
                    .replacing("keys: { rsa-minimum: 3072 }\n    waivers", with: "waivers")
            ).run("diff", "old", "new", "--at", "2026-06-01", "--format", "json")
            let json = try JSONDocument(text: run.output)
            return json["comparisons"]?.items.first?["approvals"]?["codeOwners"]?.items.first?.text
        }
        #expect(try line("@acme/payments") == "/new/policy.yaml @acme/payments")
        #expect(try line("pay@acme.example") == "/new/policy.yaml pay@acme.example")
        #expect(try line("Payments team") == "/new/policy.yaml @Payments-team")
        #expect(try line("a\\n* @mallory") == "/new/policy.yaml @a-mallory")
    }
}
