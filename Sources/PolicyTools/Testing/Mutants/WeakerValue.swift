import Rendering
import TrustEngine

/// A change of one profile field that a reviewer could overlook: the next weaker value by the
/// schema's order.
///
/// A number becomes the baseline's where that is weaker, otherwise twice or half of itself. A limit
/// that need not be written is left out. A word becomes the next weaker word. A list of allowed
/// things gains the first thing that it lacks, and a list without a closed vocabulary is left out.
/// A list of demands loses one member; there is a change for each member.
struct WeakerValue {
    let value: FieldValue
    /// The member that a list loses; nil where the field has another value.
    let lost: String?

    init(_ value: FieldValue, lost: String? = nil) {
        self.value = value
        self.lost = lost
    }

    /// The changes of a field of a rule; empty where the language has no weaker value, and for a
    /// field that changes no verdict.
    static func all(of field: ProfileField, in body: RuleBody) -> [WeakerValue] {
        let value = body.requirements.value(of: field)
        switch field.descriptor.stricter {
        case .smaller: return next(field, value, isLarger: true)
        case .larger: return next(field, value, isLarger: false)
        case .subset: return wider(field, value, in: body).map { [WeakerValue($0)] } ?? []
        case .superset: return withoutOne(value)
        case .together: return together(field, value, in: body)
        // The preset stands for the causes; the causes are weaker.
        case .none:
            let bestEffort = FieldValue.word(Int(RevocationPreset.bestEffort.rawValue))
            return field == .revocationPreset && value != bestEffort
                ? [WeakerValue(bestEffort)] : []
        }
    }

    // MARK: Numbers and words

    /// - Parameter isLarger: whether a larger number is weaker.
    private static func next(
        _ field: ProfileField, _ value: FieldValue, isLarger: Bool
    ) -> [WeakerValue] {
        let descriptor = field.descriptor
        guard value != .unwritten else { return [] }
        if descriptor.isOptional, descriptor.unwritten == .weakest {
            return [WeakerValue(.unwritten)]
        }
        let baseline = Requirements.baseline.value(of: field)
        switch (descriptor.kind, value) {
        case (.integer(let range), .integer(let number)):
            var bound: Int?
            if case .integer(let own) = baseline { bound = own }
            let found = weaker(number, bound, in: range, isLarger: isLarger)
            return found == number ? [] : [WeakerValue(.integer(found))]
        case (.seconds(let range), .seconds(let seconds)):
            var bound: Int64?
            if case .seconds(let own) = baseline { bound = own }
            let found = weaker(seconds, bound, in: range, isLarger: isLarger)
            return found == seconds ? [] : [WeakerValue(.seconds(found))]
        case (.word(let words), .word(let number)):
            let numbers = words.words.map(\.number)
            let found =
                isLarger
                ? numbers.filter { $0 > number }.min() : numbers.filter { $0 < number }.max()
            return found.map { [WeakerValue(.word($0))] } ?? []
        case (_, _): return []
        }
    }

    private static func weaker<Number: FixedWidthInteger>(
        _ number: Number, _ baseline: Number?, in range: ClosedRange<Number>, isLarger: Bool
    ) -> Number {
        if let baseline, isLarger ? baseline > number : baseline < number { return baseline }
        guard isLarger else { return max(range.lowerBound, number / 2) }
        let (twice, overflows) = number.multipliedReportingOverflow(by: 2)
        return min(range.upperBound, overflows ? range.upperBound : max(twice, number + 1))
    }

    // MARK: Lists

    /// A list that allows more; nil where it allows everything.
    private static func wider(
        _ field: ProfileField, _ value: FieldValue, in body: RuleBody
    ) -> FieldValue? {
        switch (field.descriptor.kind, value) {
        case (.words(let words), .words(let bits)):
            // The types of leaves are a part of the types of the path.
            var open = words.words.map(\.number).filter { bits & 1 << $0 == 0 }
            if field == .leafKeyTypes, case .words(let all) = body.requirements.value(of: .keyTypes)
            {
                open = open.filter { all & 1 << $0 != 0 }
            }
            return open.first.map { .words(bits | 1 << $0) }
        case (.purposes, .purposes(var purposes)):
            if !purposes.serverAuth {
                purposes.serverAuth = true
            } else if !purposes.clientAuth {
                purposes.clientAuth = true
            } else {
                return nil
            }
            return .purposes(purposes)
        case (.objectIdentifiers, .objectIdentifiers(let list)):
            return list.isEmpty ? nil : .objectIdentifiers([])
        case (.preferences, .preferences(let list)): return list.isEmpty ? nil : .preferences([])
        case (_, _): return nil
        }
    }

    private static func withoutOne(_ value: FieldValue) -> [WeakerValue] {
        switch value {
        case .names(let names):
            return names.map { name in
                WeakerValue(.names(names.filter { $0 != name }), lost: name)
            }
        case .forbiddenKeys(let keys):
            return keys.map { key in
                WeakerValue(.forbiddenKeys(keys.filter { $0.id != key.id }), lost: key.id)
            }
        case .steps(let steps):
            return steps.map { step in
                WeakerValue(
                    .steps(steps.filter { $0 != step }), lost: Words.day(step.issuedFrom))
            }
        case .unwritten, .integer, .seconds, .word, .words, .ranking, .purposes, .objectIdentifiers,
            .digest, .preferences:
            return []
        }
    }

    // MARK: Fields that are compared together

    private static func together(
        _ field: ProfileField, _ value: FieldValue, in body: RuleBody
    ) -> [WeakerValue] {
        switch (field.descriptor.kind, value) {
        case (.steps, _): return withoutOne(value)
        case (.ranking(let words), .ranking(let numbers)):
            let missing = words.words.map(\.number).first { !numbers.contains($0) }
            return missing.map { [WeakerValue(.ranking(numbers + [$0]))] } ?? []
        case (.names, .names(let names)):
            let missing = body.anchors.first { !names.contains($0) }
            return missing.map { [WeakerValue(.names((names + [$0]).sorted()))] } ?? []
        case (.integer, .integer(let number)):
            return number > 1 ? [WeakerValue(.integer(number - 1))] : []
        case (.seconds, .seconds): return next(field, value, isLarger: true)
        case (.word, .word(let number)) where field == .transparencyPreset:
            return number == 0 ? [] : [WeakerValue(.word(0))]
        case (.word, .word): return next(field, value, isLarger: true)
        // No other log list is at hand.
        case (_, _): return []
        }
    }
}

extension Requirements {
    /// Writes the value of a mutant. Unlike the writing of a layer it leaves the other fields, but
    /// for the causes that a preset stands for.
    ///
    /// - Parameter keptCauses: the causes that a layer writes beside the preset.
    mutating func mutate(
        _ field: ProfileField, _ value: FieldValue, keptCauses: Set<ProfileField>
    ) {
        let before = self
        guard write(field, value) else { return }
        if field == .maximumLifetime { lifetimeSteps = before.lifetimeSteps }
        if field == .keyTypes, before.leafKeyTypes == before.keyTypes { leafKeyTypes = keyTypes }
        for cause in keptCauses where field == .revocationPreset {
            write(cause, before.value(of: cause))
        }
    }
}
