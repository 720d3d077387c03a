import Rendering
import TrustEngine

/// The changes that decide nothing: annotations, ids, places, and values in another order.
struct IdleChanges {
    let old: PolicyContents
    let new: PolicyContents
    let oldPlaces: FieldPlaces
    let newPlaces: FieldPlaces
    /// The rules that decide the same hosts, with the fields whose difference changes no verdict.
    let pairs: [(pair: DecidingPair, fields: [PolicyDiff.Field])]

    /// One entry each, in the order of the language: rules, anchor sets, pin sets.
    func list() -> [PolicyDiff.IdleChange] {
        var found: [PolicyDiff.IdleChange] = []
        let before = Dictionary(
            old.rules.indices.map { (old.rules[$0].id, $0) },
            uniquingKeysWith: { first, _ in first })
        let renamed = renamed
        found += renamed.map { idle("rule `\($0.old)` is now `\($0.new)`", newPlaces.rule($0.new)) }
        let former = Dictionary(
            renamed.map { ($0.new, $0.old) }, uniquingKeysWith: { first, _ in first })
        for rule in new.rules.indices {
            let name = new.rules[rule].id
            let id = former[name] ?? name
            guard let index = before[id] else { continue }
            let place = newPlaces.location(of: rule)
            if IdleChanges.mayDiffer(old.rules[index].body, new.rules[rule].body) {
                found += annotations(
                    of: "rule `\(name)`", old.rules[index].body, new.rules[rule].body, place)
            }
            if let from = oldPlaces.location(of: index)?.file, let to = place?.file, from != to {
                found.append(
                    idle("rule `\(name)` is now in `\(to)`, and was in `\(from)`", place))
            }
        }
        if case .body(let was) = old.defaultRule, case .body(let now) = new.defaultRule {
            found += annotations(
                of: "`default`", was, now, newPlaces.location(of: HostClass.byDefault))
        }
        return found + fields() + sets()
    }

    /// Whether what annotates a rule may differ.
    private static func mayDiffer(_ was: RuleBody, _ now: RuleBody) -> Bool {
        was.owner != now.owner || was.note != now.note || was.profile != now.profile
            || was.waivers != now.waivers || was.reportOnly != now.reportOnly
    }

    private func idle(
        _ sentence: String, _ location: Provenance.Location? = nil
    ) -> PolicyDiff.IdleChange {
        PolicyDiff.IdleChange(sentence: sentence, location: location)
    }

    private func changed(
        _ what: String, _ was: String?, _ now: String?, _ location: Provenance.Location?
    ) -> [PolicyDiff.IdleChange] {
        guard was != now else { return [] }
        return [
            idle(
                "\(what): \(was.map { "`\($0)`" } ?? "none") -> \(now.map { "`\($0)`" } ?? "none")",
                location)
        ]
    }

    // MARK: Rules

    /// Rules that decide the same hosts under another id, sorted.
    private var renamed: [(old: String, new: String)] {
        if old.rules.elementsEqual(new.rules, by: { $0.id == $1.id }) { return [] }
        let (was, now) = (Set(old.rules.map(\.id)), Set(new.rules.map(\.id)))
        var found: [String: Set<String>] = [:]
        for (pair, _) in pairs
        where pair.old != HostClass.byDefault && pair.new != HostClass.byDefault {
            let ids = (old.rules[pair.old].id, new.rules[pair.new].id)
            if !now.contains(ids.0), !was.contains(ids.1) {
                found[ids.1, default: []].insert(ids.0)
            }
        }
        return found.compactMap { new, old in
            old.count == 1 ? old.first.map { ($0, new) } : nil
        }.sorted { $0 < $1 }
    }

