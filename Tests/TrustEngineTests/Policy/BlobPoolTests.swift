import Testing

@testable import TrustEngine

/// Byte strings in order, each once, whatever they look like.
@Suite("a section's pool of byte strings")
struct BlobPoolTests {
    /// The obvious way to number strings.
    private func verify(_ strings: [[UInt8]]) {
        let sorted = Set(strings).sorted { $0.lexicographicallyPrecedes($1) }
        let (pool, numbers) = BlobPool.gather(strings)
        #expect(pool.count == sorted.count)
        #expect(numbers.map { sorted[$0] } == strings)
        for (number, string) in sorted.enumerated() { #expect(pool.number(of: string) == number) }
        var section: [UInt8] = []
        section.append32(sorted.count)
        section.append32(0)
        for index in sorted.indices { section.append32(sorted[...index].joined().count) }
        #expect(pool.encoded == section + sorted.joined())
    }

    @Test(
        "strings that end inside, at and behind eight octets, with zeros and repetitions",
        arguments: [
            [], [""], ["", ""], ["a"], ["b", "a", "b"], ["a", "a\0", "a\0\0", ""],
            ["12345678", "1234567", "123456789", "12345678\0", "12345678"],
            ["/rules/team-1/hosts/1", "/rules/team-1/hosts/0", "/rules/team-1", "/rules/team-10"],
            ["\u{E9}", "e\u{301}", "e"],
        ])
    func edges(_ texts: [String]) {
        verify(texts.map { Array($0.utf8) })
        verify(texts.reversed().map { Array($0.utf8) })
    }

    @Test("random strings of two octets, most of which begin alike")
    func random() {
        var random = RandomPolicies(seed: 7)
        for round in 0..<200 {
            let strings = (0..<random.number(0...80)).map { _ -> [UInt8] in
                let start = [UInt8](repeating: 0x2F, count: random.pick([0, 0, 7, 8, 9, 16, 40]))
                return start
                    + (0..<random.number(0...(round % 12))).map { _ in random.pick([0, 255]) }
            }
            verify(strings)
        }
    }

    /// More strings of one beginning than are sorted in place.
    @Test("many strings that differ late")
    func many() {
        verify(
            (0..<500).map {
                Array("the same beginning of each string, then \($0 * 7919 % 500)".utf8)
            })
    }
}
