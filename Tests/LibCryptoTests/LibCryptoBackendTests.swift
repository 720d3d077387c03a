import CLibCrypto
import LibCrypto
import TestPKI
import Testing
import TrustEngine

@Suite("libcrypto backend")
struct LibCryptoBackendTests {
    private let backend = LibCryptoBackend()

    private func verify(
        _ algorithm: SignatureAlgorithm, _ key: BufferedKey, _ message: [UInt8],
        _ signature: [UInt8]
    ) -> SignatureOutcome {
        backend.verify(
            algorithm, key: key.key, keyBytes: key.buffer.span, message: message.span,
            signature: signature.span)
    }

    // MARK: Digests

    @Test(
        "digests of FIPS 180-4's examples",
        arguments: [
            (
                DigestAlgorithm.sha256, "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
            (
                .sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            ),
            (
                .sha384, "abc",
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                    + "8086072ba1e7cc2358baeca134c825a7"
            ),
            (
                .sha512, "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ])
    func digests(_ algorithm: DigestAlgorithm, _ text: String, _ hex: String) {
        let digest = backend.digest(algorithm, of: Array(text.utf8).span)
        #expect(digest.bytes == octets(hex: hex))
        #expect(digest == Digest(algorithm, bytes: octets(hex: hex)))
    }

    // MARK: Signatures that verify, and signatures with one change

    @Test("known answers verify, also with the key remembered", arguments: KnownAnswer.all)
    func knownAnswers(_ answer: KnownAnswer) throws {
        let key = try BufferedKey(spki: #require(KnownAnswer.keys[answer.key]))
        for _ in 0..<3 {
            #expect(
                verify(answer.algorithm, key, KnownAnswer.message, answer.signature) == .valid)
        }
        ERR_clear_error()
        #expect(
            verify(answer.algorithm, key, KnownAnswer.message + [0], answer.signature) == .invalid)
        #expect(verify(answer.algorithm, key, [], answer.signature) == .invalid)
        #expect(verify(answer.algorithm, key, KnownAnswer.message, []) == .invalid)
        #expect(
            verify(answer.algorithm, key, KnownAnswer.message, answer.signature + [0]) == .invalid)
        for bit in stride(from: 0, to: answer.signature.count * 8, by: 13) {
            var flipped = answer.signature
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(verify(answer.algorithm, key, KnownAnswer.message, flipped) == .invalid)
        }
        #expect(
            verify(answer.algorithm, key, KnownAnswer.message, answer.signature) == .valid,
            "a refusal must not spoil what is remembered")
        #expect(ERR_peek_error() == 0, "the error queue is left as it was found")
    }

    @Test("a signature is nothing under another algorithm or key", arguments: KnownAnswer.all)
    func otherAlgorithms(_ answer: KnownAnswer) throws {
        for other in KnownAnswer.all where other.key != answer.key {
            let key = try BufferedKey(spki: #require(KnownAnswer.keys[other.key]))
            let outcome = verify(answer.algorithm, key, KnownAnswer.message, answer.signature)
            let isSameKey = other.key.prefix(4) == answer.key.prefix(4)
            if !isSameKey { #expect(outcome != .valid) }
        }
        let key = try BufferedKey(spki: #require(KnownAnswer.keys[answer.key]))
        for other in KnownAnswer.all where other.algorithm != answer.algorithm {
            let outcome = verify(other.algorithm, key, KnownAnswer.message, answer.signature)
            #expect(outcome != .valid, "\(other.name)")
            if kind(other.algorithm) != kind(answer.algorithm) { #expect(outcome == .invalid) }
        }
        // The backend does not have the algorithm; or it has keys of this type, which make no such
        // signatures.
        for none in [SignatureAlgorithm.unsupported, .rsaPKCS1(.other), .ecdsa(.other)] {
            let isOfKey = none == .unsupported || kind(none) == kind(answer.algorithm)
            #expect(
                verify(none, key, KnownAnswer.message, answer.signature)
                    == (isOfKey ? .unsupported : .invalid))
        }
    }

    private func kind(_ algorithm: SignatureAlgorithm) -> String {
        switch algorithm {
        case .rsaPKCS1, .rsaPSS: return "RSA"
        case .ecdsa: return "EC"
        case .dsa: return "DSA"
        case .ed25519: return "Ed25519"
        case .ed448: return "Ed448"
        case .mldsa: return "ML-DSA"
        case .unsupported: return "none"
        }
    }

    @Test("RFC 8032 section 7.1 test 1: an empty message")
    func emptyMessage() {
        let key = BufferedKey.ed25519(
            octets(hex: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
        let signature = octets(
            hex:
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
                + "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b")
        #expect(verify(.ed25519, key, [], signature) == .valid)
        #expect(verify(.ed25519, key, [0], signature) == .invalid)
    }

    @Test(
        "every kind of test key signs what this verifies",
        arguments: [
            TestKey.rsa1024("backend"), .rsa3072("backend"), .p256("backend"), .p384("backend"),
            .p521("backend"), .ed25519("backend"), .ed448("backend"),
        ])
    func testKeys(_ key: TestKey) throws {
        let message = Array("signed twice, the same twice".utf8)
        let signature = key.sign(message)
        #expect(signature == key.sign(message))
        let leaf = try Scenario().selfSignedLeaf(dns: ["a.example"], key: key).parsed()
        let outcome = backend.verify(
            leaf.layout.signatureAlgorithm, key: leaf.layout.publicKey, keyBytes: leaf.der.span,
            message: message.span, signature: signature.span)
        #expect(outcome == .valid)
    }

    // MARK: Keys that are none

    @Test("an RSA exponent of 64 bits is the longest, a modulus of 512 to 16,384 bits")
    func rsaCaps() throws {
        let answer = try #require(KnownAnswer.all.first { $0.key == "rsa2048" })
        let good = try BufferedKey(spki: #require(KnownAnswer.keys["rsa2048"]))
        guard case .rsa(let range, _) = good.key.material else {
            Issue.record("not RSA")
            return
        }
        let modulus = Array(good.buffer[range.indices])
        func outcome(_ modulus: [UInt8], _ exponent: [UInt8]) -> SignatureOutcome {
            verify(
                .rsaPKCS1(.sha1), .rsa(modulus: modulus, exponent: exponent), KnownAnswer.message,
                answer.signature)
        }
        #expect(outcome(modulus, [1, 0, 1]) == .valid)
        #expect(outcome([0, 0] + modulus, [0, 1, 0, 1]) == .valid, "leading zeros say nothing")
        #expect(outcome(modulus, []) == .invalid)
        #expect(outcome(modulus, [0]) == .invalid)
        #expect(outcome(modulus, [1]) == .invalid)
        #expect(outcome(modulus, [2]) == .invalid, "even")
        #expect(outcome(modulus, [1, 0, 0]) == .invalid, "even")
        #expect(outcome(modulus, [1, 0, 0, 0, 0, 0, 0, 0, 1]) == .invalid, "65 bits")
        #expect(outcome(modulus, [UInt8](repeating: 0xff, count: 384)) == .invalid, "3072 bits")
        var even = modulus
        even[255] &= 0xfe
        #expect(outcome(even, [1, 0, 1]) == .invalid)
        #expect(outcome([], [1, 0, 1]) == .invalid)
        #expect(outcome([UInt8](repeating: 0, count: 256), [1, 0, 1]) == .invalid)
        #expect(outcome([UInt8](repeating: 0xff, count: 2049), [1, 0, 1]) == .invalid)
    }

    /// With exponent 3 and a signature of 1, 1 is what the modulus leaves: never an encoded
    /// message. What counts is that a modulus at each border is computed with or not, which the
    /// refusal hides; so the borders are told apart by keys that do verify.
    @Test("a modulus just large enough verifies, one bit less does not")
    func smallModulus() throws {
        let small = TestKey(.rsa(bits: 512), "border")
        let below = TestKey(.rsa(bits: 496), "border")
        let message = Array("m".utf8)
        for (key, expected) in [(small, SignatureOutcome.valid), (below, .invalid)] {
            let parsed = try BufferedKey(spki: key.spki)
            #expect(
                verify(.rsaPKCS1(.sha256), parsed, message, key.sign(message, .rsaPKCS1(.sha256)))
                    == expected)
        }
    }

    @Test("points off the curve, at infinity, or of another form")
    func badPoints() throws {
        let answer = try #require(KnownAnswer.all.first { $0.name == "ECDSA p256 sha256" })
        let spki = try #require(KnownAnswer.keys["p256"])
        let point = Array(spki.suffix(65))
        func outcome(_ point: [UInt8], _ curve: PublicKey.Curve = .p256) -> SignatureOutcome {
            verify(.ecdsa(.sha256), .ec(curve, point), KnownAnswer.message, answer.signature)
        }
        #expect(outcome(point) == .valid)
        var off = point
        off[64] ^= 1
        #expect(outcome(off) == .invalid)
        #expect(outcome([0]) == .invalid)
        #expect(outcome([]) == .invalid)
        #expect(outcome([UInt8](repeating: 0, count: 65)) == .invalid)
        #expect(outcome([4] + [UInt8](repeating: 0, count: 64)) == .invalid)
        #expect(outcome([4] + [UInt8](repeating: 0xff, count: 64)) == .invalid)
        #expect(outcome([6 | point[64] & 1] + point.dropFirst()) == .invalid, "hybrid form")
        #expect(outcome(point + [0]) == .invalid)
        #expect(outcome(point, .p384) == .invalid)
    }

    @Test("ranges that leave the buffer", arguments: KnownAnswer.all)
    func rangesOutside(_ answer: KnownAnswer) throws {
        let key = try BufferedKey(spki: #require(KnownAnswer.keys[answer.key])).cutShort
        #expect(verify(answer.algorithm, key, KnownAnswer.message, answer.signature) == .invalid)
    }

    /// With a key of small order, R = 0 and S = 0 verify whenever the hash happens to be a multiple
    /// of that order: at least once in 64 messages for each of these keys, if they were let in.
    @Test(
        "no signature verifies under an Edwards point of small order",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        ])
    func smallOrder(_ hex: String) {
        let identity = [1] + [UInt8](repeating: 0, count: 63)
        for message in 0..<64 {
            #expect(
                verify(.ed25519, .ed25519(octets(hex: hex)), [UInt8(message)], identity) == .invalid
            )
        }
    }

    @Test("no signature verifies under an Ed448 point of small order")
    func smallOrder448() {
        let identity = [1] + [UInt8](repeating: 0, count: 113)
        let one = [1] + [UInt8](repeating: 0, count: 56)
        for key in [one, [UInt8](repeating: 0, count: 57)] {
            for message in 0..<64 {
                #expect(verify(.ed448, .ed448(key), [UInt8(message)], identity) == .invalid)
            }
        }
    }

    @Test("a key of RSASSA-PSS's own type verifies what its parameters permit, and nothing else")
    func keysOfPSS() throws {
        let key = TestKey.rsa2048("forms")
        let message = Array("a message".utf8)
        let bound = TestSignature.rsaPSS(.sha256)
        let signatures: [(TestSignature, SignatureAlgorithm, permitted: Bool)] = [
            (bound, .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 32), true),
            (
                .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 40),
                .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 40), true
            ),
            (
                .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 31),
                .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 31), false
            ),
            (.rsaPSS(.sha384), .rsaPSS(hash: .sha384, mgfHash: .sha384, saltLength: 48), false),
            (.rsaPKCS1(.sha256), .rsaPKCS1(.sha256), false),
        ]
        let plain = try BufferedKey(spki: key.spki)
        let free = try BufferedKey(spki: key.spkiForPSS(nil))
        let strict = try BufferedKey(spki: key.spkiForPSS(bound))
        // The second time the key is known.
        for _ in 0..<2 {
            for (signature, algorithm, permitted) in signatures {
                let made = key.sign(message, signature)
                #expect(verify(algorithm, plain, message, made) == .valid)
                let isPSS = if case .rsaPSS = algorithm { true } else { false }
                #expect(verify(algorithm, free, message, made) == (isPSS ? .valid : .invalid))
                #expect(verify(algorithm, strict, message, made) == (permitted ? .valid : .invalid))
            }
        }
    }

