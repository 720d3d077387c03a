/// The certificates that may have signed the evidence about a chain.
package struct EvidenceSigners: Sendable {
    package let certificates: [Certificate]

    /// Takes the certificates as they are.
    package init(_ certificates: [Certificate]) { self.certificates = certificates }

    /// Takes the certificates of the chain and the anchors above them.
    package init(_ request: TrustRequest, _ engine: Engine) {
        let presented = request.presentedChain.compactMap { try? Certificate(der: $0) }
        let anchors = engine.anchors.anchors.map(\.certificate).filter { anchor in
            presented.contains { $0.isIssued(byNameOf: anchor) }
        }
        certificates = presented + anchors
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
