/// Checks that are made once for a request, not once for each path.
enum RequestChecks {
    /// Reads the revocation evidence of a request. Evidence that does not parse is kept with its
    /// error: each path decides whether it matters. Evidence that the budget does not allow to be
    /// read rejects the request, because unread evidence may say `revoked`.
    static func read(
        _ evidence: Evidence, crypto: any CryptoBackend, budget: inout WorkBudget
    ) -> (evidence: RevocationEvidence, outcome: CheckStep.Outcome) {
        var read = RevocationEvidence()
        do throws(WorkExhausted) {
            if let staple = evidence.stapledOCSP {
                try read.read(
                    ocspResponse: staple, from: .stapled, crypto: crypto, budget: &budget)
            }
            for prepared in evidence.prepared {
                try budget.take(1)
                read.add(prepared, from: prepared.source)
            }
            for response in evidence.ocspResponses {
                try read.read(ocspResponse: response, from: .ocsp, crypto: crypto, budget: &budget)
            }
            for list in evidence.crls { try read.read(crl: list, crypto: crypto, budget: &budget) }
        } catch {
            return (
                RevocationEvidence(),
                .failed([.evidenceTooLarge(octets: evidence.octets, limit: budget.limit)])
            )
        }
        return (read, .passed(read.isEmpty ? nil : .evidence(read.pieces.map(\.record))))
    }
}

extension Evidence {
    /// Octets of the evidence that is read for each request. Evidence that was prepared is not.
    fileprivate var octets: Int {
        let pieces = [stapledOCSP ?? []] + ocspResponses + crls
        return pieces.reduce(0) { $0 + $1.count }
    }
}

extension RevocationEvidence.Piece {
    /// The piece of evidence as a trace shows it.
    fileprivate var record: EvidenceRecord {
        var problem: EvidenceError?
        if case .unreadable(let error) = content { problem = error }
        return EvidenceRecord(source: source, digest: digest, problem: problem)
    }
}