    @Test("a PSS salt length below zero is no instruction to libcrypto")
    func negativeSalt() throws {
        let answer = try #require(KnownAnswer.all.first { $0.name.hasPrefix("RSASSA-PSS sha256") })
        let key = try BufferedKey(spki: #require(KnownAnswer.keys[answer.key]))
        for salt in [Int32(-1), -2, -3, .min] {
            let algorithm = SignatureAlgorithm.rsaPSS(
                hash: .sha256, mgfHash: .sha256, saltLength: salt)
            #expect(verify(algorithm, key, KnownAnswer.message, answer.signature) != .valid)
        }
        for salt in [Int32(31), 33, 4096, .max] {
            let algorithm = SignatureAlgorithm.rsaPSS(
                hash: .sha256, mgfHash: .sha256, saltLength: salt)
            #expect(verify(algorithm, key, KnownAnswer.message, answer.signature) == .invalid)
        }
    }

    @Test("Ed25519 where verifiers differ", arguments: EdwardsSignature.all)
    func edwards(_ odd: EdwardsSignature) {
        #expect(
            verify(.ed25519, .ed25519(odd.key), odd.message, odd.signature)
                == (odd.isValid ? .valid : .invalid))
    }

    @Test("encoded messages that RFC 8017 refuses", arguments: [TestKey.rsa2048("forms")])
    func encodedMessages(_ key: TestKey) throws {
        let buffered = try BufferedKey(spki: key.spki)
        for form in RSAEncodedSignature.all(key) {
            #expect(
                verify(form.algorithm, buffered, RSAEncodedSignature.message, form.signature)
                    == (form.isValid ? .valid : .invalid), "\(form)")
        }
    }

    @Test("threads share a backend")
    func threads() async throws {
        let answers = try KnownAnswer.all.map {
            ($0, try BufferedKey(spki: #require(KnownAnswer.keys[$0.key])))
        }
        let wrong = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for (answer, key) in answers + answers.reversed() {
                        let good = verify(
                            answer.algorithm, key, KnownAnswer.message, answer.signature)
                        let bad = verify(answer.algorithm, key, [1], answer.signature)
                        if good != .valid || bad != .invalid { wrong += 1 }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
