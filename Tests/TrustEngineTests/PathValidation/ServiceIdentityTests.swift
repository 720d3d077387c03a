import Testing
import TrustEngine

@Suite("service identity (RFC 9525)")
struct ServiceIdentityTests {
    private func matched(_ reference: ReferenceIdentifier, _ names: [[UInt8]]) throws -> String? {
        var sketch = CertificateSketch()
        sketch.extensions = names.isEmpty ? [] : [Names.subjectAltName(names)]
        let certificate = try sketch.certificate()
        var budget = WorkBudget(limit: 1_000)
        return ServiceIdentity.match(reference, in: certificate, budget: &budget)
            .map { ServiceIdentity.text(of: $0, in: certificate.der.span) }
    }

    @Test(
        "DNS names",
        arguments: [
            ("6.3 exact", "api.example", "api.example", true),
            ("6.3 letters fold", "api.example", "API.Example", true),
            ("6.3 another name", "api.example", "apj.example", false),
            ("6.3 no suffix match", "api.example", "example", false),
            ("6.3 no prefix match", "api.example", "api.example.com", false),
            ("6.3 wildcard, one label", "a.b.example", "*.b.example", true),
            ("6.3 wildcard, not two labels", "a.b.c.example", "*.c.example", false),
            ("6.3 wildcard, not none", "b.example", "*.b.example", false),
            ("6.3 wildcard over an A-label", "xn--bcher-kva.b.example", "*.b.example", true),
            ("6.3 wildcard inside a label", "abc.b.example", "a*.b.example", false),
            ("6.3 asterisk before other letters", "a.b.example", "*xb.example", false),
            ("6.3 asterisk and a letter before a name", "a.y.b.example", "*xy.b.example", false),
            ("6.3 wildcard inside an A-label", "xn--bcher-kva.example", "xn--*.example", false),
            ("6.3 wildcard not leftmost", "a.b.example", "a.*.example", false),
            ("6.3 two wildcards", "a.b.c.example", "*.*.c.example", false),
            ("7.1 wildcard before one label", "a.example", "*.example", false),
            ("6.3 wildcard alone", "example", "*", false),
            ("presented dot at the end", "api.example", "api.example.", false),
            ("presented with NUL", "api.example", "api.example\u{0}.evil.example", false),
            ("presented empty", "api.example", "", false),
            ("presented with a dot in front", "api.example", ".example", false),
            ("underscore", "_a.b.example", "_a.b.example", true),
            ("literal asterisk is no reference match", "api.b.example", "*.B.Example", true),
        ])
    func dns(row: (name: String, wanted: String, presented: String, isMatch: Bool)) throws {
        let found = try matched(.dns(row.wanted), [Names.dns(row.presented)])
        #expect(found == (row.isMatch ? row.presented : nil), "\(row.name)")
    }

    @Test(
        "addresses, section 6.5",
        arguments: [
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("2001:db8::1", "2001:db8:0::1", true), ("192.0.2.1", "::ffff:192.0.2.1", false),
        ])
    func addresses(wanted: String, presented: String, isMatch: Bool) throws {
        let address = try #require(IPAddress(text: wanted))
        let found = try matched(.ip(address), [Names.ip(presented)])
        #expect((found != nil) == isMatch)
    }

    @Test("an address matches no dNSName, and a wildcard no address")
    func addressAgainstNames() throws {
        let address = try #require(IPAddress(text: "192.0.2.1"))
        #expect(try matched(.ip(address), [Names.dns("192.0.2.1"), Names.dns("*.0.2.1")]) == nil)
        #expect(try matched(.dns("192.0.2.1"), [Names.ip("192.0.2.1")]) == nil)
        let long = DER.element(0x87, [192, 0, 2, 1, 0])
        #expect(try matched(.ip(address), [long]) == nil)
    }

