extension PublicKey {
    /// What an unsupported key is, in words for people: `brainpoolP256r1`, `P-256 by explicit
    /// parameters, which RFC 5480 forbids`, or the dotted identifier of its algorithm. `bytes` is
    /// the buffer that the key's ranges point into.
    package func unsupportedName(in bytes: Span<UInt8>) -> String {
        do throws(DERError) {
            var outer = DERReader(spki)
            var reader = try outer.next(.sequence, in: bytes).reader
            var algorithm = try reader.next(.sequence, in: bytes).reader
            let identifier = try algorithm.next(.objectIdentifier, in: bytes)
            let parameters = algorithm.isAtEnd ? nil : try algorithm.next(in: bytes)
            let dotted = ObjectIdentifier.text(of: bytes.extracting(identifier.content.indices))
            guard dotted == PublicKey.ecPublicKey, let parameters else {
                return PublicKey.algorithmNames[dotted]
                    ?? (dotted == PublicKey.rsaPSS
                        ? "RSASSA-PSS with a mask generation or trailer field that RFC 4055 does not "
                            + "define" : "of the algorithm \(dotted)")
            }
            guard parameters.tag == .objectIdentifier else {
                return PublicKey.explicitCurveName(parameters, bytes)
                    + " by explicit parameters, which RFC 5480 forbids"
            }
            let curve = ObjectIdentifier.text(of: bytes.extracting(parameters.content.indices))
            return PublicKey.curveNames[curve] ?? "the elliptic curve \(curve)"
        } catch {
            // A key that was parsed has these elements.
            return "of an algorithm that cannot be read"
        }
    }

    /// The curve that ECParameters (RFC 3279 section 2.3.5) spell out, if it equals a curve of RFC
    /// 5480 in every number. A curve that differs only in its generator is another curve, under
    /// which anybody can sign for a point of the first (CVE-2020-0601).
    private static func explicitCurveName(
        _ parameters: DERElement, _ bytes: Span<UInt8>
    ) -> String {
        do throws(DERError) {
            guard parameters.tag == .sequence else { return "an elliptic curve" }
            var fields = parameters.reader
            _ = try fields.next(.integer, in: bytes)
            var field = try fields.next(.sequence, in: bytes).reader
            _ = try field.next(.objectIdentifier, in: bytes)
            let prime = try field.next(.integer, in: bytes)
            var curve = try fields.next(.sequence, in: bytes).reader
            let a = try curve.next(.octetString, in: bytes)
            let b = try curve.next(.octetString, in: bytes)
            let base = try fields.next(.octetString, in: bytes)
            let order = try fields.next(.integer, in: bytes)
            let found = [prime, a, b, base, order].map { hexadecimal($0, bytes) }
            for known in ExplicitCurve.all where known.isSpelled(by: found) { return known.name }
        } catch {
            return "an elliptic curve"
        }
        return "an elliptic curve"
    }

    /// The content of an element in hexadecimal digits, without leading zeros.
    private static func hexadecimal(_ element: DERElement, _ bytes: Span<UInt8>) -> String {
        guard element.count <= 256 else { return "" }
        var digits = ""
        for octet in bytes.copied(element.content) {
            if octet < 16 { digits += "0" }
            digits += String(octet, radix: 16)
        }
        return String(digits.drop { $0 == "0" })
    }

    private static let ecPublicKey = "1.2.840.10045.2.1"
    private static let rsaPSS = "1.2.840.113549.1.1.10"

    /// Algorithms of keys that certificates have and the engine does not check.
    private static let algorithmNames = [
        "1.2.840.113549.1.1.7": "RSAES-OAEP, which only encrypts",
        "1.2.840.10046.2.1": "Diffie-Hellman, which signs nothing",
        "1.3.101.110": "X25519, which signs nothing",
        "1.3.101.111": "X448, which signs nothing",
        "2.16.840.1.101.3.4.3.32": "HashML-DSA, which RFC 9881 keeps out of certificates",
        "2.16.840.1.101.3.4.3.33": "HashML-DSA, which RFC 9881 keeps out of certificates",
        "2.16.840.1.101.3.4.3.34": "HashML-DSA, which RFC 9881 keeps out of certificates",
        "1.2.643.2.2.19": "GOST R 34.10-2001",
        "1.2.643.7.1.1.1.1": "GOST R 34.10-2012",
        "1.2.643.7.1.1.1.2": "GOST R 34.10-2012",
    ]

    /// Named curves (SEC 2, RFC 5639, GM/T 0006) that the engine does not check.
    private static let curveNames: [String: String] = {
        var names = [
            "1.2.840.10045.3.1.1": "P-192", "1.3.132.0.33": "P-224", "1.3.132.0.10": "secp256k1",
            "1.2.156.10197.1.301": "SM2",
        ]
        for (index, size) in ["160", "192", "224", "256", "320", "384", "512"].enumerated() {
            names["1.3.36.3.3.2.8.1.1.\(2 * index + 1)"] = "brainpoolP\(size)r1"
            names["1.3.36.3.3.2.8.1.1.\(2 * index + 2)"] = "brainpoolP\(size)t1"
        }
        return names
    }()
}

/// The numbers of a curve of RFC 5480 (SEC 2 sections 2.4.2, 2.5.1 and 2.6.1) in hexadecimal
/// digits, without leading zeros.
private struct ExplicitCurve {
    let name: String
    let prime: String
    let a: String
    let b: String
    /// The x coordinate of the generator.
    let x: String
    /// The y coordinate of the generator.
    let y: String
    let order: String

    /// Whether ECParameters hold these numbers: prime, a, b, generator, order. The generator may be
    /// compressed (SEC 1 section 2.3.3).
    func isSpelled(by found: [String]) -> Bool {
        let isOdd = y.last.map { "13579bdf".contains($0) } ?? false
        let width = (prime.count + 1) / 2 * 2
        func padded(_ digits: String) -> String {
            String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return found.count == 5 && found[0] == prime && found[1] == a && found[2] == b
            && (found[3] == "4" + padded(x) + padded(y)
                || found[3] == (isOdd ? "3" : "2") + padded(x))
            && found[4] == order
    }

    static let all = [
        ExplicitCurve(
            name: "P-256",
            prime: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
            a: "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc",
            b: "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
            x: "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            y: "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
            order: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
        ExplicitCurve(
            name: "P-384",
            prime: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe"
                + "ffffffff0000000000000000ffffffff",
            a: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe"
                + "ffffffff0000000000000000fffffffc",
            b: "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875a"
                + "c656398d8a2ed19d2a85c8edd3ec2aef",
            x: "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a38"
                + "5502f25dbf55296c3a545e3872760ab7",
            y: "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c0"
                + "0a60b1ce1d7e819d7a431d7c90ea0e5f",
            order: "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf"
                + "581a0db248b0a77aecec196accc52973"),
        ExplicitCurve(
            name: "P-521",
            prime: "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                + "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                + "fff",
            a: "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                + "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                + "ffc",
            b: "51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109"
                + "e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f"
                + "00",
            x: "c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3d"
                + "baa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd"
                + "66",
            y: "11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e6"
                + "62c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16"
                + "650",
            order: "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                + "ffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386"
                + "409"),
    ]
}
