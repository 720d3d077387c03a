/// An RSA key pair found from a label.
///
/// The two primes are the first that a search from octets derived from the label finds, with public
/// exponent 65537. Primality is a Fermat test to base 2 after a sieve: the outcome depends only on
/// the label, not on a random witness, and at these sizes a composite passing it is out of reach of
/// chance. About 30 ms for 2048 bits and half a second for 4096.
struct RSAKeyMaterial {
    let modulus: BigNumber
    let exponent = BigNumber(65_537)
    let privateExponent: BigNumber
    let p: BigNumber
    let q: BigNumber
    let bits: Int

    /// The primes in octets, which are worth keeping once they are found.
    struct Stored: Sendable {
        let p: [UInt8]
        let q: [UInt8]
    }

    init(label: String, bits: Int) {
        let half = bits / 2
        let first = RSAKeyMaterial.prime("rsa-\(bits) p \(label)", bits: half)
        let second = RSAKeyMaterial.prime("rsa-\(bits) q \(label)", bits: half)
        self.init(p: first, q: second)
    }

    init(_ stored: Stored) {
        self.init(p: BigNumber(stored.p), q: BigNumber(stored.q))
    }

    private init(p: BigNumber, q: BigNumber) {
        let one = BigNumber(1)
        self.p = p
        self.q = q
        self.modulus = p * q
        self.bits = modulus.bits
        self.privateExponent = exponent.inverse(modulo: (p - one) * (q - one))
    }

    /// The primes in octets.
    var stored: Stored { Stored(p: p.octets(), q: q.octets()) }

    /// RSASP1 (RFC 8017 section 5.2.1) on an encoded message, by the Chinese remainder theorem.
    func privateOperation(_ encoded: [UInt8]) -> [UInt8] {
        let one = BigNumber(1)
        let message = BigNumber(encoded)
        let modP = (message % p).power(privateExponent % (p - one), modulo: p)
        let modQ = (message % q).power(privateExponent % (q - one), modulo: q)
        let difference = (modP + p * q - modQ) % p
        let result = modQ + q * ((difference * (q % p).inverse(modulo: p)) % p)
        return result.octets(count: bits / 8)
    }

    /// RSAPublicKey (RFC 8017 appendix A.1.1).
    var publicKey: [UInt8] {
        DER.sequence(
            DER.integer(unsigned: modulus.octets()), DER.integer(unsigned: exponent.octets()))
    }

    /// RSAPrivateKey (RFC 8017 appendix A.1.2).
    var privateKey: [UInt8] {
        let one = BigNumber(1)
        let numbers = [
            modulus, exponent, privateExponent, p, q, privateExponent % (p - one),
            privateExponent % (q - one), (q % p).inverse(modulo: p),
        ]
        return DER.sequence(
            of: [DER.integer(0)] + numbers.map { DER.integer(unsigned: $0.octets()) })
    }

    /// The first prime from a label's octets whose predecessor 65537 does not divide. The two top
    /// bits are set, so that two such primes make a modulus of full length.
    private static func prime(_ label: String, bits: Int) -> BigNumber {
        var octets = TestHash.sha512.expand(Array(label.utf8), count: bits / 8)
        octets[0] |= 0xc0
        octets[octets.count - 1] |= 1
        let start = BigNumber(octets)
        let residues = smallPrimes.map { start.remainder($0) }
        let two = BigNumber(2)
        let one = BigNumber(1)
        var offset: UInt64 = 0
        while true {
            defer { offset += 2 }
            let isSieved = zip(smallPrimes, residues).contains { ($1 + offset) % $0 == 0 }
            if isSieved { continue }
            let candidate = start + BigNumber(offset)
            let predecessor = candidate - one
            if predecessor.remainder(65_537) == 0 { continue }
            if two.power(predecessor, modulo: candidate).octets() == [1] { return candidate }
        }
    }

    /// Odd primes below 4096.
    private static let smallPrimes: [UInt64] = {
        var isComposite = [Bool](repeating: false, count: 4096)
        var primes: [UInt64] = []
        for number in stride(from: 3, to: 4096, by: 2) where !isComposite[number] {
            primes.append(UInt64(number))
            for multiple in stride(from: number * number, to: 4096, by: number) {
                isComposite[multiple] = true
            }
        }
        return primes
    }()
}
