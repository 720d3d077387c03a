/// Digests of keys and certificates, made once for each certificate however many paths it is on. The
/// octets that are hashed were paid for when they were read.
struct PathDigests {
    private struct Request: Hashable {
        let kind: KeyMatch.Kind
        let algorithm: DigestAlgorithm
        /// `CandidatePath.identity` of the certificate.
        let certificate: Int
    }

    private let pool: CertificatePool
    private let crypto: any CryptoBackend
    private var known: [Request: Digest] = [:]

    init(pool: CertificatePool, crypto: any CryptoBackend) {
        self.pool = pool
        self.crypto = crypto
    }

    /// Whether the certificate at a place of a path is what a key match names.
    mutating func matches(_ wanted: KeyMatch, at place: Int, of path: CandidatePath) -> Bool {
        digest(wanted.kind, wanted.digest.algorithm, at: place, of: path) == wanted.digest
    }

    /// The digest of the key, or of the whole certificate, at a place of a path.
    mutating func digest(
        _ kind: KeyMatch.Kind, _ algorithm: DigestAlgorithm, at place: Int, of path: CandidatePath
    ) -> Digest {
        let request = Request(
            kind: kind, algorithm: algorithm, certificate: path.identity(at: place, in: pool))
        if let digest = known[request] { return digest }
        let certificate = path.certificate(at: place, in: pool)
        let digest: Digest
        switch kind {
        case .spki:
            let spki = certificate.layout.publicKey.spki
            digest = crypto.digest(
                algorithm, of: certificate.der.span.extracting(spki.indices))
        case .certificate:
            digest = crypto.digest(algorithm, of: certificate.der.span)
        }
        known[request] = digest
        return digest
    }
}
