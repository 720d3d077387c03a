/// A CRL or OCSP response that is parsed once and whose signature is verified once, for any number
/// of requests (LANGUAGE section 12.4). It is a plain value: an evaluation adds nothing to it.
public struct PreparedEvidence: Hashable, Sendable {
    package enum Content: Sendable {
        case list(PreparedRevocationList)
        case response(PreparedResponse)
    }

    package let content: Content
    /// SHA-256 of the octets as received.
    public let digest: Digest
    /// The signatures of this evidence that were verified.
    private let verified: [VerifiedSignature]

    private struct VerifiedSignature: Hashable, Sendable {
        let subject: EvidenceSignature
        /// The SubjectPublicKeyInfo of the key that verifies the signature.
        let key: [UInt8]
    }

    /// Prepares a CRL. `signers` are certificates whose keys may have signed it. A certificate that
    /// verifies the CRL is remembered. Another certificate with the CRL issuer's name costs one
    /// verification and changes nothing.
    ///
    /// Cost: the serial numbers are sorted and the octets hashed twice. A CRL of 300,000 entries
    /// takes in the order of 100 ms, and a quarter of its size in memory.
    ///
    /// - Throws: `EvidenceError` when the CRL does not parse.
    public init(
        crl der: [UInt8], signers: [Certificate], crypto: some CryptoBackend
    ) throws(EvidenceError) {
        let list = try CertificateRevocationList(der: der)
        var budget = WorkBudget(limit: PreparedEvidence.maximumWork)
        let candidates = signers.filter {
            (try? list.isIssued(byNameOf: $0, budget: &budget)) ?? false
        }
        self.init(
            content: .list(PreparedRevocationList(list, isIndexed: true)), der: der,
            candidates: candidates.map { (.evidence, $0) }, crypto: crypto)
    }

    /// Prepares an OCSP response. `signers` are certificates of issuers that may have signed the
    /// response or the delegated certificate in it. Only keys that the response names are tried
    /// (RFC 6960 section 4.2.2.3), and of issuers only those whose names fit.
    ///
    /// - Throws: `EvidenceError` when the response does not parse.
    public init(
        ocspResponse der: [UInt8], signers: [Certificate], crypto: some CryptoBackend
    ) throws(EvidenceError) {
        let response = PreparedResponse(try OCSPResponse(der: der))
        var candidates: [(EvidenceSignature, Certificate)] = []
        if case .basic(let layout) = response.response.contents {
            var budget = WorkBudget(limit: PreparedEvidence.maximumWork)
            func isResponder(_ certificate: Certificate) -> Bool {
                (try? layout.responder.names(
                    certificate, in: der.span, crypto: crypto, budget: &budget)) ?? false
            }
            candidates = signers.filter(isResponder).map { (.evidence, $0) }
            for (index, delegate) in response.certificates.enumerated() where isResponder(delegate)
            {
                candidates.append((.evidence, delegate))
                for signer in signers
                where delegate.isIssued(byNameOf: signer, budget: &budget) {
                    candidates.append((.certificate(index), signer))
                }
            }
        }
        self.init(
            content: .response(response), der: der, candidates: candidates, crypto: crypto)
    }

    private init(
        content: Content, der: [UInt8],
        candidates: [(EvidenceSignature, Certificate)], crypto: some CryptoBackend
    ) {
        self.content = content
        self.digest = crypto.digest(.sha256, of: der.span)
        var verified: [VerifiedSignature] = []
        var budget = WorkBudget(limit: PreparedEvidence.maximumWork)
        for (subject, signer) in candidates {
            // The octets are hashed once for each candidate. The program that fetched them has
            // bounded their number.
            let units = SignatureCost.units(
                for: signer.layout.publicKey, exponentBits: signer.exponentBits, messageBytes: 0)
            guard budget.spend(units) else { break }
            if content.verify(subject, under: signer, crypto: crypto) == .valid {
                verified.append(VerifiedSignature(subject: subject, key: signer.spkiBytes))
            }
        }
        self.verified = verified
    }

    /// A CRL of a revocation set. Its signature was verified under these keys when the set was
    /// made.
    ///
    /// - Parameter keys: the SubjectPublicKeyInfo of each key.
    init(_ list: PreparedRevocationList, digest: Digest, keys: [[UInt8]]) {
        self.content = .list(list)
        self.digest = digest
        self.verified = keys.map { VerifiedSignature(subject: .evidence, key: $0) }
    }

    /// The SubjectPublicKeyInfo of each key under which preparation verified the evidence's own
    /// signature.
    var signingKeys: [[UInt8]] { verified.filter { $0.subject == .evidence }.map(\.key) }

    /// Whether preparation verified a signature, so that an evaluation need not verify it.
    package var isVerified: Bool { !verified.isEmpty }

