import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// TrustKit: each rule of the model, in source text, in a property list and on Android.
@Suite struct TrustKitImportTests {
    private static let (one, two, three) = (PinImports.one, PinImports.two, PinImports.three)
    private static let both = PinImports.hashes(one, two)
    private static let subdomains = "kTSKIncludeSubdomains: true"

    private static func codes(_ text: String) throws -> [String] {
        ForeignImports.codes(try PinImports.trustKit(text)).sorted()
    }

    @Test("the narrower entry decides, and an excluded name is taken out alone")
    func hosts() throws {
        let text = PinImports.swift(
            ("a.com", "\(Self.both), \(Self.subdomains)"),
            ("x.a.com", "kTSKExcludeSubdomainFromParentPolicy: true"),
            ("y.a.com", PinImports.hashes(Self.two, Self.three)),
            ("w.a.com", "\(PinImports.hashes(Self.one, Self.three)), \(Self.subdomains)"))
        let imported = try PinImports.trustKit(text)
        _ = try ForeignImports.table(imported)
        let expected: [String: Set<String>?] = [
            "a.com": [Self.one, Self.two], "z.a.com": [Self.one, Self.two], "x.a.com": nil,
            "q.x.a.com": [Self.one, Self.two], "y.a.com": [Self.two, Self.three],
            "q.y.a.com": [Self.one, Self.two], "w.a.com": [Self.one, Self.three],
            "q.w.a.com": [Self.one, Self.three], "b.com": nil, "za.com": nil,
        ]
        let model = try PinImports.trustKitModel(text)
        for (host, digests) in expected {
            #expect(model.behaviour(of: host).digests == digests, "\(host)")
            #expect(PinImports.demanded(host, imported) == digests, "\(host)")
        }
        #expect(imported.findings.isEmpty)
    }

    @Test("pins end with the first instant of their day in UTC")
    func end() throws {
        let text = PinImports.swift(("a.com", "\(Self.both), kTSKExpirationDate: \"2027-06-30\""))
        let model = try PinImports.trustKitModel(text)
        let midnight = try #require(UTCInstant(year: 2027, month: 6, day: 30))
        #expect(model.behaviour(of: "a.com", at: midnight).digests != nil)
        #expect(model.behaviour(of: "a.com", at: midnight.advanced(bySeconds: 1)).digests == nil)
        let imported = try PinImports.trustKit(text)
        #expect(imported.policy.text.contains("enforce-until: 2027-06-30T00:00:00Z"))
        #expect(imported.policy.text.contains("on-expiry: unpinned"))
        #expect(imported.findings.isEmpty)
        let doubtful = PinImports.swift(("a.com", "\(Self.both), kTSKExpirationDate: \"soon\""))
        #expect(try Self.codes(doubtful) == ["HX203"])
    }

