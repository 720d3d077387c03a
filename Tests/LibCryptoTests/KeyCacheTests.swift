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

    private func prepared(_ label: String) throws -> PreparedKey {
        let numbers = try numbers(label)
        return try #require(PreparedKey(numbers, name: .numbers(numbers)))
    }

    @Test("what was put in is taken out once, and nothing else is found")
    func takes() throws {
        let cache = KeyCache()
        let first = try prepared("first")
        #expect(cache.take(first.name) == nil)
        cache.put(first)
        #expect(cache.take(.numbers(try numbers("second"))) == nil)
        #expect(cache.count == 1)
        #expect(cache.take(first.name) === first)
        #expect(cache.take(first.name) == nil, "whoever has taken a key is its only user")
        #expect(cache.count == 0)
        cache.put(first)
        #expect(cache.take(first.name) === first)
    }

    @Test("copies of a key are kept beside each other, and displace no other key")
    func copies() throws {
        let cache = KeyCache()
        let others = try (0..<KeyCache.capacity).map { try prepared("other \($0)") }
        for key in others { cache.put(key) }
        let before = cache.count
        let known = try #require(others.last)
        for _ in 0..<64 { cache.put(try prepared("other \(KeyCache.capacity - 1)")) }
        #expect(cache.count >= before)
        var found = 0
        while cache.take(known.name) != nil { found += 1 }
        #expect(found >= 1)
        #expect(cache.count == before - 1 || found > 1)
        let left = others.dropLast().filter { cache.take($0.name) != nil }
        #expect(left.count == before - 1, "a key was displaced by a copy")
    }

    @Test("it never grows past its capacity, and the newest is there")
    func isBounded() throws {
        let cache = KeyCache()
        for index in 0..<KeyCache.capacity * 2 {
            let key = try prepared("key \(index)")
            cache.put(key)
            let taken = cache.take(key.name)
            #expect(taken === key)
            cache.put(key)
        }
        #expect(cache.count <= KeyCache.capacity)
        #expect(cache.count > KeyCache.capacity / 2)
    }

    @Test("a key is freed with the cache, and when another takes its place")
    func frees() throws {
        weak var inside: PreparedKey?
        weak var displaced: PreparedKey?
        do {
            let cache = KeyCache()
            do {
                let key = try prepared("inside")
                let old = try prepared("key 0")
                inside = key
                displaced = old
                cache.put(old)
            }
            #expect(displaced != nil)
            for index in 1..<KeyCache.capacity * 4 { cache.put(try prepared("key \(index)")) }
            #expect(displaced == nil)
            do {
                let key = try prepared("inside")
                inside = key
                cache.put(key)
            }
            #expect(inside != nil)
        }
        #expect(inside == nil)
    }

    @Test("one key under two names is found by each")
    func names() throws {
        let cache = KeyCache()
        let numbers = try numbers("one")
        let digest = LibCryptoBackend().digest(.sha256, of: TestKey.ed25519("one").spki.span)
        let name = KeyName.subjectPublicKeyInfo(digest)
        cache.put(try #require(PreparedKey(numbers, name: name)))
        #expect(cache.take(.numbers(numbers)) == nil)
        #expect(cache.take(name)?.name == name)
    }

    @Test("another name with the same tag is another key, which stays where it is")
    func tags() throws {
        func name(_ last: UInt8) throws -> KeyName {
            let octets = [UInt8](repeating: 7, count: 31) + [last]
            return .subjectPublicKeyInfo(try #require(Digest(.sha256, bytes: octets)))
        }
        let cache = KeyCache()
        let key = try #require(PreparedKey(try numbers("one"), name: try name(1)))
        cache.put(key)
        #expect(cache.take(try name(2)) == nil)
        #expect(cache.take(try name(1)) === key)
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

    @Test("threads that take, use and put back keys never share one")
    func threads() async throws {
        let cache = KeyCache()
        let names = try (0..<24).map { KeyName.numbers(try numbers("key \($0)")) }
        let used = await MemoryStress.run { thread, end in
            var used = 0
            var next = thread
            repeat {
                next = (next + 7) % names.count
                guard case .numbers(let numbers) = names[next] else { return -1 }
                let known = cache.take(names[next])
                guard let key = known ?? PreparedKey(numbers, name: names[next]),
                    key.name == names[next]
                else { return -1 }
                // Writes inside the key: two users at once would be a race.
                _ = key.verify(
                    .edwards(signatureBytes: 64), message: [UInt8]().span,
                    signature: [UInt8](repeating: 0, count: 64).span)
                cache.put(key)
                used += 1
            } while ContinuousClock.now < end
            return used
        }
        #expect(used.allSatisfy { $0 > 0 }, "\(used)")
        #expect(cache.count <= KeyCache.capacity)
    }
}
