import Foundation
import Hawser
import LibCrypto
import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

/// AFNetworking's `AFSecurityPolicy`: every position of its switches over three kinds of server, 36
/// cases. One function maps the switches to a policy; the compiler compiles it, the engine judges
/// minted chains, and what comes out is compared with what `evaluateServerTrust:forDomain:`
/// returns, the differences named. `policies/afnetworking/truth-table.md` is this table.
@Suite("AFNetworking's truth table") struct AFNetworkingTruthTableTests {
    enum Mode: String, CaseIterable {
        case none, publicKey, certificate

        /// As AFNetworking calls it.
        var name: String {
            "AFSSLPinningMode" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }

    enum Server: CaseIterable {
        case valid, selfSigned, otherName
    }

    enum Answer: String {
        case accept, reject
        /// The policy does not compile: HW508.
        case refused = "HW508"
    }

    /// One position of the switches, what AFNetworking answers for each server in the order of
    /// `Server.allCases`, and Hawser's answers where they differ.
    struct Row: CustomTestStringConvertible {
        let mode: Mode
        let allowInvalid: Bool
        let validatesDomain: Bool
        let there: [Answer]
        let here: [Answer]

        init(
            _ mode: Mode, allowInvalid: Bool, validatesDomain: Bool, _ there: [Answer],
            here: [Answer]? = nil
        ) {
            self.mode = mode
            self.allowInvalid = allowInvalid
            self.validatesDomain = validatesDomain
            self.there = there
            self.here = here ?? there
        }

        var testDescription: String {
            "\(mode.name) allowInvalid \(allowInvalid) validatesDomain \(validatesDomain)"
        }
    }

    /// `evaluateServerTrust:forDomain:` of AFNetworking 4, read branch by branch. The certificate
    /// or key of each server is pinned where the mode pins anything.
    static let rows: [Row] = [
        Row(
            .none, allowInvalid: false, validatesDomain: true, [.accept, .reject, .reject]),
        Row(
            .none, allowInvalid: false, validatesDomain: false, [.accept, .reject, .accept]),
        // The guard: a name on a certificate that anyone can make proves nothing.
        Row(
            .none, allowInvalid: true, validatesDomain: true, [.reject, .reject, .reject],
            here: [.refused, .refused, .refused]),
        Row(.none, allowInvalid: true, validatesDomain: false, [.accept, .accept, .accept]),
        Row(
            .publicKey, allowInvalid: false, validatesDomain: true, [.accept, .reject, .reject]),
        Row(
            .publicKey, allowInvalid: false, validatesDomain: false,
            [.accept, .reject, .accept]),
        // Its public-key mode compares keys alone once invalid certificates are allowed, so that
        // the name it was asked to validate is never looked at.
        Row(
            .publicKey, allowInvalid: true, validatesDomain: true, [.accept, .accept, .accept],
            here: [.accept, .accept, .reject]),
        Row(
            .publicKey, allowInvalid: true, validatesDomain: false, [.accept, .accept, .accept]),
        Row(
            .certificate, allowInvalid: false, validatesDomain: true,
            [.accept, .reject, .reject]),
        Row(
            .certificate, allowInvalid: false, validatesDomain: false,
            [.accept, .reject, .accept]),
        Row(
            .certificate, allowInvalid: true, validatesDomain: true,
            [.accept, .accept, .reject]),
        Row(
            .certificate, allowInvalid: true, validatesDomain: false,
            [.accept, .accept, .accept]),
    ]

    // MARK: The mapping

    /// What the switches say of whom to trust, in the words of a rule.
    private struct Mapped {
        var anchors = "shop"
        var pins: String?
        var waivers: [String] = []

        init(_ row: Row) {
            switch row.mode {
            case .none: if row.allowInvalid { waivers.append("path") }
            case .publicKey: pins = "public-keys"
            case .certificate: pins = "certificates"
            }
            if pins != nil && row.allowInvalid { anchors = "pinned-keys" }
            if !row.validatesDomain { waivers.append("identity") }
        }

        var summary: String {
            var parts = ["`anchors: [\(anchors)]`"]
            if let pins { parts.append("`pins: [\(pins)]`") }
            parts += waivers.map { "`waivers.\($0)`" }
            return parts.joined(separator: ", ")
        }
    }

    /// The policy for one position of the switches.
    private static func policy(for row: Row) -> String {
        let mapped = Mapped(row)
        var text = "hawser: 1\ndefault: deny\n"
        if mapped.anchors == "shop" {
            text += "anchors:\n  shop:\n    pem: |\n" + InlinePolicy.literal(root.pem)
        }
        if let pins = mapped.pins {
            text += "pins:\n  \(pins):\n    keys:\n"
            for (name, server) in zip(["one", "two", "three"], Server.allCases) {
                let leaf = chain(of: server)[0]
                let value =
                    row.mode == .publicKey
                    ? "spki: \(leaf.pin)" : "certificate: \(digest(leaf)), at: leaf"
                text += "      \(name): { \(value) }\n"
            }
            let spare =
                row.mode == .publicKey
                ? "spki: \(TestKey.p256("truth table spare").pin)"
                : "certificate: \(digest(spare)), at: leaf"
            text += "    backups:\n      spare: { \(spare) }\n"
        }
        text += "rules:\n  shop:\n    hosts: [\"\(host)\"]\n    anchors: [\(mapped.anchors)]\n"
        if let pins = mapped.pins { text += "    pins: [\(pins)]\n" }
        if !mapped.waivers.isEmpty { text += "    waivers:\n" }
        for waiver in mapped.waivers {
            text += "      \(waiver): { reason: \"as before\", owner: app, until: 2026-12-31 }\n"
        }
        return text
    }

