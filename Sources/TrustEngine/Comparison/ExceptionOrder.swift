/// The order of exceptions. A demand that is enforced is stricter than a demand that is waived or
/// only reported. A waived or reported demand is stricter than no demand.
enum ExceptionOrder {
    static func relation(
        _ here: BehaviourBody, _ there: BehaviourBody, _ evidence: EvidenceOrder
    ) -> Relation {
        if here.exceptions == there.exceptions { return .equal }
        return disturbsEvidence(here, there, evidence)
            ? .incomparable : compare(here, there).reduce(.equal) { $0.and($1.relation) }
    }

    /// Whether report modes that differ also decide which revocation evidence counts, so that they
    /// can work against their own order.
    static func disturbsEvidence(
        _ here: BehaviourBody, _ there: BehaviourBody, _ evidence: EvidenceOrder
    ) -> Bool {
        let paths = Set(
            (here.exceptions + there.exceptions).filter(\.decidesEvidence).map(\.path))
        return !paths.isEmpty
            && compare(here, there).contains {
                paths.contains($0.path) && evidence.disturbs($0.relation, .vouches)
            }
    }

    private static func isCovered(_ exception: DatedException, by body: BehaviourBody) -> Bool {
        exception.isIdle(in: body) || body.exceptions.contains { exception.lies(in: $0) }
    }

    /// One comparison for each path whose exceptions differ between the sides. The values leave out
    /// the dates.
    static func compare(
        _ here: BehaviourBody, _ there: BehaviourBody
    ) -> [FieldComparison] {
        let (own, other) = (here.exceptions, there.exceptions)
        var seen: Set<String> = []
        return (own + other).compactMap { exception -> FieldComparison? in
            let path = exception.path
            guard seen.insert(path).inserted else { return nil }
            let (ours, theirs) = (own.filter { $0.path == path }, other.filter { $0.path == path })
            guard ours != theirs else { return nil }
            let relation = Relation(
                isNoWeaker: ours.allSatisfy { isCovered($0, by: there) },
                isNoStricter: theirs.allSatisfy { isCovered($0, by: here) })
            func value(_ list: [DatedException]) -> FieldComparison.Value {
                guard let first = list.first else { return .absent }
                if case .waiver = first.kind { return .word("waived") }
                return .word("reported")
            }
            return FieldComparison(
                path, relation, value(ours), value(theirs), remark: .exception)
        }
    }
}
