// Questions of programs that keep evidence: its octets, its signer, and until when it is current.
extension PreparedEvidence {
    /// The octets of the revocation set that the evidence belongs to; nil for a single CRL or
    /// response.
    public var revocationSet: [UInt8]? {
        guard case .list(let list) = content else { return nil }
        return list.revocationSet
    }

    /// The CRL or response exactly as received. For a CRL of a revocation set: what the set keeps
    /// of the CRL, which is of no use without the set.
    public var der: [UInt8] {
        switch content {
        case .list(let list): return list.list.der
        case .response(let response): return response.response.der
        }
    }

    /// Whether preparation verified a signature under an issuer's key. That is the issuer's own
    /// signature, or the signature of a certificate that the response carries and the issuer
    /// signed. Whether the carried certificate may sign responses is judged with each request.
    package func isSigned(byKeyOf issuer: Certificate) -> Bool {
        if isVerified(.evidence, under: issuer) { return true }
        guard case .response(let response) = content else { return false }
        return response.certificates.indices.contains { index in
            isVerified(.certificate(index), under: issuer)
                && isVerified(.evidence, under: response.certificates[index])
        }
    }

    /// The error of a responder that gave no answer; nil for all other evidence.
    package var responderError: OCSPErrorStatus? {
        guard case .response(let response) = content,
            case .error(let status) = response.response.contents
        else { return nil }
        return status
    }

    /// From when until when the evidence can vouch for a certificate. For a response: the time that
    /// all of its single responses have in common, from producedAt on. Nil for a response without
    /// an answer.
    package var validity: ClosedRange<UTCInstant>? {
        switch content {
        case .list(let list):
            let layout = list.list.layout
            return PreparedEvidence.validity(layout.thisUpdate, layout.nextUpdate)
        case .response(let response):
            guard case .basic(let layout) = response.response.contents else { return nil }
            var common: ClosedRange<UTCInstant>?
            var reader = response.response.singleResponses(layout)
            while let single = reader.next(in: response.response.der.span) {
                guard
                    let next = PreparedEvidence.validity(single.thisUpdate, single.nextUpdate)
                else { return nil }
                let lower = max(common?.lowerBound ?? layout.producedAt, next.lowerBound)
                let upper = min(common?.upperBound ?? next.upperBound, next.upperBound)
                guard lower <= upper else { return nil }
                common = lower...upper
            }
            return common
        }
    }

    private static func validity(
        _ thisUpdate: UTCInstant, _ nextUpdate: UTCInstant?
    ) -> ClosedRange<UTCInstant>? {
        let end = nextUpdate ?? thisUpdate.advanced(bySeconds: EvidenceWindow.withoutNextUpdate)
        return thisUpdate <= end ? thisUpdate...end : nil
    }
}
