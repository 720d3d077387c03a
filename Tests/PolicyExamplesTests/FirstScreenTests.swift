import Hawser
import JSONSchemaSupport
import LibCrypto
import PolicyCompiler
import Rendering
import TestPKI
import Testing
import TrustEngine

/// The first screen of a reject: whose side it is, who owns the set that it is about, and an
/// action beside each caution, on 80 columns and 24 rows.
@Suite("the first screen of a reject") struct FirstScreenTests {
    private static let world = Scenario()
    private static let root = world.root("Acme Root", key: .p256("screen root"))
    private static let issuing = root.issueCA("Acme Issuing", key: .p256("screen issuing"))
    private static let host = "www.acme.example"

    private static func literal(_ pem: String, indent: Int) -> String {
        pem.split(separator: "\n").map { String(repeating: " ", count: indent) + "\($0)\n" }
            .joined()
    }

    /// A policy with a set `acme` of `pki`, which holds the root and offers these certificates, and
    /// a set `globex` that no rule for the host names.
    private static func policy(
        offering intermediates: [Authority] = [], globex: Authority? = nil, pins: String = ""
    ) -> String {
        var text =
            "hawser: 1\ndefault: deny\nanchors:\n  acme:\n    owner: pki\n    pem: |\n"
            + literal(root.pem, indent: 6)
        if !intermediates.isEmpty {
            let names = intermediates.indices.map { "offered-\($0).pem" }
            text += "    intermediates: [\(names.joined(separator: ", "))]\n"
        }
        if let globex {
            text += "  globex:\n    owner: mergers\n    pem: |\n" + literal(globex.pem, indent: 6)
        }
        text += pins.isEmpty ? "" : "pins:\n\(pins)"
        text +=
            "rules:\n  www:\n    hosts: [\"**.acme.example\"]\n    anchors: [acme]\n"
            + "    owner: web team\n" + (pins.isEmpty ? "" : "    pins: [keys]\n")
        if globex != nil {
            text +=
                "  merged:\n    hosts: [\"www.globex.example\"]\n    anchors: [globex]\n"
                + "    owner: mergers\n"
        }
        return text
    }

    /// The files of certificates that a policy offers.
    private struct Offered: UnitResources {
        let authorities: [Authority]

