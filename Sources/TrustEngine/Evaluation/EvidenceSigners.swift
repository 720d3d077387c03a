/// The certificates that may have signed the evidence about a chain.
package struct EvidenceSigners: Sendable {
    package let certificates: [Certificate]

    /// Takes the certificates as they are.
    package init(_ certificates: [Certificate]) { self.certificates = certificates }

    /// Takes the certificates of the chain and the anchors above them. The chain may be anybody's:
    /// a quarter of the work of an evaluation is spent on it, and the rest of a chain that costs
    /// more is left out.
    package init(_ request: TrustRequest, _ engine: Engine) {
        var budget = WorkBudget(limit: engine.workLimit / 4)
        var presented: [Certificate] = []
        for der in request.presentedChain {
            guard budget.spend(1 + der.count / 1_024) else { break }
            guard let certificate = try? Certificate(der: der) else {
                _ = budget.spend(SignatureCost.readingUnits(ofUnreadable: der.count))
                continue
            }
            _ = budget.spend(SignatureCost.readingUnits(of: certificate))
            presented.append(certificate)
        }
        let anchors = engine.anchors.anchors.map(\.certificate).filter { anchor in
            presented.contains { $0.isIssued(byNameOf: anchor, budget: &budget) }
        }
        certificates = presented + anchors
    }
}

extension TrustRequest {
    /// The request of a program that prepares no CRL and hands over the octets with each request;
    /// nil where no CRL is prepared. CRLs of a revocation set have no octets of their own and stay
    /// prepared.
    package var withCRLsUnprepared: TrustRequest? {
        var request = self
        request.evidence.prepared = []
        for piece in evidence.prepared {
            if case .list(let list) = piece.content, list.revocationSet == nil {
                request.evidence.crls.append(list.list.der)
            } else {
                request.evidence.prepared.append(piece)
            }
        }
        return request.evidence.crls.count > evidence.crls.count ? request : nil
    }
}

extension Evidence {
    /// Adds a CRL, prepared. A CRL that cannot be parsed is added as it is, and the answer says why
    /// it is not used.
    package mutating func add(
        crl der: [UInt8], signers: EvidenceSigners, crypto: any CryptoBackend
    ) {
        do throws(EvidenceError) {
            prepared.append(
                try PreparedEvidence(crl: der, signers: signers.certificates, crypto: crypto))
        } catch {
            crls.append(der)
        }
    }
}
