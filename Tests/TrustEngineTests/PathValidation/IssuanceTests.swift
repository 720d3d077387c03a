import TestPKI
import Testing
import TrustEngine

/// The breaches that LANGUAGE section 12.10 forgives, through a whole evaluation: accepted with a
/// notice by the baseline, rejected by the id of the demand under `enforce`; and the breaches that
/// it does not forgive.
@Suite("issuance (LANGUAGE section 12.10)") struct IssuanceTests {
    private static let acme = Acme()

    /// A leaf for a host with an underscore.
    private static func builder(_ names: [String]) -> World {
        acme.presenting {
            $0.set(.subjectAltName(names.map { TestGeneralName.dns($0) }))
        }.with {
            $0.host = World.host
            $0.identity = IdentityRequirement(
                reference: .listed, dns: ["build_01.ci.example"])
        }
    }

    /// A root with constraints on names, and a leaf with these names beside the host's.
    private static func constrained(
        isCritical: Bool, permitted: [TestGeneralName] = [], excluded: [TestGeneralName] = [],
        subject: TestName? = nil, _ names: [TestGeneralName]
    ) -> World {
        let root = Scenario().root("Root C", key: .p256("issuance root c")) {
            $0.set(
                .nameConstraints(permitted: permitted, excluded: excluded).critical(isCritical))
        }
        let leaf = root.issueLeaf(dns: [World.host]) {
            if let subject { $0.subject = subject }
            $0.set(.subjectAltName([.dns(World.host)] + names))
        }
        return World([leaf.der], roots: [root.der])
    }

    private static let empty = DER.sequence()

    /// A root of version 1 and the leaf that it issued; `isNamed` where the policy names the root.
    private static func version1(_ kind: AnchorKind = .root, isStore: Bool = false) -> World {
        let root = Scenario().root("Old Root", key: .rsa2048("issuance old root")) {
            $0.version = 1
            $0.extensions = []
        }
        let leaf = root.issueLeaf(dns: [World.host])
        var world = World([leaf.der], roots: [])
        world.sets = []
        world.trust("corp", [root.der], kind: kind)
        guard isStore else { return world }
        return world.with {
            $0.store = [root.der]
            $0.sets[0].groups[0].source = .system
        }
    }

    /// A self-signed certificate that is trusted as itself, and marks its key identifier.
    private static let markedLeaf: World = {
        let leaf = Scenario().selfSignedLeaf(dns: [World.host]) {
            $0.set(.subjectKeyIdentifier([1, 2, 3]).critical(true))
        }
        var world = World([leaf.der], roots: [])
        world.sets = []
        world.trust("device", [leaf.der], kind: .leaf)
        return world
    }()

    private static let rows: [Row] = [
        Row(
            "an underscore, presented exactly", ["dns-name-syntax"],
            builder(["build_01.ci.example"])),
        Row("an underscore below a wildcard", ["accept"], builder(["*.ci.example"])),
        Row(
            "a wildcard before an underscore", ["name-mismatch", "dns-name-syntax"],
            builder(["*.my_zone.example"]).with {
                $0.identity.dns = ["a.my_zone.example"]
            }),
        Row(
            "a bad dNSName beside", ["dns-name-syntax"],
            acme.presenting {
                $0.set(
                    .subjectAltName([.dns(World.host), .dns("a..b"), .dns("trailing.example.")]))
            }),
        Row(
            "a bad dNSName matches nothing", ["name-mismatch", "dns-name-syntax"],
            acme.presenting { $0.set(.subjectAltName([.dns(World.host + ".")])) }),
        Row(
            "a bad iPAddress, mailbox and URI beside", ["subject-alt-name-syntax"],
            acme.presenting {
                $0.set(
                    .subjectAltName([
                        .dns(World.host), .raw(tag: 7, [10, 0, 0]), .email("nobody"),
                        .uri("https://a b"),
                    ]))
            }),
        Row(
            "a bad mailbox beside", ["subject-alt-name-syntax"],
            acme.presenting {
                $0.set(.subjectAltName([.dns(World.host), .email("nobody")]))
            }),
        Row(
            "a bad URI beside", ["subject-alt-name-syntax"],
            acme.presenting {
                $0.set(.subjectAltName([.dns(World.host), .uri("https://a b")]))
            }),
        Row(
            "a constraint with a leading dot that the set ignores", ["accept"],
            constrained(isCritical: true, permitted: [.dns(".acme.example")], []).with {
                $0.sets[0].groups[0].ignoredLimits = .nameConstraints
            }),
        Row(
            "a bad iPAddress under a constraint on addresses",
            ["subject-alt-name-syntax", "name-not-permitted"],
            constrained(
                isCritical: true, permitted: [.ipRange("10.0.0.0/8")], [.raw(tag: 7, [10, 0, 0])])),
        Row(
            "an empty authorityInfoAccess", ["sequence-empty"],
            acme.presenting { $0.set(.raw("1.3.6.1.5.5.7.1.1", empty)) }),
        Row(
            "empty certificatePolicies", ["sequence-empty"],
            acme.issuing { $0.set(.raw(OID.certificatePolicies, empty)) }),
        Row(
            "an empty TLS feature list", ["sequence-empty"],
            acme.presenting { $0.set(.tlsFeatures([])) }),
        Row(
            "an empty TLS feature list of a CA", ["sequence-empty"],
            acme.issuing { $0.set(.tlsFeatures([])) }),
        Row(
            "an empty subjectAltName of a CA", ["sequence-empty"],
            acme.issuing { $0.set(.raw(OID.subjectAltName, empty)) }),
        Row(
            "an empty subjectAltName names nothing", ["name-mismatch", "sequence-empty"],
            acme.presenting { $0.set(.raw(OID.subjectAltName, empty)) }),
        Row(
            "an empty extKeyUsage allows nothing", ["purpose-not-allowed", "sequence-empty"],
            acme.presenting { $0.set(.raw(OID.extendedKeyUsage, empty)) }),
        Row(
            "an empty extKeyUsage of a CA allows nothing",
            ["purpose-not-allowed", "sequence-empty"],
            acme.issuing { $0.set(.raw(OID.extendedKeyUsage, empty)) }),
        Row(
            "a root of version 1 that the policy names",
            ["root-of-version-1", "subject-key-identifier-missing"], version1()),
        Row("a root of version 1 in the machine's store", ["not-a-ca"], version1(isStore: true)),
        Row(
            "as an intermediate",
            ["not-a-ca", "root-of-version-1", "subject-key-identifier-missing"],
            version1(.intermediate)),
        Row(
            "a constraint with a leading dot, the name below",
            ["name-constraint-leading-dot"],
            constrained(isCritical: true, permitted: [.dns(".acme.example")], [])),
        Row(
            "a constraint with a leading dot, the name itself",
            ["name-constraint-leading-dot", "name-not-permitted"],
            constrained(isCritical: true, permitted: [.dns("." + World.host)], [])),
        Row(
            "a certificate trusted as itself: unprocessed extensions reject there too",
            ["subject-key-identifier-critical"], markedLeaf),
        Row(
            "a quoted local part, an address literal and a later version of IP are valid",
            ["accept"],
            acme.presenting {
                $0.set(
                    .subjectAltName([
                        .dns(World.host), .email("\"a@b\"@a.example"), .email("ops@[192.0.2.1]"),
                        .uri("https://[v7.a:b]/x"),
                    ]))
            }),
    ]

    @Test(
        "forgiven with a notice by the baseline, refused by its id under enforce", arguments: rows)
    func forgiven(_ row: Row) throws {
        let enforced = row.world.with { $0.requirements.enforcesIssuance = true }
        let outcome = try enforced.judge().outcome
        #expect(Set(outcome) == Set(row.expected))
        let binding = row.expected.filter {
            $0 != "accept" && StandardDemand(rawValue: $0)?.isIssuance != true
        }
        let judged = try row.world.judge()
        #expect(Set(judged.outcome) == Set(binding.isEmpty ? ["accept"] : binding))
        guard binding.isEmpty, row.expected != ["accept"] else { return }
        #expect(Set(judged.breaches) == Set(row.expected))
        #expect(judged.notices == ["issuance"])
    }

    /// The forms of names that constraints restrict: a subtree, a name inside and a name outside.
    private static let forms: [(String, TestGeneralName, TestGeneralName, TestGeneralName)] = [
        ("dns", .dns("inside.example"), .dns("a.inside.example"), .dns("a.outside.example")),
        ("ip", .ipRange("10.0.0.0/8"), .ip("10.1.2.3"), .ip("192.0.2.1")),
        ("email", .email("inside.example"), .email("a@inside.example"), .email("a@b.example")),
        (
            "uri", .uri("inside.example"), .uri("spiffe://inside.example/a"),
            .uri("spiffe://outside.example/a")
        ),
    ]

    @Test(
        "constraints bind whether or not they are critical", arguments: forms, [true, false])
    func constraints(
        form: (String, TestGeneralName, TestGeneralName, TestGeneralName), isCritical: Bool
    ) throws {
        let (_, subtree, inside, outside) = form
        let permitted = form.0 == "dns" ? [subtree, .dns(World.host)] : [subtree]
        func judge(_ name: TestGeneralName, isExcluded: Bool) throws -> Judged {
            try IssuanceTests.constrained(
                isCritical: isCritical, permitted: isExcluded ? [] : permitted,
                excluded: isExcluded ? [subtree] : [], [name]
            ).judge()
        }
        let notices = isCritical ? [] : ["name-constraints-not-critical"]
        let good = try judge(inside, isExcluded: false)
        #expect(good.outcome == ["accept"])
        #expect(good.breaches == notices)
        #expect(try judge(outside, isExcluded: false).outcome == ["name-not-permitted"])
        #expect(try judge(inside, isExcluded: true).outcome == ["name-not-permitted"])
        #expect(try judge(outside, isExcluded: true).outcome == ["accept"])
    }

    @Test("constraints on directory names bind whether or not they are critical")
    func directoryNames() throws {
        let inside = TestName(.organization("Inside"), .commonName("a"))
        func organization(_ name: String) -> TestName { TestName(.organization(name)) }
        for isCritical in [true, false] {
            func judge(_ subtree: TestName, isExcluded: Bool) throws -> [String] {
                try IssuanceTests.constrained(
                    isCritical: isCritical,
                    permitted: isExcluded ? [] : [.directory(subtree)],
                    excluded: isExcluded ? [.directory(subtree)] : [], subject: inside, []
                ).judge().outcome
            }
            #expect(try judge(organization("Inside"), isExcluded: false) == ["accept"])
            #expect(
                try judge(organization("Outside"), isExcluded: false) == ["name-not-permitted"])
            #expect(
                try judge(organization("Inside"), isExcluded: true) == ["name-not-permitted"])
            #expect(try judge(organization("Outside"), isExcluded: true) == ["accept"])
        }
    }

    @Test("an empty list of a certificate trusted as itself is named")
    func emptyListOfLeafAnchor() throws {
        let leaf = Scenario().selfSignedLeaf(dns: [World.host]) {
            $0.set(.raw("1.3.6.1.5.5.7.1.1", IssuanceTests.empty))
        }
        var world = World([leaf.der], roots: [])
        world.sets = []
        world.trust("device", [leaf.der], kind: .leaf)
        let judged = try world.judge()
        #expect(judged.breaches == ["sequence-empty"])
        guard case .issuance(let breaches)? = judged.acceptance?.notices.first else {
            Issue.record("no notice of issuance")
            return
        }
        #expect(breaches.map(\.found) == ["authorityInfoAccess"])
    }

    // MARK: Certificates that cannot be read

    private static func damaged(_ der: [UInt8]) -> [UInt8] {
        // The signature's BIT STRING with unused bits: everything before it is read.
        var octets = der
        let signature = octets.count - IssuanceTests.signatureLength(octets)
        octets[signature] = 1
        return octets
    }

    /// The octets of the BIT STRING's content at the end of a certificate.
    private static func signatureLength(_ der: [UInt8]) -> Int {
        guard let certificate = try? Certificate(der: der) else { return 1 }
        return Int(certificate.layout.signature.count) + 1
    }

    @Test("an unreadable certificate beside a readable path changes nothing")
    func unreadableBeside() throws {
        var world = IssuanceTests.acme.world
        let broken = IssuanceTests.damaged(IssuanceTests.acme.issuing.der)
        world.chain.insert(contentsOf: [broken, [0x30, 0x03, 0x02, 0x01], []], at: 1)
        #expect(try world.judge().outcome == ["accept"])
    }

    @Test("where the missing issuer was sent and cannot be read, the violation says so")
    func unreadableIssuer() throws {
        let leaf = IssuanceTests.acme.good.der
        // A BOOLEAN of an extension that is neither TRUE nor FALSE comes behind the subject.
        var octets = IssuanceTests.acme.issuing.der
        let place = try #require(
            octets.indices.dropLast(2).first {
                octets[$0] == 1 && octets[$0 + 1] == 1 && octets[$0 + 2] == 0xFF
            })
        octets[place + 2] = 0x02
        let whole = IssuanceTests.acme.issuing.der
        for broken in [
            octets, Array(whole.dropLast(20)), whole + [0], IssuanceTests.damaged(whole),
        ] {
            let judged = try World(
                [leaf, broken], roots: [IssuanceTests.acme.root.der]
            ).judge()
            #expect(judged.outcome == ["issuer-not-found"])
            let texts = judged.verdict.violations[0].fields.compactMap { field -> [String]? in
                if field.name == "unreadable", case .texts(let texts) = field.value { return texts }
                return nil
            }
            #expect(texts.first?.first?.hasPrefix("certificate 2 of the chain: `") == true)
        }
    }
}
