package import TrustEngine

// Values of fields as a policy writes them.
extension EffectiveFields {
    /// A value of a field; null where nothing is written and for an empty list.
    package static func json(_ value: FieldValue, of field: ProfileField) -> JSONValue {
        switch value {
        case .unwritten: return .null
        case .integer(let number): return .whole(number)
        case .seconds(let seconds): return duration(seconds)
        case .word(let number): return .string(words(of: field)?.name(of: number) ?? "")
        case .words(let bits): return .strings(words(of: field)?.names(of: bits) ?? [])
        case .ranking(let numbers):
            return .strings(numbers.compactMap { words(of: field)?.name(of: $0) })
        case .purposes(let purposes): return .strings(self.purposes(purposes))
        case .objectIdentifiers(let identifiers):
            return list(identifiers.map { ObjectIdentifier.text(of: $0.span) })
        case .steps(let steps): return steps.isEmpty ? .null : .array(steps.map(step))
        case .digest(let digest): return .string(digest.text)
        case .names(let names), .preferences(let names): return list(names)
        case .forbiddenKeys(let keys): return list(keys.map(\.id))
        }
    }

    private static func step(_ step: LifetimeStep) -> JSONValue {
        .object(["issued-from": step.issuedFrom.description, "maximum": duration(step.maximum)])
    }

    private static func words(of field: ProfileField) -> FieldWords? {
        switch field.descriptor.kind {
        case .word(let words), .words(let words), .ranking(let words): return words
        case .integer, .seconds, .purposes, .objectIdentifiers, .steps, .digest, .names,
            .preferences, .forbiddenKeys:
            return nil
        }
    }
}
