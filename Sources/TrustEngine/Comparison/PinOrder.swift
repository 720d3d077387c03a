/// The order of pins. A rule demands all its pin sets, so each set of the other side must follow
/// from the sets of this side together.
enum PinOrder {
    static func relation(_ here: [PinDemand], _ there: [PinDemand]) -> Relation {
        if here == there { return .equal }
        func implies(_ own: [PinDemand], _ other: [PinDemand]) -> Bool {
            other.allSatisfy { PinImplication.holds(own, $0) }
        }
        return Relation(isNoWeaker: implies(here, there), isNoStricter: implies(there, here))
    }

    static func compare(_ here: BehaviourBody, _ there: BehaviourBody) -> [FieldComparison] {
        guard here.pins != there.pins else { return [] }
        func names(_ body: BehaviourBody) -> FieldComparison.Value {
            .words(body.pins.map { $0.isOnlyReported ? "\($0.id) (reported)" : $0.id })
        }
        return [
            FieldComparison(
                "pins", relation(here.pins, there.pins), names(here), names(there),
                remark: .pins(PinChange(here.pins, there.pins)))
        ]
    }
}