    @Test("the same octets in a name of another form match nothing, section 6.2")
    func otherForms() throws {
        let name = "api.example"
        #expect(try matched(.dns(name), [Names.uri(name), Names.email(name)]) == nil)
        #expect(try matched(.email("a@b.example"), [Names.uri("a@b.example")]) == nil)
        let octets = DER.element(0x82, [192, 0, 2, 1])
        let address = try #require(IPAddress(text: "192.0.2.1"))
        #expect(try matched(.ip(address), [octets]) == nil)
    }

    @Test("the common name is never looked at, section 6.1")
    func commonName() throws {
        var sketch = CertificateSketch()
        sketch.subject = DER.commonName("api.example")
        var budget = WorkBudget(limit: 1_000)
        let found = try ServiceIdentity.match(
            .dns("api.example"), in: sketch.certificate(), budget: &budget)
        #expect(found == nil)
    }

    @Test("a match behind other names is found and named")
    func order() throws {
        let found = try matched(
            .dns("api.b.example"),
            [
                Names.email("x@b.example"), Names.dns("b..example"), Names.dns("*.B.example"),
                Names.dns("api.b.example"),
            ])
        #expect(found == "*.B.example")
    }

    @Test(
        "mailboxes, RFC 5280 section 7.5",
        arguments: [
            ("Ann@mail.example", "Ann@MAIL.example", true),
            ("Ann@mail.example", "ann@mail.example", false),
            ("ann@mail.example", "ann@a.mail.example", false),
            ("ann@mail.example", "b@ann@mail.example", false),
            ("ann@mail.example", "ann@maid.example", false),
        ])
    func mailboxes(wanted: String, presented: String, isMatch: Bool) throws {
        let found = try matched(.email(wanted), [Names.email(presented)])
        #expect((found != nil) == isMatch)
    }

