package import TrustEngine

/// A field in which one rule body demands less than another.
package struct WeakerField: Hashable {
    /// The name with dots, as the language has it: `keys.rsa-minimum`.
    package let name: String
    /// The values of the weaker body (`here`) and of the other body (`there`), as the language
    /// writes them.
    package let here: String
    package let there: String
    /// What follows from the difference, or which dates it holds for. It stands behind the
    /// comparison and may be empty.
    package var remark = ""
    /// How the weaker body is weaker.
    package var manner = Manner.less

    /// How a body is weaker in a field.
    package enum Manner: Hashable, Sendable {
        /// It demands less.
        case less
        /// It demands something else, so that it accepts what the other body refuses, and refuses
        /// what the other body accepts.
        case other
    }
}

/// Chooses which differences between two rule bodies are reported as weaker, and words them.
/// `BehaviourOrder` compares; this type does not.
package struct Weakening {
    /// Which differences are reported where neither value implies the other, as with two lists that
    /// each have a member that the other lacks.
    package enum Sense: Hashable, Sendable {
        /// None. Of anchors: that public authorities are trusted where the other body trusts none.
        case weaker
        /// Lists whose members say how strong a connection or a certificate is, and lists of
        /// demands: with another list, something is accepted that the other body refuses. Other
        /// values are a matter of the body itself: which keys are pinned, which names are listed,
        /// which types of keys are used, whose timestamps count, which sources of evidence are
        /// asked, which protocol is spoken.
        /// Of anchors: as `weaker`.
        case weakerOrOtherLists
        /// None. Of anchors: every authority that the other body does not trust.
        case weakerOrOtherAnchors
        /// Every field, exceptions included. Of anchors: every authority that the other body does
        /// not trust, except private authorities in place of public ones.
        case notAsStrict
    }

    private let sets: TrustedSets
    private let sense: Sense

    /// Compares bodies of one policy.
    package init(_ sets: TrustedSets, _ sense: Sense) {
        self.sets = sets
        self.sense = sense
    }

    /// The fields in which `body` is weaker than `other`, in the order of the language.
    package func fields(of body: RuleBody, against other: RuleBody) -> [WeakerField] {
        let comparison = sets.order.compare(
            .body(sets.behaviour(of: body)), .body(sets.behaviour(of: other)))
        return comparison.fields.filter { sense.tells($0) }.map { WeakerField($0) }
    }

    /// The same for the fields that profiles write, where anchor sets and pin sets are not at hand.
    package static func demands(
        of own: Requirements, against other: Requirements, _ sense: Sense = .weaker
    ) -> [WeakerField] {
        RequirementOrder(own, other).fields().filter { sense.tells($0) }
            .map { WeakerField($0) }
    }
}

extension Weakening.Sense {
    /// Whether a difference is reported.
    fileprivate func tells(_ field: FieldComparison) -> Bool {
        guard !field.relation.isNoWeaker else { return false }
        switch field.remark {
        case .offered: return false
        case .exception: return self == .notAsStrict
        // The fields that do it are told.
        case .evidence: return false
        case .anchors(let change): return tells(change)
        case .pins(let change): return change.isDated ? self == .notAsStrict : leans(field)
        case .none, .issuedFrom, .reissued, .logList: return leans(field)
        }
    }

    private func leans(_ field: FieldComparison) -> Bool {
        switch field.leaning {
        case .weaker: return true
        case .equal, .stricter: return false
        case .incomparable:
            return self == .notAsStrict || (self == .weakerOrOtherLists && field.isListOfDemand)
        }
    }

    private func tells(_ change: AnchorChange) -> Bool {
        // Where the pinned keys are the anchors, the anchors are whatever is pinned. They cannot be
        // compared with other anchors.
        if change.isPinnedKeys { return self == .notAsStrict && !change.othersArePublic }
        guard !change.new.isEmpty else { return false }
        if change.keepsAll { return true }
        // Every CA of the machine's store in place of chosen ones, and be they public.
        if change.newHoldStore, !change.pinsBind { return true }
        switch self {
        case .weakerOrOtherAnchors: return true
        case .notAsStrict: return !change.othersArePublic || change.newArePublic
        case .weaker, .weakerOrOtherLists:
            guard change.newArePublic, !change.othersArePublic else { return false }
            // Public authorities issue certificates to strangers. Where pins bind, they do so only
            // for keys that the rule names.
            return !change.pinsBind || (change.othersArePinnedKeys && !change.keepsPins)
        }
    }
}

