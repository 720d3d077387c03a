import Rendering
import TrustEngine

/// Puts the comparison of two rules into words. A change of a rule and a change of the contents of
/// a set that both rules name are separate fields, so that no change is reported twice.
struct ChangeWords {
    let old: RuleWords
    let new: RuleWords
    let crypto: any CryptoBackend

    /// The fields that differ at any time, in the order of the language, and the fields whose
    /// difference changes no verdict.
    ///
    /// - Parameter usual: the profile by which newly trusted hosts are measured.
    func fields(
        of timeline: [DatedComparison], usual: @autoclosure () -> UsualProfile
    ) -> (changed: [FieldTimeline], idle: [PolicyDiff.Field]) {
        // Every field that differs at any time, in the order in which it is met, with its
        // entries.
        var order: [FieldTimeline.Name] = []
        var entries: [FieldTimeline.Name: [FieldTimeline.Entry]] = [:]
        var idle: [PolicyDiff.Field] = []
        for dated in timeline {
            var present: [FieldTimeline.Name: PolicyDiff.Field] = [:]
            for (source, field) in told(of: dated) {
                guard field.relation != .equal else {
                    if !idle.contains(field) { idle.append(field) }
                    continue
                }
                let name = ChangeWords.name(of: field, source, besides: present)
                present[name] = field
                guard entries[name] == nil else { continue }
                order.append(name)
                entries[name] =
                    dated.from == timeline[0].from
                    ? [] : [FieldTimeline.Entry(from: timeline[0].from, field: nil)]
            }
            for name in order where entries[name]?.last?.field != present[name] {
                entries[name, default: []].append(
                    FieldTimeline.Entry(from: dated.from, field: present[name]))
            }
        }
        let changed = order.map { name in
            FieldTimeline(
                name: name, entries: entries[name] ?? [],
                authorities: authorities(of: name, timeline),
                terms: name.path == PolicyDiff.Field.decision
                    ? terms(usual(), at: timeline[0].from) : [])
        }
        // A field that changes nothing in one interval may change something in another.
        let paths = Set(order.map(\.path))
        return (changed, idle.filter { !paths.contains($0.path) })
    }

    /// The fields of one interval in words, and what they do not tell.
    private func told(of dated: DatedComparison) -> [(PolicyDiff.Source, PolicyDiff.Field)] {
        let words = words(of: dated)
        let weighed = words.reduce(Relation.equal) { $0.and($1.1.relation) }
        guard let rest = ChangeWords.rest(dated.comparison.relation, told: weighed) else {
            return words
        }
        return words + [(.rules, rest)]
    }

    /// The name of a field that no other field of the interval has.
    private static func name(
        of field: PolicyDiff.Field, _ source: PolicyDiff.Source,
        besides present: [FieldTimeline.Name: PolicyDiff.Field]
    ) -> FieldTimeline.Name {
        let part = part(of: field)
        var name = FieldTimeline.Name(source: source, path: field.path, part: part)
        var number = 2
        while present[name] != nil {
            name = FieldTimeline.Name(
                source: source, path: field.path, part: "\(part)#\(number)")
            number += 1
        }
        return name
    }

    private static func part(of field: PolicyDiff.Field) -> String {
        field.path == ProfileField.lifetimeSteps.rawValue ? field.remarks.first ?? "" : ""
    }

    static let preset = ProfileField.revocationPreset.rawValue

    /// What the fields together do not tell of a rule that is weaker or stricter as a whole; nil
    /// where they tell all. A weakening that no field names must not pass for none.
    private static func rest(_ whole: Relation, told: Relation) -> PolicyDiff.Field? {
        guard (told.isNoWeaker && !whole.isNoWeaker) || (told.isNoStricter && !whole.isNoStricter)
        else { return nil }
        return PolicyDiff.Field(
            path: "rule", relation: whole, from: "the old rule", to: "the new rule",
            remarks: ["the rule as a whole; the fields above do not tell all of it"])
    }

    /// The fields of one interval in words; the fields of a revocation preset count as one.
    private func words(
        of dated: DatedComparison
    ) -> [(PolicyDiff.Source, PolicyDiff.Field)] {
        let all = dated.comparison.fields.flatMap { words(of: $0, at: dated.from) }
        return ChangeWords.withPreset(all)
    }

    // MARK: Sources

    /// Whether both rules name the same anchor sets, so that a difference is one of the sets.
    var namesSameAnchors: Bool {
        guard let before = old.body, let after = new.body else { return false }
        return before.anchorNames == after.anchorNames && !before.anchorsArePinnedKeys
            && !after.anchorsArePinnedKeys
    }

