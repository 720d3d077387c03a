import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

@Suite("Host patterns")
struct HostPatternScannerTests {
    @Test(
        "LANGUAGE 11: the parts of a pattern",
        arguments: [
            ("api.acme.example", HostPattern.Host.name("api.acme.example"), nil),
            ("*.acme.example", .oneLabel(base: "acme.example"), nil),
            ("**.acme.example:443", .anyLabels(base: "acme.example"), 443),
            (
                "10.40.0.0/16",
                .network(IPAddress(high: 0, low: 0x0A28_0000, isIPv4: true), prefix: 16), nil
            ),
            ("10.40.0.9:8883", .address(IPAddress(high: 0, low: 0x0A28_0009, isIPv4: true)), 8883),
            ("10.40.0.9/32", .address(IPAddress(high: 0, low: 0x0A28_0009, isIPv4: true)), nil),
            (
                "[fd00:40::/48]:1",
                .network(IPAddress(high: 0xFD00_0040_0000_0000, low: 0, isIPv4: false), prefix: 48),
                1
            ),
            ("::1", .address(IPAddress(high: 0, low: 1, isIPv4: false)), nil),
        ] as [(String, HostPattern.Host, UInt16?)])
    func parts(text: String, host: HostPattern.Host, port: UInt16?) throws {
        #expect(try HostPatternScanner.scan(text).pattern == HostPattern(host: host, port: port))
    }

