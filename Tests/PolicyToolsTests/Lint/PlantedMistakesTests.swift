import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing

/// A policy with twenty different mistakes: one run tells each at its token, whatever the others
/// are.
@Suite("lint: twenty planted mistakes") struct PlantedMistakesTests {
    static let policy = """
        hawser: 1
        default: { anchors: [system], owner: web }
        anchors:
          corp: { files: [corp.pem], owner: pki }
          gone: { files: [«HW301:missing.pem»], owner: pki }
        pins:
          api:
            keys: { now: { spki: sha256/«HW401:teMF6loc22D» } }
            backups: { next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= } }
            owner: web
            enforce-until: 2028-06-30
        profiles:
          strict: { keys: { rsa-minimum: 3072 } }
        rules:
          all:
            hosts: [«HW206:"**.acme.example"»]
            anchors: [corp]
            profile: strict
            owner: web
          api:
            hosts:
              - «HW202:API.acme.example»
              - «HW216:"api.acme.example"»
            anchors: [corp]
            pins: [api]
            profile: strict
            owner: web
          shop:
            hosts: [«HW211:"shop.acme.example"»]
            anchors: [corp]
            owner: web
            keys: { rsa-minimum: 2500 }
          deep:
            hosts: ["deep.example", «HW207:"*.deep.example"», "db.eu.deep.example"]
            anchors: [corp]
            profile: strict
            owner: web
            «HW702:# hawser:ignore -- everything»
          mail:
            hosts: [«HW203:"https://mail.example/inbox"», «HW204:"mail-*.example"»]
            anchors: [«HW105:crop»]
            profile: strict
            «HW004:ownr»: web
          build:
            hosts: [«HW213:"build.internal"», «HW215:"xn--cme-5cd.example"»]
            anchors: [system]
            profile: strict
            owner: «HW005:no»
            «HW003:profile»: strict
          racks:
            hosts: ["rack.example", «HW217:"192.0.2.0/31"»]
            anchors: [corp, gone]
            profile: strict
            owner: web
            # hawser:ignore «HW701:HW206» -- nothing here
          servers:
            hosts: ["192.0.2.0", "192.0.2.1", «HW218:"a.servers.example"», "*.servers.example", "servers.example"]
            anchors: [corp]
            profile: strict
            owner: web
            tls: { minimum-version: «HW103:tls13» }

        """

    @Test("each at its token, in one run")
    func all() {
        let marked = MarkedLint(Self.policy)
        #expect(Set(marked.marks.map(\.code)).count == 20)
        marked.expect()
    }

    @Test("safe fixes mend what is marked safe and nothing else")
    func safe() {
        let marked = MarkedLint(Self.policy)
        let before = marked.lint()
        let isSafe = { (finding: Diagnostic) in finding.fix?.safety == .safe }
        let mended = Set(before.findings.filter(isSafe).map(\.code.rawValue))
        // What an ignore comment hides may lie in what cannot be read, so HW701 has no fix here.
        #expect(mended == ["HW005", "HW103", "HW202", "HW216"])
        let outcome = LintFixes.apply(
            to: marked.unit(), MarkedLint.options(), .safe, crypto: LibCryptoBackend())
        let left = Set(outcome.result.findings.map(\.code.rawValue))
        // A rule that can be read has more to say.
        #expect(left == Set(marked.marks.map(\.code)).subtracting(mended).union(["HW214"]))
        // The text but for those edits.
        var expected = String(decoding: marked.bytes, as: UTF8.self)
        for (wrong, right) in [
            ("- API.acme.example\n", "- \"api.acme.example\"\n"),
            (
                "      - \"api.acme.example\"\n      - \"api.acme.example\"\n",
                "      - \"api.acme.example\"\n"
            ),
            ("owner: no\n", "owner: \"no\"\n"),
            ("minimum-version: tls13", "minimum-version: tls1.3"),
        ] {
            expected = expected.replacing(wrong, with: right)
        }
        #expect(String(decoding: outcome.changed[0] ?? [], as: UTF8.self) == expected)
    }
}
