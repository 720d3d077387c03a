import Testing
import TrustEngine

@Suite("URIs (RFC 3986)")
struct URITextTests {
    /// A URI by its parts, a bar between them: scheme, authority (`-` where there is none), path,
    /// query and fragment with their marks.
    private func parts(_ text: String) throws -> String {
        let octets = Array(text.utf8)
        let uri = try URIText(octets.span)
        func part(_ range: Range<Int>) -> String { String(decoding: octets[range], as: UTF8.self) }
        return [
            part(uri.scheme), uri.authority.map { part($0.range) } ?? "-", part(uri.path),
            part(uri.tail),
        ].joined(separator: "|")
    }

    @Test(
        "parts, with the examples of section 1.1.2",
        arguments: [
            ("ftp://ftp.is.co.za/rfc/rfc1808.txt", "ftp|ftp.is.co.za|/rfc/rfc1808.txt|"),
            ("http://www.ietf.org/rfc/rfc2396.txt", "http|www.ietf.org|/rfc/rfc2396.txt|"),
            (
                "ldap://[2001:db8::7]/c=GB?objectClass?one",
                "ldap|[2001:db8::7]|/c=GB|?objectClass?one"
            ),
            ("mailto:John.Doe@example.com", "mailto|-|John.Doe@example.com|"),
            ("news:comp.infosystems.www.servers.unix", "news|-|comp.infosystems.www.servers.unix|"),
            ("tel:+1-816-555-1212", "tel|-|+1-816-555-1212|"),
            ("telnet://192.0.2.16:80/", "telnet|192.0.2.16:80|/|"),
            (
                "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
                "urn|-|oasis:names:specification:docbook:dtd:xml:4.1.2|"
            ),
            (
                "foo://example.com:8042/over/there?name=ferret#nose",
                "foo|example.com:8042|/over/there|?name=ferret#nose"
            ),
            ("file:///etc/hosts", "file||/etc/hosts|"),
            ("a:", "a|-||"), ("a://", "a|||"), ("a:/b//c", "a|-|/b//c|"), ("a://b?", "a|b||?"),
            ("a://b#", "a|b||#"), ("a://b:", "a|b:||"), ("a://u:p%20@b", "a|u:p%20@b||"),
            (
                "A+1.-://-._~!$&'()*+,;=%aF/-._~!$&'()*+,;=:@%aF?/?:@#/?:@",
                "A+1.-|-._~!$&'()*+,;=%aF|/-._~!$&'()*+,;=:@%aF|?/?:@#/?:@"
            ),
        ])
    func accepted(text: String, parts: String) throws {
        #expect(try self.parts(text) == parts)
    }

    @Test("every octet, in every part: section 2 and appendix A")
    func octets() {
        let unreserved = Set(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let name = unreserved.union("!$&'()*+,;=".utf8)
        let pathCharacter = name.union(":@".utf8)
        let places: [(before: String, behind: String, holds: Set<UInt8>)] = [
            ("a://u", "v@b/", name.union(":".utf8)),
            // A `/`, `?` or `#` ends the authority, `@` the user, `:` begins a port of digits.
            ("a://b", "1/", name.union("/?#@:".utf8)),
            ("a://b/c", "d", pathCharacter.union("/?#".utf8)),
            ("a://b/?c", "d", pathCharacter.union("/?#".utf8)),
            ("a://b/#c", "d", pathCharacter.union("/?".utf8)),
            ("a:b", "c", pathCharacter.union("/?#".utf8)),
            ("a://b:1", "2/", Set("0123456789/?#@".utf8)),
        ]
        for place in places {
            for octet in 0...UInt8.max {
                // A user ends at the first `@`, so that what follows must be a host.
                let text = Array(place.before.utf8) + [octet] + Array(place.behind.utf8)
                let isAccepted = (try? URIText(text.span)) != nil
                let isUser = place.before == "a://u" && "/?#".utf8.contains(octet)
                #expect(
                    isAccepted == (place.holds.contains(octet) || isUser),
                    "\(place.before) 0x\(String(octet, radix: 16)) \(place.behind)")
            }
        }
    }

    @Test(
        "problems and their places",
        arguments: [
            ("", .noScheme, 0..<0), ("a", .noScheme, 0..<1), ("/a/b", .noScheme, 0..<4),
            (":a", .badScheme, 0..<1), ("1a:b", .badScheme, 0..<2), ("a_b:c", .badScheme, 0..<3),
            ("a b:c", .badScheme, 0..<3),
            (#"https://evil.example\@ok.example/"#, .badOctet(0x5C), 20..<21),
            ("a://b@c@d/", .badOctet(0x40), 7..<8),
            ("a://b c/", .badOctet(0x20), 5..<6), ("a://b/\u{0}", .badOctet(0), 6..<7),
            ("a://b/é", .badOctet(0xC3), 6..<7), ("a://b/[", .badOctet(0x5B), 6..<7),
            ("a:b[", .badOctet(0x5B), 3..<4), ("a://b/?[", .badOctet(0x5B), 7..<8),
            ("a://b/#a#", .badOctet(0x23), 8..<9),
            ("a://b/%", .badEscape, 6..<7), ("a://b/%2", .badEscape, 6..<7),
            ("a://b/%2g", .badEscape, 6..<7), ("a://b/%zz", .badEscape, 6..<7),
            // A triplet does not reach into the next part.
            ("a://b%2/0", .badEscape, 5..<6), ("a://u%2@b", .badEscape, 5..<6),
            ("a://b/%2?0", .badEscape, 6..<7), ("a://b/?%2#0", .badEscape, 7..<8),
            ("a://b:c/", .badPort, 6..<7), ("a://b:1:2/", .badPort, 6..<9),
            ("a://b:-1/", .badPort, 6..<8),
            ("a://fd00::1/", .badPort, 9..<11),
            ("a://[fd00::1/", .badAddress, 4..<12), ("a://[]/", .badAddress, 4..<6),
            ("a://[192.0.2.1]/", .badAddress, 4..<15), ("a://[v1.b]/", .badAddress, 4..<10),
            ("a://[fe80::1%25en0]/", .badAddress, 4..<19),
            ("a://[::1]b/", .badAddress, 4..<10), ("a://[::1]]/", .badAddress, 4..<10),
            ("a://b[::1]/", .badOctet(0x5B), 5..<6), ("a://]/", .badOctet(0x5D), 4..<5),
        ] as [(String, URIText.Problem.Kind, Range<Int>)])
    func refused(text: String, kind: URIText.Problem.Kind, range: Range<Int>) {
        let octets = Array(text.utf8)
        do throws(URIText.Problem) {
            _ = try URIText(octets.span)
            Issue.record("\(text) is read")
        } catch {
            #expect(error.kind == kind)
            #expect(error.range == range)
        }
    }

    @Test(
        "the host where it is a name",
        arguments: [
            ("https://a.example/", "a.example"), ("https://A.Example:8443", "A.Example"),
            ("https://u:p@a.example:/x", "a.example"), ("https://a_b/", "a_b"),
            ("https://192.0.2.1/", nil), ("https://[::1]/", nil), ("https://%61.example/", nil),
            ("https://a.example./", nil), ("https:///a.example", nil), ("https://u@/", nil),
            ("https://:1/", nil), ("urn:a.example", nil), ("https:/a.example", nil),
            ("https://a,b/", nil),
        ])
    func hosts(text: String, host: String?) throws {
        let octets = Array(text.utf8)
        let range = try URIText(octets.span).hostName(in: octets.span)
        #expect(range.map { String(decoding: octets[$0], as: UTF8.self) } == host)
    }
}