extension FieldComparison {
    /// Whether the values are lists that allow or demand, so that another list lets something
    /// through. Application protocols and types of keys are not of that kind: no member is stronger
    /// than another, and how large an RSA key must be is a field of its own.
    fileprivate var isListOfDemand: Bool {
        guard case .field(let field, _) = here,
            ![.tlsAlpn, .keyTypes, .leafKeyTypes].contains(field)
        else { return false }
        switch field.descriptor.stricter {
        case .subset, .superset: return true
        case .smaller, .larger, .together, .none: return false
        }
    }
}

extension AnchorChange {
    /// Whether the machine's store is among the new authorities, as a whole or without a few.
    fileprivate var newHoldStore: Bool {
        new.contains { $0.certificate == nil && $0.filters.allSatisfy { $0.only == nil } }
    }
}

extension WeakerField {
    /// The values of a comparison in words.
    package init(_ field: FieldComparison) {
        func text(_ value: FieldComparison.Value) -> String {
            if case .needs(let needs) = value { return needs.text }
            let shown = value.json(field.path)
            return shown == .null ? value.absent : FlowText.render(shown, most: 120)
        }
        self.init(
            name: field.path, here: text(field.here), there: text(field.there),
            remark: field.remark.text,
            manner: field.isListOfDemand && field.leaning == .incomparable ? .other : .less)
    }

    /// The difference as words of a message: `keys.rsa-minimum` is 2048 here and 3072 there.
    package var comparison: String {
        "`\(name)` is \(quoted(here)) instead of \(quoted(there))\(remark)"
    }

    private func quoted(_ text: String) -> String { text == "none" ? text : "`\(text)`" }
}

extension FieldComparison.Value {
    /// The value as the language writes it; null without a value.
    fileprivate func json(_ path: String) -> JSONValue {
        let key = ProfileField.lastPart(of: path)
        func part(_ parts: [(String, JSONValue)]) -> JSONValue {
            parts.first { $0.0 == key }?.1 ?? .null
        }
        switch self {
        case .absent, .needs: return .null
        case .field(let field, let value): return EffectiveFields.json(value, of: field)
        case .word(let word): return .string(word)
        case .words(let words): return EffectiveFields.list(words)
        case .seconds(let seconds): return EffectiveFields.duration(seconds)
        case .instant(let instant): return .string(Words.day(instant))
        case .constraints(let constraints):
            return constraints.map { part(EffectiveSets.parts(of: $0)) } ?? .null
        case .filters(let filters): return part(EffectiveSets.parts(of: filters))
        }
    }

    /// The word that stands for a value that is absent.
    fileprivate var absent: String {
        guard case .field(_, let value) = self else { return "none" }
        return value.allowsAllWhenEmpty ? "any" : "none"
    }
}

extension FieldComparison.Remark {
    /// The text behind the comparison; empty where there is nothing to say.
    fileprivate var text: String {
        switch self {
        case .none, .offered, .exception, .reissued, .pins, .logList, .evidence: return ""
        case .issuedFrom(let day):
            return " for what is issued from \(Words.day(day)) on"
        case .anchors(let change):
            guard !change.new.isEmpty else { return "" }
            return ", so \(change.names) may vouch\(change.keepsAll ? ", too" : "")"
        }
    }
}

extension AnchorChange {
    /// The new authorities in a message: three by name, the others counted.
    fileprivate var names: String {
        let names = new.map(\.name)
        let shown = names.count > 3 ? names.prefix(3) : names.dropLast()
        let last = names.count > 3 ? "\(names.count - 3) more" : names.last ?? ""
        return shown.isEmpty ? last : "\(shown.joined(separator: ", ")) and \(last)"
    }
}

extension TrustedMember {
    /// A certificate's name in a message.
    fileprivate var name: String {
        guard let certificate else {
            return filters.contains { $0.only != nil }
                ? "what `\(set)` keeps of the machine's store"
                : "every CA of the machine's store"
        }
        return "`\(Words.shortSubject(certificate.subjectText))`"
    }
}

extension TransparencyNeeds {
    fileprivate var text: String {
        let (short, long) = (self[.embeddedShortLived], self[.embeddedLongLived])
        let embedded = short == long ? "\(short)" : "\(short), \(long) of what lives long"
        return self[.beside] == short ? embedded : "\(embedded), \(self[.beside]) beside it"
    }
}
