import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// App Transport Security: each rule of the model, what the policy has of it, and what the findings
/// say.
@Suite struct ATSImportTests {
    static let one = NSCImportTests.one
    static let two = NSCImportTests.two

    static func ats(_ inner: String) -> String {
        "<key>NSAppTransportSecurity</key>\n<dict>\(inner)</dict>"
    }

    static func exceptions(_ domains: (String, String)...) -> String {
        "<key>NSExceptionDomains</key><dict>"
            + domains.map { "<key>\($0.0)</key><dict>\($0.1)</dict>" }.joined() + "</dict>"
    }

    static func pinned(_ domains: (String, String)...) -> String {
        "<key>NSPinnedDomains</key><dict>"
            + domains.map { "<key>\($0.0)</key><dict>\($0.1)</dict>" }.joined() + "</dict>"
    }

    static func list(_ key: String, _ digests: String...) -> String {
        "<key>\(key)</key><array>"
            + digests.map {
                "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>"
            }.joined() + "</array>"
    }

    static let subdomains = "<key>NSIncludesSubdomains</key><true/>"
    static let cleartext = "<key>NSExceptionAllowsInsecureHTTPLoads</key><true/>"
    static func tls(_ version: String) -> String {
        "<key>NSExceptionMinimumTLSVersion</key><string>\(version)</string>"
    }

    private static func behaviour(_ text: String, _ host: String) throws -> ATSModel.Behaviour {
        ATSModel(try ATSReader.read(Array(ForeignImports.plist(text).utf8))).behaviour(of: host)
    }

    @Test(
        "an entry for a network is not taken over, and the finding compares its hosts",
        arguments: [
            (tls("TLSv1.3"), "the policy is weaker than the file for `10.0.0.0/8`"),
            (cleartext, "the policy is stricter than the file for `10.0.0.0/8`"),
            ("", "the policy and the file mean the same for `10.0.0.0/8`"),
        ])
    func network(_ entry: String, _ note: String) throws {
        let imported = try ForeignImports.ats(Self.ats(Self.exceptions(("10.0.0.0/8", entry))))
        let found = imported.findings.filter { $0.code == .matchesNoHost }
        #expect(found.map(\.notes) == [[note]])
    }

