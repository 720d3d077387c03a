/// On which terms an authority is trusted by two sides: where it may vouch for more on the one.
struct AnchorTerms {
    /// What a side says of all its anchors.
    struct Side: Hashable {
        /// Ids of sets whose paths need no timestamps.
        let exempt: Set<String>
        let isTransparencyDemanded: Bool
        /// The log list in use.
        let logList: Digest?
        /// Seconds after which a log list fails `constraints.sct`; nil where it never does.
        let failsAfter: Int64?
        /// Whether evidence is asked of an anchor of kind intermediate.
        let asksOfAnchors: Bool

        init(_ body: BehaviourBody) {
            let transparency = body.requirements.transparency
            exempt = body.exemptSets
            isTransparencyDemanded = transparency.isDemanded
            asksOfAnchors = body.requirements.revocation.scope == .chain
            // Without such constraints nothing of an anchor depends on them.
            let holds = body.anchors.holdsTimestamps
            logList = holds ? body.logList : nil
            failsAfter =
                holds && transparency.whenStale == .fail ? transparency.logListMaximumAge : nil
        }
    }

    /// A term that is not known to be as strict as the other side's.
    struct Difference {
        /// Dotted, as the language has it: `anchors.corp.kind`.
        let path: String
        let here: FieldComparison.Value
        let there: FieldComparison.Value
        /// Whether it is looser to a reader, and not only another.
        let isLooser: Bool
    }

    let own: TrustedMember
    let other: TrustedMember
    let sides: (own: Side, other: Side)

    /// Where `own` is not known to be as strict as `other`, which is the same authority.
    func differences() -> [Difference] {
        var found = certificateTerms()
        found += constraints(own.constraints, other.constraints).map { key in
            difference(
                "constraints.\(key)", .constraints(first(key, of: own.constraints)),
                .constraints(first(key, of: other.constraints)))
        }
        found += filters().map { difference($0, .filters(own.filters), .filters(other.filters)) }
        if sides.own.isTransparencyDemanded, sides.other.isTransparencyDemanded,
            sides.own.exempt.contains(own.set), !sides.other.exempt.contains(other.set)
        {
            found.append(
                Difference(
                    path: ProfileField.transparencyExemptAnchors.rawValue,
                    here: .words(sides.own.exempt.sorted()),
                    there: .words(sides.other.exempt.sorted()), isLooser: true))
        }
        return found
    }

    private func difference(
        _ key: String, _ here: FieldComparison.Value, _ there: FieldComparison.Value,
        isLooser: Bool = true
    ) -> Difference {
        Difference(
            path: "anchors.\(own.set).\(key)", here: here, there: there, isLooser: isLooser)
    }

    private func certificateTerms() -> [Difference] {
        var found: [Difference] = []
        // A leaf anchor vouches for itself alone, and for itself no other does. Of an intermediate
        // that is an anchor `revocation.scope: chain` asks evidence, of a root it never does.
        let isOtherKind =
            own.kind != other.kind
            && (own.kind == .leaf || other.kind == .leaf
                || (other.kind == .intermediate && sides.other.asksOfAnchors))
        if isOtherKind {
            found.append(
                difference(
                    "kind", .word(own.kind.name), .word(other.kind.name),
                    isLooser: other.kind == .leaf))
        }
        // Each has demands that the other has not (`StandardDemand`); a reader takes the web's for
        // stricter.
        if own.standard != other.standard {
            found.append(
                difference(
                    "standard", .word(own.standard.name), .word(other.standard.name),
                    isLooser: other.standard == .webPKI))
        }
        if !own.ignoredLimits.isSubset(of: other.ignoredLimits) {
            found.append(
                difference(
                    "ignore-limits", .words(own.ignoredLimits.names),
                    .words(other.ignoredLimits.names)))
        }
        // Whatever else two certificates of one name and key differ in, down to their digests, may
        // be judged.
        if own.certificate != other.certificate {
            let lost = lostLimits().joined(separator: ", ")
            found.append(
                difference(
                    "members", .word("a certificate without \(lost)"), .word("one with \(lost)"),
                    isLooser: !lost.isEmpty))
        }
        // A root programme has judged the members of the store (`StandardRules`).
        if own.isOfStore != other.isOfStore {
            found.append(
                difference(
                    "members", .word("of the machine's store"), .word("listed"), isLooser: false))
        }
        return found
    }

    /// Limits that the member's own certificate has on the other side and not here, where they
    /// bind.
    private func lostLimits() -> [String] {
        guard let here = own.certificate, let there = other.certificate else { return [] }
        let (ours, theirs) = (here.layout.extensions, there.layout.extensions)
        let lost: [(limit: AnchorLimits, isLost: Bool)] = [
            (
                .nameConstraints,
                ours.nameConstraints.count == 0 && theirs.nameConstraints.count > 0
            ),
            (
                .keyPurposes,
                ours.extendedKeyUsage.count == 0 && theirs.extendedKeyUsage.count > 0
            ),
            (
                .pathLength,
                theirs.pathLength >= 0
                    && (ours.pathLength < 0 || ours.pathLength > theirs.pathLength)
            ),
        ]
        return lost.filter { $0.isLost && !other.ignoredLimits.contains($0.limit) }
            .flatMap(\.limit.names)
    }

    // MARK: Constraints

