/// The revocation evidence of one evaluation, each piece read once.
package struct RevocationEvidence: Sendable {
    /// One piece.
    package struct Piece: Sendable {
        package let source: RevocationSource
        package let digest: Digest
        package let content: Content
    }

    /// What a piece is.
    package enum Content: Sendable {
        case prepared(PreparedEvidence)
        /// It does not parse.
        case unreadable(EvidenceError)
    }

    /// In the order in which the request has them.
    package private(set) var pieces: [Piece] = []

    /// No evidence.
    package init() {}

    /// Whether there is none.
    package var isEmpty: Bool { pieces.isEmpty }

    /// Adds what was prepared before the request.
    package mutating func add(_ evidence: PreparedEvidence, from source: RevocationSource) {
        pieces.append(
            Piece(source: source, digest: evidence.digest, content: .prepared(evidence)))
    }

    /// Reads a CRL. Cost: a unit for every 256 octets, as it is parsed and hashed.
    package mutating func read(
        crl der: [UInt8], crypto: any CryptoBackend, budget: inout WorkBudget
    ) throws(WorkExhausted) {
        try read(der, from: .crl, crypto, &budget) { der throws(EvidenceError) in
            .list(PreparedRevocationList(try CertificateRevocationList(der: der), isIndexed: false))
        }
    }

    /// Reads an OCSP response, at the same cost and that of the keys of the certificates sent along.
    package mutating func read(
        ocspResponse der: [UInt8], from source: RevocationSource, crypto: any CryptoBackend,
        budget: inout WorkBudget
    ) throws(WorkExhausted) {
        try read(der, from: source, crypto, &budget) { der throws(EvidenceError) in
            .response(PreparedResponse(try OCSPResponse(der: der)))
        }
    }

    private mutating func read(
        _ der: [UInt8], from source: RevocationSource, _ crypto: any CryptoBackend,
        _ budget: inout WorkBudget,
        _ parse: ([UInt8]) throws(EvidenceError) -> PreparedEvidence.Content
    ) throws(WorkExhausted) {
        try budget.take(1 + der.count / 256)
        let digest = crypto.digest(.sha256, of: der.span)
        let content: Content
        do throws(EvidenceError) {
            content = .prepared(PreparedEvidence(reading: try parse(der), digest: digest))
        } catch {
            content = .unreadable(error)
        }
        if case .prepared(let evidence) = content, case .response(let response) = evidence.content {
            try budget.take(response.readingUnits)
        }
        pieces.append(Piece(source: source, digest: digest, content: content))
    }
}
