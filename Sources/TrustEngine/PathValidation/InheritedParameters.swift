extension Certificate {
    /// The certificate with the DSA parameters that its key inherits (RFC 3279 section 2.3.2, RFC
    /// 5280 section 6.1.4(e)). They are the parameters of the nearest key above it that has
    /// parameters. Nil unless the key is a DSA key without parameters and a key above has some.
    /// `authorities` are the issuers above the certificate, the nearest first.
    ///
    /// The inherited parameters stand after the certificate's own octets, whose offsets do not
    /// change. The value belongs to one path and serves only to verify signatures.
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