    private func annotations(
        of what: String, _ was: RuleBody, _ now: RuleBody, _ location: Provenance.Location?
    ) -> [PolicyDiff.IdleChange] {
        var found =
            changed("owner of \(what)", was.owner, now.owner, location)
            + changed("note of \(what)", was.note, now.note, location)
            + changed("profile of \(what)", was.profile, now.profile, location)
        for waiver in now.waivers {
            let name = waiver.tolerance.name
            guard let other = was.waivers.first(where: { $0.tolerance.name == name }) else {
                continue
            }
            let part = "of waiver `\(name)` of \(what)"
            found += changed("reason \(part)", other.reason, waiver.reason, location)
            found += changed("owner \(part)", other.owner, waiver.owner, location)
            found += changed("ticket \(part)", other.ticket, waiver.ticket, location)
        }
        for entry in now.reportOnly {
            guard let other = was.reportOnly.first(where: { $0.check == entry.check }) else {
                continue
            }
            found += changed(
                "note of `report-only.\(entry.check.name)` of \(what)", other.note, entry.note,
                location)
        }
        return found
    }

    /// Fields whose values differ and decide the same, with the number of rules.
    private func fields() -> [PolicyDiff.IdleChange] {
        var rules: [PolicyDiff.Field: Set<Int>] = [:]
        var order: [PolicyDiff.Field] = []
        let own = pairs.filter { !$0.fields.isEmpty }.sorted {
            ($0.pair.new, $0.pair.old) < ($1.pair.new, $1.pair.old)
        }
        for (pair, fields) in own {
            for field in fields {
                if rules[field] == nil { order.append(field) }
                rules[field, default: []].insert(pair.new)
            }
        }
        return order.map { field in
            let own = (rules[field] ?? []).sorted()
            let names = own.map {
                $0 == HostClass.byDefault ? "`default`" : "rule `\(new.rules[$0].id)`"
            }
            let change =
                field.from == field.to ? "is written differently" : "\(field.from) -> \(field.to)"
            return idle("`\(field.path)` of \(Cut.line(names, most: 3)): \(change)")
        }
    }

    // MARK: Sets

    private func sets() -> [PolicyDiff.IdleChange] {
        let anchors = sets("anchors", "anchor set", old.anchorSets, new.anchorSets, \.id) {
            changed("owner of \($2)", $0.owner, $1.owner, $3)
                + changed("note of \($2)", $0.note, $1.note, $3)
        }
        let pins = sets("pins", "pin set", old.pinSets, new.pinSets, \.id) {
            changed("owner of \($2)", $0.owner, $1.owner, $3)
                + changed("note of \($2)", $0.note, $1.note, $3) + terms($0, $1, $2, $3)
        }
        return anchors + pins
    }

    /// Calls `body` for each set that both policies have and that differs, with the old set, the
    /// new set, its name and its place.
    private func sets<Contents: Equatable>(
        _ section: String, _ noun: String, _ old: [Contents], _ new: [Contents],
        _ id: KeyPath<Contents, String>,
        _ body: (Contents, Contents, String, Provenance.Location?) -> [PolicyDiff.IdleChange]
    ) -> [PolicyDiff.IdleChange] {
        let before = Dictionary(
            old.map { ($0[keyPath: id], $0) }, uniquingKeysWith: { first, _ in first })
        return new.flatMap { set -> [PolicyDiff.IdleChange] in
            let name = set[keyPath: id]
            guard let was = before[name], was != set else { return [] }
            return body(was, set, "\(noun) `\(name)`", newPlaces.set(section, name).location)
        }
    }

    /// The notes of a pin set's entries, and its dates where they decide nothing.
    private func terms(
        _ was: PinSetContents, _ now: PinSetContents, _ what: String,
        _ location: Provenance.Location?
    ) -> [PolicyDiff.IdleChange] {
        var found: [PolicyDiff.IdleChange] = []
        let notes = Dictionary(
            (was.keys + was.backups).map { ($0.id, $0.note) },
            uniquingKeysWith: { first, _ in first })
        for pin in now.keys + now.backups {
            guard let other = notes[pin.id] else { continue }
            found += changed("note of pin `\(pin.id)` of \(what)", other, pin.note, location)
        }
        if was.onExpiry == .fail, now.onExpiry == .fail {
            // A mismatch rejects on every day.
            found += changed(
                "`enforce-until` of \(what)", was.enforceUntil?.description,
                now.enforceUntil?.description, location)
        }
        return found
            + changed(
                "`warn-from` of \(what)", was.warnFrom?.description, now.warnFrom?.description,
                location)
    }
}
