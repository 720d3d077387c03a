package import TrustEngine

/// A public key as its kind and its numbers. A prepared key is made from them and remembered by
/// them. Two keys with equal numbers are the same key for every scheme.
package struct KeyNumbers: Hashable, Sendable {
    /// The kind of key, with the lengths that are needed to read `octets`.
    package enum Kind: Hashable, Sendable {
        /// RSA: the modulus, whose length in octets this is, and then the exponent; both
        /// big-endian.
        case rsa(modulusBytes: Int)
        /// EC: a point in the encoding of SEC 1 section 2.3.3.
        case ec(PublicKey.Curve)
        /// EdDSA: the octets of a key of RFC 8032.
        case ed25519, ed448
        /// ML-DSA: the octets of a key of FIPS 204.
        case mldsa(PublicKey.MLDSAParameters)
        /// DSA: prime, order, generator and public value, big-endian. The lengths of the first
        /// three are in octets.
        case dsa(primeBytes: Int, orderBytes: Int, generatorBytes: Int)
    }

    /// The kind of key.
    package let kind: Kind
    /// The numbers of the key, in the form that `kind` says.
    package let octets: [UInt8]

    /// The numbers of a key; nil when a range leaves the buffer or the sizes are outside the
    /// limits. Nothing is copied before the sizes were checked.
    package init?(_ material: PublicKey.Material, in buffer: Span<UInt8>) {
        switch material {
        case .rsa(let modulus, let exponent), .rsaPSS(_, let modulus, let exponent):
            guard let modulus = KeyNumbers.significant(modulus, in: buffer),
                let exponent = KeyNumbers.significant(exponent, in: buffer),
                modulus.count <= KeyNumbers.largestModulusBits / 8,
                exponent.count <= KeyNumbers.largestExponentBits / 8
            else { return nil }
            self.kind = .rsa(modulusBytes: modulus.count)
            self.octets = KeyNumbers.copy(modulus, exponent, of: buffer)
        case .ec(let curve, let point):
            let whole = point.indices
            guard whole.upperBound <= buffer.count,
                whole.count == 1 + 2 * curve.fieldBytes || whole.count == 1 + curve.fieldBytes
            else { return nil }
            self.kind = .ec(curve)
            self.octets = KeyNumbers.copy(whole, 0..<0, of: buffer)
        case .ed25519(let range):
            guard range.count == 32, range.indices.upperBound <= buffer.count else { return nil }
            self.kind = .ed25519
            self.octets = KeyNumbers.copy(range.indices, 0..<0, of: buffer)
        case .ed448(let range):
            guard range.count == 57, range.indices.upperBound <= buffer.count else { return nil }
            self.kind = .ed448
            self.octets = KeyNumbers.copy(range.indices, 0..<0, of: buffer)
        case .mldsa(let set, let range):
            guard Int(range.count) == set.keyBytes, range.indices.upperBound <= buffer.count else {
                return nil
            }
            self.kind = .mldsa(set)
            self.octets = KeyNumbers.copy(range.indices, 0..<0, of: buffer)
        case .dsa(let parameters?, let value):
            guard let prime = KeyNumbers.significant(parameters.prime, in: buffer),
                let order = KeyNumbers.significant(parameters.order, in: buffer),
                let generator = KeyNumbers.significant(parameters.generator, in: buffer),
                let value = KeyNumbers.significant(value, in: buffer),
                prime.count <= KeyNumbers.largestPrimeBits / 8, order.count <= prime.count,
                generator.count <= prime.count, value.count <= prime.count
            else { return nil }
            self.kind = .dsa(
                primeBytes: prime.count, orderBytes: order.count, generatorBytes: generator.count)
            self.octets =
                KeyNumbers.copy(prime, order, of: buffer)
                + KeyNumbers.copy(generator, value, of: buffer)
        case .dsa(nil, _), .unsupported:
            return nil
        }
    }

    /// Whether computing with the numbers is safe. Keys may be made in memory, so what `PublicKey`
    /// says of parsed keys is checked again here.
    ///
    /// - RSA: a modulus of 512 to 16,384 bits, odd; an exponent of at most 64 bits, odd, from 3. A
    ///   verification raises to the exponent: an exponent of 3071 bits costs 5 ms, so a small
    ///   certificate would cost as much time as a hundred verifications. 16,384 and 64 bits are
    ///   OPENSSL_RSA_MAX_MODULUS_BITS and OPENSSL_RSA_MAX_PUBEXP_BITS; libcrypto applies the second
    ///   only above 3072 bits, and it holds here for every modulus. Below 512 bits no padding with
    ///   SHA-512 fits. A policy's limits are stricter, and the policy enforces them.
    /// - EC: an uncompressed or compressed point. Whether it lies on the curve is checked when the
    ///   key is prepared.
    /// - DSA: a prime of 1024 to 3072 bits, odd; an order of 160 to 256 bits, odd (FIPS 186-4
    ///   section 4.2 without its pairs of sizes); a generator and a public value above 1, because
    ///   with 1 anybody can sign.
    /// - Ed25519, Ed448: not a point of small order, because under that key anybody can sign.
    /// - ML-DSA: as many octets as the parameter set has. FIPS 204 calls any such octets a key.
    package var areAcceptable: Bool {
        switch kind {
        case .rsa(let modulusBytes):
            let exponentBytes = octets.count - modulusBytes
            guard modulusBytes > 0, exponentBytes > 0 else { return false }
            let bits = modulusBytes * 8 - octets[0].leadingZeroBitCount
            return bits >= KeyNumbers.smallestModulusBits
                && bits <= KeyNumbers.largestModulusBits && octets[modulusBytes - 1] & 1 == 1
                && octets[octets.count - 1] & 1 == 1
                && (exponentBytes > 1 || octets[modulusBytes] >= 3)
        case .ec(let curve):
            switch octets[0] {
            case 0x04: return octets.count == 1 + 2 * curve.fieldBytes
            case 0x02, 0x03: return octets.count == 1 + curve.fieldBytes
            default: return false
            }
        case .ed25519:
            return !EdwardsPoint.isOfSmallOrder(octets.span, of: .edwards25519)
        case .ed448:
            return !EdwardsPoint.isOfSmallOrder(octets.span, of: .edwards448)
        case .mldsa(let set):
            return octets.count == set.keyBytes
        case .dsa(let primeBytes, let orderBytes, let generatorBytes):
            let prime = octets[..<primeBytes]
            let order = octets[primeBytes..<primeBytes + orderBytes]
            let generator = octets[(primeBytes + orderBytes)...].prefix(generatorBytes)
            let value = octets[(primeBytes + orderBytes + generatorBytes)...]
            return 1024...KeyNumbers.largestPrimeBits ~= KeyNumbers.bits(prime)
                && 160...256 ~= KeyNumbers.bits(order) && (prime.last ?? 0) & 1 == 1
                && (order.last ?? 0) & 1 == 1 && KeyNumbers.bits(generator) > 1
                && KeyNumbers.bits(value) > 1
        }
    }

    /// Number of bits of a number without leading zero octets.
    private static func bits(_ number: ArraySlice<UInt8>) -> Int {
        number.count * 8 - (number.first?.leadingZeroBitCount ?? 0)
    }

    /// The range of a number without its leading zeros; nil when the range leaves the buffer.
    private static func significant(_ range: ByteRange, in buffer: Span<UInt8>) -> Range<Int>? {
        let indices = range.indices
        guard indices.upperBound <= buffer.count else { return nil }
        var first = indices.lowerBound
        while first < indices.upperBound, buffer[first] == 0 { first += 1 }
        return first..<indices.upperBound
    }

    /// Copies two ranges of a buffer, one after the other.
    private static func copy(
        _ first: Range<Int>, _ second: Range<Int>, of buffer: Span<UInt8>
    ) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(first.count + second.count)
        for index in first { octets.append(buffer[index]) }
        for index in second { octets.append(buffer[index]) }
        return octets
    }

    private static let smallestModulusBits = 512
    private static let largestModulusBits = 16_384
    private static let largestExponentBits = 64
    private static let largestPrimeBits = 3_072
}
