import Foundation
import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

/// Two things with the same name on both sides of an arrow are told apart by their difference. A
/// name that reads like another name is shown in both spellings.
@Suite("names in hawser diff") struct DiffNameTests {
    private static func policy(_ lines: String, anchors: String = "[anchors/root.pem]") -> String {
        """
        hawser: 1
        default: deny
        anchors:
          corp: { files: \(anchors), owner: pki }
          others: { files: [anchors/other.pem] }
        \(lines)
        """
    }

    private static let rule = """
        rules:
          bank:
            hosts: ["**.bank.example", "paypal.example"]
            anchors: [corp]
            owner: payments
            tls: { minimum-version: tls1.3 }
            keys: { rsa-minimum: 3072 }

        """

    /// A root of the name of `Workshop.root` with another key, and one of another name that is
    /// shortened to the same text.
    private static let twin = Workshop.pki.root("Acme Root", key: .p256("cli-twin-root"))
    private static let namesake = Workshop.pki.root(
        TestName(.organization("Elsewhere"), .commonName("Acme Root")), key: .p256("cli-namesake"))

    private static func diff(
        _ old: String, _ new: String, newRoot: String = Workshop.root.pem,
        _ options: String...
    ) throws -> CommandRun {
        try diff(Workshop(old: old, new: new, newRoot: newRoot), options)
    }

    private static func diff(
        _ workshop: Workshop, _ options: [String] = []
    ) throws -> CommandRun {
        try CommandRun(
            ["diff", "old", "new", "--at", "2026-06-01"] + options, in: workshop.folder,
            environment: CommandRun.wide)
    }

    /// The digest of an authority's key, as diff prints it.
    private static func key(_ authority: Authority) -> String {
        let pin = authority.certificate.pin
        let octets = Data(base64Encoded: String(pin.dropFirst("sha256/".count))) ?? Data()
        return "sha256:" + octets.map { String(format: "%02x", $0) }.joined()
    }