    @Test(
        "LANGUAGE 11.2: the one spelling of each pattern",
        arguments: [
            ("API.Acme.Example", "api.acme.example", nil),
            ("api.acme.example.", "api.acme.example", nil),
            ("*.API.example.:443", "*.api.example:443", nil),
            ("bücher.example", "xn--bcher-kva.example", "bücher.example"),
            ("**.BÜCHER.example:1", "**.xn--bcher-kva.example:1", "**.bücher.example:1"),
            ("XN--BCHER-KVA.example", "xn--bcher-kva.example", "bücher.example"),
            ("faß.de", "xn--fa-hia.de", "faß.de"),
            ("☕.example", "xn--53h.example", "☕.example"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah", "例え.テスト"),
            ("ＡＢＣ．example", "abc.example", nil),
            ("FD00:40:0:0:0:0:0:9", "fd00:40::9", nil),
            ("[FD00:40::9]:1", "[fd00:40::9]:1", nil),
            ("10.40.0.9/32", "10.40.0.9", nil),
            ("[::1/128]:1", "[::1]:1", nil),
        ] as [(String, String, String?)])
    func canonical(text: String, canonical: String, unicode: String?) throws {
        let scanned = try HostPatternScanner.scan(text)
        #expect(scanned.canonicalText == canonical)
        #expect(!scanned.isCanonical)
        #expect(scanned.unicodeText == unicode)
        #expect(try HostPatternScanner.scan(canonical).isCanonical)
    }

    /// Message and first help line as a reviewer reads them; the range is the text marked.
    @Test(
        "what is said of a pattern at fault",
        arguments: [
            (
                "*d.example", "`*d.example` is not a pattern: `*` stands for a whole label",
                "`*.d.example` (one label) or `**.d.example` (one or more); neither includes "
                    + "`d.example`", "*"
            ),
            (
                "a.*.d.example",
                "`a.*.d.example` is not a pattern: `*` stands for the leftmost label only",
                "`*.d.example` (one label) or `**.d.example` (one or more); neither includes "
                    + "`d.example`", "*"
            ),
            (
                "**:443", "`**` is not a pattern: a name must follow the wildcard",
                "what all other hosts get is written once, in `default`", "**"
            ),
            (
                "10.40.0.9/16", "`10.40.0.9/16` has host bits set",
                "`10.40.0.0/16` for the network, `10.40.0.9` for the one address", "10.40.0.9/16"
            ),
            (
                "[fd00:40::9/48]:443", "`fd00:40::9/48` has host bits set",
                "`fd00:40::/48` for the network, `fd00:40::9` for the one address", "fd00:40::9/48"
            ),
            (
                "https://user@api.example:8443/x",
                "`https://user@api.example:8443/x` is a URL; a host pattern is a name or an "
                    + "address and a port", "write `api.example:8443`", "https://"
            ),
            (
                "api.example/x",
                "`api.example/x` has a path; a host pattern is a name or an address and a port",
                "write `api.example`", "/x"
            ),
            (
                "a.example/16",
                "`a.example/16` has a path; a host pattern is a name or an address and a port",
                "write `a.example` if `/16` is a path", "/16"
            ),
            (
                "10.40.0.0/16:443/",
                "`10.40.0.0/16:443/` has a path; a host pattern is a name or an address and a port",
                "write `10.40.0.0/16:443`", "/"
            ),
            (
                "10.40.0.0/l6/x",
                "`10.40.0.0/l6` has the prefix `l6`; the prefix of an IPv4 network is a number "
                    + "from 0 to 32", nil, "l6"
            ),
            (
                "::ffff:10.0.0.1",
                "`::ffff:10.0.0.1` is an IPv4 address written as IPv6, under which no request is "
                    + "judged", "write `10.0.0.1`", "::ffff:10.0.0.1"
            ),
            (
                "::ffff:10.0.0.0/104",
                "`::ffff:10.0.0.0/104` is an IPv4 address written as IPv6, under which no request "
                    + "is judged", "write `10.0.0.0/8`", "::ffff:10.0.0.0/104"
            ),
            (
                "fd00::/48:443",
                "`fd00::/48:443` has the prefix `48:443`; the prefix of an IPv6 network is a "
                    + "number from 0 to 128", "write `[fd00::/48]:443` for a port", "48:443"
            ),
            (
                "10.0.0.0/255.0.0.0",
                "`10.0.0.0/255.0.0.0` has the prefix `255.0.0.0`; the prefix of an IPv4 network is "
                    + "a number from 0 to 32", "write `10.0.0.0/8`", "255.0.0.0"
            ),
            (
                "api.example:0443", "`api.example:0443` has a port that begins with a zero",
                "write `api.example:443`", "0443"
            ),
            (
                "api.example:*", "`api.example:*` has `*` for a port",
                "`api.example` matches every port", ":*"
            ),
            (
                "[fd00::1]", "`[fd00::1]` has brackets but no port",
                "write `fd00::1`; brackets only part an address from its port", "[fd00::1]"
            ),
            (
                ".d.example", "`.d.example` begins with a dot",
                "`*.d.example` (one label) or `**.d.example` (one or more); `d.example` for itself",
                "."
            ),
            (
                "010.0.0.1",
                "`010.0.0.1` has a number that begins with a zero, which some readers take for "
                    + "octal", "write `10.0.0.1` if it is decimal", "010"
            ),
            (
                "xn--FAX-zj1a.example",
                "`xn--FAX-zj1a.example` is not a host name: its label `xn--fax-zj1a` does not "
                    + "round-trip: it stands for `fax℡`, which is `faxtel` in a name",
                "write the label `faxtel`", "xn--FAX-zj1a"
            ),
        ] as [(String, String, String?, String)])
    func messages(text: String, message: String, help: String?, marked: String) throws {
        let problem = try #require(throws: ScalarProblem.self) {
            try HostPatternScanner.scan(text)
        }
        #expect(problem.message == message)
        #expect(problem.help.first == help)
        let bytes = Array(text.utf8)
        let range = problem.range ?? 0..<bytes.count
        #expect(String(decoding: bytes[range], as: UTF8.self) == marked)
    }

