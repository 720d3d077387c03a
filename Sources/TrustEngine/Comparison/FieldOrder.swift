// The order of the profile fields that are compared each by itself. The schema says of each field
// which direction is stricter.

/// Compares two values of one profile field, by the field's `x-hawser-stricter` in the schema.
enum FieldOrder {
    /// Compares only the values of this field. The field's effect on revocation evidence has an
    /// entry of its own (`EvidenceOrder`).
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
            // A difference in this field changes no verdict.
            case .none: return true
            // `RequirementOrder` compares this field together with others.
            case .together: return false
            }
        }
        return Relation(
            isNoWeaker: isNoWeaker(here, there), isNoStricter: isNoWeaker(there, here))
    }

    /// The number that a value is ordered by. A value that is not written comes before or after all
    /// others.
    private static func rank(_ value: FieldValue, _ descriptor: FieldDescriptor) -> Int64 {
        switch value {
        case .integer(let number), .word(let number): return Int64(number)
        case .seconds(let seconds): return seconds
        case .unwritten, .words, .ranking, .purposes, .objectIdentifiers, .steps, .digest, .names,
            .preferences, .forbiddenKeys:
            // A value that is not written counts as the strictest or the weakest, as the schema
            // says.
            return (descriptor.stricter == .smaller) == (descriptor.unwritten == .strictest)
                ? .min : .max
        }
    }

    /// The members that a list allows; nil where it allows everything.
    private struct Allowed {
        private let members: Set<FieldMember>?

        init(_ value: FieldValue) {
            let members = FieldMember.all(of: value)
            members.isEmpty && value.allowsAllWhenEmpty
                ? (self.members = nil) : (self.members = members)
        }

        func isPart(of other: Allowed) -> Bool {
            guard let theirs = other.members else { return true }
            return members?.isSubset(of: theirs) ?? false
        }
    }

    /// The members that a list demands.
    private struct Demanded {
        private let members: Set<FieldMember>

        init(_ value: FieldValue) { members = FieldMember.all(of: value) }

        func isPart(of other: Demanded) -> Bool { members.isSubset(of: other.members) }
    }
}

/// A member of a list, of whatever kind.
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
}

/// The second effect of the fields that also decide which revocation evidence counts, beside their
/// own order.
///
/// The demands on evidence decide which evidence may say *good*. Every rule counts *revoked* under
/// the same demands (`Demands.revokingParameters`). So the stricter value lets less evidence say
/// *good*. But evidence that no longer counts may now fail for another cause than before. Where one
/// cause rejects and another does not, this can turn a reject into an accept: a response that is
/// too old (`stale: fail`) becomes a response whose signer is too weak (`malformed: report`). So
/// the order holds by itself only where the stricter side rejects for every such cause, or the
/// weaker side for none. Elsewhere `disturbance` is told beside the field. The field keeps its
/// sign, because a change of the causes must not take the word "weaker" off the change of a field.
struct EvidenceOrder {
    /// The causes that CRLs and responses can fail for. Without evidence these fields are not
    /// asked.
    private static let causes = RevocationCause.allCases.filter(\.isOfEvidence)

    /// Whether the order holds where the first side is the stricter one, and where the second side
    /// is.
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

    /// Whether a field of this relation can work against its own order.
    func disturbs(_ relation: Relation, _ effect: FieldDescriptor.EvidenceEffect) -> Bool {
        switch (effect, relation) {
        case (.none, _), (.revokes, _), (_, .equal), (_, .incomparable): return false
        case (.vouches, .stricter): return !holdsIfStricter
        case (.vouches, .weaker): return !holdsIfWeaker
        }
    }

    /// The relation of a field, whatever the causes are.
    static func relation(
        _ relation: Relation, _ effect: FieldDescriptor.EvidenceEffect
    ) -> Relation {
        switch (effect, relation) {
        case (.none, _), (.vouches, _), (_, .equal): return relation
        // Evidence that counts may say `revoked`, so neither direction is stricter.
        case (.revokes, _): return .incomparable
        }
    }

    /// The entry for all fields of a comparison that can work against their own order: other
    /// answers count, and a cause that does not reject may take the place of one that does. A
    /// reader of the fields has been told of them, so it leans no way.
    static let disturbance = FieldComparison(
        "revocation", .incomparable, leaning: .equal, .word("other answers count"),
        .word("some answers count"), remark: .evidence)
}

extension FieldValue {
    /// Whether the value is a list that allows everything when it is empty. A set of words is never
    /// empty.
    package var allowsAllWhenEmpty: Bool {
        switch self {
        case .purposes, .objectIdentifiers, .preferences: return true
        case .unwritten, .integer, .seconds, .word, .words, .ranking, .steps, .digest, .names,
            .forbiddenKeys:
            return false
        }
    }
}

extension RevocationCause {
    /// Whether a CRL or a response that is at hand can fail for this cause. The other causes stand
    /// for missing evidence, or are of filters, on which no such field acts.
    fileprivate var isOfEvidence: Bool {
        switch self {
        case .unknown, .stale, .malformed, .notCovered: return true
        case .noEndpoint, .unreachable, .notEnrolled: return false
        }
    }
}
