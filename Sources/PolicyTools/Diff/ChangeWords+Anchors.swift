import Rendering
import TrustEngine

/// The words about anchors: what comes from the rules, and what from the contents of a set.
extension ChangeWords {
    private static let aboutStore =
        "every CA of the machine's store may vouch, whatever machine it is; no policy says what the "
        + "store holds, so it is incomparable with listed authorities"

    /// A change of anchors where the two rules name other sets.
    func otherSets(_ field: FieldComparison, _ change: AnchorChange) -> PolicyDiff.Field {
        let store = change.new.first { $0.certificate == nil }
        let isOpen = store.map { $0.filters.allSatisfy { $0.only == nil } } ?? false
        let about = isOpen && field.relation == .incomparable ? [ChangeWords.aboutStore] : []
        return plain(
            field,
            about + named.pairs(new: change.new, removed: change.removed).map(\.sentence))
    }

    /// A change of the pinned keys that are the anchors of both rules: the entries that only one
    /// rule has, and what they vouch for. The `anchors` of both read the same.
    func pinnedKeys(_ field: FieldComparison) -> PolicyDiff.Field {
        let (before, after) = (AnchoringPins(old), AnchoringPins(new))
        return PolicyDiff.Field(
            path: field.path, relation: field.relation,
            from: before.text(besides: after, crypto), to: after.text(besides: before, crypto),
            remarks: after.reach(besides: before, "now vouches")
                + before.reach(besides: after, "no longer vouches"))
    }

    /// The anchor set that offers other certificates; the rules' own change where it cannot be
    /// told.
    var ownerOfOffered: PolicyDiff.Source {
        guard namesSameAnchors, let names = new.body?.anchorNames, names.count == 1 else {
            return .rules
        }
        return .anchors(names[0])
    }

    /// The certificates that are offered to the path search, with the digests of those that come
    /// and go.
    func offered(
        _ field: FieldComparison, _ new: [[UInt8]], _ removed: [[UInt8]]
    ) -> PolicyDiff.Field {
        func count(_ side: RuleWords) -> String {
            let offered = side.body?.anchors.offeredCertificates ?? []
            let text = Words.count(offered.count, "certificate", "certificates")
            guard !offered.isEmpty else { return text }
            // The digest tells apart lists of one length.
            let octets = offered.flatMap { $0 }
            return "\(text), \(crypto.digest(.sha256, of: octets.span).text)"
        }
        func lines(_ list: [[UInt8]], _ word: String) -> [String] {
            list.map { "\(word): \(crypto.digest(.sha256, of: $0.span).text)" }
        }
        /// The number, and the first certificate of this side alone where the numbers are equal.
        func text(_ side: RuleWords, _ own: [[UInt8]]) -> String {
            guard count(old) == count(self.new), let first = own.first else { return count(side) }
            return "\(count(side)) with \(crypto.digest(.sha256, of: first.span).text)"
        }
        return PolicyDiff.Field(
            path: field.path, relation: field.relation, from: text(old, removed),
            to: text(self.new, new), remarks: lines(new, "added") + lines(removed, "removed"))
    }

    /// The change of members, set by set.
    func sets(
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
    func together(
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
        func authorities(_ side: RuleWords) -> Set<TrustedMember.Authority> {
            Set((side.body?.anchors.members ?? []).filter { $0.set == id }.map(\.authority))
        }
        let (before, after) = (authorities(old), authorities(new))
        return Relation(
            isNoWeaker: after.isSubset(of: before), isNoStricter: before.isSubset(of: after))
    }

    /// The names and keys of authorities.
    var named: RekeyedAuthorities { RekeyedAuthorities(crypto: crypto) }

    /// The authorities of a set.
    private static func members(_ body: BehaviourBody?, in set: String) -> [TrustedMember] {
        body?.anchors.authorities.filter { $0.set == set } ?? []
    }

    /// The authorities that a change of anchors adds and removes; none for any other field.
    func authorities(
        of name: FieldTimeline.Name, _ timeline: [DatedComparison]
    ) -> PolicyDiff.AuthorityChange {
        switch name.path {
        case PolicyDiff.Field.decision:
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
    func reissued(_ member: ReissuedMember) -> String {
        func digest(_ member: TrustedMember) -> String {
            member.certificate.map { crypto.digest(.sha256, of: $0.der.span).text } ?? "none"
        }
        let name = member.here.certificate.map {
            Words.shortSubject($0.subjectText)
        }
        return "`\(name ?? member.here.set)` by another certificate with the same key: "
            + "\(digest(member.there)) -> \(digest(member.here))"
    }
}
