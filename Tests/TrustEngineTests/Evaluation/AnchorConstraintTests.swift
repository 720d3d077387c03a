import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// `constraints` of an anchor set (LANGUAGE section 5): what its members may vouch for.
@Suite("anchor constraints") struct AnchorConstraintTests {
    private static let acme = Acme()

    /// Patterns as a policy writes them, and the names of a certificate.
    struct NameCase: Sendable, CustomTestStringConvertible {
        let patterns: [String]
        let names: [TestGeneralName]
        let isPermitted: Bool
        let isExcluded: Bool

        var testDescription: String { "\(names) against \(patterns)" }

        init(
            _ patterns: [String], _ names: [TestGeneralName], permitted: Bool, excluded: Bool
        ) {
            self.patterns = patterns
            self.names = names
            self.isPermitted = permitted
            self.isExcluded = excluded
        }
    }

    private static let nameCases: [NameCase] = [
        // Exact names.
        NameCase(["a.example"], [.dns("a.example")], permitted: true, excluded: true),
        NameCase(["a.example"], [.dns("A.Example")], permitted: true, excluded: true),
        NameCase(["a.example"], [.dns("b.a.example")], permitted: false, excluded: false),
        NameCase(["a.example"], [.dns("aa.example")], permitted: false, excluded: false),
        // One label, several, never the apex.
        NameCase(["*.a.example"], [.dns("b.a.example")], permitted: true, excluded: true),
        NameCase(["*.a.example"], [.dns("a.example")], permitted: false, excluded: false),
        NameCase(["*.a.example"], [.dns("c.b.a.example")], permitted: false, excluded: false),
        NameCase(["*.a.example"], [.dns("ba.example")], permitted: false, excluded: false),
        NameCase(["**.a.example"], [.dns("c.b.a.example")], permitted: true, excluded: true),
        NameCase(["**.a.example"], [.dns("a.example")], permitted: false, excluded: false),
        NameCase(["**.a.example"], [.dns("xa.example")], permitted: false, excluded: false),
        // A wildcard is permitted if all it covers is, excluded if anything it covers is.
        NameCase(["*.a.example"], [.dns("*.a.example")], permitted: true, excluded: true),
        NameCase(["**.a.example"], [.dns("*.a.example")], permitted: true, excluded: true),
        NameCase(["**.a.example"], [.dns("*.b.a.example")], permitted: true, excluded: true),
        NameCase(["**.example"], [.dns("*.a.example")], permitted: true, excluded: true),
        NameCase(["b.a.example"], [.dns("*.a.example")], permitted: false, excluded: true),
        NameCase(["a.example"], [.dns("*.a.example")], permitted: false, excluded: false),
        NameCase(["c.b.a.example"], [.dns("*.a.example")], permitted: false, excluded: false),
        NameCase(["*.b.a.example"], [.dns("*.a.example")], permitted: false, excluded: false),
        NameCase(["**.b.a.example"], [.dns("*.a.example")], permitted: false, excluded: false),
        NameCase(["*.example"], [.dns("*.a.example")], permitted: false, excluded: false),
        // Every name must be permitted, one that is excluded is enough.
        NameCase(
            ["a.example"], [.dns("a.example"), .dns("evil.example")], permitted: false,
            excluded: true),
        NameCase(
            ["a.example", "evil.example"], [.dns("a.example"), .dns("evil.example")],
            permitted: true, excluded: true),
        // Addresses match addresses, names names.
        NameCase(["10.0.0.0/8"], [.ip("10.1.2.3")], permitted: true, excluded: true),
        NameCase(["10.1.2.3"], [.ip("10.1.2.3")], permitted: true, excluded: true),
        NameCase(["10.0.0.0/8"], [.ip("11.1.2.3")], permitted: false, excluded: false),
        NameCase(["**.example"], [.ip("10.1.2.3")], permitted: false, excluded: false),
        NameCase(["2001:db8::/32"], [.ip("2001:db8::1")], permitted: true, excluded: true),
        NameCase(["10.0.0.0/8"], [.ip("::ffff:10.1.2.3")], permitted: true, excluded: true),
        NameCase(["::/0"], [.ip("::ffff:10.1.2.3")], permitted: false, excluded: true),
        NameCase(["0.0.0.0/0"], [.ip("2001:db8::1")], permitted: false, excluded: false),
        // A text that is not a name is never permitted and always excluded.
        NameCase(["**.example"], [.dns("a..example")], permitted: false, excluded: true),
        NameCase(["**.example"], [.dns("a.example.")], permitted: false, excluded: true),
        NameCase(["**.example"], [.dns("b*.a.example")], permitted: false, excluded: true),
        NameCase(["**.example"], [.dns("b.*.example")], permitted: false, excluded: true),
        NameCase(["**.example"], [.dns("*")], permitted: false, excluded: true),
        NameCase(["**.example"], [.dns("10.0.0.1")], permitted: false, excluded: true),
        NameCase(["**.example"], [.dns("")], permitted: false, excluded: true),
        NameCase(
            ["**.example"], [.dns("a.example\u{0}.evil.test")], permitted: false, excluded: true),
        // Other kinds of names are not constrained.
        NameCase(
            ["a.example"], [.dns("a.example"), .email("x@evil.test")], permitted: true,
            excluded: true),
        NameCase(["b.example"], [.email("x@evil.test")], permitted: true, excluded: false),
        NameCase(["b.example"], [.uri("spiffe://mesh/x")], permitted: true, excluded: false),
        NameCase(
            ["b.example"], [.directory("Evil"), .dns("b.example")], permitted: true, excluded: true
        ),
        NameCase(["b.example"], [.directory("b.example")], permitted: true, excluded: false),
    ]

