import TestPKI
import Testing
import TrustEngine

@testable import LibCrypto

@Suite("signature memory")
struct SignatureMemoryTests {
    /// A digest whose words are given.
    private static func digest(_ words: (UInt64, UInt64, UInt64, UInt64)) -> Digest {
        Digest(.sha256, words: (words.0, words.1, words.2, words.3, 0, 0, 0, 0))
    }

    /// A signature whose digests are spread as digests are.
    private static func signature(_ number: UInt64) -> SignatureIdentity {
        func spread(_ seed: UInt64) -> UInt64 {
            // The finaliser of SplitMix64.
            var word = seed &* 0x9e37_79b9_7f4a_7c15
            word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
            return word ^ word >> 31
        }
        return SignatureIdentity(
            issuerKey: digest(
                (
                    spread(number * 8 + 1), spread(number * 8 + 2), spread(number * 8 + 3),
                    spread(number * 8 + 4)
                )),
            certificate: digest(
                (
                    spread(number * 8 + 5), spread(number * 8 + 6), spread(number * 8 + 7),
                    spread(number * 8 + 8)
                )))
    }

    /// A signature of one set, of a key and a certificate with these numbers.
    private static func crowded(key: UInt64, certificate: UInt64) -> SignatureIdentity {
        SignatureIdentity(
            issuerKey: digest((key, key, key, key)),
            certificate: digest((0, 0, certificate, certificate)))
    }

    @Test("what is remembered is found, and nothing beside it")
    func finds() {
        let memory = SignatureMemory(capacity: 4_096)
        let first = SignatureMemoryTests.signature(1)
        let second = SignatureMemoryTests.signature(2)
        #expect(!memory.holds(first))
        memory.remember(first)
        #expect(memory.holds(first))
        #expect(!memory.holds(second))
        memory.remember(second)
        #expect(memory.holds(first) && memory.holds(second))
        let crossed = [
            SignatureIdentity(issuerKey: first.issuerKey, certificate: second.certificate),
            SignatureIdentity(issuerKey: second.issuerKey, certificate: first.certificate),
        ]
        for other in crossed { #expect(!memory.holds(other)) }
    }

    @Test("every octet of both digests counts", arguments: 0..<64)
    func everyOctet(_ octet: Int) throws {
        let memory = SignatureMemory(capacity: 64)
        let known = SignatureMemoryTests.signature(3)
        memory.remember(known)
        func changed(_ digest: Digest, _ octet: Int) throws -> Digest {
            guard (0..<32).contains(octet) else { return digest }
            var bytes = digest.bytes
            bytes[octet] ^= 1
            return try #require(Digest(.sha256, bytes: bytes))
        }
        let other = SignatureIdentity(
            issuerKey: try changed(known.issuerKey, octet),
            certificate: try changed(known.certificate, octet - 32))
        #expect(memory.holds(known))
        #expect(!memory.holds(other))
    }

    @Test("the same signature takes one place, however often it verifies")
    func once() {
        let memory = SignatureMemory(capacity: 64)
        for _ in 0..<100 { memory.remember(SignatureMemoryTests.signature(4)) }
        #expect(memory.count == 1)
    }

    @Test("a digest of zeros is not held by a memory that is empty")
    func zeros() {
        let memory = SignatureMemory(capacity: 64)
        let zeros = SignatureMemoryTests.crowded(key: 0, certificate: 0)
        memory.remember(SignatureMemoryTests.crowded(key: 1, certificate: 1))
        #expect(!memory.holds(zeros))
    }

    @Test(
        "the capacity is a power of two within its limits",
        arguments: [(1, 64), (64, 64), (65, 128), (16_384, 16_384), (.max, 65_536)])
    func capacity(_ wanted: Int, _ expected: Int) {
        #expect(SignatureMemory(capacity: wanted).capacity == expected)
        #expect(SignatureMemory.largestCapacity == 65_536)
    }

    /// With `HAWSER_FULL=1` a million signatures.
    @Test("any number of signatures leaves the memory as large as it is; what is met often stays")
    func isBounded() {
        let signatures: UInt64 = Sample.isWhole ? 1_000_000 : 100_000
        let memory = SignatureMemory(capacity: 1_024)
        let often = (0..<64).map { SignatureMemoryTests.signature(10_000_000 + $0) }
        var missed = 0
        for number in 0..<signatures {
            memory.remember(SignatureMemoryTests.signature(number))
            guard number % 16 == 0 else { continue }
            let known = often[Int(number / 16) % often.count]
            if !memory.holds(known) {
                missed += 1
                memory.remember(known)
            }
        }
        #expect(memory.count == memory.capacity)
        // A set meets a new signature every 256 turns, and one of these every 1,024.
        #expect(missed < Int(signatures) / 16 / 2, "\(missed)")
    }

    @Test("readers among writers never find one signature's key with another's certificate")
    func threads() async {
        let memory = SignatureMemory(capacity: 64)
        let numbers: Range<UInt64> = 1..<12
        let found = await MemoryStress.run { thread, end in
            var found = (hits: 0, wrong: 0)
            var next = UInt64(thread)
            repeat {
                for _ in 0..<256 {
                    next = next &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let key = numbers.lowerBound + next >> 33 % UInt64(numbers.count)
                    let certificate = numbers.lowerBound + next >> 45 % UInt64(numbers.count)
                    let asked = SignatureMemoryTests.crowded(key: key, certificate: certificate)
                    if memory.holds(asked) {
                        found.hits += 1
                        // Only a key's own certificate has ever been remembered.
                        if key != certificate { found.wrong += 1 }
                    } else if key == certificate {
                        memory.remember(asked)
                    }
                }
            } while ContinuousClock.now < end
            return found
        }
        #expect(found.contains { $0.hits > 0 })
        #expect(found.allSatisfy { $0.wrong == 0 }, "\(found)")
        #expect(memory.count <= 4, "all of them belong to one set")
    }
}
