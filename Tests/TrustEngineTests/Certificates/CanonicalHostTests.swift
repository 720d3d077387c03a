import Testing
import TrustEngine

@Suite("canonical hosts (LANGUAGE sections 11 and 12.9)")
struct CanonicalHostTests {
    private static let long = String(repeating: "a", count: 63)

    @Test(
        "folded",
        arguments: [
            ("API.Example", "api.example"), ("api.example.", "api.example"),
            ("localhost", "localhost"), ("_dmarc.example", "_dmarc.example"),
            ("_A.b", "_a.b"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("ab--cd.example", "ab--cd.example"),
            ("1.example", "1.example"), ("0x1.example", "0x1.example"), ("a.0xg", "a.0xg"),
            ("127.0.0.1", "127.0.0.1"), ("2001:DB8:0::1", "2001:db8::1"),
            ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:C000:0201", "192.0.2.1"),
            (long + ".example", long + ".example"),
            // 253 octets, and 253 and a dot.
            (
                [long, long, long, String(repeating: "b", count: 61)].joined(separator: "."),
                [long, long, long, String(repeating: "b", count: 61)].joined(separator: ".")
            ),
            (
                [long, long, long, String(repeating: "b", count: 61)].joined(separator: ".") + ".",
                [long, long, long, String(repeating: "b", count: 61)].joined(separator: ".")
            ),
        ])
    func folded(text: String, expected: String) throws {
        #expect(try CanonicalHost(text: text).text == expected)
    }

    @Test(
        "refused",
        arguments: [
            "", ".", "..", "a..b", ".a", "a..", "-a.example", "a-.example", "a.-", "a-.b",
            "bücher.example",
            "*.example", "a b.example", "a.example\n", "a\u{0}b.example", "https://a.example",
            "a.example:443", "[::1]", "::1%lo", "a/b", "127.1", "0x7f.1", "0177.0.0.1",
            "2130706433",
            "0x7f000001", "1.2.3.4.", "1.2.3.256", "1.2.3", "a.1", "a.0x", "a.0XfF", "a.123.",
            [long, long, long, String(repeating: "b", count: 62)].joined(separator: "."),
            long + "a.example", [long, long, long, long].joined(separator: "."),
            "１２７.0.0.1", "a。example",
        ])
    func refused(text: String) {
        do throws(HostProblem) {
            let host = try CanonicalHost(text: text)
            Issue.record("`\(text)` was taken as \(host)")
        } catch {
            #expect(!error.reason.isEmpty)
            #expect(!error.reason.hasSuffix("."))
        }
    }
}