    /// A world whose end entity has these names, its own name being nobody's business.
    private static func presenting(_ names: [TestGeneralName]) -> World {
        acme.presenting { $0.set(.subjectAltName(names)) }.with { $0.waive(.identity) }
    }

    @Test("permitted and excluded names", arguments: nameCases)
    func names(_ row: NameCase) throws {
        let patterns = row.patterns.map(Self.pattern)
        let world = Self.presenting(row.names)
        let permitted = try world.with { $0.constrain { $0.permittedNames = patterns } }.judge()
        let excluded = try world.with { $0.constrain { $0.excludedNames = patterns } }.judge()
        #expect(Self.sides(permitted) == [row.isPermitted ? "accept" : "anchor-constraint-not-met"])
        #expect(Self.sides(excluded) == [row.isExcluded ? "anchor-constraint-not-met" : "accept"])
    }

    /// The outcome without what the standard says of a malformed name, which is another test's.
    private static func sides(_ judged: Judged) -> [String] {
        judged.outcome.filter { $0 != StandardDemand.dnsNameSyntax.rawValue }
    }

    @Test(
        "permitted URIs",
        arguments: [
            ("spiffe://mesh.example/**", "spiffe://mesh.example/ns/pay/a", true),
            ("spiffe://mesh.example/**", "spiffe://MESH.example/ns", true),
            ("spiffe://mesh.example/**", "spiffe://mesh.example.evil/ns", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/pay/a", false),
            ("spiffe://mesh.example/**", "spiffe://mesh.example/a/../b", false),
            ("spiffe://mesh.example/**", "https://mesh.example/ns", false),
            ("spiffe://mesh.example/**", "no uri", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/..%2fadmin", false),
            ("spiffe://mesh.example/**", "spiffe://mesh.example/%2e%2e/admin", false),
            ("spiffe://mesh.example/**", "spiffe://mesh.example/ns/%zz", false),
            ("spiffe://mesh.example/**", #"spiffe://mesh.example/a\..\admin"#, false),
            ("https://ok.example/**", #"https://evil.example\@ok.example/a"#, false),
            ("https://ok.example", #"https://ok.example\"#, false),
        ])
    func uris(pattern: String, uri: String, isPermitted: Bool) throws {
        var world = Self.presenting([.dns(World.host), .uri(uri)])
        world.constrain { $0.permittedURIs = [pattern] }
        let outcome = try world.judge().outcome
        #expect(outcome == [isPermitted ? "accept" : "anchor-constraint-not-met"])
    }

    @Test("no key binds e-mail addresses and directory names, and `permitted-uris` no hosts")
    func otherForms() throws {
        let forms: [TestGeneralName] = [.email("x@evil.test"), .directory("Evil")]
        for form in forms {
            var world = Self.presenting([form])
            world.constrain {
                $0.permittedNames = [Self.pattern("a.example")]
                $0.permittedURIs = ["spiffe://mesh.example/**"]
            }
            #expect(try world.judge().outcome == ["accept"], "\(form)")
        }
        var world = Self.presenting([.dns("evil.test")])
        world.constrain { $0.permittedURIs = ["spiffe://mesh.example/**"] }
        #expect(try world.judge().outcome == ["accept"])
    }

    // The end entity is valid from 2026-03-01 through 2026-08-31: 184 days less a second.
    private static let rows: [Row] = {
        func constrained(_ change: (inout AnchorConstraints) -> Void) -> World {
            acme.world.with { $0.constrain(change) }
        }
        let failed = ["anchor-constraint-not-met"]
        let start = UTCInstant.at("2026-03-01")
        return [
            Row(
                "5 notBefore at the first second of a window", ["accept"],
                constrained { $0.notBefore = DateWindow(from: start) }),
            Row(
                "5 notBefore before a window", failed,
                constrained { $0.notBefore = DateWindow(from: start.advanced(bySeconds: 1)) }),
            Row(
                "5 notBefore at the last second of a window", ["accept"],
                constrained { $0.notBefore = DateWindow(until: start) }),
            Row(
                "5 notBefore after a window", failed,
                constrained { $0.notBefore = DateWindow(until: start.advanced(bySeconds: -1)) }),
            Row(
                "5 a lifetime as long as may be", ["accept"],
                constrained { $0.maximumLifetime = 184 * 86_400 - 1 }),
            Row(
                "5 a second too long", failed,
                constrained { $0.maximumLifetime = 184 * 86_400 - 2 }),
            Row(
                "5 a purpose that is named", ["accept"],
                constrained { $0.keyPurposes = KeyPurposes(serverAuth: true, clientAuth: true) }),
            Row(
                "5 a purpose that is not named", failed,
                constrained { $0.keyPurposes = KeyPurposes(clientAuth: true) }),
            Row(
                "5 no extended key usage contains no purpose", failed,
                acme.presenting { $0.remove(OID.extendedKeyUsage) }
                    .with { $0.constrain { $0.keyPurposes = KeyPurposes(serverAuth: true) } }),
            Row(
                "5 no valid timestamp", failed,
                constrained { $0.sct = DateWindow(until: .at("2027-01-01")) }),
            Row(
                "5 two parts of one set's constraints: both",
                ["anchor-constraint-not-met", "anchor-constraint-not-met"],
                constrained {
                    $0.maximumLifetime = 1
                    $0.permittedNames = [pattern("other.example")]
                }),
            Row(
                "5 constraints of two sets: both", failed,
                acme.world.with {
                    $0.constrain { $0.permittedNames = [pattern("**.example")] }
                    $0.constrain { $0.permittedNames = [pattern("other.example")] }
                }),
            Row(
                "5 constraints of two sets: the other way round", failed,
                acme.world.with {
                    $0.constrain { $0.permittedNames = [pattern("other.example")] }
                    $0.constrain { $0.permittedNames = [pattern("**.example")] }
                }),
            Row(
                "5 constraints of two sets: names of one, lifetime of the other", failed,
                acme.world.with {
                    $0.constrain { $0.permittedNames = [pattern("**.example")] }
                    $0.constrain { $0.maximumLifetime = 1 }
                }),
            Row(
                "5 constraints of two sets: lifetime of one, names of the other", failed,
                acme.world.with {
                    $0.constrain { $0.maximumLifetime = 400 * 86_400 }
                    $0.constrain { $0.permittedNames = [pattern("other.example")] }
                }),
            Row(
                "5 two sets over the same anchor: either", ["accept"],
                acme.world.with {
                    $0.constrain { $0.permittedNames = [pattern("other.example")] }
                    $0.trust("open", $0.sets[0].members)
                    $0.sets[1].groups[0].constraints = []
                }),
            Row(
                "5 constraints of a set that the rule does not name", ["accept"],
                acme.world.with {
                    $0.trust("shut", [acme.root.der])
                    var shut = AnchorConstraints()
                    shut.maximumLifetime = 1
                    $0.sets[1].groups[0].constraints = [shut]
                    $0.anchors = ["corp"]
                }),
            Row(
                "5 a common name is no name, and constrains nothing", ["accept"],
                acme.presenting { $0.subject = TestName("evil.test") }
                    .with { $0.constrain { $0.permittedNames = [pattern("**.acme.example")] } }),
        ]
    }()

    @Test("windows, purposes, lifetimes, and sets together", arguments: rows)
    func parts(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
    }

    @Test("5 a copy of the anchor, or another path to it, is under the same constraints")
    func bypass() throws {
        let acme = Self.acme
        var world = acme.world.with {
            $0.constrain { $0.permittedNames = [Self.pattern("other.example")] }
        }
        // The anchor itself, a renewed one of its name and key, and a cross-sign of the issuer.
        world.chain += [
            acme.root.der, Scenario().root("Root A", key: acme.root.key) { $0.serial = [9] }.der,
            acme.root.crossSign(acme.issuing, pathLength: 0).der,
        ]
        let sent = try world.judge()
        #expect(sent.outcome == ["anchor-constraint-not-met"])
        // Kind leaf: the end entity itself is the anchor.
        let own = Scenario().selfSignedLeaf(dns: [World.host])
        var device = World([own.der], roots: [acme.root.der])
        device.sets = []
        device.trust("devices", [own.der], kind: .leaf)
        device.constrain { $0.permittedNames = [Self.pattern("other.example")] }
        let leaf = try device.judge()
        #expect(leaf.outcome == ["anchor-constraint-not-met"])
        // Going on through a constrained anchor to one without constraints.
        var through = acme.world
        through.sets = []
        through.trust("issuers", [acme.issuing.der], kind: .intermediate)
        through.constrain { $0.permittedNames = [Self.pattern("other.example")] }
        through.trust("corp", [acme.root.der])
        let both = try through.judge()
        #expect(both.path == [World.host, "Issuing A", "Root A"])
    }

    @Test("5 waivers lift no constraint of an anchor") func waivers() throws {
        var world = Self.acme.world
        world.constrain { $0.permittedNames = [Self.pattern("other.example")] }
        world.waive(.identity)
        world.waive(.expired(seconds: 86_400))
        world.waive(.pins)
        let outcome = try world.judge().outcome
        #expect(outcome == ["anchor-constraint-not-met"])
    }

    @Test("both sides stand in the violation and in what passed") func sides() throws {
        var world = Self.presenting([.dns(World.host), .dns("*.evil.test")])
        world.constrain { $0.permittedNames = [Self.pattern("**.acme.example")] }
        guard
            case .anchorConstraintNotMet(let failure)? =
                try world.judge().verdict.violations.first?.reason
        else {
            Issue.record("the constraint holds")
            return
        }
        #expect(failure.set == "corp")
        #expect(failure.certificate.position == 0)
        #expect(
            failure.side
                == .permittedNames(name: "*.evil.test", patterns: ["**.acme.example"]))
        let good = try Self.acme.world.with {
            $0.constrain { $0.permittedNames = [Self.pattern("**.acme.example")] }
        }.judge()
        let passed = good.trace.steps.contains { step in
            guard case .check(let check) = step else { return false }
            return check.outcome == .passed(.constraints(set: "corp", keys: ["permitted-names"]))
        }
        #expect(passed)
    }

    @Test("a flood of names against a flood of patterns ends within the budget") func flood() throws
    {
        let names = (0..<2_000).map { TestGeneralName.dns("n\($0).acme.example") }
        var world = Self.presenting(names)
        world.constrain {
            $0.permittedNames = (0..<3_000).map { Self.pattern("p\($0).acme.example") }
        }
        let judged = try world.judge()
        #expect(judged.outcome.contains("budget-exhausted"))
        #expect((judged.work?.spent ?? .max) <= Engine.standardWorkLimit)
    }

    /// A pattern in canonical form.
    private static func pattern(_ text: String) -> HostPattern {
        if text.hasPrefix("**.") {
            return HostPattern(host: .anyLabels(base: String(text.dropFirst(3))), port: nil)
        }
        if text.hasPrefix("*.") {
            return HostPattern(host: .oneLabel(base: String(text.dropFirst(2))), port: nil)
        }
        let parts = text.split(separator: "/")
        if let address = IPAddress(text: String(parts[0])) {
            guard parts.count == 2, let prefix = Int(parts[1]) else {
                return HostPattern(host: .address(address), port: nil)
            }
            return HostPattern(host: .network(address, prefix: prefix), port: nil)
        }
        return HostPattern(host: .name(text), port: nil)
    }
}