    @Test("pins are enforced unless the file says otherwise")
    func enforcement() throws {
        let text = PinImports.swift(("a.com", "\(Self.both), kTSKEnforcePinning: false"))
        #expect(try Self.codes(text) == ["HX406"])
        #expect(PinImports.demanded("a.com", try PinImports.trustKit(text)) == nil)
        let all = try PinImports.trustKit(text, takesAll: true)
        #expect(PinImports.demanded("a.com", all) == [Self.one, Self.two])
        #expect(ForeignImports.codes(all) == ["HX406"])
        let other = PinImports.swift(("a.com", "\(Self.both), kTSKEnforcePinning: \"later\""))
        #expect(try Self.codes(other) == ["HX203"])
        #expect(
            PinImports.demanded("a.com", try PinImports.trustKit(other)) == [Self.one, Self.two])
    }

    @Test(
        "what TrustKit refuses is refused",
        arguments: [
            ("a.com", PinImports.hashes(PinImports.one)),
            ("a.com", PinImports.hashes(PinImports.one, PinImports.one)),
            ("a.com", "kTSKEnforcePinning: false"), ("localhost", both), ("192.0.2.1", both),
            ("co.uk", "\(both), \(subdomains)"),
            ("x.a.com", "kTSKExcludeSubdomainFromParentPolicy: true"),
            ("a.com", "kTSKExcludeSubdomainFromParentPolicy: true, \(both)"),
        ])
    func refused(_ domain: String, _ settings: String) throws {
        let text = PinImports.swift((domain, settings))
        let refusal = ForeignImports.refusal { try PinImports.trustKit(text) }
        #expect(refusal?.code == "HX102", "\(text)")
        #expect((refusal?.at ?? 0) > 0)
    }

    @Test("pins that NSData does not read are refused, and so are other lengths")
    func pins() throws {
        for pin in ["Zm9v", String(Self.one.dropLast()), "sha256/\(Self.one)"] {
            let text = PinImports.swift(("a.com", PinImports.hashes(pin, Self.two)))
            #expect(
                ForeignImports.refusal { try PinImports.trustKit(text) }?.code == "HX103", "\(pin)")
        }
        let duds = PinImports.swift(
            ("a.com", PinImports.hashes(PinImports.zero, String(repeating: "B", count: 43) + "=")))
        #expect(try Self.codes(duds) == ["HX403", "HX403", "HX405"])
    }

    // MARK: Forms

    @Test("Objective-C, assignment to the key, and types behind literals")
    func forms() throws {
        let objectiveC = """
            NSDictionary *config = @{ // kTSKPinnedDomains
              kTSKSwizzleNetworkDelegates: @NO,
              kTSKPinnedDomains : @{ @"a.com" : @{
                kTSKEnforcePinning : @(YES),
                kTSKPublicKeyHashes : @[ @"\(Self.one)", @"\(Self.two)" ], } } };
            """
        let assigned = """
            config[kTSKPinnedDomains] = [ "a.com": [ \(Self.both) ] as [String: Any] ]
            """
        let typed = """
            TrustKit.initSharedInstance(withConfiguration: [
                kTSKPinnedDomains: ["a.com": [\(Self.both)] as [String: Any]] as [String: Any],
            ] as [String: Any])
            """
        for text in [objectiveC, assigned, typed] {
            let imported = try PinImports.trustKit(text)
            #expect(PinImports.demanded("a.com", imported) == [Self.one, Self.two], "\(text)")
            #expect(imported.findings.isEmpty, "\(text)")
        }
    }

    @Test("expressions are findings at their place, and are not guessed")
    func expressions() throws {
        let text = """
            [kTSKPinnedDomains: [
                BASE_DOMAIN: [\(Self.both)],
                "b.com": [kTSKPublicKeyHashes: pins],
                "c.com": [kTSKPublicKeyHashes: ["\(Self.one)", "\\(pin)"]],
                "d.com": settings(), "e.com": [\(Self.both), kTSKEnforcePinning: isRelease],
            ]]
            """
        let imported = try PinImports.trustKit(text)
        #expect(
            ForeignImports.codes(imported).sorted() == ["HX309"]
                + [String](repeating: "HX401", count: 5))
        #expect(imported.policy.rules.map(\.hosts) == [["c.com"], ["e.com"]])
        let places = imported.findings.filter { $0.code == .notLiteral }.map { finding in
            String(
                decoding: Array(text.utf8)[
                    Int(finding.primary.span.start)..<Int(finding.primary.span.end)], as: UTF8.self)
        }
        #expect(Set(places) == ["BASE_DOMAIN", "pins", "\"\\(pin)\"", "settings()", "isRelease"])
    }

    @Test("a second dictionary is refused, and so are keys that stand twice")
    func twice() throws {
        let text = PinImports.swift(("a.com", Self.both))
        #expect(ForeignImports.refusal { try PinImports.trustKit(text + text) }?.code == "HX402")
        let twins = PinImports.swift(("a.com", Self.both), ("a.com", Self.both))
        #expect(ForeignImports.refusal { try PinImports.trustKit(twins) }?.code == "HX101")
        #expect(ForeignImports.refusal { try PinImports.trustKit("let a = 1") }?.code == "HX101")
    }

    private static func plist(_ inner: String) -> String {
        "<plist version=\"1.0\"><dict><key>TSKConfiguration</key><dict>\(inner)</dict></dict></plist>"
    }

    private static func array(_ digests: String...) -> String {
        "<key>TSKPublicKeyHashes</key><array>"
            + digests.map { "<string>\($0)</string>" }.joined() + "</array>"
    }

    @Test("an Info.plist, where the exclusion has another spelling")
    func propertyList() throws {
        let domains = """
            <key>TSKPinnedDomains</key><dict>
            <key>a.com</key><dict><key>TSKIncludeSubdomains</key><true/>\(Self.array(Self.one, Self.two))</dict>
            <key>x.a.com</key><dict><key>NAME</key><true/></dict></dict>
            """
        let real = Self.plist(
            domains.replacing("NAME", with: "kSKExcludeSubdomainFromParentPolicy"))
        let imported = try PinImports.trustKit(real)
        #expect(imported.findings.isEmpty)
        #expect(PinImports.demanded("x.a.com", imported) == nil)
        #expect(PinImports.demanded("y.a.com", imported) == [Self.one, Self.two])
        let documented = Self.plist(
            domains.replacing("NAME", with: "TSKExcludeSubdomainFromParentPolicy"))
        #expect(ForeignImports.refusal { try PinImports.trustKit(documented) }?.code == "HX102")
        let ignored = Self.plist(
            "<key>TSKPinnedDomain</key><true/><key>TSKPinnedDomains</key><dict><key>a.com</key><dict>"
                + "\(Self.array(Self.one, Self.two))</dict></dict>")
        #expect(try Self.codes(ignored) == ["HX201"])
        let none = "<plist><dict><key>A</key><true/></dict></plist>"
        #expect(ForeignImports.refusal { try PinImports.trustKit(none) }?.code == "HX101")
    }

    // MARK: Android

    private static func android(_ inner: String) -> String {
        "<network-security-config>\(inner)</network-security-config>"
    }

    private static func set(_ digests: String..., end: String = "") -> String {
        "<pin-set\(end)>" + digests.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
            + "</pin-set>"
    }

    @Test("Android enforces only where the file says so, and ends at local midnight")
    func androidDefaults() throws {
        let domain = "<domain includeSubdomains=\"true\">a.com</domain>"
        let pins = Self.set(Self.one, Self.two, end: " expiration=\"2027-06-30\"")
        let silent = Self.android("<domain-config>\(domain)\(pins)</domain-config>")
        #expect(try Self.codes(silent) == ["HX406"])
        let enforced = Self.android(
            "<domain-config>\(domain)\(pins)<trustkit-config enforcePinning=\"true\"/></domain-config>"
        )
        let imported = try PinImports.trustKit(enforced)
        #expect(ForeignImports.codes(imported) == ["HX303"])
        #expect(imported.policy.text.contains("enforce-until: 2027-06-30T12:00:00Z"))
        #expect(PinImports.demanded("x.y.a.com", imported) == [Self.one, Self.two])
        let other = Self.android(
            "<domain-config>\(domain)\(pins)<trustkit-config/></domain-config>")
        #expect(try Self.codes(other) == ["HX406"])
    }

    @Test("Android: values come from the configuration around, and the last domain counts")
    func androidInheritance() throws {
        let text = Self.android(
            """
            <domain-config><domain>z.com</domain><domain>a.com</domain>\(Self.set(Self.one, Self.two))
            <trustkit-config enforcePinning="true"/>
            <domain-config><domain>b.com</domain></domain-config>
            <domain-config><domain>c.com</domain>\(Self.set(Self.two, Self.three))</domain-config>
            </domain-config>
            """)
        let imported = try PinImports.trustKit(text)
        #expect(ForeignImports.codes(imported) == ["HX201"])
        #expect(PinImports.demanded("z.com", imported) == nil)
        #expect(PinImports.demanded("a.com", imported) == [Self.one, Self.two])
        #expect(PinImports.demanded("b.com", imported) == [Self.one, Self.two])
        #expect(PinImports.demanded("c.com", imported) == [Self.two, Self.three])
    }

    @Test("Android compares pins as text, and refuses one pin and a domain that stands twice")
    func androidPins() throws {
        func file(_ pins: String, _ name: String = "a.com") -> String {
            "<domain-config><domain>\(name)</domain>\(pins)<trustkit-config enforcePinning=\"true\"/>"
                + "</domain-config>"
        }
        let unpadded = Self.android(
            file(Self.set(String(Self.one.dropLast()), Self.two, Self.three)))
        #expect(try Self.codes(unpadded) == ["HX405"])
        for text in [
            file(Self.set(Self.one)), file("<pin-set/>"),
            file(Self.set(Self.one, Self.two)) + file(Self.set(Self.one, Self.two)),
            "<domain-config>\(Self.set(Self.one, Self.two))</domain-config>",
        ] {
            let refusal = ForeignImports.refusal { try PinImports.trustKit(Self.android(text)) }
            #expect(refusal?.code == "HX102", "\(text)")
        }
    }
}
