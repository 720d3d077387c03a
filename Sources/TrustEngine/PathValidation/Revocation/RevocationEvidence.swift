/// The revocation evidence of one evaluation. Each piece is parsed once.
package struct RevocationEvidence: Sendable {
    /// One piece of evidence, with how it came.
    package struct Piece: Sendable {
        package let source: RevocationSource
        package let digest: Digest
        package let content: Content
    }

    /// The content of a piece of evidence.
    package enum Content: Sendable {
        case prepared(PreparedEvidence)
        /// The octets do not parse.
        case unreadable(EvidenceError)
    }

    /// The pieces in the order of the request.
    package private(set) var pieces: [Piece] = []

    /// Makes a value without evidence.
    package init() {}

    /// Whether it holds no evidence.
    package var isEmpty: Bool { pieces.isEmpty }

    /// Adds evidence that was prepared before the request.
    package mutating func add(_ evidence: PreparedEvidence, from source: RevocationSource) {
        pieces.append(
            Piece(source: source, digest: evidence.digest, content: .prepared(evidence)))
    }

    /// Parses a CRL and adds it. Cost: one unit for every 256 octets, and the units of its issuer's
    /// name.
    package mutating func read(
        crl der: [UInt8], crypto: any CryptoBackend, budget: inout WorkBudget
    ) throws(WorkExhausted) {
        try read(der, from: .crl, crypto, &budget) { der throws(EvidenceError) in
            .list(PreparedRevocationList(try CertificateRevocationList(der: der), isIndexed: false))
        }
    }

    /// Parses an OCSP response and adds it. Cost: one unit for every 256 octets, and the units of
    /// reading the names, lists and keys of its certificates.
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
        if case .prepared(let evidence) = content {
            switch evidence.content {
            case .list(let list): try budget.take(Int(list.list.layout.readingUnits))
            case .response(let response): try budget.take(response.readingUnits)
            }
        }
        pieces.append(Piece(source: source, digest: digest, content: content))
    }
}
