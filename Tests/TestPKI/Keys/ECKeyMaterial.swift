import CLibCrypto

/// A key pair on a NIST curve, its scalar derived from a label.
struct ECKeyMaterial {
    let curve: TestCurve
    let scalar: BigNumber
    /// The public point, uncompressed.
    let point: [UInt8]

    init(label: String, curve: TestCurve) {
        let one = BigNumber(1)
        let wide = TestHash.sha512.expand(
            Array("\(curve.rawValue) \(label)".utf8), count: curve.fieldBytes + 16)
        let scalar = BigNumber(wide) % (curve.order - one) + one
        self.init(scalar: scalar, curve: curve)
    }

    init(scalar: BigNumber, curve: TestCurve) {
        self.scalar = scalar
        self.curve = curve
        self.point = curve.multiplyGenerator(by: scalar)
    }

    /// An ECDSA signature with the nonce of RFC 6979, so that it is the same every time.
    func sign(_ message: [UInt8], _ hash: TestHash) -> [UInt8] {
        let order = curve.order
        let digest = hash.digest(message)
        let number = truncated(digest)
        var nonces = NonceGenerator(self, digest: digest, hash: hash)
        while true {
            let nonce = nonces.next()
            let x = Array(curve.multiplyGenerator(by: nonce)[1...].prefix(curve.fieldBytes))
            let r = BigNumber(x) % order
            let s = (nonce.inverse(modulo: order) * (number + r * scalar)) % order
            if r.isZero || s.isZero { continue }
            return DER.sequence(
                DER.integer(unsigned: r.octets()), DER.integer(unsigned: s.octets()))
        }
    }

    /// ECPrivateKey (RFC 5915), without the curve, which PKCS #8 names outside.
    var privateKey: [UInt8] {
        DER.sequence(
            DER.integer(1), DER.octetString(scalar.octets(count: curve.fieldBytes)),
            DER.context(1, DER.bitString(point)))
    }

    /// bits2int (RFC 6979 section 2.3.2): the leftmost bits, as many as the order has.
    fileprivate func truncated(_ octets: [UInt8]) -> BigNumber {
        let number = BigNumber(octets)
        let extra = octets.count * 8 - curve.order.bits
        return extra > 0 ? number >> extra : number
    }
}

/// The nonces of RFC 6979 section 3.2 for one message.
private struct NonceGenerator {
    private let key: ECKeyMaterial
    private let hash: TestHash
    private var k: [UInt8]
    private var v: [UInt8]
    private var isFirst = true

    init(_ key: ECKeyMaterial, digest: [UInt8], hash: TestHash) {
        let count = key.curve.fieldBytes
        let seed =
            key.scalar.octets(count: count)
            + (key.truncated(digest) % key.curve.order).octets(count: count)
        self.key = key
        self.hash = hash
        self.v = [UInt8](repeating: 1, count: digest.count)
        self.k = [UInt8](repeating: 0, count: digest.count)
        k = hash.hmac(key: k, v + [0] + seed)
        v = hash.hmac(key: k, v)
        k = hash.hmac(key: k, v + [1] + seed)
        v = hash.hmac(key: k, v)
    }

    mutating func next() -> BigNumber {
        while true {
            if !isFirst {
                k = hash.hmac(key: k, v + [0])
                v = hash.hmac(key: k, v)
            }
            isFirst = false
            var stream: [UInt8] = []
            while stream.count * 8 < key.curve.order.bits {
                v = hash.hmac(key: k, v)
                stream += v
            }
            let candidate = key.truncated(stream)
            if !candidate.isZero, candidate.isLess(than: key.curve.order) { return candidate }
        }
    }
}

/// The curves that test keys live on.
enum TestCurve: String, Hashable, Sendable, CaseIterable {
    case p256 = "p-256"
    case p384 = "p-384"
    case p521 = "p-521"

    /// Octets of a coordinate.
    var fieldBytes: Int {
        switch self {
        case .p256: return 32
        case .p384: return 48
        case .p521: return 66
        }
    }

    /// The named curve's object identifier (RFC 5480 section 2.1.1.1).
    var oid: String {
        switch self {
        case .p256: return "1.2.840.10045.3.1.7"
        case .p384: return "1.3.132.0.34"
        case .p521: return "1.3.132.0.35"
        }
    }

    /// The order of the generator.
    var order: BigNumber {
        unsafe withGroup { group in
            guard let order = unsafe EC_GROUP_get0_order(group) else {
                preconditionFailure("no order")
            }
            var octets = [UInt8](repeating: 0, count: fieldBytes)
            _ = unsafe BN_bn2binpad(order, &octets, Int32(octets.count))
            return BigNumber(octets)
        }
    }

    /// A multiple of the generator, as an uncompressed point.
    func multiplyGenerator(by scalar: BigNumber) -> [UInt8] {
        unsafe withGroup { group in
            guard let point = unsafe EC_POINT_new(group) else {
                preconditionFailure("out of memory")
            }
            defer { unsafe EC_POINT_free(point) }
            var octets = [UInt8](repeating: 0, count: 1 + 2 * fieldBytes)
            let status = unsafe EC_POINT_mul(group, point, scalar.handle, nil, nil, nil)
            let written = unsafe EC_POINT_point2oct(
                group, point, POINT_CONVERSION_UNCOMPRESSED, &octets, octets.count, nil)
            precondition(status == 1 && written == octets.count, "point arithmetic failed")
            return octets
        }
    }

    /// The prime of the field.
    var prime: BigNumber {
        unsafe withGroup { group in
            guard let prime = unsafe EC_GROUP_get0_field(group) else {
                preconditionFailure("no field")
            }
            var octets = [UInt8](repeating: 0, count: fieldBytes)
            _ = unsafe BN_bn2binpad(prime, &octets, Int32(octets.count))
            return BigNumber(octets)
        }
    }

    /// What libcrypto makes of a point's octets (SEC 1 section 2.3.4), uncompressed; nil where it
    /// knows no such point of the curve.
    func point(_ octets: [UInt8]) -> [UInt8]? {
        unsafe withGroup { group in
            guard let point = unsafe EC_POINT_new(group) else {
                preconditionFailure("out of memory")
            }
            defer { unsafe EC_POINT_free(point) }
            ERR_set_mark()
            defer { ERR_pop_to_mark() }
            guard unsafe EC_POINT_oct2point(group, point, octets, octets.count, nil) == 1 else {
                return nil
            }
            var out = [UInt8](repeating: 0, count: 1 + 2 * fieldBytes)
            let written = unsafe EC_POINT_point2oct(
                group, point, POINT_CONVERSION_UNCOMPRESSED, &out, out.count, nil)
            return written == out.count ? out : nil
        }
    }

    private func withGroup<R>(_ body: (OpaquePointer) -> R) -> R {
        let identifier =
            switch self {
            case .p256: NID_X9_62_prime256v1
            case .p384: NID_secp384r1
            case .p521: NID_secp521r1
            }
        guard let group = unsafe EC_GROUP_new_by_curve_name(identifier) else {
            preconditionFailure("no curve \(rawValue)")
        }
        defer { unsafe EC_GROUP_free(group) }
        return unsafe body(group)
    }
}