    // MARK: The servers

    private static let host = "api.shop.example"
    private static let pki = Scenario()
    private static let root = pki.root("Shop Root", key: .p256("truth table root"))
    private static let spare = root.issueLeaf(dns: [host], key: .p256("truth table spare"))

    /// What a server presents, end entity first.
    private static func chain(of server: Server) -> [Minted] {
        let issuing = root.issueCA("Shop Issuing", key: .p256("truth table issuing"))
        switch server {
        case .valid:
            return [
                issuing.issueLeaf(dns: [host], key: .p256("truth table valid")),
                issuing.certificate,
            ]
        case .selfSigned:
            return [pki.selfSignedLeaf(dns: [host], key: .p256("truth table self-signed"))]
        case .otherName:
            return [
                issuing.issueLeaf(dns: ["mail.shop.example"], key: .p256("truth table other")),
                issuing.certificate,
            ]
        }
    }

    private static func digest(_ certificate: Minted) -> String {
        "sha256:" + certificate.fingerprint.map { String(format: "%02x", $0) }.joined()
    }

    // MARK: The table

    /// Hawser's answer for each server.
    private static func answers(_ row: Row) throws -> [Answer] {
        let compilation = InlinePolicy.compile(policy(for: row))
        guard let table = compilation.table else {
            #expect(compilation.diagnostics.map(\.code) == [.hollowIdentity])
            return Server.allCases.map { _ in .refused }
        }
        #expect(compilation.diagnostics.map(\.message) == [])
        let engine = try Engine(table: table, crypto: LibCryptoBackend())
        return Server.allCases.map { server in
            let request = TrustRequest(
                host: host, port: 443, presentedChain: chain(of: server).map(\.der),
                time: Scenario.judgedAt, tls: .assumed(TLSParameters(version: .tls13)))
            let explanation = engine.explain(request)
            #expect(engine.evaluate(request) == explanation.verdict)
            #expect(explanation.trace.replayedVerdict() == explanation.verdict)
            return explanation.verdict.isAccept ? .accept : .reject
        }
    }

    @Test func everyPositionOfTheSwitchesIsThere() {
        let positions = AFNetworkingTruthTableTests.rows.map(\.testDescription)
        #expect(Set(positions).count == Mode.allCases.count * 2 * 2)
        #expect(positions.count == 12)
        #expect(AFNetworkingTruthTableTests.rows.allSatisfy { $0.there.count == 3 })
    }

    @Test(arguments: rows)
    func answersAsAFNetworkingDoesOrAsTheRowSays(_ row: Row) throws {
        #expect(try AFNetworkingTruthTableTests.answers(row) == row.here)
    }

    /// Nothing is accepted here that AFNetworking rejects.
    @Test func noDifferenceIsAnAccept() {
        for row in AFNetworkingTruthTableTests.rows {
            for (there, here) in zip(row.there, row.here) where there != here {
                #expect(here != .accept, "\(row.testDescription)")
            }
        }
    }

    @Test func thePageHoldsTheTable() throws {
        var page = """
            # AFNetworking's truth table

            Each row has one combination of `AFSecurityPolicy`'s switches, the rule that replaces it, and the verdicts for
            three servers: one with a valid chain, one with a self-signed certificate, and one with a certificate for
            another name. In the pinning modes, all three certificates are pinned. If AFNetworking's answer differs, it
            stands in brackets. A test compiles each rule, runs the engine and writes this page.

            | pinning mode | allowInvalidCertificates | validatesDomainName | here | valid | self-signed | other name |
            |---|---|---|---|---|---|---|

            """
        for row in AFNetworkingTruthTableTests.rows {
            let answers = try AFNetworkingTruthTableTests.answers(row)
            let cells = zip(answers, row.there).map { here, there in
                here == there ? here.rawValue : "\(here.rawValue) (\(there.rawValue))"
            }
            let switches = [row.allowInvalid, row.validatesDomain].map { $0 ? "YES" : "NO" }
            let parts =
                ["`\(row.mode.name)`"] + switches + [Mapped(row).summary] + cells
            page += "| \(parts.joined(separator: " | ")) |\n"
        }
        page += """

            Where the two differ, and why:

            - **No pins, invalid certificates allowed, the name validated**: AFNetworking writes a line to the log at
              each connection and refuses. Here the policy does not compile (HW508): a name on a certificate that
              anyone can make proves nothing.
            - **Public keys pinned, invalid certificates allowed, the name validated**: AFNetworking compares keys alone
              and never looks at the name. Here a name that is to be checked is checked; `waivers.identity` says that it
              is not.
            - **Dates**: once invalid certificates are allowed, AFNetworking accepts expired ones in the modes without
              pins and with public keys. Here dates count in every row; `waivers.expired` says for how long they do
              not (`same-key-renewal`).
            - **Files**: a pinned file that AFNetworking cannot read is passed over in silence. Here it is an error.

            """
        try Golden.hold(
            page, at: Recipe.policies.appending(path: "afnetworking/truth-table.md"), "the page")
    }
}
