import PolicyCompiler
import Rendering
import TrustEngine

/// Compares two expectations of a test: the one that demands more of the policy is stricter.
struct ExpectationOrder {
    private let values: ValueOrder

    init(crypto: any CryptoBackend) { values = ValueOrder(crypto: crypto) }

    /// How the second value of a key under `expect` compares with the first.
    func relation(
        _ key: String, from was: ExpectedValue, to now: ExpectedValue
    ) -> Relation {
        if was == now { return .equal }
        switch key {
        case "verdict": return now == .scalar("reject") ? .stricter : .weaker
        case "rule":
            // Whether one rule is stricter than another is said by no name.
            if was == .scalar(DatedRules.denied) { return .weaker }
            return now == .scalar(DatedRules.denied) ? .stricter : .incomparable
        case "pattern", "violations", "reported", "notices": return .incomparable
        case "pins": return ExpectationOrder.inclusion(was, now, more: .stricter)
        case "anchors", "identity.dns", "identity.ip", "identity.email", "identity.uri":
            return ExpectationOrder.inclusion(was, now, more: .weaker)
        case "identity.reference": return ExpectationOrder.reference(was, now)
        // Any other key is a field's.
        default:
            if key.hasPrefix("waivers.") || key.hasPrefix("report-only.") {
                return ExpectationOrder.exception(was, now)
            }
            return field(key, was, now)
        }
    }

    private func field(
        _ key: String, _ was: ExpectedValue, _ now: ExpectedValue
    ) -> Relation {
        guard let field = ProfileField(rawValue: key), !field.decidesNothing else {
            return .incomparable
        }
        let known = values.relation(
            field, from: ExpectedText.text(was), to: ExpectedText.text(now))
        if let known { return known }
        func isAbsent(_ value: ExpectedValue) -> Bool {
            value == .scalar("none") || value == .scalar("any")
        }
        if isAbsent(was) != isAbsent(now) { return isAbsent(now) ? .weaker : .stricter }
        return .incomparable
    }

    private static func items(_ value: ExpectedValue) -> Set<ExpectedValue> {
        switch value {
        case .list(let items): return Set(items)
        case .scalar(let text): return text == "none" ? [] : [value]
        case .map: return [value]
        }
    }

    private static func inclusion(
        _ was: ExpectedValue, _ now: ExpectedValue, more: Relation
    ) -> Relation {
        let (old, new) = (items(was), items(now))
        if old == new { return .equal }
        if old.isSubset(of: new) { return more }
        guard new.isSubset(of: old) else { return .incomparable }
        return more == .stricter ? .weaker : .stricter
    }

    private static func reference(_ was: ExpectedValue, _ now: ExpectedValue) -> Relation {
        let both = ExpectedValue.scalar(IdentityRequirement.Reference.hostAndListed.name)
        if now == both { return .stricter }
        return was == both ? .weaker : .incomparable
    }

    /// A waiver or an entry of `report-only`: none is stricter than any, and an earlier end than a
    /// later one.
    private static func exception(_ was: ExpectedValue, _ now: ExpectedValue) -> Relation {
        if was == .scalar("none") { return .weaker }
        if now == .scalar("none") { return .stricter }
        guard case .map(let old) = was, case .map(let new) = now else { return .incomparable }
        func end(_ entries: [ExpectedValue.Entry]) -> UTCInstant? {
            guard case .scalar(let text)? = entries.first(where: { $0.key == "until" })?.value
            else { return nil }
            return (try? DateScanner.scan(text))?.lastSecond
        }
        func rest(_ entries: [ExpectedValue.Entry]) -> Set<ExpectedValue.Entry> {
            Set(entries.filter { $0.key != "until" })
        }
        guard rest(old) == rest(new), let before = end(old), let after = end(new) else {
            return .incomparable
        }
        if before == after { return .equal }
        return after > before ? .weaker : .stricter
    }
}
