/// Digests of keys and certificates. Each digest is computed once, on however many paths its
/// certificate stands. Hashing spends no budget here: the octets were charged when they were read.
struct PathDigests {
    private struct Request: Hashable, BitwiseCopyable {
        let form: KeyMatch.Form
        /// `CertificatePool.identity` of the certificate.
        let certificate: Int
    }

    private let pool: CertificatePool
    private let crypto: any CryptoBackend
    private var computed = ShortMap<Request, Digest>()

    init(pool: CertificatePool, crypto: any CryptoBackend) {
        self.pool = pool
        self.crypto = crypto
    }

    /// Whether a key match names the certificate at a position of a path.
    mutating func matches(_ wanted: KeyMatch, at position: Int, of path: CandidatePath) -> Bool {
        digest(wanted.form, at: position, of: path) == wanted.digest
    }

    /// The digest of the certificate at a position of a path: of its key or of the whole
    /// certificate, by `form`.
    mutating func digest(
        _ form: KeyMatch.Form, at position: Int, of path: CandidatePath
    ) -> Digest {
        let member = path.member(at: position)
        let request = Request(form: form, certificate: pool.identity(member))
        if let digest = computed[request] { return digest }
        let digest = pool.digest(form, of: member) ?? hash(form, pool.certificate(member))
        computed.add(digest, for: request)
        return digest
    }

    private func hash(_ form: KeyMatch.Form, _ certificate: Certificate) -> Digest {
        let octets = certificate.der.span
        switch form.kind {
        case .spki:
            let spki = certificate.layout.publicKey.spki
            return crypto.digest(form.algorithm, of: octets.extracting(spki.indices))
        case .certificate: return crypto.digest(form.algorithm, of: octets)
        }
    }
}

extension CertificatePool {
    /// The digest of a member that was computed when the certificate was read; nil when nobody has
    /// computed it.
    fileprivate func digest(_ form: KeyMatch.Form, of member: Member) -> Digest? {
        guard form.algorithm == .sha256 else { return nil }
        switch form.kind {
        case .spki: return keyDigest(member)
        case .certificate: return fingerprint(member)
        }
    }
}

extension KeyMatch.Form {
    /// SHA-256 of a key, by which keys are told apart.
    static let key = KeyMatch.Form(kind: .spki, algorithm: .sha256)
}
