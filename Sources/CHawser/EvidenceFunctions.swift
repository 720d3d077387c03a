// The functions of hawser.h that prepare evidence.

public import CHawserABI
import Hawser
import TrustEngine

/// Prepares evidence; see hawser.h.
@c @implementation
public func hawser_evidence_prepare(
    _ kind: UInt32, _ store: hawser_store, _ der: UnsafeRawPointer?, _ length: Int,
    _ signers: UnsafePointer<hawser_bytes>?, _ signerCount: Int,
    _ evidence: UnsafeMutablePointer<hawser_evidence>?, _ error: UnsafeMutablePointer<hawser_error>?
) -> Int32 {
    unsafe evidence?.pointee = hawser_evidence()
    return unsafe call(error) { () throws(CallFailure) in
        guard let evidence = unsafe evidence else { throw .null("evidence") }
        guard [HAWSER_EVIDENCE_CRL, HAWSER_EVIDENCE_OCSP].contains(Int(kind)) else {
            throw .value("kind", kind, allowed: "HAWSER_EVIDENCE_CRL, HAWSER_EVIDENCE_OCSP")
        }
        var anchors: [Certificate] = []
        if store.number != 0 {
            let served = try Handles.stores.held(store, "store")
            anchors = served.snapshot.engine.anchors.anchors.map(\.certificate)
        }
        let octets = try unsafe CInput.octets(der, length, limit: CInput.limitOctets, "der")
        guard let octets else { throw .null("der") }
        var budget = CInput.limitOctets
        let certificates = try unsafe CInput.list(
            signers, signerCount, budget: &budget, "signers")
        // A signer that cannot be read is skipped: no signature could be verified with it.
        let held = try HeldEvidence(
            kind, octets, signers: certificates.compactMap { try? Certificate(der: $0) },
            anchors: anchors)
        guard let handle = Handles.evidence.insert(held) else {
            throw CallFailure(
                HAWSER_E_LIMIT, "too-many-objects",
                "too much evidence is alive; each is to be freed by hawser_evidence_free")
        }
        unsafe evidence.pointee = handle
        return HAWSER_OK
    }
}

/// Frees evidence; see hawser.h.
@c @implementation
public func hawser_evidence_free(_ evidence: hawser_evidence) -> Int32 {
    call(nil) { () throws(CallFailure) in
        try Handles.evidence.free(evidence, "evidence")
    }
}