    /// The keys of constraints of the other side that this side does not meet. Constraints are
    /// joined by AND, so windows and lifetimes are taken together, and each list must lie in one of
    /// the lists.
    private func constraints(
        _ here: [AnchorConstraints], _ there: [AnchorConstraints]
    ) -> [String] {
        if here == there, sides.own.logList == sides.other.logList,
            sides.own.failsAfter == sides.other.failsAfter
        {
            return []
        }
        let excluded = here.flatMap(\.excludedNames)
        let notBefore = AnchorTerms.window(here.compactMap(\.notBefore))
        let timestamps = AnchorTerms.window(here.compactMap(\.sct))
        let lifetime = here.compactMap(\.maximumLifetime).min() ?? .max
        var lost: [String] = []
        for theirs in there {
            func isMet(_ key: String, _ isWritten: Bool, _ isAsStrict: Bool) {
                if isWritten, !isAsStrict, !lost.contains(key) { lost.append(key) }
            }
            isMet(
                "permitted-names", !theirs.permittedNames.isEmpty,
                here.contains {
                    !$0.permittedNames.isEmpty
                        && AnchorTerms.covers(theirs.permittedNames, $0.permittedNames)
                })
            isMet(
                "excluded-names", !theirs.excludedNames.isEmpty,
                AnchorTerms.covers(excluded, theirs.excludedNames))
            isMet(
                "permitted-uris", !theirs.permittedURIs.isEmpty,
                here.contains {
                    !$0.permittedURIs.isEmpty
                        && Set($0.permittedURIs).isSubset(of: theirs.permittedURIs)
                })
            isMet(
                "not-before", theirs.notBefore != nil,
                AnchorTerms.lies(notBefore, in: theirs.notBefore))
            isMet(
                "sct", theirs.sct != nil,
                AnchorTerms.lies(timestamps, in: theirs.sct) && judgesTimestampsAsStrictly)
            isMet(
                "key-purposes", theirs.keyPurposes != nil,
                here.contains {
                    let (ours, theirs) = (
                        Set($0.keyPurposes?.identifiers ?? []),
                        Set(theirs.keyPurposes?.identifiers ?? [])
                    )
                    return !ours.isEmpty && ours.isSubset(of: theirs)
                })
            isMet(
                "maximum-lifetime", theirs.maximumLifetime != nil,
                lifetime <= theirs.maximumLifetime ?? .max)
        }
        return lost
    }

    /// Which timestamps count is the log list's, and whether it is too old the rule's.
    private var judgesTimestampsAsStrictly: Bool {
        guard sides.own.logList == sides.other.logList else { return false }
        guard let theirs = sides.other.failsAfter else { return true }
        return sides.own.failsAfter ?? .max <= theirs
    }

    private static func window(_ windows: [DateWindow]) -> DateWindow? {
        guard let first = windows.first else { return nil }
        return windows.dropFirst().reduce(first) { $0.narrowed(by: $1) }
    }

    private static func lies(_ here: DateWindow?, in there: DateWindow?) -> Bool {
        guard let here, let there else { return there == nil }
        return here.lies(in: there)
    }

    /// Whether each of some patterns lies inside one of others.
    private static func covers(_ outer: [HostPattern], _ inner: [HostPattern]) -> Bool {
        inner.allSatisfy { pattern in outer.contains { $0.covers(pattern) } }
    }

    /// The first constraint that has a part.
    private func first(_ key: String, of constraints: [AnchorConstraints]) -> AnchorConstraints? {
        constraints.first { constraint in
            switch key {
            case "permitted-names": return !constraint.permittedNames.isEmpty
            case "excluded-names": return !constraint.excludedNames.isEmpty
            case "permitted-uris": return !constraint.permittedURIs.isEmpty
            case "not-before": return constraint.notBefore != nil
            case "sct": return constraint.sct != nil
            case "key-purposes": return constraint.keyPurposes != nil
            default: return constraint.maximumLifetime != nil
            }
        }
    }

    // MARK: The machine's store

    /// The keys of what keeps members of the machine's store on the other side and not here:
    /// filters are applied in turn.
    private func filters() -> [String] {
        var lost: [String] = []
        let excluded = Set(own.filters.flatMap(\.exclude))
        for theirs in other.filters {
            if let only = theirs.only,
                !own.filters.contains(where: { $0.only.map { Set($0).isSubset(of: only) } ?? false }
                )
            {
                lost.append("only")
            }
            if !Set(theirs.exclude).isSubset(of: excluded) { lost.append("exclude") }
        }
        return lost
    }
}

extension HostPattern {
    /// Whether every name or address that another pattern stands for is one of this pattern's; of
    /// patterns without ports.
    fileprivate func covers(_ other: HostPattern) -> Bool {
        if self == other { return true }
        switch (host, other.host) {
        case (.oneLabel(let base), .name(let name)):
            return name.hasSuffix(".\(base)")
                && !name.dropLast(base.utf8.count + 1).contains(".")
        case (.anyLabels(let base), .name(let name)): return name.hasSuffix(".\(base)")
        case (.anyLabels(let base), .oneLabel(let inner)),
            (.anyLabels(let base), .anyLabels(let inner)):
            return inner == base || inner.hasSuffix(".\(base)")
        case (.network(let network, let prefix), .address(let address)):
            return network.contains(address, prefix: prefix)
        case (.network(let network, let prefix), .network(let inner, let longer)):
            return prefix <= longer && network.contains(inner, prefix: prefix)
        case (.name, _), (.address, _), (.oneLabel, _), (.anyLabels, _), (.network, _): return false
        }
    }
}
