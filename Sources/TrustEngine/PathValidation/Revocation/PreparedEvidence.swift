/// A CRL or an OCSP response read once, and its signature verified once, to be shared by any number of
/// requests (LANGUAGE section 12.4). A value: what is found out about it later is not kept here.
public struct PreparedEvidence: Hashable, Sendable {
    package enum Content: Sendable {
        case list(PreparedRevocationList)
        case response(PreparedResponse)
    }

    package let content: Content
    /// SHA-256 of the octets as received.
    public let digest: Digest
    /// Signatures of this evidence that have been verified.
    private let verified: [VerifiedSignature]

    private struct VerifiedSignature: Hashable, Sendable {
        let subject: EvidenceSignature
        /// The SubjectPublicKeyInfo of the key that verifies it.
        let key: [UInt8]
    }

    /// Prepares a CRL. `signers` are certificates whose keys may have signed it: those that verify it
    /// are remembered, the others of the CRL issuer's name cost a verification and change nothing.
    ///
    /// Cost: sorting the serial numbers and hashing the octets twice; a CRL of 300,000 entries takes
    /// the order of 100 ms, and a quarter of its size in memory.
    ///
    /// - Throws: `EvidenceError` when it does not parse.
    public init(
        crl der: [UInt8], signers: [Certificate], crypto: some CryptoBackend
    ) throws(EvidenceError) {
        let list = try CertificateRevocationList(der: der)
        let candidates = signers.lazy.filter { list.isIssued(byNameOf: $0) }
            .map { (EvidenceSignature.evidence, $0) }
        self.init(
            content: .list(PreparedRevocationList(list, isIndexed: true)), der: der,
            candidates: candidates, crypto: crypto)
    }

    /// Prepares an OCSP response. `signers` are certificates of issuers that may have signed it, or the
    /// delegated certificate that it carries. Only the keys that it names are tried (RFC 6960 section
    /// 4.2.2.3), and issuers by their names.
    ///
    /// - Throws: `EvidenceError` when it does not parse.
    public init(
        ocspResponse der: [UInt8], signers: [Certificate], crypto: some CryptoBackend
    ) throws(EvidenceError) {
        let response = PreparedResponse(try OCSPResponse(der: der))
        var candidates: [(EvidenceSignature, Certificate)] = []
        if case .basic(let layout) = response.response.contents {
            func isResponder(_ certificate: Certificate) -> Bool {
                layout.responder.names(certificate, in: der.span, crypto: crypto)
            }
            candidates = signers.filter(isResponder).map { (.evidence, $0) }
            for (place, delegate) in response.certificates.enumerated() where isResponder(delegate)
            {
                candidates.append((.evidence, delegate))
                for signer in signers where delegate.isIssued(byNameOf: signer) {
                    candidates.append((.certificate(place), signer))
                }
            }
        }
        self.init(
            content: .response(response), der: der, candidates: candidates, crypto: crypto)
    }

    private init(
        content: Content, der: [UInt8],
        candidates: some Sequence<(EvidenceSignature, Certificate)>, crypto: some CryptoBackend
    ) {
        self.content = content
        self.digest = crypto.digest(.sha256, of: der.span)
        var verified: [VerifiedSignature] = []
        var budget = WorkBudget(limit: PreparedEvidence.maximumWork)
        for (subject, signer) in candidates {
            // The octets are hashed once a candidate; whoever fetched them has bounded them.
            let units = SignatureCost.units(
                for: signer.layout.publicKey, exponentBits: signer.exponentBits, messageBytes: 0)
            guard budget.spend(units) else { break }
            if content.verify(subject, under: signer, crypto: crypto) == .valid {
                verified.append(VerifiedSignature(subject: subject, key: signer.spkiBytes))
            }
        }
        self.verified = verified
    }

