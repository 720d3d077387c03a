import Rendering
import TrustEngine

/// Puts the comparison of two rules into words, and tells apart what comes from the rules and what
/// comes from the contents of a set that both rules name.
///
/// One file because a field is told once: what a set tells, the rule must not tell again.
struct ChangeWords {
    /// The rule of one policy.
    struct Side {
        let body: BehaviourBody?
        /// The rule's id; empty for `default`.
        let id: String
        /// The profile that the rule names; `baseline` where it names none.
        let profile: String
        /// Every pin set of the policy, by its id.
        let pinSets: [String: PinSetContents]
        let pinNames: [String]
        let waivers: [Waiver]
        let reportOnly: [ReportOnly]

        /// The rule with an index and its behaviour.
        ///
        /// - Parameter pinSets: every pin set of the policy, by its id.
        init(
            _ behaviour: Behaviour, _ contents: PolicyContents, _ index: Int,
            _ pinSets: [String: PinSetContents]
        ) {
            self.pinSets = pinSets
            if index != DecidingBehaviours.byDefault {
                id = contents.rules[index].id
                profile = contents.rules[index].body.profile
                waivers = contents.rules[index].body.waivers
                reportOnly = contents.rules[index].body.reportOnly
            } else {
                id = ""
                var written: RuleBody?
                if case .body(let fallback) = contents.defaultRule { written = fallback }
                profile = written?.profile ?? ""
                waivers = written?.waivers ?? []
                reportOnly = written?.reportOnly ?? []
            }
            switch behaviour {
            case .deny:
                self.body = nil
                pinNames = []
            case .body(let body):
                self.body = body
                pinNames = body.pins.map(\.id)
            }
        }

        /// The exceptions that are in force at an instant, in words with their ends and limits.
        func exceptions(at time: UTCInstant) -> [(path: String, text: String)] {
            waivers.filter { $0.isInForce(at: time) }.map { waiver in
                (
                    path: "waivers.\(waiver.tolerance.name)",
                    text: "waived until \(DiffSentences.last(waiver.until))"
                        + (waiver.tolerance.limitText.map { ", \($0)" } ?? "")
                )
            }
                + reportOnly.filter { DatedTerm.isInForce(until: $0.until, at: time) }.map {
                    (
                        path: "report-only.\($0.check.name)",
                        text: "reported until \(DiffSentences.last($0.until))"
                    )
                }
        }
    }

    /// The path of the field that tells that one side denies and the other does not.
    static let decision = "decision"

    let old: Side
    let new: Side
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
                terms: name.path == ChangeWords.decision
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
    private var namesSameAnchors: Bool {
        guard let before = old.body, let after = new.body else { return false }
        return before.anchorNames == after.anchorNames && !before.anchorsArePinnedKeys
            && !after.anchorsArePinnedKeys
    }