    @Test(
        "URI patterns, LANGUAGE section 11",
        arguments: [
            ("spiffe://mesh.example/ns/pay", "spiffe://mesh.example/ns/pay", true),
            ("spiffe://mesh.example/ns/pay", "SPIFFE://Mesh.Example/ns/pay", true),
            ("spiffe://mesh.example/ns/pay", "spiffe://mesh.example/NS/pay", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/pay", true),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/pay/sa", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/", false),
            ("spiffe://mesh.example/ns/**", "spiffe://mesh.example/ns/pay/sa/x", true),
            ("spiffe://mesh.example/ns/**", "spiffe://mesh.example/ns/pay", true),
            ("spiffe://mesh.example/ns/**", "spiffe://mesh.example/nspay/x", false),
            ("spiffe://mesh.example/ns/**", "spiffe://mesh.example/ns/a/../../b", false),
            ("spiffe://mesh.example/ns/**", "spiffe://mesh.example/ns/a/%2E%2e/b", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/pay?x", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/pay#x", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/p y", false),
            ("spiffe://mesh.example/**", "spiffe://mesh.example.evil/ns", false),
            ("https://mesh.example/**", "spiffe://mesh.example/ns", false),
            // What a wildcard stands for: RFC 3986 section 3.3, pchar without percent-encoding.
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/..%2fadmin", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/%2e%2e/admin", false),
            ("spiffe://mesh.example/ns/**", "spiffe://mesh.example/ns/%2e%2e/admin", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/%2e%2e%2fadmin", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/%00", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/%41", false),
            ("spiffe://mesh.example/ns/**", "spiffe://mesh.example/ns/a/%20", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/%zz", false),
            ("spiffe://mesh.example/ns/*", #"spiffe://mesh.example/ns/a\..\admin"#, false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/a[b]", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/a|b", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/a\"b", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/a^b", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/a{b}", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/a`b", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/a<b>", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/é", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/.", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/..", false),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/...", true),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/~a-b_c.d!$&'()*+,;=:@", true),
            ("spiffe://mesh.example/ns/*", "spiffe://mesh.example/ns/pay/", false),
            ("spiffe://mesh.example/ns/**", "spiffe://mesh.example/ns/pay/", false),
            ("spiffe://mesh.example/ns/**", "spiffe://mesh.example/ns//pay", false),
            ("spiffe://mesh.example/ns/**", "spiffe://mesh.example/ns", false),
            // Literal segments match octet for octet.
            ("https://idp.example/a%20b/*", "https://idp.example/a%20b/c", true),
            ("https://idp.example/a%2fb", "https://idp.example/a%2fb", true),
            ("https://idp.example/a%2fb", "https://idp.example/a%2Fb", false),
            ("https://idp.example/a%41b", "https://idp.example/aAb", false),
            ("https://idp.example/a", "https://idp.example/a/", false),
            ("https://idp.example", "https://idp.example/", false),
            ("https://idp.example/a", #"https://idp.example/a\"#, false),
            // RFC 3986 sections 3.2 and 6.2.2.1: scheme and host fold, the rest of the authority is
            // exact and whole.
            ("https://idp.example/*", #"https://evil.example\@idp.example/a"#, false),
            ("https://idp.example/*", "https://evil.example@idp.example/a", false),
            ("https://idp.example/*", "https://idp.example@evil.example/a", false),
            ("https://idp.example/*", "https://idp.example:443/a", false),
            ("https://idp.example:443/*", "https://idp.example:443/a", true),
            ("https://idp.example:443/*", "https://idp.example:0443/a", false),
            ("https://idp.example/*", "https://idp.example:/a", false),
            ("https://Ann@idp.example/*", "https://Ann@IDP.example/a", true),
            ("https://Ann@idp.example/*", "https://ann@idp.example/a", false),
            ("https://[fd00::1]/*", "https://[FD00::1]/a", true),
            ("https://[fd00::1]/*", "https://[fd00:0::1]/a", false),
            ("https://idp.example/*", "https://idp%2Eexample/a", false),
            ("https://idp.example/*", "https:///idp.example/a", false),
            ("https://idp.example/*", "https:/idp.example/a", false),
            ("https://idp.example/*", "https:idp.example/a", false),
            ("https://idp.example/*", "//idp.example/a", false),
            ("https://idp.example/*", " https://idp.example/a", false),
            ("https://idp.example/*", "https://idp.example/a\u{0}", false),
            ("https://idp.example/*", "https://idp.example/a\n", false),
        ])
    func uris(pattern: String, presented: String, isMatch: Bool) throws {
        let found = try matched(.uri(pattern), [Names.uri(presented)])
        #expect((found != nil) == isMatch, "\(pattern) \(presented)")
    }

    @Test("the names presented are listed, and counted beyond the limit")
    func presented() throws {
        var sketch = CertificateSketch()
        sketch.extensions = [
            Names.subjectAltName([
                Names.dns("a.example"), Names.ip("192.0.2.1"), Names.other,
                Names.directory(DER.commonName("x")), Names.dns("b.example"),
                Names.dns("c.example"),
            ])
        ]
        let certificate = try sketch.certificate()
        #expect(
            ServiceIdentity.presentedNames(of: certificate, limit: 4)
                == ["a.example", "192.0.2.1", "otherName", "CN=x", "and 2 more"])
        sketch.extensions = []
        #expect(try ServiceIdentity.presentedNames(of: sketch.certificate()) == [])
    }

    @Test("a walk that the budget does not hold matches nothing and says so")
    func budget() throws {
        var sketch = CertificateSketch()
        sketch.extensions = [
            Names.subjectAltName(
                [[UInt8]](repeating: Names.dns("x.example"), count: 500) + [Names.dns("a.example")])
        ]
        let certificate = try sketch.certificate()
        var small = WorkBudget(limit: 3)
        #expect(ServiceIdentity.match(.dns("a.example"), in: certificate, budget: &small) == nil)
        #expect(small.isExhausted)
        var large = WorkBudget(limit: 100)
        let found = ServiceIdentity.match(.dns("a.example"), in: certificate, budget: &large)
        #expect(
            found.map { ServiceIdentity.text(of: $0, in: certificate.der.span) } == "a.example")
    }
}