    /// The source that this evidence counts as: a CRL, or an OCSP response that is not a staple.
    public var source: RevocationSource {
        switch content {
        case .list: return .crl
        case .response: return .ocsp
        }
    }

    /// Reads a CRL or response of a request. Makes no index and verifies no signature.
    init(reading content: Content, digest: Digest) {
        self.content = content
        self.digest = digest
        self.verified = []
    }

    /// Whether preparation verified a signature under a certificate's key.
    func isVerified(_ subject: EvidenceSignature, under signer: Certificate) -> Bool {
        guard !verified.isEmpty else { return false }
        return verified.contains {
            $0.subject == subject
                && signer.der.span.extracting(signer.layout.publicKey.spki.indices)
                    .octetsEqual($0.key)
        }
    }

    /// Two values are equal when their octets are equal and the same signatures were verified.
    public static func == (left: PreparedEvidence, right: PreparedEvidence) -> Bool {
        left.digest == right.digest && left.verified == right.verified
    }

    /// Hashes the digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Units of work that one preparation spends on signatures, and as many on names. A signature
    /// that is not verified here is verified, and charged, when a request needs it. The number is
    /// enough for two signatures under any key in use, which a delegated response has, and for ten
    /// under P-256. The limit is needed because a stranger may send eight certificates with
    /// RSA-16384 keys and the responder's name.
    private static let maximumWork = 4_000
}

/// One of the signatures of a piece of evidence.
package enum EvidenceSignature: Hashable, Sendable, BitwiseCopyable {
    /// The signature of the CRL or response.
    case evidence
    /// The signature of a certificate that an OCSP response carries, by the certificate's index.
    case certificate(Int)
}

/// An OCSP response with the certificates that it carries and that can be parsed.
package struct PreparedResponse: Sendable {
    package let response: OCSPResponse
    package let certificates: [Certificate]
    /// Cost units of reading its certificates, without the units for their octets. Certificates
    /// that could not be read are included.
    package let readingUnits: Int

    package init(_ response: OCSPResponse) {
        self.response = response
        var certificates: [Certificate] = []
        var units = 0
        if case .basic(let layout) = response.contents {
            for der in response.certificates(
                layout, atMost: PreparedResponse.maximumCertificates)
            {
                guard let certificate = try? Certificate(der: der) else {
                    units += SignatureCost.readingUnits(ofUnreadable: der.count)
                    continue
                }
                units += SignatureCost.readingUnits(of: certificate)
                certificates.append(certificate)
            }
        }
        self.certificates = certificates
        self.readingUnits = units
    }

    /// Most certificates of a response that are read. One is needed.
    package static let maximumCertificates = 8
}

extension PreparedEvidence.Content {
    /// Whether the evidence holds its own signature. A CRL of a revocation set does not.
    var hasSignature: Bool {
        guard case .list(let list) = self else { return true }
        return list.revocationSet == nil
    }

    /// Number of octets that one of the signatures covers.
    func signedOctets(of subject: EvidenceSignature) -> Int {
        switch (self, subject) {
        case (.list(let list), _): return Int(list.list.layout.tbs.count)
        case (.response(let response), .certificate(let index)):
            return Int(response.certificates[index].layout.tbs.count)
        case (.response(let response), .evidence):
            guard case .basic(let layout) = response.response.contents else { return 0 }
            return Int(layout.tbs.count)
        }
    }

    /// Verifies a signature under a certificate's key. A response without an answer has no valid
    /// signature.
    func verify(
        _ subject: EvidenceSignature, under signer: Certificate, crypto: some CryptoBackend
    ) -> SignatureOutcome {
        func verify(
            _ algorithm: SignatureAlgorithm, _ der: [UInt8], _ message: ByteRange,
            _ signature: ByteRange
        ) -> SignatureOutcome {
            guard signer.layout.publicKey.permits(algorithm) else { return .invalid }
            return crypto.verify(
                algorithm, key: signer.layout.publicKey, keyBytes: signer.der.span,
                message: der.span.extracting(message.indices),
                signature: der.span.extracting(signature.indices))
        }
        switch (self, subject) {
        case (.list(let list), _):
            let layout = list.list.layout
            return verify(
                layout.signatureAlgorithm, list.list.der, layout.tbs, layout.signature)
        case (.response(let response), .certificate(let index)):
            let certificate = response.certificates[index]
            let layout = certificate.layout
            return verify(
                layout.signatureAlgorithm, certificate.der, layout.tbs, layout.signature)
        case (.response(let response), .evidence):
            guard case .basic(let layout) = response.response.contents else { return .invalid }
            return verify(
                layout.signatureAlgorithm, response.response.der, layout.tbs, layout.signature)
        }
    }
}