    private func words(
        of field: FieldComparison, at time: UTCInstant
    ) -> [(PolicyDiff.Source, PolicyDiff.Field)] {
        switch field.remark {
        case .anchors(let change):
            guard namesSameAnchors else {
                var own = plain(field)
                let store = change.new.first { $0.certificate == nil }
                if let store, field.relation == .incomparable,
                    store.filters.allSatisfy({ $0.only == nil })
                {
                    own.remarks.append(ChangeWords.aboutStore)
                }
                own.remarks += named.pairs(new: change.new, removed: change.removed)
                    .map(\.sentence)
                return [(.rules, own)]
            }
            return sets(field, change)
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

    func plain(_ field: FieldComparison) -> PolicyDiff.Field {
        let texts = WeakerField(field)
        return PolicyDiff.Field(
            path: field.path, relation: field.relation, from: texts.there, to: texts.here,
            remarks: remarks(of: field))
    }

    /// A waiver or an entry of `report-only`, with its end and its limit.
    private func exception(_ field: FieldComparison, at time: UTCInstant) -> PolicyDiff.Field {
        func text(_ side: Side) -> String {
            side.exceptions(at: time).first { $0.path == field.path }?.text ?? "enforced"
        }
        return PolicyDiff.Field(
            path: field.path, relation: field.relation, from: text(old), to: text(new),
            remarks: [])
    }

    /// One side denies what the other side decides by a rule.
    private func fallback(_ field: FieldComparison) -> PolicyDiff.Field {
        func text(_ side: Side) -> String {
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
            path: ChangeWords.decision, relation: field.relation, from: text(old), to: text(new),
            remarks: [])
    }

    // MARK: Anchors

    private static let aboutStore =
        "every CA of the machine's store may vouch, whatever machine it is; no policy says what the "
        + "store holds, so it is incomparable with listed authorities"

    /// The anchor set that offers other certificates; the rules' own change where it cannot be
    /// told.
    private var ownerOfOffered: PolicyDiff.Source {
        guard namesSameAnchors, let names = new.body?.anchorNames, names.count == 1 else {
            return .rules
        }
        return .anchors(names[0])
    }

    /// The certificates that are offered to the path search, with the digests of those that come
    /// and go.
    private func offered(
        _ field: FieldComparison, _ new: [[UInt8]], _ removed: [[UInt8]]
    ) -> PolicyDiff.Field {
        func count(_ side: Side) -> String {
            let offered = side.body?.anchors.offeredCertificates ?? []
            let text = DiffSentences.count(offered.count, "certificate", "certificates")
            guard !offered.isEmpty else { return text }
            // The digest tells apart lists of one length.
            let octets = offered.flatMap { $0 }
            return "\(text), \(crypto.digest(.sha256, of: octets.span).text)"
        }
        func lines(_ list: [[UInt8]], _ word: String) -> [String] {
            list.map { "\(word): \(crypto.digest(.sha256, of: $0.span).text)" }
        }
        /// The number, and the first certificate of this side alone where the numbers are equal.
        func text(_ side: Side, _ own: [[UInt8]]) -> String {
            guard count(old) == count(self.new), let first = own.first else { return count(side) }
            return "\(count(side)) with \(crypto.digest(.sha256, of: first.span).text)"
        }
        return PolicyDiff.Field(
            path: field.path, relation: field.relation, from: text(old, removed),
            to: text(self.new, new), remarks: lines(new, "added") + lines(removed, "removed"))
    }

    /// The change of members, set by set.
    private func sets(
        _ field: FieldComparison, _ change: AnchorChange
    ) -> [(PolicyDiff.Source, PolicyDiff.Field)] {
        guard !change.sets.isEmpty else { return [(.rules, plain(field))] }
        let (added, removed) = (change.new, change.removed)
        return change.sets.map { id in
            let relation = change.relation(of: id)
            let (more, fewer) = (added.filter { $0.set == id }, removed.filter { $0.set == id })
            let (from, to) = named.texts(
                ChangeWords.members(old.body, in: id), ChangeWords.members(new.body, in: id),
                new: more.first, removed: fewer.first)
            let remarks = named.pairs(new: more, removed: fewer).map(\.sentence)
            // An authority that another set of the rule has, too, is neither new nor gone. Where
            // that makes a difference, the sets are told together.
            guard relation == ofContents(of: id) else {
                return (
                    .rules,
                    together(
                        field, relation, id, from, to, names: new.body?.anchorNames ?? [],
                        ["another anchor set of the rule has a part of it"] + remarks)
                )
            }
            return (
                .anchors(id),
                PolicyDiff.Field(
                    path: "anchors.\(id)", relation: relation, from: from, to: to,
                    remarks: remarks)
            )
        }
    }

    /// The change of one set of a rule, told with the names of all its sets.
    private func together(
        _ field: FieldComparison, _ relation: Relation, _ id: String, _ from: String, _ to: String,
        names: [String], _ remarks: [String]
    ) -> PolicyDiff.Field {
        let all = "[\(names.joined(separator: ", "))]"
        return PolicyDiff.Field(
            path: field.path, relation: relation, from: "\(all), `\(id)`: \(from)",
            to: "\(all), `\(id)`: \(to)", remarks: remarks)
    }

    /// How the contents of an anchor set compare with the old contents, only by their authorities.
    private func ofContents(of id: String) -> Relation {
        func authorities(_ side: Side) -> Set<TrustedMember.Authority> {
            Set((side.body?.anchors.members ?? []).filter { $0.set == id }.map(\.authority))
        }
        let (before, after) = (authorities(old), authorities(new))
        return Relation(
            isNoWeaker: after.isSubset(of: before), isNoStricter: before.isSubset(of: after))
    }

    /// The names and keys of authorities.
    private var named: RekeyedAuthorities { RekeyedAuthorities(crypto: crypto) }

    /// The authorities of a set.
    private static func members(_ body: BehaviourBody?, in set: String) -> [TrustedMember] {
        body?.anchors.authorities.filter { $0.set == set } ?? []
    }

    /// The authorities that a change of anchors adds and removes; none for any other field.
    private func authorities(
        of name: FieldTimeline.Name, _ timeline: [DatedComparison]
    ) -> PolicyDiff.AuthorityChange {
        switch name.path {
        case ChangeWords.decision:
            return PolicyDiff.AuthorityChange(
                added: (old.body == nil ? new.body : nil).map(all) ?? [],
                removed: (new.body == nil ? old.body : nil).map(all) ?? [])
        case "anchors": break
        default:
            guard case .anchors(let id) = name.source, name.path == "anchors.\(id)" else {
                return PolicyDiff.AuthorityChange()
            }
        }
        for field in timeline.flatMap(\.comparison.fields) {
            guard case .anchors(let change) = field.remark else { continue }
            switch name.source {
            case .pins: return PolicyDiff.AuthorityChange()
            case .rules:
                guard !namesSameAnchors else { return PolicyDiff.AuthorityChange() }
                return authorities(new: change.new, removed: change.removed)
            case .anchors(let id):
                return authorities(
                    new: change.new.filter { $0.set == id },
                    removed: change.removed.filter { $0.set == id })
            }
        }
        return PolicyDiff.AuthorityChange()
    }

    private func authorities(
        new: [TrustedMember], removed: [TrustedMember]
    ) -> PolicyDiff.AuthorityChange {
        PolicyDiff.AuthorityChange(
            added: new.map(authority), removed: removed.map(authority),
            rekeyed: named.pairs(new: new, removed: removed))
    }

    private func all(_ body: BehaviourBody) -> [PolicyDiff.Authority] {
        body.anchors.authorities.map(authority)
    }

    private func authority(_ member: TrustedMember) -> PolicyDiff.Authority {
        PolicyDiff.Authority(member, crypto: crypto)
    }

    /// An authority whose certificate is another one, with the same name and key.
    private func reissued(_ member: ReissuedMember) -> String {
        func digest(_ member: TrustedMember) -> String {
            member.certificate.map { crypto.digest(.sha256, of: $0.der.span).text } ?? "none"
        }
        let name = member.here.certificate.map {
            Words.shortSubject($0.subjectText)
        }
        return "`\(name ?? member.here.set)` by another certificate with the same key: "
            + "\(digest(member.there)) -> \(digest(member.here))"
    }

    // MARK: Pins

    /// The change of pins: set by set where both rules name the same sets.
    private func pins(
        _ field: FieldComparison, _ change: TrustEngine.PinChange, at time: UTCInstant
    ) -> [(PolicyDiff.Source, PolicyDiff.Field)] {
        guard old.pinNames == new.pinNames else {
            var own = plain(field)
            let lost = old.pinNames.filter { !new.pinNames.contains($0) }
            if new.pinNames.isEmpty, !lost.isEmpty {
                own = PolicyDiff.Field(
                    path: own.path, relation: own.relation, from: own.from, to: own.to,
                    remarks: ["any certificate of the anchors is accepted, whatever its key"])
            }
            return [(.rules, own)]
        }
        let texts = new.pinNames.compactMap { id -> (String, PinSetChange)? in
            guard let before = old.pinSets[id], let after = new.pinSets[id] else { return nil }
            let words = PinSetChange(before, after, at: time)
            return words.isEmpty ? nil : (id, words)
        }
        guard !texts.isEmpty else { return [(.rules, plain(field))] }
        return texts.map { id, words in
            // Another set of the rule may make up for what this set lost or gained. So the sets
            // together say what the whole says.
            let own = change.sets.first { $0.id == id }?.relation ?? .equal
            let relation = Relation(
                isNoWeaker: own.isNoWeaker || field.relation.isNoWeaker,
                isNoStricter: own.isNoStricter || field.relation.isNoStricter)
            // The set alone would be told otherwise. So the sets are told together.
            guard relation == own || relation == .equal else {
                return (
                    .rules,
                    together(
                        field, relation, id, words.from, words.to, names: new.pinNames,
                        words.remarks + ["another pin set of the rule makes up for a part of it"])
                )
            }
            return (
                .pins(id),
                PolicyDiff.Field(
                    path: "pins.\(id)", relation: relation, from: words.from, to: words.to,
                    remarks: words.remarks)
            )
        }
    }

    // MARK: Log lists

    /// A log list by the instant at which it was issued, with the logs that differ.
    private func logList(
        _ field: FieldComparison, _ change: LogListChange
    ) -> PolicyDiff.Field {
        func text(_ digest: Digest?, _ issued: UTCInstant?) -> String {
            guard let digest else { return "none" }
            guard let issued else { return digest.text }
            // Two lists of one instant are told apart by their octets.
            let isAlike = change.issuedHere == change.issuedThere
            return "the list of \(issued)" + (isAlike ? ", \(digest.text)" : "")
        }
        let rekeyed = Set(change.rekeyed.map(\.name))
        func remark(_ names: [String], _ words: String) -> [String] {
            guard !names.isEmpty else { return [] }
            let more = names.count > 8 ? " and \(names.count - 8) more" : ""
            return ["\(words): \(names.prefix(8).joined(separator: ", "))\(more)"]
        }
        return PolicyDiff.Field(
            path: field.path, relation: field.relation,
            from: text(change.there, change.issuedThere), to: text(change.here, change.issuedHere),
            remarks: change.rekeyed.map {
                "log `\($0.name)`: the same name with another key, log_id "
                    + "\(Base64.encode($0.there.bytes)) -> \(Base64.encode($0.here.bytes))"
            } + remark(change.added.filter { !rekeyed.contains($0) }, "logs added")
                + remark(change.removed.filter { !rekeyed.contains($0) }, "logs removed")
                + remark(change.changed, "logs with other terms"))
    }

    // MARK: Remarks

    /// The consequences of a plain field: the values that are not accepted any more, and the values
    /// that are accepted now.
    private func remarks(of field: FieldComparison) -> [String] {
        switch field.remark {
        case .issuedFrom(let day):
            return ["for what is issued from \(Words.day(day)) on"]
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
