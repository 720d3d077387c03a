import Rendering
import TrustEngine

/// What anchor sets and pin sets write.
extension MutationMaker {
    // MARK: Anchor sets

    /// Each key of the constraints dropped, each filter dropped, and the weaker standard.
    func ofAnchors(_ set: AnchorSetContents) -> [Mutation] {
        let base = "/anchors/\(set.id)"
        var made: [Mutation] = []
        for key in AnchorConstraints.Key.allCases {
            let location = exact("\(base)/constraints/\(key.rawValue)")
            guard location != nil || !hasPlaces else { continue }
            // A set that includes this one has these constraints too.
            let own = Set(
                set.groups.flatMap(\.constraints).filter { $0.keys.contains(key) })
            guard !own.isEmpty else { continue }
            made.append(
                mutation(
                    "anchors `\(set.id)` lose `constraints.\(key.rawValue)`", location,
                    groupsChanged { group in
                        group.constraints = group.constraints.map { constraints in
                            own.contains(constraints) ? constraints.without(key) : constraints
                        }.filter { !$0.keys.isEmpty }
                    }))
        }
        for (key, drop) in MutationMaker.filterKeys {
            let location = exact("\(base)/\(key)")
            guard location != nil || !hasPlaces else { continue }
            let own = Set(set.groups.flatMap(\.filters))
            made.append(
                mutation(
                    "anchors `\(set.id)` lose `\(key)`", location,
                    groupsChanged { group in
                        group.filters = group.filters.map { filter in
                            var filter = filter
                            if own.contains(filter) { drop(&filter) }
                            return filter
                        }.filter { $0.only != nil || !$0.exclude.isEmpty }
                    }))
        }
        let location = exact("\(base)/standard")
        let members = set.groups.filter { $0.source != .system && $0.standard == .webPKI }
        if !members.isEmpty, location != nil || !hasPlaces {
            let own = Set(members.map(\.source))
            made.append(
                mutation(
                    "anchors `\(set.id)` have `standard: \(Standard.rfc5280.name)` in place of "
                        + "`\(Standard.webPKI.name)`", location,
                    groupsChanged { group in
                        if own.contains(group.source) { group.standard = .rfc5280 }
                    }))
        }
        return made
    }

    /// The filters that are applied to the machine's store. The filters of listed members were
    /// applied when the policy was compiled.
    private static let filterKeys: [(String, @Sendable (inout AnchorFilter) -> Void)] = [
        ("only", { $0.only = nil }), ("exclude", { $0.exclude = [] }),
    ]

    private func groupsChanged(_ change: (inout AnchorGroup) -> Void) -> PolicyContents {
        var contents = contents
        for index in contents.anchorSets.indices {
            let set = contents.anchorSets[index]
            let groups = set.groups.map { group in
                var changed = group
                change(&changed)
                return AnchorGroup(
                    source: changed.source, kind: changed.kind, standard: changed.standard,
                    ignoredLimits: changed.ignoredLimits, constraints: changed.constraints,
                    filters: changed.filters)
            }
            contents.anchorSets[index] = AnchorSetContents(
                id: set.id, groups: groups, intermediates: set.intermediates, owner: set.owner,
                note: set.note)
        }
        return contents
    }

    // MARK: Pin sets

    /// Fewer keys that must match, an entry that matches anywhere, a weaker end.
    func ofPins(_ set: PinSetContents) -> [Mutation] {
        let base = "/pins/\(set.id)"
        var made: [Mutation] = []
        func changed(_ change: (inout PinSetContents) -> Void) -> PolicyContents {
            var contents = contents
            for index in contents.pinSets.indices where contents.pinSets[index].id == set.id {
                change(&contents.pinSets[index])
            }
            return contents
        }
        let whole = exact(base)
        if set.match > 1 {
            made.append(
                mutation(
                    "pins `\(set.id)` need \(set.match - 1) of their keys and not \(set.match)",
                    exact("\(base)/match") ?? whole, changed { $0.match -= 1 }))
        }
        if set.enforceUntil != nil {
            let weaker: PinSetContents.OnExpiry?
            switch set.onExpiry {
            case .fail: weaker = .report
            case .report: weaker = .unpinned
            case .unpinned: weaker = nil
            }
            if let weaker {
                made.append(
                    mutation(
                        "pins `\(set.id)` have `on-expiry: \(MutationMaker.word(weaker))` in place "
                            + "of `\(MutationMaker.word(set.onExpiry))`",
                        exact("\(base)/on-expiry") ?? whole, changed { $0.onExpiry = weaker }))
            }
        }
        for (index, pin) in set.keys.enumerated() where pin.position != .any {
            made.append(
                anywhere(
                    pin, of: set, at: "\(base)/keys/\(pin.id)",
                    changed { $0.keys[index].position = .any }))
        }
        for (index, pin) in set.backups.enumerated() where pin.position != .any {
            made.append(
                anywhere(
                    pin, of: set, at: "\(base)/backups/\(pin.id)",
                    changed { $0.backups[index].position = .any }))
        }
        return made
    }

    private func anywhere(
        _ pin: PinContents, of set: PinSetContents, at pointer: String, _ contents: PolicyContents
    ) -> Mutation {
        mutation(
            "entry `\(pin.id)` of pins `\(set.id)` matches anywhere and not at "
                + "`\(pin.position.name)` alone", exact(pointer) ?? exact("/pins/\(set.id)"),
            contents)
    }

    private static func word(_ word: PinSetContents.OnExpiry) -> String {
        switch word {
        case .fail: return "fail"
        case .report: return "report"
        case .unpinned: return "unpinned"
        }
    }
}

extension AnchorConstraints {
    /// The same constraints without one key.
    fileprivate func without(_ key: Key) -> AnchorConstraints {
        var rest = self
        switch key {
        case .permittedNames: rest.permittedNames = []
        case .excludedNames: rest.excludedNames = []
        case .permittedURIs: rest.permittedURIs = []
        case .notBefore: rest.notBefore = nil
        case .sct: rest.sct = nil
        case .keyPurposes: rest.keyPurposes = nil
        case .maximumLifetime: rest.maximumLifetime = nil
        }
        return rest
    }
}
