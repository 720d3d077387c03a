import HawserSwiftCrypto
import TestPKI
import Testing
import TrustEngine

@Suite("both backends on one signature")
struct SignatureTests {
    @Test("sound signatures verify, and swift-crypto verifies what the page says")
    func sound() throws {
        let both = BothBackends()
        var taken = 0
        for sound in try SoundSignature.all() {
            for _ in 0..<2 {
                #expect(
                    both.verify(sound.algorithm, sound.key, sound.message, sound.signature)
                        == .valid, "\(sound)")
            }
            let asks = SwiftCryptoBackend.asksSwiftCrypto(
                sound.algorithm, key: sound.key.key, keyBytes: sound.key.buffer.span)
            #expect(asks == sound.isTaken, "\(sound)")
            if asks { taken += 1 }
        }
        #expect(taken > 15)
    }

    @Test("every octet of a signature changed, the signature cut and lengthened, another message")
    func damagedSignatures() throws {
        let both = BothBackends()
        var random = SplitMix(state: 20)
        var asked = 0
        for sound in try SoundSignature.all() {
            func refuse(_ message: [UInt8], _ signature: [UInt8], _ what: String) {
                asked += 1
                #expect(
                    both.verify(sound.algorithm, sound.key, message, signature) == .invalid,
                    "\(sound): \(what)")
            }
            for index in sound.signature.indices {
                var changed = sound.signature
                changed[index] ^= random.change()
                refuse(sound.message, changed, "octet \(index)")
            }
            for count in 0..<sound.signature.count {
                refuse(sound.message, Array(sound.signature.prefix(count)), "\(count) octets")
            }
            for extra in 1...3 {
                let tail = [UInt8](repeating: 0, count: extra)
                refuse(sound.message, sound.signature + tail, "\(extra) more")
                refuse(sound.message, tail + sound.signature, "\(extra) before")
            }
            refuse(sound.message + [0], sound.signature, "a longer message")
            refuse([1], sound.signature, "another message")
        }
        #expect(asked > 9_000)
    }

    @Test("every octet of a key changed, as numbers that no parser has seen and as parsed")
    func damagedKeys() throws {
        let both = BothBackends()
        var random = SplitMix(state: 448)
        var refused = 0
        var parsed = 0
        for sound in try SoundSignature.all() {
            for index in sound.key.buffer.indices {
                var changed = sound.key.buffer
                changed[index] ^= random.change()
                let numbers = both.verify(
                    sound.algorithm, sound.key.key, changed, sound.message, sound.signature)
                #expect(numbers != nil, "\(sound): octet \(index)")
                if numbers == .invalid { refused += 1 }
                guard let key = try? BufferedKey(spki: changed) else { continue }
                parsed += 1
                #expect(
                    both.verify(sound.algorithm, key, sound.message, sound.signature) != nil,
                    "\(sound): octet \(index), parsed")
            }
        }
        #expect(refused > 2_000)
        #expect(parsed > 1_000)
    }

    @Test("every signature under every other algorithm and key")
    func mixtures() throws {
        let both = BothBackends()
        let all = try SoundSignature.all()
        for one in all {
            for other in all {
                #expect(
                    both.verify(other.algorithm, one.key, one.message, one.signature) != nil,
                    "\(one) as \(other)")
                #expect(
                    both.verify(one.algorithm, other.key, one.message, one.signature) != nil,
                    "\(one) under the key of \(other)")
            }
        }
    }

    @Test(
        "encoded messages that RFC 8017 refuses",
        arguments: [TestKey.rsa2048("both"), .rsa1024("both"), .rsa4096("both")])
    func encodedMessages(_ key: TestKey) throws {
        let both = BothBackends()
        let buffered = try BufferedKey(spki: key.spki)
        for form in RSAEncodedSignature.all(key) {
            #expect(
                both.verify(
                    form.algorithm, buffered, RSAEncodedSignature.message, form.signature)
                    == (form.isValid ? .valid : .invalid), "\(form)")
        }
    }

    @Test("Ed25519 where verifiers differ", arguments: EdwardsSignature.all)
    func edwards(_ odd: EdwardsSignature) {
        #expect(
            BothBackends().verify(.ed25519, .ed25519(odd.key), odd.message, odd.signature)
                == (odd.isValid ? .valid : .invalid))
    }

    @Test("RSA exponents and moduli at both libraries' limits")
    func rsaLimits() throws {
        let both = BothBackends()
        let key = try BufferedKey(spki: TestKey.rsa2048("both").spki)
        guard case .rsa(let range, _) = key.key.material else {
            Issue.record("no RSA key")
            return
        }
        let modulus = Array(key.buffer[range.indices])
        let signature = [UInt8](repeating: 0, count: 255) + [1]
        for (exponent, isTaken) in [
            ([3], true), ([1, 0, 1], true), ([1, 0xff, 0xff, 0xff, 0xff], true),
            ([2, 0, 0, 0, 1], false), ([0x80, 0, 0, 0, 0, 0, 0, 1], false), ([1], false),
            ([2], false), ([], false), ([1, 0, 0, 0, 0, 0, 0, 0, 1], false),
        ] as [([UInt8], Bool)] {
            let odd = BufferedKey.rsa(modulus: modulus, exponent: exponent)
            #expect(both.verify(.rsaPKCS1(.sha256), odd, [1], signature) == .invalid)
            #expect(
                SwiftCryptoBackend.asksSwiftCrypto(
                    .rsaPKCS1(.sha256), key: odd.key, keyBytes: odd.buffer.span) == isTaken,
                "\(exponent)")
        }
        for (bits, isTaken) in [
            (2040, false), (2048, true), (8192, true), (8200, false), (16_384, false),
        ] {
            let long = [0x80] + [UInt8](repeating: 0xff, count: bits / 8 - 1)
            let odd = BufferedKey.rsa(modulus: long, exponent: [1, 0, 1])
            let one = [UInt8](repeating: 0, count: bits / 8 - 1) + [1]
            #expect(both.verify(.rsaPKCS1(.sha256), odd, [1], one) == .invalid)
            #expect(
                SwiftCryptoBackend.asksSwiftCrypto(
                    .rsaPKCS1(.sha256), key: odd.key, keyBytes: odd.buffer.span) == isTaken,
                "\(bits)")
        }
    }

    @Test("random numbers as ECDSA signatures, and those at the order", arguments: [32, 48, 66])
    func ecdsaNumbers(_ octets: Int) throws {
        let both = BothBackends()
        let (key, order) =
            try [
                32: (BufferedKey(spki: TestKey.p256("both").spki), Orders.p256),
                48: (BufferedKey(spki: TestKey.p384("both").spki), Orders.p384),
                66: (BufferedKey(spki: TestKey.p521("both").spki), Orders.p521),
            ][octets]!
        var random = SplitMix(state: UInt64(octets))
        var numbers: [[UInt8]] = [order, Orders.minusOne(order), [0], [1], []]
        numbers.append([UInt8](repeating: 0xff, count: octets))
        for _ in 0..<12 {
            numbers.append((0..<octets).map { _ in UInt8(random.below(256)) })
        }
        for r in numbers {
            for s in numbers {
                let body = Orders.integer(r) + Orders.integer(s)
                let header: [UInt8] =
                    body.count < 128 ? [0x30, UInt8(body.count)] : [0x30, 0x81, UInt8(body.count)]
                #expect(both.verify(.ecdsa(.sha256), key, [1], header + body) == .invalid)
            }
        }
    }

    @Test("threads share a backend")
    func threads() async throws {
        let backend = SwiftCryptoBackend()
        let all = try SoundSignature.all()
        let wrong = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for sound in all + all.reversed() {
                        let key = sound.key
                        let good = backend.verify(
                            sound.algorithm, key: key.key, keyBytes: key.buffer.span,
                            message: sound.message.span, signature: sound.signature.span)
                        let bad = backend.verify(
                            sound.algorithm, key: key.key, keyBytes: key.buffer.span,
                            message: [9].span, signature: sound.signature.span)
                        if good != .valid || bad != .invalid { wrong += 1 }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test("digests are those of libcrypto")
    func digests() {
        let both = BothBackends()
        let message = Array("digest me".utf8)
        for algorithm in [DigestAlgorithm.sha256, .sha384, .sha512] {
            #expect(
                both.libcrypto.digest(algorithm, of: message.span)
                    == both.swiftCrypto.digest(algorithm, of: message.span))
        }
        #expect(
            both.libcrypto.identifierSHA1(of: message.span)
                == both.swiftCrypto.identifierSHA1(of: message.span))
    }
}

/// The orders of the curves' groups (SEC 2 sections 2.4.2, 2.5.1 and 2.6.1).
private enum Orders {
    static let p256 = octets(
        hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    static let p384 = octets(
        hex: "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf"
            + "581a0db248b0a77aecec196accc52973")
    static let p521 = octets(
        hex: "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
            + "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409")

    /// An order less one. Orders are odd.
    static func minusOne(_ order: [UInt8]) -> [UInt8] {
        order.dropLast() + [order[order.count - 1] - 1]
    }

    /// An INTEGER of DER.
    static func integer(_ number: [UInt8]) -> [UInt8] {
        let shortest = Array(number.drop { $0 == 0 })
        let signed = (shortest.first ?? 0x80) >= 0x80 ? [0] + shortest : shortest
        return [2, UInt8(signed.count)] + signed
    }
}
