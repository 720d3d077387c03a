import Foundation
import Testing

@testable import MLDSA

@Suite("malformed keys and signatures of ML-DSA")
struct MalformedSignatureTests {
    @Test("a size that is not the exact one", arguments: 0..<3)
    func sizes(_ index: Int) throws {
        let valid = try SignedMessage.minted()[index]
        #expect(valid.isValid())
        let sets = MLDSAParameterSet.allCases
        for size in sets.map(\.publicKeyBytes) + sets.map(\.signatureBytes) + [0, 1, 32, 33, 5000] {
            var changed = valid
            changed.signature = resized(valid.signature, to: size)
            #expect(changed.isValid() == (size == valid.signature.count), "\(size)")
            changed = valid
            changed.key = resized(valid.key, to: size)
            #expect(changed.isValid() == (size == valid.key.count), "\(size)")
        }
        for difference in [-1, 1] {
            var changed = valid
            changed.signature = resized(
                valid.signature, to: valid.signature.count + difference)
            #expect(!changed.isValid())
            changed = valid
            changed.key = resized(valid.key, to: valid.key.count + difference)
            #expect(!changed.isValid())
        }
    }

    /// All parts are then where they are looked for, from the one end or from the other.
    @Test("octets between the response and the hints", arguments: 0..<3)
    func betweenParts(_ index: Int) throws {
        let valid = try SignedMessage.minted()[index]
        let numbers = valid.parameterSet.numbers
        for count in [1, numbers.responsePolynomialBytes] {
            var changed = valid
            changed.signature.insert(
                contentsOf: [UInt8](repeating: 0, count: count),
                at: valid.signature.count - numbers.mostHints - numbers.rows)
            #expect(!changed.isValid())
        }
    }

    private func resized(_ octets: [UInt8], to count: Int) -> [UInt8] {
        Array(octets.prefix(count)) + [UInt8](repeating: 0, count: max(0, count - octets.count))
    }

    @Test("another message, another context, one that is too long", arguments: 0..<3)
    func messages(_ index: Int) throws {
        let valid = try SignedMessage.minted()[index]
        for change: (inout SignedMessage) -> Void in [
            { $0.message[0] ^= 1 }, { $0.message.removeLast() }, { $0.message.append(0) },
            { $0.message = [] }, { $0.context = [0] },
            { $0.context = [UInt8](repeating: 0, count: 255) },
            { $0.context = [UInt8](repeating: 0, count: 256) },
            { $0.context = [UInt8](repeating: 0, count: 65_536) },
        ] {
            var changed = valid
            change(&changed)
            #expect(!changed.isValid())
        }
    }

    /// An octet may not move from the message to the context.
    @Test("the context is not a part of the message", arguments: 0..<3)
    func contexts(_ index: Int) throws {
        var moved = try SignedMessage.minted()[index]
        moved.context = [moved.message.removeFirst()]
        #expect(!moved.isValid())
    }

    @Test("octets that are all alike", arguments: MLDSAParameterSet.allCases)
    func uniform(_ set: MLDSAParameterSet) throws {
        let template = try #require(try SignedMessage.minted().first { $0.parameterSet == set })
        for octet in [UInt8](arrayLiteral: 0, 1, 0x7f, 0x80, 0xff) {
            var changed = template
            changed.key = [UInt8](repeating: octet, count: set.publicKeyBytes)
            changed.signature = [UInt8](repeating: octet, count: set.signatureBytes)
            #expect(!changed.isValid())
        }
    }

    /// One octet changed, several, a part overwritten, or the end cut off. `HAWSER_FULL=1` makes
    /// ten thousand.
    @Test("signatures and keys that are changed by chance")
    func changed() throws {
        let isFull = ProcessInfo.processInfo.environment["HAWSER_FULL"] == "1"
        let valid = try SignedMessage.minted()
        var random = Chance(4)
        for round in 0..<(isFull ? 10_000 : 1_000) {
            let whole = valid[round % valid.count]
            var changed = whole
            let isKey = round.isMultiple(of: 5)
            var octets = isKey ? whole.key : whole.signature
            switch random.next(below: 6) {
            case 0: octets.removeLast(1 + random.next(below: octets.count))
            case 1:
                // The last octets of a signature are its hints.
                let place = octets.count - 1 - random.next(below: 84)
                octets[place] ^= UInt8(1 << random.next(below: 8))
            case 2:
                for _ in 0...random.next(below: 8) {
                    octets[random.next(below: octets.count)] = UInt8(random.next(below: 256))
                }
            case 3:
                let start = random.next(below: octets.count)
                for place in start..<min(octets.count, start + 40) { octets[place] = 0xff }
            default: octets[random.next(below: octets.count)] ^= UInt8(1 << random.next(below: 8))
            }
            guard octets != (isKey ? whole.key : whole.signature) else { continue }
            if isKey { changed.key = octets } else { changed.signature = octets }
            #expect(!changed.isValid(), "round \(round)")
        }
    }
}