    /// A fix writes the text that a problem proposes.
    @Test(
        "no text is proposed that has lost a prefix, a port or another host",
        arguments: [HostPatternScanner.Field.hosts, .certificateNames, .exactNames])
    func proposals(_ field: HostPatternScanner.Field) {
        var proposed = 0
        func check(_ text: String, keeps parts: [String]) {
            do throws(ScalarProblem) {
                _ = try HostPatternScanner.scan(text, in: field)
            } catch {
                guard let replacement = error.replacement else { return }
                proposed += 1
                for part in parts {
                    #expect(replacement.contains(part), "\(text): \(replacement)")
                }
            }
        }
        let hosts = [
            ("a.example", ["", "/16"]), ("**.a.example", ["", "/16"]),
            // The letter O, not the digit.
            ("1O.40.0.0", ["", "/16"]),
            ("10.40.0.0", ["", "/16", "/l6", "//16"]), ("fd00:40::", ["", "/48", "/4B", "//48"]),
        ]
        for (host, prefixes) in hosts {
            for prefix in prefixes {
                for port in ["", ":8443", "#8443"] {
                    for tail in [
                        "", "/", "//", "/x", "/x/y", "?q", "#f", ",b.example", "/;b.example",
                    ] {
                        let parts = [
                            host, prefix.isEmpty ? "" : String(prefix.drop { $0 == "/" }),
                            port.isEmpty ? "" : "8443",
                            tail.contains("b.example") ? "b.example" : "",
                        ].filter { !$0.isEmpty }
                        var texts = [
                            host + prefix + port + tail, "[\(host)\(prefix)]\(port)\(tail)",
                            "[\(host)]\(prefix)\(port)\(tail)",
                        ]
                        // Behind a port and in a URL, letters after the slash are a path.
                        if prefix.allSatisfy({ $0 == "/" || $0.isNumber }) {
                            texts.append(host + port + prefix + tail)
                            texts += texts.map { "https://" + $0 }
                        }
                        for text in texts { check(text, keeps: parts) }
                    }
                }
            }
        }
        #expect(proposed > 20)
    }

    @Test("RFC 1035 2.3.4: a name has 253 octets, behind a wildcard two less")
    func lengths() throws {
        let label = String(repeating: "a", count: 63)
        let name253 = [label, label, label, String(repeating: "a", count: 61)].joined(
            separator: ".")
        let name251 = [label, label, label, String(repeating: "a", count: 59)].joined(
            separator: ".")
        #expect(try HostPatternScanner.scan(name253).canonicalText == name253)
        #expect(try HostPatternScanner.scan("*." + name251).isCanonical)
        for text in [name253 + "a", "*." + name251 + "a", "**." + name251 + "a"] {
            let problem = try #require(throws: ScalarProblem.self) {
                try HostPatternScanner.scan(text)
            }
            #expect(problem.code == .badHost)
        }
    }

    /// Names in canonical form are seen as such without being taken apart; one with a capital
    /// letter never is.
    @Test(
        "case changes neither what a name is nor whether it is one: 40,000 names, of a fixed seed")
    func capitals() {
        var random = SplitMix(state: 20_261_121)
        var accepted = 0
        for _ in 0..<40_000 {
            let length = Int.random(in: 1...9, using: &random)
            let name = String(
                (0..<length).map { _ in "aaxxn0019-_..".randomElement(using: &random) ?? "a" })
            guard name.contains(where: \.isLetter) else { continue }
            let plain = try? HostPatternScanner.scan(name)
            let capital = try? HostPatternScanner.scan(name.uppercased())
            #expect(plain?.canonicalText == capital?.canonicalText, "\(name)")
            if plain?.isCanonical == true { accepted += 1 }
        }
        #expect(accepted > 5_000)
        for length in [63, 64] {
            let name = "b." + String(repeating: "a", count: length) + ".c"
            let plain = try? HostPatternScanner.scan(name)
            #expect((plain != nil) == (length == 63))
            let capital = try? HostPatternScanner.scan(name.uppercased())
            #expect(plain?.pattern == capital?.pattern)
        }
    }

    @Test("LANGUAGE 1.6: a scalar of more than 1,000 octets is not looked at, an empty one named")
    func limits() throws {
        let long = try #require(throws: ScalarProblem.self) {
            try HostPatternScanner.scan(String(repeating: "a.", count: 501))
        }
        #expect(long.code == .limits)
        #expect(long.range == 1_000..<1_002)
        let empty = try #require(throws: ScalarProblem.self) { try HostPatternScanner.scan("") }
        #expect(empty.code == .emptyValue)
    }
}
