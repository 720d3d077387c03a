// One key can have two encodings. Whoever holds a certificate's key chooses the encoding, so keys
// are compared by what they are: by the octets of their canonical encoding. Pins are not: a pin is
// the digest of a SubjectPublicKeyInfo as it stands in the certificate (RFC 7469 section 2.4).
extension PublicKey {
    /// The SubjectPublicKeyInfo of this key in its canonical encoding; nil where the key's own
    /// octets are that. `bytes` is the buffer that the key's ranges point into.
    ///
    /// Cost: `SignatureCost.readingUnits`, nothing where the result is nil.
    package func canonicalSPKI(in bytes: Span<UInt8>) -> [UInt8]? {
        isCanonical ? nil : otherSPKI(in: bytes)
    }

    /// The SubjectPublicKeyInfo of this key in the encoding that `spki` is not: the canonical one
    /// where `spki` is another, and the other one where `spki` is canonical. Nil for a key that has
    /// one encoding.
    package func otherSPKI(in bytes: Span<UInt8>) -> [UInt8]? {
        var algorithm: [UInt8]
        do throws(DERError) {
            var outer = DERReader(spki)
            var reader = try outer.next(.sequence, in: bytes).reader
            let identifier = try reader.next(.sequence, in: bytes)
            reader = identifier.reader
            algorithm = bytes.copied(try reader.next(.objectIdentifier, in: bytes).whole)
            if case .ec = material { algorithm = bytes.copied(identifier.content) }
        } catch {
            // A key that was parsed has these elements.
            return nil
        }
        let key: [UInt8]
        switch material {
        case .rsa(let modulus, let exponent):
            if !isCanonical { algorithm += DERTag.null.element() }
            key = DERTag.sequence.element(
                PublicKey.integer(modulus, bytes), PublicKey.integer(exponent, bytes))
        case .ec(let curve, let point):
            let octets = bytes.extracting(point.indices)
            let other = isCanonical ? PublicKey.compressed(octets) : curve.uncompressed(octets)
            guard let other else { return nil }
            key = other
        case .rsaPSS, .ed25519, .ed448, .mldsa, .dsa, .unsupported: return nil
        }
        return DERTag.sequence.element(
            DERTag.sequence.element(algorithm), DERTag.bitString.element([0], key))
    }

    /// The encodings of the key whose SubjectPublicKeyInfo is given: the canonical one, and the
    /// other where the key has two. Octets that are not a key have one encoding, themselves.
    package static func encodings(of spki: [UInt8]) -> (canonical: [UInt8], other: [UInt8]?) {
        do throws(DERError) {
            let key = try parse(spki: spki.span, at: 0)
            let other = key.otherSPKI(in: spki.span)
            return key.isCanonical ? (spki, other) : (other ?? spki, spki)
        } catch {
            return (spki, nil)
        }
    }

    /// The compressed encoding of an uncompressed point (SEC 1 section 2.3.3).
    private static func compressed(_ point: Span<UInt8>) -> [UInt8] {
        let half = (point.count - 1) / 2
        return [0x02 | point[point.count - 1] & 1]
            + point.copied(ByteRange(start: 1, count: half))
    }

    /// The INTEGER of a positive number that is given by its magnitude.
    private static func integer(_ magnitude: ByteRange, _ bytes: Span<UInt8>) -> [UInt8] {
        let octets = bytes.copied(magnitude)
        return DERTag.integer.element((octets.first ?? 0) & 0x80 == 0 ? [] : [0], octets)
    }
}
