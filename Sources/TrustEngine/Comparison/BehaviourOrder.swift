// The one order of what rules demand: `StricterHosts` asks it at run time, the linter words it.
//
// Sound: a behaviour that is called equal or stricter accepts no request that the other rejects.
// Three things are left out: the work budget; what `AnchorOrder` says of revoking CRLs; and a
// request whose TLS parameters a configuration enforces, which speaks of one rule of one table
// (`TLSState.enforced`).
//
// Every entry holds whatever the other fields are, so entries are joined by AND: one can be changed
// after the other, and each step accepts no more.

/// How two behaviours compare.
package struct BehaviourComparison: Sendable {
    /// Of the first to the second.
    package let relation: Relation
    /// Every field that differs, in the order of the language; of equal relation where no verdict
    /// does.
    package let fields: [FieldComparison]
}

/// Compares behaviours; remembers the anchors that it has compared.
package struct BehaviourOrder {
    /// What is known of anchors.
    let anchors = AnchorOrder()

    package init() {}

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
            return BehaviourComparison(relation: relation(own, other), fields: fields(own, other))
        }
    }

    /// The relation alone.
    package func relation(_ here: Behaviour, _ there: Behaviour) -> Relation {
        guard case .body(let own) = here, case .body(let other) = there else {
            return compare(here, there).relation
        }
        return relation(own, other)
    }

    private func relation(_ here: BehaviourBody, _ there: BehaviourBody) -> Relation {
        let requirements = BehaviourOrder.requirements(here, there)
        return requirements.fields().reduce(
            anchors.relation(here, there)
                .and(PinOrder.relation(here.pins, there.pins))
                .and(IdentityOrder.relation(here.identity, there.identity))
                .and(ExceptionOrder.relation(here, there, requirements.evidence))
        ) { $0.and($1.relation) }
    }

    private func fields(_ here: BehaviourBody, _ there: BehaviourBody) -> [FieldComparison] {
        let requirements = BehaviourOrder.requirements(here, there)
        return anchors.compare(here, there) + PinOrder.compare(here, there)
            + IdentityOrder.compare(here.identity, there.identity)
            + ExceptionOrder.compare(here, there, requirements.evidence) + requirements.fields()
    }

    private static func requirements(
        _ here: BehaviourBody, _ there: BehaviourBody
    ) -> RequirementOrder {
        RequirementOrder(
            here.requirements, there.requirements, logLists: (here.logList, there.logList),
            comparesExemptNames: false)
    }
}
