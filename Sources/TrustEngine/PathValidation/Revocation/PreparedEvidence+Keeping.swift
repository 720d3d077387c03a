// What whoever keeps evidence for later asks of it: its octets, who vouches for it, and until when it
// is current.
extension PreparedEvidence {
    /// The octets of the revocation set that it belongs to; nil for a CRL or response by itself.
    public var revocationSet: [UInt8]? {
        guard case .list(let list) = content else { return nil }
        return list.revocationSet
    }

    /// The CRL or response exactly as it was received; of a revocation set what stands there of the CRL,
    /// which is nothing without the set.
    public var der: [UInt8] {
        switch content {
        case .list(let list): return list.list.der
        case .response(let response): return response.response.der
        }
    }

    /// Whether preparation verified a signature under an issuer's key: the issuer's own, or that of a
    /// certificate which a response carries and the issuer signed. Says nothing of what such a
    /// certificate may do: that is judged with the request.
    package func isSigned(byKeyOf issuer: Certificate) -> Bool {
        if isVerified(.evidence, under: issuer) { return true }
        guard case .response(let response) = content else { return false }
        return response.certificates.indices.contains { place in
            isVerified(.certificate(place), under: issuer)
                && isVerified(.evidence, under: response.certificates[place])
        }
    }

    /// Why a responder gave no answer; nil for every other piece of evidence.
    package var responderError: OCSPErrorStatus? {
        guard case .response(let response) = content,
            case .error(let status) = response.response.contents
        else { return nil }
        return status
    }

    /// From when until when it can vouch for a certificate: of a response, the part that all of its
    /// single responses have in common, from producedAt on. Nil for a response that answers nothing.
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
