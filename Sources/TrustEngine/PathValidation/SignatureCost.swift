/// The cost of verifying one signature. A unit is about one microsecond.
///
/// The numbers are medians of OpenSSL 3.0.19 on a 2-core x86-64 machine, rounded up (RSA-2048 26,
/// RSA-4096 77, P-256 83, P-384 887, Ed25519 138 us). P-521 and Ed448 were scaled from them, and
/// ML-DSA is measured of `MLDSA` (`latticeUnits`). RSA grows with the square of the modulus and
/// linearly with the exponent's bits, of which 65537 has 17.
package enum SignatureCost {
    /// Cost of one verification under a key, in units. Hashing `messageBytes` is included.
    ///
    /// `exponentBits` is the bit length of the RSA exponent. It is ignored for other keys.
    package static func units(
        for key: PublicKey, exponentBits: Int, messageBytes: Int
    ) -> Int {
        let hashing = messageBytes / 512 + 1
        switch key.material {
        case .rsa, .rsaPSS:
            let bits = min(Int(key.bits), 1 << 16)
            let base = max(10, bits * bits / 160_000)
            return hashing + base * max(17, exponentBits) / 17
        case .ec(.p256, _): return hashing + 85
        case .ec(.p384, _): return hashing + 900
        case .ec(.p521, _): return hashing + 1_800
        case .ed25519: return hashing + 140
        case .ed448: return hashing + 500
        case .mldsa(let set, _): return messageBytes / 136 + 1 + latticeUnits(set)
        // Twice what `openssl speed` of OpenSSL 3.0.19 shows: 57 us for 1024 bits, 181 us for 2048.
        case .dsa:
            let bits = min(Int(key.bits), 1 << 16)
            return hashing + max(110, bits * bits / 11_000)
        case .unsupported: return hashing
        }
    }
}

extension SignatureCost {
    /// Cost of one ML-DSA verification over a short message, the key's preparation included: the
    /// medians that `Tests/Benchmarks/mldsa.sh` printed on the same machine (244, 389 and 609 us
    /// for a verification over 2,048 octets, 23, 71 and 81 us for a key), rounded up. Each 136
    /// octets of the message are one more unit: a block of SHAKE256 (FIPS 202 section 6.2) takes up
    /// to a microsecond.
    private static func latticeUnits(_ set: PublicKey.MLDSAParameters) -> Int {
        switch set {
        case .mldsa44: return 280
        case .mldsa65: return 470
        case .mldsa87: return 700
        }
    }

    /// Cost of reading a certificate, without the cost of its octets, in units.
    package static func readingUnits(of certificate: Certificate) -> Int {
        readingUnits(of: certificate.layout.publicKey) + Int(certificate.layout.readingUnits)
    }

    /// Cost of octets that cannot be read as a certificate, in units: the most that the attempt to
    /// read this many octets may cost. Octets beyond the limit of size are not read at all.
    package static func readingUnits(ofUnreadable octets: Int) -> Int {
        mostReadingUnits + (octets <= CertificateParser.maximumSize ? octets / 16 : 0)
    }

    /// Cost of reading a key, without the cost of its octets, in units. The numbers are medians on
    /// the same machine, rounded up. For a key of RFC 8032 the parser computes whether the second
    /// coordinate exists. For a compressed point it computes that and then the coordinate itself,
    /// which is a power with an exponent as long as the prime; for RSA without NULL it writes the
    /// key again. Compressed points and RSA keys without NULL are also hashed, in each form that a
    /// policy names keys by. An uncompressed point costs half a microsecond to one and a half,
    /// another RSA key nothing.
    package static func readingUnits(of key: PublicKey) -> Int {
        switch key.material {
        case .ec(let curve, _):
            guard !key.isCanonical else { return 0 }
            switch curve {
            case .p256: return 28
            case .p384: return 60
            case .p521: return 100
            }
        case .ed25519: return 4
        case .ed448: return 8
        case .rsa: return key.isCanonical ? 0 : 1 + Int(key.spki.count) / 128
        case .rsaPSS, .mldsa, .dsa, .unsupported: return 0
        }
    }

    /// The most that octets which are not a key may have cost: the question whether a coordinate
    /// exists.
    private static let mostReadingUnits = 12
}
