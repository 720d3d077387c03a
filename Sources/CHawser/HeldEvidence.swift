import CHawserABI
import Hawser
import TrustEngine

/// Prepared evidence that C holds a handle of.
final class HeldEvidence: Sendable {
    let prepared: PreparedEvidence

    init(_ prepared: PreparedEvidence) { self.prepared = prepared }

    /// Reads and prepares evidence.
    ///
    /// - Parameter anchors: the anchors of a store. An anchor that issued one of `signers` may
    ///   itself have signed evidence.
    convenience init(
        _ kind: UInt32, _ der: [UInt8], signers: [Certificate], anchors: [Certificate]
    ) throws(CallFailure) {
        let issuers = anchors.filter { anchor in
            signers.contains { $0.isIssued(byNameOf: anchor) }
        }
        do throws(EvidenceError) {
            switch Int(kind) {
            case HAWSER_EVIDENCE_CRL:
                self.init(
                    try PreparedEvidence(
                        crl: der, signers: signers + issuers, crypto: EngineLoader.crypto))
            default:
                self.init(
                    try PreparedEvidence(
                        ocspResponse: der, signers: signers + issuers, crypto: EngineLoader.crypto))
            }
        } catch {
            throw CallFailure(
                HAWSER_E_EVIDENCE, "unreadable",
                "`\(error.field)` at octet \(error.offset): \(error.reason)")
        }
    }
}
