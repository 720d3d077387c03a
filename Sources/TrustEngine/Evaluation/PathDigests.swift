/// Digests of keys and certificates. Each digest is computed once, on however many paths its
/// certificate stands. Hashing spends no budget here: the octets were charged when they were read.
struct PathDigests {
    private struct Request: Hashable, BitwiseCopyable {
        let form: KeyMatch.Form
        /// `CandidatePath.identity` of the certificate.
        let certificate: Int
    }

    private struct Known: Sendable, BitwiseCopyable {
        let request: Request
        let digest: Digest
    }

    private let pool: CertificatePool
    private let crypto: any CryptoBackend
    /// The digests that were computed first; a path and one form of digest need no more.
    private var first = ShortList<Known>()
    private var others: [Request: Digest] = [:]

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
        let request = Request(form: form, certificate: path.identity(at: position, in: pool))
        for index in 0..<first.count where first[index].request == request {
            return first[index].digest
        }
        if !others.isEmpty, let digest = others[request] { return digest }
        let certificate = path.certificate(at: position, in: pool)
        let digest: Digest
        switch form.kind {
        case .spki:
            let spki = certificate.layout.publicKey.spki
            digest = crypto.digest(
                form.algorithm, of: certificate.der.span.extracting(spki.indices))
        case .certificate:
            digest = crypto.digest(form.algorithm, of: certificate.der.span)
        }
        if first.count < ShortList<Known>.inlineCount {
            first.append(Known(request: request, digest: digest))
        } else {
            others[request] = digest
        }
        return digest
    }
}

extension KeyMatch.Form {
    /// SHA-256 of a key, by which keys are told apart.
    static let key = KeyMatch.Form(kind: .spki, algorithm: .sha256)
}
