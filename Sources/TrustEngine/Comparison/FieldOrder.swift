// The order of the fields of a profile that are compared by themselves, from what the schema says
// of each.

/// The order of one field of a profile: a field is placed here by `x-hawser-stricter` of the
/// schema.
enum FieldOrder {
    /// Compares the field alone. `hears` says whether a difference in what evidence counts keeps
    /// the field's order (`EvidenceOrder`).
    static func relation(
        of field: ProfileField, _ here: FieldValue, _ there: FieldValue
    ) -> Relation {
        if here == there { return .equal }
        let descriptor = field.descriptor
        func isNoWeaker(_ own: FieldValue, _ other: FieldValue) -> Bool {
            switch descriptor.stricter {
            case .smaller: return rank(own, descriptor) <= rank(other, descriptor)
            case .larger: return rank(own, descriptor) >= rank(other, descriptor)
            case .subset: return Allowed(own).isPart(of: Allowed(other))
            case .superset: return Demanded(other).isPart(of: Demanded(own))
            // A difference changes no verdict.
            case .none: return true
            // An entry of its own compares it.
            case .together: return false
            }
        }
        return Relation(
            isNoWeaker: isNoWeaker(here, there), isNoStricter: isNoWeaker(there, here))
    }

    /// Where a number or word stands; an unwritten one stands before or behind all others.
    private static func rank(_ value: FieldValue, _ descriptor: FieldDescriptor) -> Int64 {
        switch value {
        case .integer(let number), .word(let number): return Int64(number)
        case .seconds(let seconds): return seconds
        case .unwritten, .words, .ranking, .purposes, .objectIdentifiers, .steps, .digest, .names,
            .preferences, .forbiddenKeys:
            // Strictest is the end to which the order points.
            return (descriptor.stricter == .smaller) == (descriptor.unwritten == .strictest)
                ? .min : .max
        }
    }

    /// What a list allows; nil for anything.
    private struct Allowed {
        private let members: Set<FieldMember>?

        init(_ value: FieldValue) {
            let members = FieldMember.all(of: value)
            members.isEmpty && FieldMember.isAllWhenEmpty(value)
                ? (self.members = nil) : (self.members = members)
        }

        func isPart(of other: Allowed) -> Bool {
            guard let theirs = other.members else { return true }
            return members?.isSubset(of: theirs) ?? false
        }
    }

    /// What a list demands.
    private struct Demanded {
        private let members: Set<FieldMember>

        init(_ value: FieldValue) { members = FieldMember.all(of: value) }

        func isPart(of other: Demanded) -> Bool { members.isSubset(of: other.members) }
    }
}

/// A member of a list of any kind.
private enum FieldMember: Hashable {
    case bit(Int)
    case octets([UInt8])
    case text(String)

    static func all(of value: FieldValue) -> Set<FieldMember> {
        switch value {
        case .words(let bits):
            return Set((0..<Int.bitWidth - 1).filter { bits & 1 << $0 != 0 }.map { .bit($0) })
        case .ranking(let numbers): return Set(numbers.map { .bit($0) })
        case .purposes(let purposes): return Set(purposes.identifiers.map { .octets($0) })
        case .objectIdentifiers(let identifiers): return Set(identifiers.map { .octets($0) })
        case .names(let names), .preferences(let names): return Set(names.map { .text($0) })
        case .unwritten, .integer, .seconds, .word, .steps, .digest, .forbiddenKeys: return []
        }
    }

    /// Whether an empty list of what is allowed allows everything. A set of words is never empty.
    static func isAllWhenEmpty(_ value: FieldValue) -> Bool {
        switch value {
        case .purposes, .objectIdentifiers, .preferences: return true
        case .unwritten, .integer, .seconds, .word, .words, .ranking, .steps, .digest, .names,
            .forbiddenKeys:
            return false
        }
    }
}

/// How evidence of revocation bears on the order of fields that also decide what evidence counts.
///
/// What a rule demands of evidence decides which of it *vouches*; *revoked* is heard by one rule as
/// by another (`Demands.revokingParameters`). So the stricter value lets less evidence say `good`.
/// But evidence that does not vouch any more may now fail for another cause than before: where one
/// cause rejects and another does not, a response that is too old (`stale: fail`) becomes one whose
/// signer is too weak (`malformed: report`), and what was rejected is accepted. The order therefore
/// holds where the stricter side rejects for every such cause, or the weaker side for none.
struct EvidenceOrder {
    /// What evidence can fail for; without any evidence no field of this kind is asked.
    private static let causes: [RevocationCause] = [.unknown, .stale, .malformed, .notCovered]

    /// Whether the order holds with the first as the stricter side, and with the second.
    let holdsIfStricter: Bool
    let holdsIfWeaker: Bool

    init(_ here: RevocationCauses, _ there: RevocationCauses) {
        func allFail(_ causes: RevocationCauses) -> Bool {
            EvidenceOrder.causes.allSatisfy { causes[$0] == .fail }
        }
        func noneFails(_ causes: RevocationCauses) -> Bool {
            EvidenceOrder.causes.allSatisfy { causes[$0] != .fail }
        }
        holdsIfStricter = allFail(here) || noneFails(there)
        holdsIfWeaker = allFail(there) || noneFails(here)
    }

    /// What is left of a field's own order.
    func weighing(_ relation: Relation, _ effect: FieldDescriptor.EvidenceEffect) -> Relation {
        switch (effect, relation) {
        case (.none, _), (_, .equal): return relation
        case (.vouches, _):
            return Relation(
                isNoWeaker: relation.isNoWeaker && holdsIfStricter,
                isNoStricter: relation.isNoStricter && holdsIfWeaker)
        // What is heard at all may say `revoked`, and no way is stricter.
        case (.revokes, _): return .incomparable
        }
    }
}
