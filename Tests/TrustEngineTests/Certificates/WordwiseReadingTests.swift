import Testing
import TrustEngine

/// Identifiers, names and equal octets are judged eight octets at a time. These tests judge octet
/// by octet and compare.
@Suite("octets judged as words")
struct WordwiseReadingTests {
    /// The same numbers in every run.
    private struct Numbers {
        var state: UInt64 = 20

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    /// X.690 section 8.19.2: an arc ends with an octet without its high bit, and never begins with
    /// 0x80.
    private func isIdentifier(_ content: [UInt8]) -> Bool {
        guard let last = content.last, last < 0x80 else { return false }
        return content.indices.allSatisfy {
            content[$0] != 0x80 || ($0 > 0 && content[$0 - 1] >= 0x80)
        }
    }

    @Test("identifiers of 0 to 17 octets, near the start of their buffer and not")
    func identifiers() {
        var numbers = Numbers()
        let octets: [UInt8] = [0x00, 0x01, 0x2A, 0x7F, 0x80, 0x81, 0xFF]
        var valid = 0
        for turn in 0..<40_000 {
            let content = (0..<turn % 18).map { _ in octets[numbers.below(octets.count)] }
            let before = [UInt8](repeating: 0xFF, count: numbers.below(10))
            let bytes = before + [0x06, UInt8(content.count)] + content
            var reader = DERReader(
                ByteRange(start: before.count, count: bytes.count - before.count))
            do {
                let element = try reader.next(.objectIdentifier, in: bytes.span)
                let code = try ObjectIdentifier.checkedCode(element, in: bytes.span)
                #expect(code == ObjectIdentifier.code(element.content, in: bytes.span))
                #expect(isIdentifier(content), "\(content)")
                valid += 1
            } catch {
                #expect(error == DERError(.badObjectIdentifier, at: before.count))
                #expect(!isIdentifier(content), "\(content)")
            }
        }
        #expect(valid > 1_000)
    }

    private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.span.octetsEqual(right)
    }

    @Test("equal octets: one octet of 0 to 40 differs at each position")
    func equality() {
        for count in 0...40 {
            let octets = (0..<count).map { UInt8($0) }
            #expect(isEqual(octets, octets))
            #expect(!isEqual(octets, octets + [0]))
            for position in 0..<count {
                var changed = octets
                changed[position] ^= 0x80
                #expect(!isEqual(octets, changed), "\(count) \(position)")
            }
        }
    }

    /// A name of one attribute, whose value has this string type.
    private func name(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        DER.sequence(DER.attribute([0x55, 4, 3], DER.element(tag, content)))
    }

    /// RFC 5280 section 7.1, of ASCII: letters in lower case, runs of white space as one space, and
    /// none at the ends.
    private func folded(_ text: [UInt8]) -> [UInt8] {
        let words = text.split { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return Array(words.joined(separator: [0x20])).map {
            (0x41...0x5A).contains($0) ? $0 + 0x20 : $0
        }
    }

    @Test("names: what is equal has one hash, whatever its case, white space and string type")
    func names() {
        var numbers = Numbers()
        let octets = Array("abAB Z@[`{\u{9}\u{0}".utf8)
        var equal = 0
        for turn in 0..<20_000 {
            let length = turn % 27
            let left = (0..<length).map { _ in octets[numbers.below(octets.count)] }
            // Half of the texts become another spelling of the same, half another text.
            var right = left
            if numbers.below(2) == 0 {
                right = right.map {
                    (0x61...0x7A).contains($0) && numbers.below(2) == 0 ? $0 - 0x20 : $0
                }
                if let space = right.firstIndex(of: 0x20) { right.insert(0x20, at: space) }
                if numbers.below(2) == 0 { right += [0x20] }
            } else if length > 0 {
                right[numbers.below(length)] = octets[numbers.below(octets.count)]
            }
            let first = name(0x13, left)
            let second =
                numbers.below(3) == 0
                ? name(0x1E, right.flatMap { [0, $0] }) : name(0x0C, right)
            let isEqual = folded(left) == folded(right)
            if isEqual { equal += 1 }
            #expect(
                DistinguishedName.isEqual(first.span, second.span) == isEqual, "\(left) \(right)")
            #expect(
                (comparisonHash(first.span)
                    == comparisonHash(second.span)) == isEqual,
                "\(left) \(right)")
        }
        #expect(equal > 5_000 && equal < 19_000)
    }

    @Test("the positions of a hash, in their order")
    func subjects() {
        var numbers = Numbers()
        let hashes = (0..<500).map { _ in UInt64(numbers.below(200)) }
        let index = SubjectIndex(hashes)
        for hash in 0..<210 as Range<UInt64> {
            #expect(Array(index[hash]) == hashes.indices.filter { hashes[$0] == hash })
        }
        #expect(SubjectIndex([])[0].isEmpty)
    }
}
