extension Certificate {
    /// The certificate as signatures are verified under its key, if that is a DSA key without parameters:
    /// with those of the nearest key above it that has some (RFC 3279 section 2.3.2, RFC 5280 section
    /// 6.1.4(e)). Nil where nothing is inherited. `authorities` are the issuers above it, from the nearest up.
    ///
    /// What is inherited stands behind the certificate's own octets, which keep their places; the value
    /// belongs to one path and is for verifying alone.
    func inheritingParameters(from authorities: some Sequence<Certificate>) -> Certificate? {
        guard case .dsa(nil, let value) = layout.publicKey.material else { return nil }
        for authority in authorities {
            let key = authority.layout.publicKey
            guard case .dsa(let parameters, _) = key.material else { return nil }
            guard let parameters else { continue }
            var octets = der
            func append(_ range: ByteRange) -> ByteRange {
                let start = octets.count
                octets += authority.der[range.indices]
                return ByteRange(start: start, count: Int(range.count))
            }
            let inherited = PublicKey.DSAParameters(
                prime: append(parameters.prime), order: append(parameters.order),
                generator: append(parameters.generator))
            var layout = layout
            layout.publicKey = PublicKey(
                material: .dsa(parameters: inherited, value: value), bits: key.bits,
                spki: layout.publicKey.spki)
            return Certificate(der: octets, layout: layout)
        }
        return nil
    }
}