    private func words(
        of field: FieldComparison, at time: UTCInstant
    ) -> [(PolicyDiff.Source, PolicyDiff.Field)] {
        switch field.remark {
        case .anchors(let change):
            if field.isOfPinnedKeys { return [(.rules, pinnedKeys(field))] }
            return namesSameAnchors ? sets(field, change) : [(.rules, otherSets(field, change))]
        case .offered(let new, let removed):
            return [(ownerOfOffered, offered(field, new, removed))]
        case .pins(let change): return pins(field, change, at: time)
        case .exception: return [(.rules, exception(field, at: time))]
        case .logList(let change): return [(.rules, logList(field, change))]
        case .evidence: return [(.rules, ChangeWords.evidence(field))]
        case .none, .issuedFrom, .reissued: break
        }
        if field.path == "default" { return [(.rules, fallback(field))] }
        let parts = field.path.split(separator: ".")
        if namesSameAnchors, parts.count > 2, parts[0] == "anchors" {
            return [(.anchors(String(parts[1])), plain(field))]
        }
        return [(.rules, plain(field))]
    }

    /// The change of a field, in the words of the language.
    ///
    /// - Parameter more: further remarks, after the field's own.
    func plain(_ field: FieldComparison, _ more: [String] = []) -> PolicyDiff.Field {
        let texts = WeakerField(field)
        return PolicyDiff.Field(
            path: field.path, relation: field.relation, from: texts.there, to: texts.here,
            remarks: remarks(of: field) + more)
    }

    /// A waiver or an entry of `report-only`, with its end and its limit.
    private func exception(_ field: FieldComparison, at time: UTCInstant) -> PolicyDiff.Field {
        func text(_ side: RuleWords) -> String {
            side.exceptions(at: time).first { $0.path == field.path }?.text ?? "enforced"
        }
        return PolicyDiff.Field(
            path: field.path, relation: field.relation, from: text(old), to: text(new),
            remarks: [])
    }

    /// One side denies what the other side decides by a rule.
    private func fallback(_ field: FieldComparison) -> PolicyDiff.Field {
        func text(_ side: RuleWords) -> String {
            guard let body = side.body else { return "deny" }
            let anchors =
                body.anchorsArePinnedKeys
                ? "the pinned keys" : body.anchorNames.joined(separator: ", ")
            let pins =
                side.pinNames.isEmpty ? "no pins" : "pins \(side.pinNames.joined(separator: ", "))"
            let profile =
                side.profile == BuiltInProfile.baseline.rawValue
                ? "no profile" : "profile `\(side.profile)`"
            // Leave out the id: hosts that are trusted on the same terms are one change.
            let rule = side.id.isEmpty ? "`default`: " : ""
            return "\(rule)anchors \(anchors); \(pins); \(profile)"
        }
        return PolicyDiff.Field(
            path: PolicyDiff.Field.decision, relation: field.relation, from: text(old),
            to: text(new),
            remarks: [])
    }

    // MARK: Remarks

    /// The consequences of a plain field: the values that are not accepted any more, and the values
    /// that are accepted now.
    private func remarks(of field: FieldComparison) -> [String] {
        switch field.remark {
        case .issuedFrom(let day):
            return ["for certificates issued from \(Words.day(day)) on"]
        case .reissued(let members): return members.map(reissued)
        case .none, .anchors, .pins, .offered, .exception, .logList, .evidence: break
        }
        guard case .field(let key, let before) = field.there, case .field(_, let after) = field.here
        else { return [] }
        let allows = (
            before: before.allowsAllWhenEmpty && FieldTexts.members(of: before, key).isEmpty,
            after: after.allowsAllWhenEmpty && FieldTexts.members(of: after, key).isEmpty
        )
        if key.descriptor.stricter == .subset, allows.before != allows.after {
            return allows.after
                ? ["now accepted: anything"]
                : [
                    "no longer accepted: anything but "
                        + FieldTexts.members(of: after, key).joined(separator: ", ")
                ]
        }
        let (lost, gained) = (
            before.allowed(key).subtracting(after.allowed(key)).sorted(),
            after.allowed(key).subtracting(before.allowed(key)).sorted()
        )
        return (gained.isEmpty ? [] : ["now accepted: \(gained.joined(separator: ", "))"])
            + (lost.isEmpty ? [] : ["no longer accepted: \(lost.joined(separator: ", "))"])
    }
}
