// What `only`, `exclude` and `forbidden-keys` compare: a key whatever its encoding. Pins compare
// the octets that stand in the certificate and do not call this.
extension KeyMatch {
    /// Whether the match names a certificate: by its octets, by the octets of its key, or by the
    /// octets of the key's canonical encoding.
    package func names(_ certificate: Certificate, crypto: some CryptoBackend) -> Bool {
        form.digests(of: certificate, crypto: crypto).contains(digest)
    }
}

extension KeyMatch.Form {
    /// The digests of this form by which a certificate is named: one, and for a key that is not in
    /// its canonical encoding a second, of that encoding.
    package func digests(
        of certificate: Certificate, crypto: some CryptoBackend
    ) -> [Digest] {
        let octets = certificate.der.span
        switch kind {
        case .certificate: return [crypto.digest(algorithm, of: octets)]
        case .spki:
            let spki = octets.extracting(certificate.layout.publicKey.spki.indices)
            let digest = crypto.digest(algorithm, of: spki)
            guard let canonical = certificate.canonicalSPKI else { return [digest] }
            return [digest, crypto.digest(algorithm, of: canonical.span)]
        }
    }
}
