import Foundation
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Rows that a real OkHttp 3.13 has printed (`Tests/Integration/okhttp.sh`): random entries, a
/// host, and the pins that it found for the host. Skipped, with a word, without such rows.
@Suite(
    "rows of OkHttp 3.13",
    .enabled(
        if: ProcessInfo.processInfo.environment["HAWSER_OKHTTP_ROWS"] != nil,
        "HAWSER_OKHTTP_ROWS names no rows; Tests/Integration/okhttp.sh makes them"))
struct OkHttpRowsTests {
    private struct Row: Decodable {
        let patterns: [String]
        let pins: [String]
        let host: String
        let refused: Bool
        let found: [String]
    }

    @Test("the model finds the same pins, and the policy demands them")
    func rows() throws {
        let path = try #require(ProcessInfo.processInfo.environment["HAWSER_OKHTTP_ROWS"])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var (compared, refused, pinned) = (0, 0, 0)
        for line in text.split(separator: "\n") {
            let row = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
            let source = PinImports.kotlin(Array(zip(row.patterns, row.pins.map { [$0] })))
            if row.refused {
                let refusal = ForeignImports.refusal { try PinImports.okhttp(source, "3.13") }
                #expect(refusal?.code == "HX102", "\(line)")
                refused += 1
                continue
            }
            let found = try PinImports.okhttpModel(source, "3.13").behaviour(of: row.host).digests
            #expect(found ?? [] == Set(row.found), "\(line)")
            #expect((found == nil) == row.found.isEmpty, "\(line)")
            let demanded = PinImports.demanded(row.host, try PinImports.okhttp(source, "3.13"))
            #expect(demanded == found, "\(line)")
            compared += 1
            pinned += row.found.isEmpty ? 0 : 1
        }
        #expect(compared > 0 && refused > 0 && pinned > 0)
        print("rows of OkHttp 3.13: \(compared) compared, \(pinned) pinned, \(refused) refused")
    }
}
