extension Certificate {
    /// Whether two certificates hold one private key, however each writes the public key: as a
    /// compressed point or a whole one, with NULL for absent parameters or without, as RSA or as
    /// RSASSA-PSS. RSA keys are
    /// compared by their moduli and EC keys by their x coordinates: the private key of one gives
    /// the private key of the other, whatever the exponent and the sign of y.
    ///
    /// Cost: the comparison ends at the first octet that differs.
    package func holdsKey(of other: Certificate) -> Bool {
        let (mine, theirs) = (layout.publicKey, other.layout.publicKey)
        let left: ByteRange
        let right: ByteRange
        switch (mine.material, theirs.material) {
        case (.rsa(let first, _), .rsa(let second, _)),
            (.rsa(let first, _), .rsaPSS(_, let second, _)),
            (.rsaPSS(_, let first, _), .rsa(let second, _)),
            (.rsaPSS(_, let first, _), .rsaPSS(_, let second, _)):
            (left, right) = (first, second)
        case (.ec(let first, let point), .ec(let second, let other)):
            guard first == second else { return false }
            (left, right) = (mine.xCoordinate(of: point), theirs.xCoordinate(of: other))
        case (.ed25519(let first), .ed25519(let second)): (left, right) = (first, second)
        case (.ed448(let first), .ed448(let second)): (left, right) = (first, second)
        case (.mldsa(let first, let octets), .mldsa(let second, let others)):
            guard first == second else { return false }
            (left, right) = (octets, others)
        case (.dsa(_, let first), .dsa(_, let second)): (left, right) = (first, second)
        case (.unsupported, .unsupported): (left, right) = (mine.spki, theirs.spki)
        case (.rsa, _), (.rsaPSS, _), (.ec, _), (.ed25519, _), (.ed448, _), (.mldsa, _), (.dsa, _),
            (.unsupported, _):
            return false
        }
        return der.span.extracting(left.indices)
            .octetsEqual(other.der.span.extracting(right.indices))
    }
}

extension PublicKey {
    /// The x coordinate of an EC key's point. It follows the octet that names the point's form (SEC
    /// 1 section 2.3.3).
    fileprivate func xCoordinate(of point: ByteRange) -> ByteRange {
        ByteRange(start: Int(point.start) + 1, count: (Int(bits) + 7) / 8)
    }
}
