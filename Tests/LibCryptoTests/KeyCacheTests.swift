import TestPKI
import Testing
import TrustEngine

@testable import LibCrypto

@Suite("key cache")
struct KeyCacheTests {
    private func numbers(_ label: String) throws -> KeyNumbers {
        let key = try BufferedKey(spki: TestKey.ed25519(label).spki)
        let numbers = KeyNumbers(key.key.material, in: key.buffer.span)
        return try #require(numbers)
    }

    @Test("what came in is found, and nothing else")
    func finds() throws {
        let cache = KeyCache()
        let first = try numbers("first")
        let second = try numbers("second")
        #expect(cache.find(first) == nil)
        let prepared = try #require(PreparedKey(first))
        cache.insert(prepared, for: first)
        #expect(cache.find(first) === prepared)
        #expect(cache.find(second) == nil)
        cache.insert(try #require(PreparedKey(first)), for: first)
        #expect(cache.find(first) === prepared, "the first to come stays")
        #expect(cache.count == 1)
    }

    @Test("it never grows past its capacity, and the newest is there")
    func isBounded() throws {
        let cache = KeyCache()
        for index in 0..<KeyCache.capacity * 2 {
            let key = try numbers("key \(index)")
            cache.insert(try #require(PreparedKey(key)), for: key)
            #expect(cache.find(key) != nil)
        }
        #expect(cache.count <= KeyCache.capacity)
        #expect(cache.count > KeyCache.capacity / 2)
    }

    @Test("keys are equal when their numbers are, whatever the encoding around them")
    func equality() {
        let first = BufferedKey.rsa(modulus: [0, 0xff, 0x01], exponent: [3])
        let second = BufferedKey.rsa(modulus: [0xff, 0x01], exponent: [0, 3])
        let third = BufferedKey.rsa(modulus: [0xff], exponent: [1, 3])
        func numbers(_ key: BufferedKey) -> KeyNumbers? {
            KeyNumbers(key.key.material, in: key.buffer.span)
        }
        #expect(numbers(first) == numbers(second))
        #expect(numbers(first) != numbers(third), "the same octets, split elsewhere")
    }
}
