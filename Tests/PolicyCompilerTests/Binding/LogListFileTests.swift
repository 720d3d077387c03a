import Foundation
import LibCrypto
import TestPKI
import Testing

@testable import PolicyCompiler

/// What the compiler says of a file that is to be a log list.
@Suite("log list files")
struct LogListFileTests {
    static let whole = FieldTests.logList

    private func problem(_ bytes: [UInt8]) -> String? {
        LogListFile.problem(bytes, crypto: LibCryptoBackend())
    }

    @Test(
        "faults",
        arguments: [
            ("", "is not JSON at its line 1: a value is wanted"),
            ("[]", "is JSON but no object"), ("null", "is JSON but no object"),
            ("{}", "has no `log_list_timestamp`"),
            (
                "{\"log_list_timestamp\": \"2026-01-02T12:57:01Z\"}", "has no `operators`"
            ),
            (
                "{\"log_list_timestamp\": 7, \"operators\": []}",
                "has a `log_list_timestamp` that is not of the form 2026-01-31T12:00:00Z"
            ),
            (
                "{\"log_list_timestamp\": \"2026-01-02\", \"operators\": {}}",
                "has `operators` that are no list"
            ),
            (
                "{\"operators\": [], \"log_list_timestamp\": \"2026-01-02T12:57:01Z\", \"operators\": []}",
                "has `operators` twice"
            ),
            ("{\"a\": 1,\n \"b\" 2}", "is not JSON at its line 2: `:` is wanted"),
            ("{} {}", "is not JSON at its line 1: something stands behind its end"),
            ("{\"a\": tru}", "is not JSON at its line 1: a value is wanted"),
            ("{\"a\": \"x", "is not JSON at its line 1: a text has no end"),
            ("{\"a\": \"\\x\"}", "is not JSON at its line 1: an escape that JSON does not have"),
            ("{\"a\": [1, 2}", "is not JSON at its line 1: `,` or `]` is wanted"),
        ])
    func faults(_ text: String, _ problem: String) {
        #expect(self.problem(Array(text.utf8)) == problem)
    }

    @Test("a log list, in its spellings")
    func accepted() {
        for text in [
            LogListFileTests.whole,
            "{\"operators\":[],\"log_list_timestamp\":\"2026-01-02T12:57:01Z\"}",
            " {\n\t\"x\": { \"y\": [[], {}, -1.5e+3, 0, true, false, null, \"\\u00e9\\n\u{e9}\"] },\r\n"
                + "\"log_list_timestamp\" : \"2026-01-02T12:57:01Z\" , \"operators\" : [ ] } ",
        ] {
            #expect(problem(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test("nesting ends at its limit, without recursion")
    func nesting() {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                ("{\"a\": " + String(repeating: "[", count: depth) + "1"
                    + String(repeating: "]", count: depth)
                    + ", \"log_list_timestamp\": \"2026-01-02T12:57:01Z\", \"operators\": []}").utf8
            )
        }
        #expect(problem(nested(64)) == nil)
        let tooDeep = "is not JSON at its line 1: it nests deeper than 64"
        #expect(problem(nested(65)) == tooDeep)
        #expect(problem(nested(1_000_000)) == tooDeep)
    }

    /// Foundation is a reader that shares nothing with ours. It allows a comma before the end of a
    /// list or an object, which JSON does not.
    @Test("what is JSON, Foundation and we agree on")
    func agreement() {
        var random = SplitMix(state: 20_261_121)
        let seed = Array(LogListFileTests.whole.utf8)
        let words = ["{", "}", "[", "]", ",", ":", "\"", "\\", "0", "-", "1.5", "e3", "null", " "]
        var valid = 0
        for round in 0..<4_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: at)
                case 1:
                    let word = words[Int.random(in: 0..<words.count, using: &random)]
                    bytes.insert(contentsOf: Array(word.utf8), at: at)
                default: bytes[at] = UInt8.random(in: 0x20...0x7E, using: &random)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let hasLooseComma =
                text.range(of: ",\\s*[}\\]]", options: .regularExpression) != nil
            if hasLooseComma { continue }
            let isJSON =
                (try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed]))
                != nil
            let problem = self.problem(bytes)
            #expect(
                isJSON == !(problem?.hasPrefix("is not JSON") == true),
                "round \(round): \(problem ?? "no problem")\n\(text)")
            if isJSON { valid += 1 }
        }
        #expect(valid > 1_000 && valid < 3_800, "\(valid)")
    }
}
