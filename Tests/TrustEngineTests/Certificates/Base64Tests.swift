import TestPKI
import Testing
import TrustEngine

/// Base64 as it is decoded character by character, and from a part of an array.
@Suite struct Base64Tests {
    @Test func bothWaysReadTheSame() {
        var numbers = SplitMix(state: 25)
        for length in 0..<200 {
            let octets = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            var text = Array("<\(Base64.encode(octets))>".utf8)
            #expect(Base64.decode(text[1..<text.count - 1]) == octets)
            #expect(Base64.decode(text[1..<text.count - 1].lazy.map { $0 }) == octets)
            guard length > 0 else { continue }
            // One character is another.
            text[Int.random(in: 1..<text.count - 1, using: &numbers)] =
                UInt8.random(in: 0...255, using: &numbers)
            let part = text[1..<text.count - 1]
            #expect(Base64.decode(part) == Base64.decode(part.lazy.map { $0 }))
        }
    }

    @Test func whatIsNoBase64() {
        for text in [
            "A", "AA", "AAA", "AB==", "AAB=", "=AAA", "AAAA=", "AA=A", "AAAA\n", "sha256:00",
        ] {
            #expect(Base64.decode(Array(text.utf8)[...]) == nil, "\(text)")
        }
    }
}