        func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
            for (index, authority) in authorities.enumerated()
            where path == "offered-\(index).pem" {
                return Array(authority.pem.utf8)
            }
            throw ResourceError(code: .notFound, context: "`\(path)` is not there")
        }
        func list(_ folder: String) throws(ResourceError) -> [String] { [] }
    }

    /// What `explain` shows of a reject.
    private struct Shown {
        /// The screen of a terminal of 80 columns and 24 rows, with wrapped lines joined.
        let screen: String
        /// The line of the first side.
        let side: String
        let json: JSONDocument
        let page: String

        var sides: [String] {
            json["readings"]?.items.compactMap { $0["side"]?.text } ?? []
        }
        /// The owners of sets as JSON has them: "anchors acme pki".
        var owners: [String] {
            (json["sets"]?.items ?? []).map { set in
                ["section", "id", "owner"].map { set[$0]?.text ?? "-" }.joined(separator: " ")
            }
        }
    }

    private static func show(
        _ explanation: Explanation, repairs: [Repair]? = nil
    ) throws -> Shown {
        let options = ExplainDocument.Options(repairs: repairs)
        let text = ExplainDocument.text(explanation, options, columns: 80, rows: 23)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
        let flat = text.split { " \n│├└".contains($0) }.joined(separator: " ")
        let json = try JSONDocument(text: TraceJSON.render(explanation, repairs: repairs))
        let page = HTMLWriter.write(ExplainDocument.document(explanation, options))
        let side = text.split(separator: "\n").first { $0.hasPrefix("├ side") } ?? ""
        return Shown(
            screen: flat, side: side.dropFirst("├ side".count).drop { $0 == " " }.description,
            json: json, page: page)
    }

    /// The screen about a chain under a policy that offers these certificates.
    private static func show(
        _ chain: [[UInt8]], _ policy: String, offering: [Authority] = []
    ) throws -> Shown {
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array(policy.utf8))],
            resources: Offered(authorities: offering), isDirectory: true)
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        let table = try #require(
            compilation.table, "\(compilation.diagnostics.map(\.message))\n\(policy)")
        let engine = try Engine(table: table, crypto: LibCryptoBackend())
        return try show(
            engine.explain(
                TrustRequest(
                    host: host, port: 443, presentedChain: chain, time: Scenario.judgedAt,
                    tls: .assumed(TLSParameters(version: .tls13)))))
    }

    private static func show(_ chain: [Minted], _ policy: String = policy()) throws -> Shown {
        try show(chain.map(\.der), policy)
    }

    private static func show(_ chain: [Minted], offering: Authority) throws -> Shown {
        try show(chain.map(\.der), policy(offering: [offering]), offering: [offering])
    }

    /// Whether the screen, JSON and the page have the owner of a set.
    private static func has(
        _ shown: Shown, owner: String, of section: String, _ id: String
    ) -> Bool {
        let name = section == "anchors" ? "anchor" : "pin"
        return shown.screen.contains("owner `\(owner)`, of \(name) set `\(id)`")
            && shown.owners.contains("\(section) \(id) \(owner)")
            && shown.page.contains("owner of \(name) set") && shown.page.contains(owner)
    }

    private static let caution =
        "- something else may be answering: ask whoever runs it, by another way - "

    // MARK: The three that looked alike

    @Test("a server that sends only its own certificate")
    func leafOnly() throws {
        let shown = try Self.show([Self.issuing.issueLeaf(dns: [Self.host])])
        #expect(shown.screen.contains("its certificate came without the certificate of its issuer"))
        #expect(shown.sides == ["in-between", "server"])
        #expect(
            shown.screen.contains(
                Self.caution
                    + "have the server also send `CN=Acme Issuing`: that trusts nothing new"),
            "\(shown.screen)")
        #expect(
            shown.screen.contains("or ask `pki`, who owns `acme`, to put it under `intermediates`"))
        #expect(Self.has(shown, owner: "pki", of: "anchors", "acme"))
    }

    @Test("a root with a new name, sent or not", arguments: [true, false])
    func replacedRoot(_ isSent: Bool) throws {
        let new = Self.world.root("Acme Root 2027", key: .p256("screen new root"))
        let issuing = new.issueCA("Acme Issuing 2027", key: .p256("screen new issuing"))
        let shown = try Self.show(
            [issuing.issueLeaf(dns: [Self.host]), issuing.certificate]
                + (isSent ? [new.certificate] : []))
        #expect(shown.sides == ["in-between", "policy"])
        #expect(
            shown.screen.contains(
                "or policy: `acme` has `CN=Acme Root`, and may lack `CN=Acme Root 2027`"))
        #expect(
            shown.screen.contains(
                Self.caution + "ask `pki`, who owns `acme`, whether the root was replaced"),
            "\(shown.screen)")
        // What trusts nothing new is there too, where something may be missing.
        #expect(shown.screen.contains("have the server also send") == !isSent)
        #expect(Self.has(shown, owner: "pki", of: "anchors", "acme"))
    }

    @Test("an inspecting proxy, by its name or by no resemblance", arguments: [true, false])
    func proxy(_ isNamed: Bool) throws {
        let proxy = Self.world.root(
            isNamed ? "Inspecting Proxy" : "Globex Authority", key: .p256("screen proxy"))
        for chain in [
            [proxy.issueLeaf(dns: [Self.host]), proxy.certificate],
            [proxy.issueLeaf(dns: [Self.host])],
        ] {
            let shown = try Self.show(chain)
            #expect(shown.sides == ["in-between", "server"])
            #expect(shown.screen.contains("inspecting proxy"))
            #expect(shown.screen.contains(Self.caution))
            #expect(
                shown.screen.contains(
                    "if a proxy inspects TLS here, have its operator exempt this host"),
                "\(shown.screen)")
            #expect(!shown.screen.contains("that trusts nothing new"))
            #expect(Self.has(shown, owner: "pki", of: "anchors", "acme"))
        }
    }

    @Test("an authority that another set holds: the rule's owner is asked")
    func otherSet() throws {
        let globex = Self.world.root("Globex Authority", key: .p256("screen globex"))
        for chain in [
            [globex.issueLeaf(dns: [Self.host]), globex.certificate],
            [globex.issueLeaf(dns: [Self.host])],
        ] {
            let shown = try Self.show(chain, Self.policy(globex: globex))
            #expect(shown.sides == ["in-between", "server"])
            #expect(
                shown.screen.contains(
                    "ask `web team`, who owns rule `www`, whether it may name `globex`"),
                "\(shown.screen)")
        }
    }

    // MARK: Another key of the same name

    @Test("a root that was issued again with another key", arguments: [true, false])
    func reissuedRoot(_ isSent: Bool) throws {
        let again = Self.world.root("Acme Root", key: .p256("screen root again"))
        let issuing = again.issueCA("Acme Issuing", key: .p256("screen issuing again"))
        let shown = try Self.show(
            [issuing.issueLeaf(dns: [Self.host]), issuing.certificate]
                + (isSent ? [again.certificate] : []))
        #expect(shown.json["violations"]?.items.first?["id"] == .string("bad-signature"))
        #expect(shown.sides == ["in-between", "policy"])
        #expect(shown.screen.contains("it names another key of `CN=Acme Root` as its signer"))
        #expect(
            shown.screen.contains(
                Self.caution + "ask `pki`, who owns `acme`, whether the root was replaced"),
            "\(shown.screen)")
        #expect(Self.has(shown, owner: "pki", of: "anchors", "acme"))
    }

    @Test("an offered intermediate that was issued again with another key")
    func reissuedIntermediate() throws {
        let again = Self.root.issueCA("Acme Issuing", key: .p256("screen intermediate again"))
        let shown = try Self.show(
            [again.issueLeaf(dns: [Self.host])], offering: Self.issuing)
        #expect(shown.sides == ["in-between", "policy"])
        #expect(
            shown.screen.contains(
                "ask `pki`, who owns `acme`, whether its `CN=Acme Issuing` is an old one"),
            "\(shown.screen)")
        // The same certificate from the server is the server's.
        let sent = try Self.show(
            [again.issueLeaf(dns: [Self.host]), Self.issuing.certificate])
        #expect(sent.sides == ["in-between", "server"])
        #expect(sent.screen.contains("have the server send the `CN=Acme Issuing` whose key signed"))
    }

    @Test("an altered certificate names the right key, and nobody is asked about a new root")
    func altered() throws {
        let leaf = Self.issuing.issueLeaf(dns: [Self.host])
        var der = leaf.der
        der[der.count - 1] ^= 1
        let shown = try Self.show([der, Self.issuing.der], Self.policy())
        #expect(shown.sides == ["in-between", "server"])
        #expect(shown.screen.contains("it names this very key as its signer"), "\(shown.screen)")
        #expect(shown.screen.contains("see where it was altered on its way into the server"))
        #expect(!shown.screen.contains("new key") && !shown.screen.contains("was replaced"))
    }

    @Test("an anchor without an identifier is compared by the usual one of its key")
    func withoutIdentifier() throws {
        let bare = try Certificate(
            der: Self.world.root("Bare Root", key: .p256("screen bare")) {
                $0.extensions.remove(at: 2)
            }.der)
        let crypto = LibCryptoBackend()
        let usual = crypto.identifierSHA1(of: bare.der.span.extracting(bare.keyBits.indices))
        let octets = try #require(usual?.octets)
        for (identifier, named) in [
            (octets, NamedKey.same),
            // Another method of making identifiers may have been chosen.
            ([UInt8](repeating: 7, count: 20), .unknown),
        ] {
            let leaf = Self.root.issueLeaf(dns: [Self.host]) {
                $0.extensions[$0.extensions.count - 1] = .authorityKeyIdentifier(identifier)
            }
            #expect(
                NamedKey(try Certificate(der: leaf.der), issuer: bare, crypto: crypto) == named)
        }
    }

    // MARK: The policy's own certificates and pins

    @Test("an intermediate that the policy offers and that has ended is the policy's")
    func endedIntermediate() throws {
        let ended = Self.root.issueCA("Acme Old Issuing", key: .p256("screen ended")) {
            $0.notAfter = Scenario.judgedAt.advanced(bySeconds: -86_400)
        }
        let leaf = ended.issueLeaf(dns: [Self.host])
        let shown = try Self.show([leaf], offering: ended)
        #expect(shown.sides == ["policy", "this-machine"])
        #expect(
            shown.screen.contains("ask `pki`, who owns `acme`, to replace `CN=Acme Old Issuing`"),
            "\(shown.screen)")
        #expect(Self.has(shown, owner: "pki", of: "anchors", "acme"))
        // The same certificate from the server is the server's.
        let sent = try Self.show([leaf, ended.certificate])
        #expect(sent.sides.first == "server")
        #expect(sent.owners == [])
    }

    @Test("pins that fail: the owner of the pin set is asked")
    func pins() throws {
        let pins =
            "  keys:\n    owner: key ceremony\n    keys:\n      now: { spki: "
            + "sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }\n    backups:\n      spare: "
            + "{ spki: sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= }\n"
            + "    enforce-until: 2099-01-01\n"
        let shown = try Self.show(
            [Self.issuing.issueLeaf(dns: [Self.host]), Self.issuing.certificate],
            Self.policy(pins: pins))
        #expect(shown.sides == ["in-between", "policy"])
        #expect(
            shown.screen.contains(
                "ask `key ceremony`, who owns `keys`, whether the keys were changed"),
            "\(shown.screen)")
        #expect(shown.screen.contains("have the server use the key of the backup `spare`"))
        #expect(Self.has(shown, owner: "key ceremony", of: "pins", "keys"))
    }

    // MARK: Every example

    @Test("the first side of the screen is the side of JSON, and a caution has an action")
    func everyExample() throws {
        var rejects = 0
        for recipe in Recipe.all {
            let table = try #require(try recipe.compile().table)
            for entry in recipe.cases {
                let wanted = try entry.request()
                guard !wanted.accepts else { continue }
                let engine = try Engine(
                    table: table, inputs: entry.inputs(wanted), crypto: LibCryptoBackend())
                let explanation = try engine.explain(entry.trustRequest(wanted))
                let repairs = try entry.repairs(explanation, by: engine)
                let shown = try Self.show(explanation, repairs: repairs)
                rejects += 1
                try hold(shown, explanation, repairs ?? [], entry.name)
            }
        }
        #expect(rejects > 100)
    }

    private func hold(
        _ shown: Shown, _ explanation: Explanation, _ repairs: [Repair], _ name: String
    ) throws {
        let side = try #require(shown.json["side"]?.text)
        let spoken = side.replacing("-", with: " ")
        #expect(shown.side.hasPrefix("\(spoken): "), "\(name): \(side)\n\(shown.screen)")
        #expect(shown.json["violations"]?.items.first?["side"]?.text == side, "\(name)")
        #expect(shown.page.contains("\(spoken): "), "\(name)")
        // The first line names the violation that decides first.
        let id = try #require(shown.json["violations"]?.items.first?["id"]?.text)
        let ids = ExplainDocument.firstLine(of: explanation).split(separator: ": ").last ?? ""
        #expect(ids.hasPrefix(id), "\(name): \(ids)")
        // So do the line of a log and the other interfaces, which have no explanation.
        let line = RejectLine(explanation, host: "", port: 0, id: nil, command: nil)
        #expect(line?.violations.first?.id == id && line?.side.rawValue == side, "\(name)")
        let unexplained = explanation.verdict.printedViolations(host: "")
        #expect(unexplained.map(\.id) == line?.violations.map(\.id), "\(name)")
        guard repairs.contains(where: \.isCaution) else { return }
        let action = repairs.first { $0.kind == .action } ?? repairs.first { $0.kind != .caution }
        let texts = [action?.brief, action?.text].compactMap(\.self).filter { !$0.isEmpty }
        #expect(
            texts.contains { text in
                // A text is wrapped and may be cut at the end of a long name.
                shown.screen.contains(
                    text.split(separator: " ").prefix(4).joined(separator: " "))
            }, "\(name): \(texts)\n\(shown.screen)")
    }
}