    @Test("NSIncludesSubdomains is the domain and one label more")
    func oneLabel() throws {
        let text = Self.ats(
            Self.pinned(
                (
                    "a.example",
                    Self.subdomains + Self.list("NSPinnedCAIdentities", Self.one, Self.two)
                ))
                + Self.exceptions(("b.example", Self.subdomains + Self.cleartext)))
        for (host, isPinned) in [
            ("a.example", true), ("x.a.example", true), ("y.x.a.example", false),
        ] {
            #expect((try Self.behaviour(text, host).pinnedBy != nil) == isPinned, "\(host)")
        }
        for (host, isOpen) in [
            ("b.example", true), ("x.b.example", true), ("y.x.b.example", false),
        ] {
            #expect(try Self.behaviour(text, host).permitsCleartext == isOpen, "\(host)")
        }
        let rules = try ForeignImports.ats(text).policy.rules
        #expect(
            rules.map(\.hosts) == [["b.example", "*.b.example"], ["a.example", "*.a.example"]])
    }

    @Test("an exact entry goes before one with subdomains, for exceptions and for pins by itself")
    func mostSpecific() throws {
        let text = Self.ats(
            Self.exceptions(
                ("a.example", Self.subdomains + Self.cleartext),
                ("x.a.example", Self.tls("TLSv1.3")))
                + Self.pinned(
                    ("y.a.example", Self.list("NSPinnedLeafIdentities", Self.one, Self.two))))
        #expect(!(try Self.behaviour(text, "x.a.example").permitsCleartext))
        let rules = try ForeignImports.ats(text).policy.rules
        #expect(
            rules.map(\.hosts) == [["a.example", "*.a.example"], ["x.a.example"], ["y.a.example"]])
        #expect(rules.map { $0.body.cleartextReason != nil } == [true, false, true])
        #expect(rules.map(\.body.pins) == [[], [], ["y-a-example-leaf"]])
        #expect(rules.map(\.body.needsTLS13) == [false, true, false])
    }

    @Test(
        "keys that are compared as they are written",
        arguments: ["a.example.", "A.example", "*.example", "https://a.example", "m\u{FC}.example"])
    func otherKeys(_ key: String) throws {
        let text = Self.ats(
            Self.pinned((key, Self.list("NSPinnedCAIdentities", Self.one, Self.two))))
        let imported = try ForeignImports.ats(text)
        #expect(imported.policy.rules.isEmpty)
        #expect(ForeignImports.codes(imported) == ["HX202"])
        if key == "a.example." { #expect(try Self.behaviour(text, "a.example").pinnedBy == nil) }
    }

    @Test("the TLS floor goes up and down, and the defaults are the baseline with forward secrecy")
    func versions() throws {
        for (version, waived, isHigh) in [
            ("TLSv1.0", "tls1.0", false), ("TLSv1.1", "tls1.1", false), ("TLSv1.2", nil, false),
            ("TLSv1.3", nil, true),
        ] as [(String, String?, Bool)] {
            let imported = try ForeignImports.ats(
                Self.ats(Self.exceptions(("a.example", Self.tls(version)))))
            let body = try #require(imported.policy.rules.first?.body)
            #expect(body.waivedTLS == waived)
            #expect(body.needsTLS13 == isHigh)
            #expect(body.needsForwardSecrecy)
            #expect(imported.findings.isEmpty == (waived == nil))
            _ = try ForeignImports.table(imported)
        }
        let wrong = try ForeignImports.ats(
            Self.ats(Self.exceptions(("a.example", Self.tls("1.0")))))
        #expect(ForeignImports.codes(wrong) == ["HX203"])
        #expect(wrong.policy.rules.map(\.body.waivedTLS) == [nil])
        let none = try ForeignImports.ats("<key>CFBundleName</key><string>x</string>")
        #expect(none.findings.isEmpty)
        #expect(none.policy.defaultBody?.needsForwardSecrecy == true)
    }

    @Test("leaf and CA lists both bind")
    func bothLists() throws {
        let imported = try ForeignImports.ats(
            Self.ats(
                Self.pinned(
                    (
                        "a.example",
                        Self.list("NSPinnedCAIdentities", Self.one, Self.two)
                            + Self.list("NSPinnedLeafIdentities", Self.two, Self.one)
                    ))))
        #expect(imported.policy.rules.map(\.body.pins) == [["a-example-ca", "a-example-leaf"]])
        #expect(
            imported.policy.pinSets.map { $0.pins.map(\.at) } == [["ca", "ca"], ["leaf", "leaf"]])
        #expect(imported.findings.isEmpty)
        _ = try ForeignImports.table(imported)
    }

    @Test("the global switch: an exception undoes it, and a narrower key does")
    func switches() throws {
        let off = "<key>NSAllowsArbitraryLoads</key><true/>"
        let text = Self.ats(off + Self.exceptions(("a.example", "")))
        #expect(try Self.behaviour(text, "b.example").isOff)
        #expect(!(try Self.behaviour(text, "a.example").isOff))
        let on = Self.ats(off.replacing("<true/>", with: "<false/>"))
        #expect(!(try Self.behaviour(on, "b.example").isOff))
        let imported = try ForeignImports.ats(text)
        #expect(imported.policy.defaultBody?.waivedTLS == "tls1.0")
        #expect(imported.policy.defaultBody?.cleartextReason != nil)
        #expect(imported.policy.rules.map(\.body.cleartextReason) == [nil])
        _ = try ForeignImports.table(imported)
        for key in [
            "NSAllowsLocalNetworking", "NSAllowsArbitraryLoadsForMedia",
            "NSAllowsArbitraryLoadsInWebContent",
        ] {
            let text = Self.ats(off + "<key>\(key)</key><true/>")
            #expect(!(try Self.behaviour(text, "b.example").isOff))
            #expect(ForeignImports.codes(try ForeignImports.ats(text)) == ["HX201", "HX307"])
        }
    }

    @Test(
        "refused",
        arguments: [
            ("<a/>", "HX101"), ("<plist><string>x</string></plist>", "HX101"),
            (ats(pinned(("a.example", list("NSPinnedCAIdentities", "Zm9v")))), "HX103"),
            (
                ats(pinned(("a.example", "<key>NSPinnedCAIdentities</key><array><dict/></array>"))),
                "HX103"
            ),
            (ats("<key>NSAllowsArbitraryLoads</key>"), "HX101"), (ats("<true/>"), "HX101"),
            (
                ats(
                    "<key>NSAllowsArbitraryLoads</key><true/><key>NSAllowsArbitraryLoads</key><false/>"
                ),
                "HX101"
            ),
            (ats(exceptions(("a.\u{202E}example", cleartext))), "HX101"),
        ] as [(String, String)])
    func refused(_ text: String, _ code: String) {
        let refusal = ForeignImports.refusal { try ForeignImports.ats(text) }
        #expect(refusal?.code == code, "\(refusal as Any) \(text)")
    }

    @Test("hidden characters in other keys do not matter")
    func otherText() throws {
        let text =
            "<key>NSCameraUsageDescription</key><string>\u{200F}\u{5E9}\u{200F}</string>"
            + Self.ats(Self.exceptions(("a.example", Self.cleartext)))
        #expect(ForeignImports.codes(try ForeignImports.ats(text)) == ["HX304"])
    }

    @Test("keys of other types and names are told")
    func otherTypes() throws {
        let text = Self.ats(
            Self.exceptions(
                (
                    "a.example",
                    "<key>NSPinnedDomains</key><true/>"
                        + "<key>NSTemporaryExceptionAllowsInsecureHTTPLoads</key><true/>"
                        + "<key>NSExceptionAllowsInsecureHTTPLoads</key><string>YES</string>"
                ))
                + Self.pinned(("b.example", "<key>NSPinnedCAIdentities</key><array/>")))
        let imported = try ForeignImports.ats(text)
        #expect(ForeignImports.codes(imported) == ["HX201", "HX201", "HX203", "HX203"])
        #expect(imported.policy.rules.allSatisfy { $0.body.cleartextReason == nil })
    }
}
