import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Android's Network Security Configuration: each rule of the model, what the policy has of it, and
/// what the findings say.
@Suite struct NSCImportTests {
    static let one = Base64.encode([UInt8](repeating: 0x11, count: 32))
    static let two = Base64.encode([UInt8](repeating: 0x22, count: 32))
    static let three = Base64.encode([UInt8](repeating: 0x33, count: 32))

    static func pins(_ digests: String..., end: String? = nil) -> String {
        "<pin-set\(end.map { " expiration=\"\($0)\"" } ?? "")>"
            + digests.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined() + "</pin-set>"
    }

    static func domain(
        _ name: String, _ inner: String = "", subdomains: Bool = false, attributes: String = ""
    ) -> String {
        "<domain-config\(attributes)><domain includeSubdomains=\"\(subdomains)\">\(name)</domain>"
            + inner + "</domain-config>"
    }

    static func file(_ parts: String...) -> String {
        "<network-security-config>\(parts.joined(separator: "\n"))</network-security-config>"
    }

    private static func behaviour(
        _ text: String, _ host: String, targetSDK: Int = 34, isDebuggable: Bool = false
    ) throws -> NSCModel.Behaviour {
        NSCModel(
            try NSCReader.read(Array(text.utf8), isDebuggable: isDebuggable),
            NSCModel.App(targetSDK: targetSDK, isDebuggable: isDebuggable)
        ).behaviour(of: host)
    }

    // MARK: Hosts

    @Test("the most specific entry decides, in the model and in the policy")
    func mostSpecific() throws {
        let text = Self.file(
            Self.domain("example.com", Self.pins(Self.one, Self.two), subdomains: true),
            Self.domain("api.example.com", Self.pins(Self.two, Self.three), subdomains: true),
            Self.domain("x.api.example.com", Self.pins(Self.one, Self.three)))
        let expected: [String: [String]] = [
            "example.com": [Self.one, Self.two], "EXAMPLE.com.": [Self.one, Self.two],
            "a.b.example.com": [Self.one, Self.two], "api.example.com": [Self.two, Self.three],
            "b.api.example.com": [Self.two, Self.three],
            "x.api.example.com": [Self.one, Self.three],
            "y.x.api.example.com": [Self.two, Self.three], "notexample.com": [], "com": [],
        ]
        let imported = try ForeignImports.nsc(text)
        _ = try ForeignImports.table(imported)
        for (host, digests) in expected {
            #expect(try Self.behaviour(text, host).digests == digests, "\(host)")
        }
        #expect(
            imported.policy.rules.map(\.hosts) == [
                ["example.com", "**.example.com"], ["api.example.com", "**.api.example.com"],
                ["x.api.example.com"],
            ])
    }

    @Test("the apex belongs to an entry with subdomains, and one without has nothing below")
    func apex() throws {
        let text = Self.file(
            Self.domain("a.example", Self.pins(Self.one, Self.two), subdomains: true),
            Self.domain("b.example", Self.pins(Self.one, Self.two)))
        #expect(try Self.behaviour(text, "a.example").digests.count == 2)
        #expect(try Self.behaviour(text, "x.b.example").digests.isEmpty)
        let rules = try ForeignImports.nsc(text).policy.rules
        #expect(rules.map(\.hosts) == [["a.example", "**.a.example"], ["b.example"]])
    }

    @Test(
        "entries that no host matches are left out, with the reason",
        arguments: [
            ("*.example.com", "wildcards"), ("example.com.", "dot"),
            ("https://a.example", "scheme"),
            ("a.example:443", "port"), ("m\u{FC}nchen.example", "xn--"), ("${host}", "host name"),
        ])
    func matchesNoHost(_ name: String, _ words: String) throws {
        let text = Self.file(
            Self.domain(name, Self.pins(Self.one, Self.two), subdomains: true))
        let imported = try ForeignImports.nsc(text)
        #expect(imported.policy.rules.isEmpty)
        let finding = try #require(imported.findings.first { $0.code == .matchesNoHost })
        #expect(finding.help.joined().contains(words), "\(finding.help)")
    }

    @Test("addresses have nothing below them, and blanks around a name do not count")
    func addresses() throws {
        let text = Self.file(
            Self.domain("127.0.0.1", subdomains: true), Self.domain("\n  LOCALHOST "))
        #expect(
            try ForeignImports.nsc(text).policy.rules.map(\.hosts) == [
                ["127.0.0.1"], ["localhost"],
            ])
    }

    // MARK: Inheritance

    @Test("a nested domain-config inherits pins, anchors and cleartext, each by itself")
    func inheritance() throws {
        let text = Self.file(
            "<base-config cleartextTrafficPermitted=\"true\"><trust-anchors>"
                + "<certificates src=\"user\"/></trust-anchors></base-config>",
            Self.domain(
                "a.example",
                Self.pins(Self.one, Self.two)
                    + "<trust-anchors><certificates src=\"system\"/>"
                    + "<certificates src=\"user\"/></trust-anchors>"
                    + Self.domain("b.a.example", attributes: " cleartextTrafficPermitted=\"false\"")
                    + Self.domain("c.a.example", "<pin-set></pin-set>"), subdomains: true))
        let outer = try Self.behaviour(text, "a.example")
        let nested = try Self.behaviour(text, "b.a.example")
        #expect(nested.digests == outer.digests)
        #expect(nested.anchors.map(\.source) == [.system, .user])
        #expect(outer.permitsCleartext)
        #expect(!nested.permitsCleartext)
        #expect(try Self.behaviour(text, "c.a.example").digests.isEmpty)
        #expect(try Self.behaviour(text, "other.example").anchors.map(\.source) == [.user])
        let rules = try ForeignImports.nsc(text).policy.rules
        #expect(rules.map(\.body.pins) == [["a-example"], ["a-example"], []])
        #expect(rules.map { $0.body.cleartextReason != nil } == [true, false, true])
    }

    @Test("the defaults follow the target SDK")
    func defaults() throws {
        let text = Self.file(Self.domain("a.example", Self.pins(Self.one, Self.two)))
        for (sdk, cleartext, user) in [
            (34, false, false), (28, false, false), (27, true, false), (24, true, false),
            (23, true, true),
        ] {
            let behaviour = try Self.behaviour(text, "a.example", targetSDK: sdk)
            #expect(behaviour.permitsCleartext == cleartext, "\(sdk)")
            let sources: [NSCFile.Anchor.Source] = user ? [.system, .user] : [.system]
            #expect(behaviour.anchors.map(\.source) == sources)
            let imported = try ForeignImports.nsc(text, targetSDK: sdk)
            let codes = Set(ForeignImports.codes(imported))
            #expect(codes.contains("HX304") == cleartext, "\(sdk)")
            #expect(codes.contains("HX301") == user, "\(sdk)")
            #expect((imported.policy.defaultBody?.cleartextReason != nil) == cleartext)
        }
    }

    // MARK: Anchors

    @Test("user anchors: the policy is stricter, and says for which hosts")
    func userAnchors() throws {
        let anchors =
            "<trust-anchors><certificates src=\"system\"/><certificates src=\"user\"/>"
            + "</trust-anchors>"
        let imported = try ForeignImports.nsc(Self.file(Self.domain("a.example", anchors)))
        let finding = try #require(imported.findings.first { $0.code == .userAnchors })
        #expect(finding.notes == ["the policy is stricter than the file for `a.example`"])
        #expect(imported.policy.rules.map(\.body.anchors) == [["system"]])
        let only = try ForeignImports.nsc(
            Self.file(
                "<base-config><trust-anchors><certificates src=\"user\"/></trust-anchors>"
                    + "</base-config>"))
        #expect(only.policy.defaultBody?.anchors == ["nothing"])
        _ = try ForeignImports.table(only)
    }

    @Test("no anchor: everybody is denied, or the hosts get a set that nothing meets")
    func noAnchors() throws {
        let none = "<trust-anchors></trust-anchors>"
        let base = try ForeignImports.nsc(Self.file("<base-config>\(none)</base-config>"))
        #expect(base.policy.defaultBody == nil)
        #expect(ForeignImports.codes(base) == ["HX310"])
        let host = try ForeignImports.nsc(Self.file(Self.domain("a.example", none)))
        #expect(host.policy.rules.map(\.body.anchors) == [["nothing"]])
        _ = try ForeignImports.table(host)
        let open = "<base-config cleartextTrafficPermitted=\"true\">\(none)</base-config>"
        let cleartext = try ForeignImports.nsc(Self.file(open))
        #expect(cleartext.policy.defaultBody?.anchors == ["nothing"])
        #expect(cleartext.policy.defaultBody?.cleartextReason != nil)
    }

    private static let pki = Scenario()
    private static let root = pki.root("Acme Root", key: .p256("nsc root"))
    private static let issuing = root.issueCA("Acme Issuing", key: .p256("nsc issuing"))
    private static let leaf = issuing.issueLeaf(dns: ["a.example"])

    @Test("resources: one set for each kind of certificate; a missing one is an error")
    func resources() throws {
        let text = Self.file(
            Self.domain(
                "a.example", "<trust-anchors><certificates src=\"@raw/acme\"/></trust-anchors>"))
        let members = try [Self.root.der, Self.issuing.der, Self.leaf.der].map {
            try Certificate(der: $0)
        }
        let imported = try ForeignImports.nsc(text, resources: ["raw/acme": members])
        #expect(imported.policy.anchorSets.map(\.kind.name) == ["root", "intermediate", "leaf"])
        #expect(imported.files.map(\.certificates) == members.map { [$0.der] })
        _ = try ForeignImports.table(imported)
        let missing = try ForeignImports.nsc(text)
        #expect(missing.findings.map(\.code) == [.missingResource])
        #expect(missing.findings.map(\.severity) == [.error])
    }

    @Test("overridePins: of all anchors no pins, of an own anchor its key, else the pins bind")
    func overridePins() throws {
        func anchors(_ list: String) -> String {
            Self.file(
                Self.domain(
                    "a.example",
                    Self.pins(Self.one, Self.two) + "<trust-anchors>\(list)</trust-anchors>"))
        }
        let all = try ForeignImports.nsc(
            anchors("<certificates src=\"system\" overridePins=\"true\"/>"))
        #expect(all.policy.rules.map(\.body.pins) == [[]])
        #expect(
            all.findings.first { $0.code == .overriddenPins }?.notes.joined().contains("same")
                == true)
        let root = try Certificate(der: Self.root.der)
        let own = try ForeignImports.nsc(
            anchors(
                "<certificates src=\"system\"/>"
                    + "<certificates src=\"@raw/acme\" overridePins=\"true\"/>"),
            resources: ["raw/acme": [root]])
        #expect(own.policy.pinSets.map { $0.pins.map(\.at) } == [["any", "any", "anchor"]])
        #expect(!own.findings.contains { $0.code == .overriddenPins })
        _ = try ForeignImports.table(own)
        let some = try ForeignImports.nsc(
            anchors(
                "<certificates src=\"user\" overridePins=\"true\"/><certificates src=\"system\"/>"))
        #expect(some.policy.rules.map(\.body.pins) == [["a-example"]])
        let finding = try #require(some.findings.first { $0.code == .overriddenPins })
        #expect(finding.notes == ["the policy is stricter than the file for `a.example`"])
    }

    @Test("debug-overrides hold for an app that can be debugged, and override pins there")
    func debugOverrides() throws {
        let text = Self.file(
            Self.domain("a.example", Self.pins(Self.one, Self.two)),
            "<debug-overrides><trust-anchors><certificates src=\"system\"/></trust-anchors>"
                + "</debug-overrides>")
        #expect(try Self.behaviour(text, "a.example").anchors.map(\.overridesPins) == [false])
        let debuggable = try Self.behaviour(text, "a.example", isDebuggable: true)
        #expect(debuggable.anchors.map(\.overridesPins) == [true])
        let released = try ForeignImports.nsc(text)
        #expect(ForeignImports.codes(released) == ["HX204"])
        #expect(released.policy.rules.map(\.body.pins) == [["a-example"]])
        #expect(
            try ForeignImports.nsc(text, isDebuggable: true).policy.rules.map(\.body.pins) == [[]])
    }

    // MARK: Pins

    @Test("expiration ends at local midnight, and then the pins are off")
    func expiration() throws {
        let text = Self.file(
            Self.domain("a.example", Self.pins(Self.one, Self.two, end: "2027-06-30")))
        let last = try ForeignImports.nsc(text)
        #expect(last.policy.pinSets.map(\.end) == [.at("2027-06-30T12:00:00Z")])
        #expect(last.policy.text.contains("on-expiry: unpinned"))
        let first = try ForeignImports.nsc(text, zone: .first)
        #expect(first.policy.pinSets.map(\.end) == [.at("2027-06-29T10:00:00Z")])
        let finding = try #require(last.findings.first { $0.code == .localExpiration })
        #expect(finding.message.contains("2027-06-29T10:00:00Z"))
        // Past the end the rule is the rule without pins, and before it is not.
        let open = try ForeignImports.nsc(Self.file(Self.domain("a.example")))
        #expect(try ForeignImports.relation(last, open, since: "2027-06-30T12:00:01Z") == .equal)
        #expect(try ForeignImports.relation(last, open, since: "2027-06-30T12:00:00Z") == .weaker)
        #expect(try ForeignImports.relation(last, first) == .weaker)
    }

    @Test("one pin: the policy holds exactly it, and lint says that a spare key is missing")
    func onePin() throws {
        let imported = try ForeignImports.nsc(
            Self.file(Self.domain("a.example", Self.pins(Self.one, Self.one))))
        #expect(ForeignImports.codes(imported) == ["HX309"])
        let result = Linter.lint(
            ForeignImports.unit(imported), LintOptions(time: .at("2026-06-01")),
            crypto: ForeignImports.crypto)
        #expect(result.findings.contains { $0.code == .placeholderPin })
    }

    // MARK: Refusals

    @Test(
        "refused as Android refuses it",
        arguments: [
            ("<x/>", "HX102"),
            (
                "<network-security-config><base-config/><base-config/></network-security-config>",
                "HX102"
            ),
            (file("<debug-overrides/>", "<debug-overrides/>"), "HX102"),
            (file("<base-config><domain>a.example</domain></base-config>"), "HX102"),
            (file("<base-config>\(pins(one))</base-config>"), "HX102"),
            (file("<base-config><domain-config/></base-config>"), "HX102"),
            (file("<domain-config/>"), "HX102"),
            (file(domain("a.example"), domain("A.example")), "HX102"),
            (file(domain("a.example", pins(one) + pins(two))), "HX102"),
            (file(domain("a.example", "<trust-anchors/><trust-anchors/>")), "HX102"),
            (file(domain("")), "HX102"), (file(domain("a<!-- -->b")), "HX102"),
            (file(domain("a.example", "<trust-anchors><certificates/></trust-anchors>")), "HX102"),
            (
                file(
                    domain(
                        "a.example", "<trust-anchors><certificates src=\"all\"/></trust-anchors>")),
                "HX102"
            ),
            (file(domain("a.example", pins(one, end: "soon"))), "HX102"),
            (file(domain("a.example", pins(one, end: "2027-02-29"))), "HX102"),
            (file(domain("a.example", "<pin-set><pin>\(one)</pin></pin-set>")), "HX103"),
            (
                file(domain("a.example", "<pin-set><pin digest=\"SHA-1\">\(one)</pin></pin-set>")),
                "HX103"
            ),
            (file(domain("a.example", pins("Zm9v"))), "HX103"),
            (file(domain("a.example", pins("sha256/\(one)"))), "HX103"),
            (file(domain("a.ex\u{202E}ample")), "HX101"), (file("<!-- \u{200B} -->"), "HX101"),
            ("\u{3}\u{0}\u{8}\u{0}", "HX101"),
        ] as [(String, String)])
    func refused(_ text: String, _ code: String) {
        let refusal = ForeignImports.refusal { try ForeignImports.nsc(text) }
        #expect(refusal?.code == code, "\(refusal as Any) \(text)")
    }

    @Test("parts that Android skips are told, and change nothing")
    func ignored() throws {
        let text = Self.file(
            "<!-- c -->",
            Self.domain(
                "a.example",
                Self.pins(Self.one, Self.two)
                    + "<trustkit-config enforcePinning=\"true\"><report-uri>x</report-uri>"
                    + "</trustkit-config>", attributes: " cleartext=\"true\""),
            "<base-confg/>")
        let imported = try ForeignImports.nsc(text)
        #expect(ForeignImports.codes(imported) == ["HX201", "HX201", "HX201"])
        let plain = try ForeignImports.nsc(
            Self.file(Self.domain("a.example", Self.pins(Self.one, Self.two))))
        #expect(try ForeignImports.relation(plain, imported) == .equal)
    }

    @Test("certificate transparency: the policy is weaker, and says so")
    func transparency() throws {
        let text = Self.file(
            Self.domain("a.example", "<certificateTransparency enabled=\"true\"/>"))
        #expect(try Self.behaviour(text, "a.example").demandsTransparency == true)
        let finding = try #require(
            try ForeignImports.nsc(text).findings.first { $0.code == .transparencyNotTaken })
        #expect(finding.notes == ["the policy is weaker than the file for `a.example`"])
    }

    @Test("a text that is not a boolean counts as the value that accepts less")
    func doubtful() throws {
        let text = Self.file("<base-config cleartextTrafficPermitted=\"${isDebug}\"/>")
        #expect(!(try Self.behaviour(text, "a.example").permitsCleartext))
        #expect(ForeignImports.codes(try ForeignImports.nsc(text)) == ["HX203"])
    }
}
