package import PolicyReading
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

extension Weakening {
    /// The fields in which `body` is weaker than `other`, in the order of the language.
    package func fields(of body: RuleBody, against other: RuleBody) -> [WeakerField] {
        differences(of: body, against: other).map { WeakerField($0) }
    }

    /// The same for the fields that profiles write, where anchor sets and pin sets are not at hand.
    package static func demands(
        of own: Requirements, against other: Requirements, _ sense: Sense = .weaker
    ) -> [WeakerField] {
        differences(of: own, against: other, sense).map { WeakerField($0) }
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
        let last = names.count > 3 ? Cut.rest(names.count - 3) : names.last ?? ""
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
