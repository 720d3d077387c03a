extension PublicKey {
    /// Reads a SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7). `bytes` holds it and nothing else.
    ///
    /// `offset` is where the SubjectPublicKeyInfo begins in the buffer that the key's ranges point
    /// into: 0 for a bare key. An unknown algorithm or curve, and an EC key whose curve is not
    /// named, give `.unsupported`. A key that contradicts its own algorithm is an error. RSA may
    /// have the parameters NULL or none (RFC 3279 section 2.3.1 asks for NULL).
    ///
    /// Octets that are not a key, and a key under which anybody can sign, are errors too. They are
    /// refused here and not where signatures are verified, because an end entity's key verifies
    /// nothing on its path. So a certificate, a request, an anchor or a log list exists only with a
    /// possible key. No backend takes part in that decision.
    ///
    /// Cost: at most about a microsecond. A compressed EC point and a key of RFC 8032 cost more
    /// (`SignatureCost.readingUnits`); a caller that reads for a peer spends that from the budget.
    package static func parse(
        spki bytes: Span<UInt8>, at offset: Int
    ) throws(DERError) -> PublicKey {
        var outer = DERReader(bytes)
        let whole = try outer.next(.sequence, in: bytes)
        try outer.finish()
        var reader = whole.reader
        var algorithm = try reader.next(.sequence, in: bytes).reader
        let bits = try reader.next(.bitString, in: bytes)
        try reader.finish()
        let identifier = try algorithm.next(.objectIdentifier, in: bytes)
        try ObjectIdentifier.check(identifier, in: bytes)
        let parameters = algorithm.isAtEnd ? nil : try algorithm.next(in: bytes)
        try algorithm.finish()

        let material: Material
        let size: Int
        switch ObjectIdentifier.code(identifier.content, in: bytes) {
        case ObjectIdentifier.rsaEncryption:
            if let parameters { try parameters.checkNull() }
            (material, size) = try parseRSA(bits, bytes, offset)
        case ObjectIdentifier.rsaPSS:
            (material, size) = try parseRSAPSS(parameters, bits, bytes, offset)
        case ObjectIdentifier.ecPublicKey:
            guard let parameters else {
                throw DERError(.badKeyParameters, at: identifier.start)
            }
            (material, size) = try parseEC(parameters, bits, bytes, offset)
        case ObjectIdentifier.ed25519:
            guard parameters == nil else { throw DERError(.badKeyParameters, at: identifier.end) }
            let key = try bits.wholeOctets(in: bytes)
            guard key.count == 32 else { throw DERError(.badKey, at: bits.start) }
            try checkEdwards(key, .edwards25519, bits, bytes)
            (material, size) = (.ed25519(key.shifted(by: offset)), 256)
        case ObjectIdentifier.ed448:
            guard parameters == nil else { throw DERError(.badKeyParameters, at: identifier.end) }
            let key = try bits.wholeOctets(in: bytes)
            guard key.count == 57 else { throw DERError(.badKey, at: bits.start) }
            try checkEdwards(key, .edwards448, bits, bytes)
            (material, size) = (.ed448(key.shifted(by: offset)), 456)
        case ObjectIdentifier.mldsa44:
            material = try parseMLDSA(.mldsa44, identifier, parameters, bits, bytes, offset)
            size = 0
        case ObjectIdentifier.mldsa65:
            material = try parseMLDSA(.mldsa65, identifier, parameters, bits, bytes, offset)
            size = 0
        case ObjectIdentifier.mldsa87:
            material = try parseMLDSA(.mldsa87, identifier, parameters, bits, bytes, offset)
            size = 0
        case ObjectIdentifier.dsa:
            (material, size) = try parseDSA(parameters, bits, bytes, offset)
        default:
            guard bits.count >= 1 else { throw DERError(.badBitString, at: bits.start) }
            (material, size) = (.unsupported, 0)
        }
        let isCanonical: Bool
        switch material {
        case .rsa: isCanonical = parameters != nil
        case .ec(_, let point): isCanonical = Int(point.count) > 1 + (size + 7) / 8
        case .rsaPSS, .ed25519, .ed448, .mldsa, .dsa, .unsupported: isCanonical = true
        }
        return PublicKey(
            material: material, bits: Int32(clamping: size),
            spki: ByteRange(start: offset, count: bytes.count), isCanonical: isCanonical)
    }

    /// Reads an ML-DSA key (RFC 9881 section 4): no parameters, and the octets of FIPS 204 in the
    /// BIT STRING as they are. The parameter set fixes their number. FIPS 204 takes any octets of
    /// that number for a key; those under which anybody can sign are refused.
    private static func parseMLDSA(
        _ set: MLDSAParameters, _ identifier: DERElement, _ parameters: DERElement?,
        _ bits: DERElement, _ bytes: Span<UInt8>, _ offset: Int
    ) throws(DERError) -> Material {
        guard parameters == nil else { throw DERError(.badKeyParameters, at: identifier.end) }
        let key = try bits.wholeOctets(in: bytes)
        guard Int(key.count) == set.keyBytes else { throw DERError(.badKey, at: bits.start) }
        guard !LatticeKey.bindsNobody(bytes.extracting(key.indices)) else {
            throw DERError(.nearZero, at: bits.start)
        }
        return .mldsa(set, key.shifted(by: offset))
    }

    private static func checkEdwards(
        _ key: ByteRange, _ curve: EdwardsPoint.Curve, _ bits: DERElement, _ bytes: Span<UInt8>
    ) throws(DERError) {
        switch EdwardsPoint.problem(bytes.extracting(key.indices), of: curve) {
        case .noPoint: throw DERError(.noPoint, at: bits.start)
        case .smallOrder: throw DERError(.smallOrder, at: bits.start)
        case nil: break
        }
    }

    /// Reads an RSAPublicKey (RFC 8017 appendix A.1.1). Both numbers are positive, in their
    /// shortest form, and odd: the modulus is a product of odd primes, and the exponent has no
    /// common divisor with an even number (section 3.1). The exponent 1 is refused, because under
    /// it every message is its own signature.
    private static func parseRSA(
        _ bits: DERElement, _ bytes: Span<UInt8>, _ offset: Int
    ) throws(DERError) -> (Material, Int) {
        var outer = DERReader(try bits.wholeOctets(in: bytes))
        var reader = try outer.next(.sequence, in: bytes).reader
        try outer.finish()
        let modulus = try reader.next(.integer, in: bytes).positiveInteger(in: bytes)
        let exponent = try reader.next(.integer, in: bytes).positiveInteger(in: bytes)
        try reader.finish()
        guard bytes[modulus.indices.upperBound - 1] & 1 == 1,
            bytes[exponent.indices.upperBound - 1] & 1 == 1,
            exponent.count > 1 || bytes[Int(exponent.start)] > 1
        else { throw DERError(.badRSANumbers, at: bits.start) }
        let size = Int(modulus.count) * 8 - bytes[Int(modulus.start)].leadingZeroBitCount
        return (
            .rsa(modulus: modulus.shifted(by: offset), exponent: exponent.shifted(by: offset)), size
        )
    }

    /// Reads an RSA key of RSASSA-PSS's own type (RFC 4055 section 1.2): the numbers of an RSA key,
    /// and RSASSA-PSS-params or no parameters. Parameters with another mask generation function
    /// than MGF1, or another trailer field than 1, give `.unsupported`.
    private static func parseRSAPSS(
        _ parameters: DERElement?, _ bits: DERElement, _ bytes: Span<UInt8>, _ offset: Int
    ) throws(DERError) -> (Material, Int) {
        var bound: PSSParameters?
        if let parameters {
            guard parameters.tag == .sequence else {
                throw DERError(.badKeyParameters, at: parameters.start)
            }
            guard let read = try SignatureAlgorithm.pssParameters(parameters, in: bytes) else {
                return (.unsupported, 0)
            }
            bound = read
        }
        let (material, size) = try parseRSA(bits, bytes, offset)
        guard case .rsa(let modulus, let exponent) = material else { return (material, size) }
        return (.rsaPSS(bound, modulus: modulus, exponent: exponent), size)
    }

    /// Reads a DSA key (RFC 3279 section 2.3.2): the public value as an INTEGER, and Dss-Parms
    /// unless the key inherits its issuer's.
    private static func parseDSA(
        _ parameters: DERElement?, _ bits: DERElement, _ bytes: Span<UInt8>, _ offset: Int
    ) throws(DERError) -> (Material, Int) {
        var outer = DERReader(try bits.wholeOctets(in: bytes))
        let value = try outer.next(.integer, in: bytes).positiveInteger(in: bytes)
        try outer.finish()
        guard let parameters else {
            return (.dsa(parameters: nil, value: value.shifted(by: offset)), 0)
        }
        guard parameters.tag == .sequence else {
            throw DERError(.badKeyParameters, at: parameters.start)
        }
        var reader = parameters.reader
        let prime = try reader.next(.integer, in: bytes).positiveInteger(in: bytes)
        let order = try reader.next(.integer, in: bytes).positiveInteger(in: bytes)
        let generator = try reader.next(.integer, in: bytes).positiveInteger(in: bytes)
        try reader.finish()
        let size = Int(prime.count) * 8 - bytes[Int(prime.start)].leadingZeroBitCount
        let group = DSAParameters(
            prime: prime.shifted(by: offset), order: order.shifted(by: offset),
            generator: generator.shifted(by: offset))
        return (.dsa(parameters: group, value: value.shifted(by: offset)), size)
    }

    /// Reads an EC point on a named curve (RFC 5480 section 2.2), uncompressed or compressed. Its
    /// length is the one that the curve's field asks for.
    private static func parseEC(
        _ parameters: DERElement, _ bits: DERElement, _ bytes: Span<UInt8>, _ offset: Int
    ) throws(DERError) -> (Material, Int) {
        guard parameters.tag == .objectIdentifier else { return (.unsupported, 0) }
        try ObjectIdentifier.check(parameters, in: bytes)
        let curve: Curve
        let size: Int
        switch ObjectIdentifier.code(parameters.content, in: bytes) {
        case ObjectIdentifier.curveP256: (curve, size) = (.p256, 256)
        case ObjectIdentifier.curveP384: (curve, size) = (.p384, 384)
        case ObjectIdentifier.curveP521: (curve, size) = (.p521, 521)
        default: return (.unsupported, 0)
        }
        let point = try bits.wholeOctets(in: bytes)
        guard !point.isEmpty else { throw DERError(.badKey, at: bits.start) }
        let octets = (size + 7) / 8
        let expected: Int
        switch bytes[Int(point.start)] {
        case 0x04: expected = 1 + 2 * octets
        case 0x02, 0x03: expected = 1 + octets
        default: throw DERError(.badKey, at: bits.start)
        }
        guard Int(point.count) == expected else { throw DERError(.badKey, at: bits.start) }
        guard curve.hasPoint(bytes.extracting(point.indices)) else {
            throw DERError(.noPoint, at: bits.start)
        }
        return (.ec(curve: curve, point: point.shifted(by: offset)), size)
    }
}

extension ByteRange {
    /// The range moved by `offset` towards the end of a larger buffer.
    fileprivate func shifted(by offset: Int) -> ByteRange {
        ByteRange(start: Int(start) + offset, count: Int(count))
    }
}
