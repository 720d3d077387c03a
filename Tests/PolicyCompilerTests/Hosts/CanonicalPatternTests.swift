import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

/// Patterns that are canonical as they are written are read without the steps that read all others.
/// In upper case the same patterns take these steps, and must come out alike.
@Suite("patterns that are canonical as they are written")
struct CanonicalPatternTests {
    /// What a scan gives; nil for a text that it refuses.
    private static func scan(_ text: String) -> ScannedHostPattern? {
        try? HostPatternScanner.scan(text)
    }

    private static func expectAgreement(_ text: String) {
        let short = scan(text)
        // An upper-case letter keeps a text from the short way.
        let long = scan(text.uppercased())
        #expect(short?.pattern == long?.pattern, "\(text)")
        #expect(short?.canonicalText == long?.canonicalText, "\(text)")
        #expect(short?.unicodeText == long?.unicodeText, "\(text)")
        if let short { #expect(short.isCanonical == (short.canonicalText == text), "\(text)") }
    }

    private static let label = String(repeating: "a", count: 63)

    @Test(
        "rows",
        arguments: [
            "a", "a.example", "*.a.example", "**.a.example", "***.a.example", "*a.example", "*",
            "**", "*.", "**.", ".a", "a.", "a..b", "-a.example", "a-.example", "a.-b",
            "a_b.example",
            "a.1", "a.0x1", "a.0xg", "0x1.example", "1.example", "10.0.0.1",
            "xn--bcher-kva.example",
            "*.xn--bcher-kva.example", "x.example", "a.example:443", "*.a.example:443",
            label + ".a", label + "a.a", "*." + label + ".a",
            [label, label, label, String(label.prefix(61))].joined(separator: "."),
            "*." + [label, label, label, String(label.prefix(59))].joined(separator: "."),
            "*." + [label, label, label, String(label.prefix(60))].joined(separator: "."),
        ])
    func rows(_ text: String) { CanonicalPatternTests.expectAgreement(text) }

    @Test("20,000 random texts of the octets that patterns have")
    func random() {
        var random = SplitMix(state: 20_261_123)
        let letters = Array("aaabcxz01_-..*")
        var read = 0
        for _ in 0..<20_000 {
            let count = Int(random.next() % 12) + 1
            let text =
                ["", "", "*.", "**."][Int(random.next() % 4)]
                + String((0..<count).map { _ in letters[Int(random.next() % 14)] })
            if CanonicalPatternTests.scan(text) != nil { read += 1 }
            CanonicalPatternTests.expectAgreement(text)
        }
        #expect(read > 2_000)
    }
}
