import TrustEngine

/// A wanted piece of evidence, as a question with a key.
struct EvidenceNeed: Sendable {
    /// The key of the need in the cache: a digest over the kind, the URL, and the issuer's key or
    /// the OCSP request. The issuer is a part of it, so that the URLs in one authority's
    /// certificates cannot affect another authority's evidence.
    let key: Digest
    let wanted: WantedEvidence
    let question: EvidenceQuestion
    /// The backend of the engine that wants the evidence. It verifies the answer.
    private let crypto: any CryptoBackend

    init(
        _ wanted: WantedEvidence, ports: Set<UInt16>, crypto: any CryptoBackend
    ) throws(FetchFailure) {
        let url = try EvidenceURL(wanted.url, ports: ports)
        var request: [UInt8]?
        var subject: [UInt8]
        switch wanted.source {
        case .stapled: throw .urlRefused("a staple comes from the peer alone")
        case .crlite: throw .urlRefused("filters are handed over by the program")
        case .crl: subject = wanted.issuerKey.bytes
        case .ocsp:
            guard
                let made = OCSPRequest(
                    about: wanted.certificate, issuer: wanted.issuer, crypto: crypto)
            else { throw .malformed("this libcrypto has no SHA-1 to name the issuer by") }
            request = made.der
            subject = made.der
        }
        subject += Array("\n\(wanted.source.name)\n\(url.text)".utf8)
        self.wanted = wanted
        self.question = EvidenceQuestion(url: url, ocspRequest: request)
        self.key = crypto.digest(.sha256, of: subject.span)
        self.crypto = crypto
    }

    /// The host that failures are counted for, with its port.
    var host: String { question.url.authority }

    /// Reads an answer and verifies its signature, once.
    func prepare(_ octets: [UInt8]) throws(FetchFailure) -> PreparedEvidence {
        let evidence: PreparedEvidence
        do throws(EvidenceError) {
            switch wanted.source {
            case .crl:
                evidence = try PreparedEvidence(
                    crl: octets, signers: [wanted.issuer], crypto: crypto)
            case .ocsp, .stapled, .crlite:
                evidence = try PreparedEvidence(
                    ocspResponse: octets, signers: [wanted.issuer], crypto: crypto)
            }
        } catch {
            throw .malformed("`\(error.field)`: \(error.reason)")
        }
        if let status = evidence.responderError {
            throw .useless("the responder answers `\(status.name)`")
        }
        return evidence
    }
}