    /// A CRL of a revocation set, whose signature verified under these keys when the set was made.
    ///
    /// - Parameter keys: SubjectPublicKeyInfo each.
    init(_ list: PreparedRevocationList, digest: Digest, keys: [[UInt8]]) {
        self.content = .list(list)
        self.digest = digest
        self.verified = keys.map { VerifiedSignature(subject: .evidence, key: $0) }
    }

    /// SubjectPublicKeyInfo of each key under which preparation verified its signature.
    var signingKeys: [[UInt8]] { verified.filter { $0.subject == .evidence }.map(\.key) }

    /// Whether preparation verified any signature of it, which an evaluation then need not.
    package var isVerified: Bool { !verified.isEmpty }

    /// How it counts: as a CRL, or as an OCSP response from elsewhere than the handshake.
    public var source: RevocationSource {
        switch content {
        case .list: return .crl
        case .response: return .ocsp
        }
    }

    /// Reads a CRL or a response as a request brings it: no index, nothing verified.
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

    /// Equal octets prepared with the same success, as their digest says.
    public static func == (left: PreparedEvidence, right: PreparedEvidence) -> Bool {
        left.digest == right.digest && left.verified == right.verified
    }

    /// Hashes the digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Units of work that one preparation spends on signatures: what is left over is verified, and
    /// charged, where a request needs it. Enough for two signatures under any key in use, which is what a
    /// delegated response has, and for ten under P-256; a stranger may send eight certificates with
    /// RSA-16384 and the responder's name.
    private static let maximumWork = 4_000
}

/// One of the signatures of a piece of evidence.
package enum EvidenceSignature: Hashable, Sendable, BitwiseCopyable {
    /// That of the CRL or response.
    case evidence
    /// That of a certificate which an OCSP response carries, by its place.
    case certificate(Int)
}

/// An OCSP response with the certificates that it carries, as far as they can be read.
package struct PreparedResponse: Sendable {
    package let response: OCSPResponse
    package let certificates: [Certificate]
    /// What the keys of its certificates cost to read, those included that could not be.
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
                    units += SignatureCost.mostReadingUnits
                    continue
                }
                units += SignatureCost.readingUnits(of: certificate.layout.publicKey)
                certificates.append(certificate)
            }
        }
        self.certificates = certificates
        self.readingUnits = units
    }

    /// Certificates of a response that are looked at: one is needed.
    package static let maximumCertificates = 8
}

extension PreparedEvidence.Content {
    /// Whether it carries its signature; a CRL of a revocation set does not.
    var hasSignature: Bool {
        guard case .list(let list) = self else { return true }
        return list.revocationSet == nil
    }

    /// Octets that one of the signatures covers.
    func signedOctets(of subject: EvidenceSignature) -> Int {
        switch (self, subject) {
        case (.list(let list), _): return Int(list.list.layout.tbs.count)
        case (.response(let response), .certificate(let place)):
            return Int(response.certificates[place].layout.tbs.count)
        case (.response(let response), .evidence):
            guard case .basic(let layout) = response.response.contents else { return 0 }
            return Int(layout.tbs.count)
        }
    }

    /// Whether a signature verifies under a certificate's key. What is no answer at all does not.
    func verify(
        _ subject: EvidenceSignature, under signer: Certificate, crypto: some CryptoBackend
    ) -> SignatureOutcome {
        func verify(
            _ algorithm: SignatureAlgorithm, _ der: [UInt8], _ message: ByteRange,
            _ signature: ByteRange
        ) -> SignatureOutcome {
            crypto.verify(
                algorithm, key: signer.layout.publicKey, keyBytes: signer.der.span,
                message: der.span.extracting(message.indices),
                signature: der.span.extracting(signature.indices))
        }
        switch (self, subject) {
        case (.list(let list), _):
            let layout = list.list.layout
            return verify(
                layout.signatureAlgorithm, list.list.der, layout.tbs, layout.signature)
        case (.response(let response), .certificate(let place)):
            let certificate = response.certificates[place]
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
