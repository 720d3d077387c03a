import Testing
import TrustEngine

@Suite("name constraints (RFC 5280 section 4.2.1.10)")
struct NameConstraintsTests {
    /// What constraints say about a certificate with names and a subject.
    private func outcome(
        names: [[UInt8]], permitted: [[UInt8]] = [], excluded: [[UInt8]] = [],
        subject: [UInt8] = DER.sequence(), isEndEntity: Bool = true, issuer: [UInt8]? = nil,
        budget limit: Int = 1_000
    ) throws -> NameConstraintOutcome {
        var constrainer = CertificateSketch()
        constrainer.extensions = [Names.constraints(permitted: permitted, excluded: excluded)]
        var sketch = CertificateSketch()
        sketch.subject = subject
        if let issuer { sketch.issuer = issuer }
        sketch.extensions = names.isEmpty ? [] : [Names.subjectAltName(names)]
        var budget = WorkBudget(limit: limit)
        return try NameConstraints.check(
            sketch.certificate(), isEndEntity: isEndEntity, under: constrainer.certificate(),
            budget: &budget)
    }

    private enum Answer { case inside, outside, unknown }

    private func answer(_ outcome: NameConstraintOutcome) -> Answer {
        switch outcome {
        case .permitted: return .inside
        case .violated: return .outside
        case .notEvaluated: return .unknown
        }
    }

    /// A name and a subtree of the same form, and whether the name is inside when the subtree is
    /// permitted, and outside when it is excluded.
    private static let rows: [(String, [UInt8], [UInt8], Bool)] = [
        ("dns: itself", Names.dns("a.example"), Names.dns("a.example"), true),
        ("dns: labels before", Names.dns("x.y.a.example"), Names.dns("A.example"), true),
        ("dns: letters before", Names.dns("xa.example"), Names.dns("a.example"), false),
        ("dns: shorter", Names.dns("example"), Names.dns("a.example"), false),
        ("dns: empty subtree", Names.dns("a.example"), Names.dns(""), true),
        ("dns: wildcard wholly inside", Names.dns("*.a.example"), Names.dns("a.example"), true),
        ("dns: wildcard elsewhere", Names.dns("*.b.example"), Names.dns("a.example"), false),
        (
            "dns: two labels below a wildcard", Names.dns("*.example"), Names.dns("b.a.example"),
            false
        ),
        ("ip: inside", Names.ip("192.0.2.9"), Names.network("192.0.2.0", "255.255.255.0"), true),
        ("ip: outside", Names.ip("192.0.3.9"), Names.network("192.0.2.0", "255.255.255.0"), false),
        (
            "ip: host bits are masked", Names.ip("192.0.2.9"),
            Names.network("192.0.2.77", "255.255.255.0"), true
        ),
        ("ip: other family", Names.ip("::1"), Names.network("0.0.0.0", "0.0.0.0"), false),
        ("ip: IPv6", Names.ip("2001:db8::9"), Names.network("2001:db8::", "ffff:ffff::"), true),
        ("email: mailbox", Names.email("ann@a.example"), Names.email("ann@A.example"), true),
        (
            "email: other local part", Names.email("Ann@a.example"), Names.email("ann@a.example"),
            false
        ),
        (
            "email: other domain", Names.email("ann@b.example"), Names.email("ann@a.example"),
            false
        ),
        ("email: host", Names.email("ann@a.example"), Names.email("a.example"), true),
        (
            "email: host is not its domain", Names.email("ann@x.a.example"),
            Names.email("a.example"), false
        ),
        ("email: domain", Names.email("ann@x.a.example"), Names.email(".a.example"), true),
        (
            "email: domain is not its host", Names.email("ann@a.example"),
            Names.email(".a.example"), false
        ),
        (
            "email: asterisk is a letter", Names.email("ann@a.example"), Names.email("*@a.example"),
            false
        ),
        ("uri: host", Names.uri("https://u@a.example:8443/x"), Names.uri("a.example"), true),
        (
            "uri: host is not its domain", Names.uri("https://x.a.example/"),
            Names.uri("a.example"), false
        ),
        ("uri: domain", Names.uri("https://x.a.example"), Names.uri(".a.example"), true),
        (
            "uri: the case of scheme and host", Names.uri("HTTPS://A.Example/x"),
            Names.uri("a.example"), true
        ),
        (
            "uri: everything that RFC 3986 has",
            Names.uri("a+b-1.c://u%20:p@a.example:/;a=1/%41/*?x/?y=1#f/?"),
            Names.uri("a.example"), true
        ),
        (
            "uri: a query and a fragment", Names.uri("h://a.example?q#f"), Names.uri("a.example"),
            true
        ),
        (
            "directory: itself", Names.directory(DER.commonName("a")),
            Names.directory(DER.commonName("A")), true
        ),
        (
            "directory: other", Names.directory(DER.commonName("b")),
            Names.directory(DER.commonName("a")), false
        ),
        (
            "directory: empty subtree", Names.directory(DER.commonName("b")),
            Names.directory(DER.sequence()), true
        ),
    ]

