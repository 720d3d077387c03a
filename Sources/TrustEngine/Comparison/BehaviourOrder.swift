// The one order of the demands of rules. `StricterHosts` asks it at run time; the linter puts its
// answers into words.
//
// The order is sound: a behaviour that is called equal or stricter accepts no request that the
// other behaviour rejects. Three things are left out: the work budget; the CRLs that `AnchorOrder`
// describes; and a request whose TLS parameters a configuration enforces, because that request is
// about one rule of one table (`TLSState.enforced`).
//
// Each field's comparison holds whatever the other fields are. So the comparisons of fields are
// joined by AND: when the fields are changed one after the other, no step accepts more. The joint
// effect of two fields has an entry of its own (`EvidenceOrder`), so that the sign of a field
// depends only on its two values.

/// How two behaviours compare.
package struct BehaviourComparison: Hashable, Sendable {
    /// The relation of the first behaviour to the second.
    package let relation: Relation
    /// Every field that differs, in the order of the language. The relation of a field is `equal`
    /// where the difference changes no verdict.
    package let fields: [FieldComparison]

    /// The direction that readers are told: weaker where a field is weaker, whatever else got
    /// stricter.
    package var direction: Relation { .direction(of: fields.map(\.direction) + [relation]) }
}

/// Compares behaviours, and remembers the comparisons of anchors.
package struct BehaviourOrder {
    /// The comparisons of anchors that were made.
    let anchors: AnchorOrder
    /// The comparisons of log lists that were made.
    private let logLists = LogListOrder()

    package init() { anchors = AnchorOrder(logLists) }

    /// How one behaviour compares with another, field by field.
    package func compare(_ here: Behaviour, _ there: Behaviour) -> BehaviourComparison {
        switch (here, there) {
        case (.deny, .deny): return BehaviourComparison(relation: .equal, fields: [])
        case (.deny, .body):
            return BehaviourComparison(
                relation: .stricter,
                fields: [FieldComparison("default", .stricter, .word("deny"), .absent)])
        case (.body, .deny):
            return BehaviourComparison(
                relation: .weaker,
                fields: [FieldComparison("default", .weaker, .absent, .word("deny"))])
        case (.body(let own), .body(let other)):
            let requirements = requirements(own, other)
            var fields = requirements.fields()
            let relation = relation(own, other, requirements.evidence, fields)
            if ExceptionOrder.disturbsEvidence(own, other, requirements.evidence),
                !fields.contains(EvidenceOrder.disturbance)
            {
                fields.append(EvidenceOrder.disturbance)
            }
            return BehaviourComparison(
                relation: relation,
                fields: anchors.compare(own, other) + PinOrder.compare(own, other)
                    + IdentityOrder.compare(own.identity, other.identity)
                    + ExceptionOrder.compare(own, other) + fields)
        }
    }

    /// Only the relation.
    package func relation(_ here: Behaviour, _ there: Behaviour) -> Relation {
        guard case .body(let own) = here, case .body(let other) = there else {
            return compare(here, there).relation
        }
        let requirements = requirements(own, other)
        return relation(own, other, requirements.evidence, requirements.fields())
    }

    /// The relation of two bodies, by the differences of their requirements.
    private func relation(
        _ here: BehaviourBody, _ there: BehaviourBody, _ evidence: EvidenceOrder,
        _ requirements: [FieldComparison]
    ) -> Relation {
        requirements.reduce(
            anchors.relation(here, there)
                .and(PinOrder.relation(here.pins, there.pins))
                .and(IdentityOrder.relation(here.identity, there.identity))
                .and(ExceptionOrder.relation(here, there, evidence))
        ) { $0.and($1.relation) }
    }

    /// The first instant of the requests that are compared; nil where all are.
    static func since(_ here: BehaviourBody, _ there: BehaviourBody) -> UTCInstant? {
        guard let own = here.since, let other = there.since else { return nil }
        return min(own, other)
    }

    private func requirements(
        _ here: BehaviourBody, _ there: BehaviourBody
    ) -> RequirementOrder {
        RequirementOrder(
            here.requirements, there.requirements, logLists: logLists(of: here, there),
            comparesExemptNames: false)
    }

    /// The log lists of two bodies, with the comparisons that were made.
    func logLists(
        of here: BehaviourBody, _ there: BehaviourBody
    ) -> RequirementOrder.LogLists {
        .init(here: here, there: there, order: logLists)
    }
}