    @Test("an authority of the same name with another key")
    func rekeyed() throws {
        let text = Self.policy(Self.rule)
        let run = try Self.diff(text, text, newRoot: Self.twin.pem)
        let lines = run.output.split(separator: "\n").map(String.init)
        let (old, new) = (Self.key(Workshop.root), Self.key(Self.twin))
        #expect(
            lines[0].contains(
                "(anchors.corp: `CN=Acme Root`: the same name with another key, "
                    + "\(old.prefix(23))… -> \(new.prefix(23))…)"), "\(run.transcript)")
        #expect(
            lines.prefix(12).contains {
                $0.hasSuffix("`CN=Acme Root`: the same name with another key, \(old) -> \(new)")
            }, "\(run.transcript)")
        let json = try JSONDocument(
            text: Self.diff(text, text, newRoot: Self.twin.pem, "--format", "json").output)
        let change = try #require(json["comparisons"]?.items.first?["changes"]?.items.first)
        let rekeyed = try #require(change["authorities"]?["rekeyed"]?.items.first)
        #expect(rekeyed["oldKey"]?.text == old && rekeyed["newKey"]?.text == new)
        try Self.holdSchema(json)
    }

    @Test("among several authorities, and by another set that a rule names")
    func rekeyedElsewhere() throws {
        let several = Self.policy(
            Self.rule, anchors: "[anchors/root.pem, anchors/other.pem, anchors/third.pem]")
        let workshop = try Workshop(old: several, new: several, newRoot: Self.twin.pem)
        let third = Workshop.pki.root("Third Root", key: .p256("cli-third-root"))
        for side in ["old", "new"] { try workshop.write("\(side)/anchors/third.pem", third.pem) }
        let run = try Self.diff(workshop)
        let field = try #require(
            run.output.split(separator: "\n").first { $0.hasPrefix("  ~ anchors.corp") })
        let sides = field.split(separator: "  ").last.map { $0.components(separatedBy: " -> ") }
        #expect(sides?.count == 2 && sides?[0] != sides?[1], "\(run.transcript)")
        #expect(field.contains("3 authorities, `CN=Acme Root` with the key sha256:"))

        let named = Self.rule.replacing("anchors: [corp]", with: "anchors: [others]")
        let other = try Workshop(old: Self.policy(Self.rule), new: Self.policy(named))
        try other.write("new/anchors/other.pem", Self.twin.pem)
        let switched = try Self.diff(other)
        #expect(
            switched.output.contains("`CN=Acme Root`: the same name with another key, "),
            "\(switched.transcript)")
    }

    @Test("an authority whose short name is the same and whose whole name is another")
    func namesake() throws {
        let text = Self.policy(Self.rule)
        let run = try Self.diff(text, text, newRoot: Self.namesake.pem)
        #expect(
            run.output.contains("`CN=Acme Root` -> `CN=Acme Root,O=Elsewhere`"),
            "\(run.transcript)")
        #expect(!run.output.contains("the same name with another key"))
    }

    @Test("a log of the same name with another key, in lists of the same date")
    func logs() throws {
        func rule(_ file: String) -> String {
            Self.policy(
                """
                rules:
                  bank:
                    hosts: ["bank.example"]
                    anchors: [system]
                    transparency: { preset: chrome, log-list: \(file) }

                """)
        }
        let old = TestLog("Argon", of: "Google", key: .p256("cli-log-1"))
        let new = TestLog("Argon", of: "Google", key: .p256("cli-log-2"))
        let same = TestLog("Nimbus", of: "Cloudflare", key: .p256("cli-log-3"))
        let workshop = try Workshop(old: rule("logs.json"), new: rule("logs.json"))
        try workshop.write("old/logs.json", TestLogList.json([old, same]))
        try workshop.write("new/logs.json", TestLogList.json([new, same]))
        let run = try Self.diff(workshop)
        /// `log_id` of a list with one log.
        func id(_ log: TestLog) -> String {
            let list = TestLogList.json([log]).components(separatedBy: "\"log_id\": \"")
            return list.last?.components(separatedBy: "\"").first ?? ""
        }
        #expect(
            run.output.contains(
                "log `Argon`: the same name with another key, log_id \(id(old)) -> \(id(new))\n"),
            "\(run.transcript)")
        #expect(!run.output.contains("logs added") && !run.output.contains("logs removed"))
        let field = try #require(
            run.output.split(separator: "\n").first { $0.contains("transparency.log-list  ") })
        let sides = field.components(separatedBy: "log-list  ").last?
            .components(separatedBy: " -> ")
        #expect(sides?.count == 2 && sides?[0] != sides?[1], "\(field)")
    }

    @Test("a pin set whose entries keep their ids is told by the entry whose digest changed")
    func pins() throws {
        func policy(_ digest: String) -> String {
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: [anchors/root.pem] }
            pins:
              pay:
                keys:
                  issuing: { spki: \(digest), at: ca }
                  other: { spki: \(Workshop.otherRoot.certificate.pin), at: ca }
                backups:
                  offline: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
            rules:
              bank: { hosts: ["bank.example"], anchors: [corp], pins: [pay] }

            """
        }
        let (old, new) = (Workshop.issuing.certificate.pin, Self.twin.certificate.pin)
        let run = try Self.diff(policy(old), policy(new))
        let arrow = "`issuing` at ca \(old) -> `issuing` at ca \(new)"
        let first = run.output.split(separator: "\n").first.map(String.init) ?? ""
        #expect(first.contains("(pins.pay: \(arrow))"), "\(run.transcript)")
        #expect(run.output.contains("  ~ pins.pay  \(arrow)\n"), "\(run.transcript)")
    }

    @Test("a name in punycode in both forms, with the name of the policy that it resembles")
    func punycode() throws {
        let more = Self.rule + "  more: { hosts: [\"login.pаypal.example\"], anchors: [corp] }\n"
        let run = try Self.diff(Self.policy(Self.rule), Self.policy(more))
        let reads =
            "login.xn--pypal-4ve.example (reads login.pаypal.example, mixing Cyrillic and "
            + "Latin letters, which looks like paypal.example of the policy)"
        #expect(run.output.contains("  hosts       \(reads)\n"), "\(run.transcript)")
        let first = run.output.split(separator: "\n").first ?? ""
        #expect(first.contains("(reads `login.pаypal.example`"), "\(first)")
        #expect(first.contains("looks like `paypal.example` of the policy"), "\(first)")
        let json = try JSONDocument(
            text: Self.diff(
                Self.policy(Self.rule), Self.policy(more), "--format", "json"
            ).output)
        let host = json["comparisons"]?.items.first?["changes"]?.items.first?["hosts"]?.items.first
        #expect(host?["unicode"]?.text == "login.pаypal.example")
        #expect(host?["resembles"]?.text == "paypal.example")
        #expect(host?["mixedScripts"]?.items.map(\.text) == ["Cyrillic", "Latin"])
        try Self.holdSchema(json)
        for format in ["markdown", "sarif", "github", "html"] {
            let text = try Self.diff(
                Self.policy(Self.rule), Self.policy(more), "--format", format
            ).output
            #expect(text.contains("looks like"), "\(format)")
        }
        // A name of one script that resembles nothing is shown in both forms, without a warning.
        let plain = Self.rule + "  more: { hosts: [\"*.münchen.example\"], anchors: [corp] }\n"
        let other = try Self.diff(Self.policy(Self.rule), Self.policy(plain))
        #expect(
            other.output.contains(
                "  hosts       *.xn--mnchen-3ya.example (reads *.münchen.example)\n"),
            "\(other.transcript)")
    }

    @Test("what a carved-out port or a narrower pattern had before stands in the first line")
    func carvedOut() throws {
        for (host, wide) in [
            ("paypal.example:8443", "paypal.example"), ("a.bank.example", "**.bank.example"),
        ] {
            let more = Self.rule + "  more: { hosts: [\"\(host)\"], anchors: [corp] }\n"
            let run = try Self.diff(Self.policy(Self.rule), Self.policy(more))
            let first = run.output.split(separator: "\n").first ?? ""
            #expect(
                first.hasSuffix(
                    ", carved out of `\(wide)` of rule `bank`, which had "
                        + "tls.minimum-version tls1.3, keys.rsa-minimum 3072"), "\(first)")
            let json = try JSONDocument(
                text: Self.diff(
                    Self.policy(Self.rule), Self.policy(more), "--format", "json"
                ).output)
            let change = json["comparisons"]?.items.first?["changes"]?.items.first
            #expect(change?["carvedOutOf"]?["pattern"]?.text == wide)
            #expect(change?["carvedOutOf"]?["rule"]?.text == "bank")
            try Self.holdSchema(json)
        }
        let open = Self.policy(Self.rule).replacing(
            "default: deny",
            with: "default: { anchors: [system], tls: { minimum-version: tls1.3 } }"
        )
        let more = open + "  more: { hosts: [\"new.example\"], anchors: [system] }\n"
        let run = try Self.diff(open, more)
        let first = run.output.split(separator: "\n").first ?? ""
        #expect(
            first.hasSuffix(
                "(tls.minimum-version: tls1.3 -> tls1.2), carved out of `default`"), "\(first)")
        // A host that was denied was carved out of nothing.
        let denied = try Self.diff(
            Self.policy(Self.rule),
            Self.policy(Self.rule + "  more: { hosts: [\"x.example\"], anchors: [corp] }\n"))
        #expect(!denied.output.contains("carved out"), "\(denied.transcript)")
    }

    private static func holdSchema(_ json: JSONDocument) throws {
        let file = CommandRun.repository.appending(path: "grammar/diff.schema.json")
        let schema = try JSONSchema(text: String(contentsOf: file, encoding: .utf8))
        #expect(schema.violations(of: json) == [])
    }
}