    @Test("permitted and excluded", arguments: rows.indices)
    func pairs(index: Int) throws {
        let (row, name, subtree, isInside) = NameConstraintsTests.rows[index]
        #expect(
            try answer(outcome(names: [name], permitted: [subtree]))
                == (isInside ? .inside : .outside),
            "\(row)")
        #expect(
            try answer(outcome(names: [name], excluded: [subtree]))
                == (isInside ? .outside : .inside),
            "\(row)")
    }

    @Test("a wildcard must be inside wholly and is excluded by anything it covers")
    func wildcards() throws {
        let name = Names.dns("*.example")
        let subtree = Names.dns("a.example")
        #expect(try answer(outcome(names: [name], permitted: [subtree])) == .outside)
        #expect(try answer(outcome(names: [name], excluded: [subtree])) == .outside)
    }

    @Test("the outcome names the name and the subtrees")
    func texts() throws {
        #expect(
            try outcome(
                names: [Names.dns("ok.a.example"), Names.dns("c.example")],
                permitted: [Names.dns("a.example"), Names.ip("::"), Names.dns("b.example")])
                == .violated(name: "c.example", subtree: "a.example, b.example", isExcluded: false))
        #expect(
            try outcome(
                names: [Names.ip("10.1.2.3")], excluded: [Names.network("10.0.0.0", "255.0.0.0")])
                == .violated(name: "10.1.2.3", subtree: "10.0.0.0/8", isExcluded: true))
    }

    @Test("other forms are not constrained, and excluded wins over permitted")
    func forms() throws {
        #expect(
            try answer(outcome(names: [Names.ip("10.1.2.3")], permitted: [Names.dns("a.example")]))
                == .inside)
        #expect(
            try answer(
                outcome(
                    names: [Names.dns("b.a.example")], permitted: [Names.dns("a.example")],
                    excluded: [Names.dns("b.a.example")])) == .outside)
    }

    @Test(
        "malformed names violate any constraint of their form",
        arguments: [
            (Names.dns(".a.example"), Names.dns("a.example")),
            (Names.dns("a*.a.example"), Names.dns("a.example")),
            (Names.dns("*xa.example"), Names.dns("a.example")),
            (Names.dns(""), Names.dns("a.example")),
            (
                DER.element(0x87, [192, 0, 2, 0, 255, 255, 255, 0]),
                Names.network("0.0.0.0", "0.0.0.0")
            ),
            (Names.email("a@b@a.example"), Names.email("a.example")),
            (Names.email(#""a b"@a.example"#), Names.email("a.example")),
            (Names.email(#""a@b"@a.example"#), Names.email("a.example")),
            (Names.email("a@[192.0.2.1]"), Names.email("a.example")),
            (Names.email("a.example"), Names.email("a.example")),
            (Names.uri("urn:a.example"), Names.uri("a.example")),
            (Names.uri("https://192.0.2.1/"), Names.uri("a.example")),
            (Names.uri("https://[::1]/"), Names.uri("a.example")),
            (Names.uri(#"https://evil.example\@a.example/"#), Names.uri("a.example")),
            (Names.uri("https://evil.example@b.example@a.example/"), Names.uri("a.example")),
            (Names.uri("https://a.example/a b"), Names.uri("a.example")),
            (Names.uri("https://a.example/%zz"), Names.uri("a.example")),
            (Names.uri("https://a.example/%2"), Names.uri("a.example")),
            (Names.uri(#"https://a.example/\evil.example"#), Names.uri("a.example")),
            (Names.uri("https://a.example/é"), Names.uri("a.example")),
            (Names.uri("https://a.example/[b]"), Names.uri("a.example")),
            (Names.uri("https://a.example/\u{0}"), Names.uri("a.example")),
            (Names.uri("https://a.example/?a#b#c"), Names.uri("a.example")),
            (Names.uri("https://a.example:44x/"), Names.uri("a.example")),
            (Names.uri("https://u:%2@a.example/"), Names.uri("a.example")),
            (Names.uri("https://[::1]a.example/"), Names.uri("a.example")),
            (Names.uri("https://%61.example/"), Names.uri("a.example")),
            (Names.uri("https:///a.example/"), Names.uri("a.example")),
            (Names.uri("https://u@/a.example/"), Names.uri("a.example")),
            (Names.uri("1https://a.example/"), Names.uri("a.example")),
            (Names.uri("https://a.example/\r\n"), Names.uri("")),
        ])
    func malformedNames(name: [UInt8], subtree: [UInt8]) throws {
        #expect(try answer(outcome(names: [name], permitted: [subtree])) == .outside)
        #expect(try answer(outcome(names: [name], excluded: [subtree])) == .outside)
    }

    @Test("a malformed name violates what is permitted, or else what is excluded")
    func subtreesOfMalformedNames() throws {
        let name = "a.example:8443"
        let (one, two) = (Names.dns("a.example"), Names.dns("b.example"))
        #expect(
            try outcome(names: [Names.dns(name)], permitted: [one, two], excluded: [two])
                == .violated(name: name, subtree: "a.example, b.example", isExcluded: false))
        #expect(
            try outcome(names: [Names.dns(name)], excluded: [one])
                == .violated(name: name, subtree: "a.example", isExcluded: true))
        #expect(
            try outcome(names: [Names.dns(name)], permitted: [Names.dns("")], excluded: [one])
                == .violated(name: name, subtree: "", isExcluded: false))
    }

    @Test(
        "what cannot be judged is said when the form occurs, and only then",
        arguments: [
            (Names.dns("a.example"), Names.dns(".")),
            (Names.dns("a.example"), Names.dns("..a.example")),
            (Names.dns("a.example"), Names.dns("*.example")),
            (Names.ip("192.0.2.1"), Names.ip("192.0.2.1")),
            (Names.ip("192.0.2.1"), Names.network("192.0.2.1", "255.0.255.0")),
            (Names.other, Names.other),
            (Names.dns("a.example"), Names.dns("a.example") + [0x80, 0x01, 0x01]),
            (Names.dns("a.example"), Names.dns("a.example") + [0x81, 0x01, 0x01]),
        ])
    func notEvaluated(name: [UInt8], subtree: [UInt8]) throws {
        #expect(try answer(outcome(names: [name], permitted: [subtree])) == .unknown)
        #expect(try answer(outcome(names: [name], excluded: [subtree])) == .unknown)
        let mailbox = Names.email("ann@a.example")
        #expect(try answer(outcome(names: [mailbox], excluded: [subtree])) == .inside)
    }

    @Test(
        "LANGUAGE 12.10 a dNSName with one leading dot is read in the way that accepts less",
        arguments: [
            ("a.example", false, false), ("x.a.example", true, false),
            ("x.y.a.example", true, false), ("*.a.example", true, false),
            ("*.x.a.example", true, false), ("*.example", false, false),
            ("xa.example", false, true), ("b.example", false, true),
        ])
    func leadingDot(name: String, isPermitted: Bool, isNotExcluded: Bool) throws {
        let (name, subtree) = ([Names.dns(name)], [Names.dns(".A.example")])
        #expect(
            try answer(outcome(names: name, permitted: subtree))
                == (isPermitted ? .inside : .outside))
        #expect(
            try answer(outcome(names: name, excluded: subtree))
                == (isNotExcluded ? .inside : .outside))
    }

    @Test("a minimum of 0 that is written out says nothing")
    func minimumZero() throws {
        let subtree = Names.dns("a.example") + [0x80, 0x01, 0x00]
        #expect(
            try answer(outcome(names: [Names.dns("a.example")], permitted: [subtree])) == .inside)
    }

    @Test("the subject is a directory name; its mailboxes count where no rfc822Name is presented")
    func subjects() throws {
        let subject = DER.sequence(
            DER.attribute([0x55, 0x04, 0x03], DER.text(0x0C, "a")),
            DER.attribute(
                [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x01],
                DER.text(0x16, "ann@a.example")))
        let directory = Names.directory(DER.commonName("A"))
        let other = Names.directory(DER.commonName("b"))
        #expect(try answer(outcome(names: [], permitted: [directory], subject: subject)) == .inside)
        #expect(try answer(outcome(names: [], permitted: [other], subject: subject)) == .outside)
        let constraint = Names.email("a.example")
        #expect(
            try answer(outcome(names: [], permitted: [constraint], subject: subject)) == .inside)
        #expect(
            try answer(outcome(names: [], excluded: [constraint], subject: subject)) == .outside)
        let mailbox = Names.email("ann@b.example")
        #expect(
            try answer(outcome(names: [mailbox], excluded: [constraint], subject: subject))
                == .inside)
    }

    @Test("6.1.3 (b): self-issued is exempt, but not as the end entity")
    func selfIssued() throws {
        let names = [Names.dns("b.example")]
        let permitted = [Names.dns("a.example")]
        let name = DER.commonName("same")
        for isEndEntity in [true, false] {
            let found = try outcome(
                names: names, permitted: permitted, subject: name, isEndEntity: isEndEntity,
                issuer: name)
            #expect(answer(found) == (isEndEntity ? .outside : .inside))
        }
        let other = try outcome(
            names: names, permitted: permitted, subject: DER.commonName("other"),
            isEndEntity: false, issuer: name)
        #expect(answer(other) == .outside)
    }

    @Test("hostile numbers of names and subtrees end in the budget")
    func budget() throws {
        let many = [[UInt8]](repeating: Names.dns("a.b.example"), count: 3_000)
        let trees = [[UInt8]](repeating: Names.dns("c.b.example"), count: 3_000)
        let found = try outcome(names: many, excluded: trees, budget: 5_000)
        #expect(
            found
                == .notEvaluated(problem: "comparing names with constraints takes too much work"))
    }
}
