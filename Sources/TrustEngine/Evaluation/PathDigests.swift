/// Digests of keys and certificates. Each digest is computed once, on however many paths its
/// certificate stands. Hashing spends no budget here: the octets were charged when they were read.
struct PathDigests {
    private struct Request: Hashable, BitwiseCopyable {
        let form: KeyMatch.Form
        /// `CertificatePool.identity` of the certificate.
        let certificate: Int
        /// Whether the canonical encoding of the key is hashed, where its own octets are another.
        var isCanonical = false
    }

    private let pool: CertificatePool
    private let crypto: any CryptoBackend
    private var computed = ShortMap<Request, Digest>()
    /// The presented certificate whose key the signatures' ledger has hashed.
    private var learned: (certificate: Int, digest: Digest)?

    init(pool: CertificatePool, crypto: any CryptoBackend) {
        self.pool = pool
        self.crypto = crypto
    }

    /// Takes over the digest of a key that was hashed to verify a signature of a path.
    mutating func learn(from ledger: SignatureLedger, on path: CandidatePath) {
        for position in 1..<max(1, path.count) {
            let certificate = pool.identity(path.member(at: position))
            if let digest = ledger.keyDigest(of: certificate) { learned = (certificate, digest) }
        }
    }

    /// Whether a key match names the certificate at a position of a path, its key in whatever
    /// encoding (`KeyMatch.names`).
    mutating func names(_ wanted: KeyMatch, at position: Int, of path: CandidatePath) -> Bool {
        if digest(wanted.form, at: position, of: path) == wanted.digest { return true }
        guard wanted.kind == .spki else { return false }
        return canonicalDigest(wanted.form, at: position, of: path) == wanted.digest
    }

    /// A digest that is equal for equal keys at positions of a path, in whatever encoding they are.
    mutating func keyIdentity(at position: Int, of path: CandidatePath) -> Digest {
        canonicalDigest(.key, at: position, of: path) ?? digest(.key, at: position, of: path)
    }

    /// The digest of the canonical encoding of a key; nil where the key's own octets are that.
    private mutating func canonicalDigest(
        _ form: KeyMatch.Form, at position: Int, of path: CandidatePath
    ) -> Digest? {
        let member = path.member(at: position)
        guard let canonical = pool.certificate(member).canonicalSPKI else { return nil }
        let request = Request(
            form: form, certificate: pool.identity(member), isCanonical: true)
        if let digest = computed[request] { return digest }
        let digest = crypto.digest(form.algorithm, of: canonical.span)
        computed.add(digest, for: request)
        return digest
    }

    /// The digest of the certificate at a position of a path: of its key or of the whole
    /// certificate, by `form`.
    mutating func digest(
        _ form: KeyMatch.Form, at position: Int, of path: CandidatePath
    ) -> Digest {
        let member = path.member(at: position)
        let request = Request(form: form, certificate: pool.identity(member))
        if let digest = pool.digest(form, of: member) { return digest }
        if form == .key, let learned, learned.certificate == request.certificate {
            return learned.digest
        }
        if let digest = computed[request] { return digest }
        let digest = hash(form, pool.certificate(member))
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
    /// The digest of a member that was computed when the certificate was read; nil when it was not
    /// computed.
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
