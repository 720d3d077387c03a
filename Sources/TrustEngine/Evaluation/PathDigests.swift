/// Digests of keys and certificates. Each digest is computed once, on however many paths its
/// certificate stands. Hashing spends no budget here: the octets were charged when they were read.
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

    /// Whether a key match names the certificate at a position of a path.
    mutating func matches(_ wanted: KeyMatch, at position: Int, of path: CandidatePath) -> Bool {
        digest(wanted.kind, wanted.digest.algorithm, at: position, of: path) == wanted.digest
    }

    /// The digest of the certificate at a position of a path: of its key or of the whole
    /// certificate, by `kind`.
    mutating func digest(
        _ kind: KeyMatch.Kind, _ algorithm: DigestAlgorithm, at position: Int,
        of path: CandidatePath
    ) -> Digest {
        let request = Request(
            kind: kind, algorithm: algorithm, certificate: path.identity(at: position, in: pool))
        if let digest = known[request] { return digest }
        let certificate = path.certificate(at: position, in: pool)
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
