/// Compares the terms on which two sides trust the same authority.
struct AnchorTerms {
    /// The terms that one side applies to all its anchors.
    struct Side: Hashable {
        /// Ids of anchor sets whose paths need no timestamps.
        let exempt: Set<String>
        let isTransparencyDemanded: Bool
        /// The log list in use.
        let logList: LogListTerms?
        /// Seconds after which a log list fails `constraints.sct`; nil where it never does.
        let failsAfter: Int64?
        /// Only requests that are judged at this instant or later are compared; nil where no term
        /// depends on it.
        private let since: UTCInstant?
        /// Whether revocation evidence is demanded for an anchor of kind intermediate.
        let asksOfAnchors: Bool
        /// Whether a breach of a demand of issuance rejects.
        let enforcesIssuance: Bool

        init(_ body: BehaviourBody) {
            let transparency = body.requirements.transparency
            exempt = body.exemptSets
            isTransparencyDemanded = transparency.isDemanded
            asksOfAnchors = body.requirements.revocation.scope == .chain
            enforcesIssuance = body.requirements.enforcesIssuance
            // Where no constraint holds members to windows of timestamps, no term depends on the
            // log list.
            let holds = body.anchors.holdsTimestamps
            logList = holds ? body.logListTerms : nil
            since = holds ? body.since : nil
            failsAfter =
                holds && transparency.whenStale == .fail ? transparency.logListMaximumAge : nil
        }

        /// The first instant of the requests that two sides judge; nil where all are compared.
        func since(_ other: Side) -> UTCInstant? {
            guard let since, let theirs = other.since else { return nil }
            return min(since, theirs)
        }
    }

    /// A term in which this side is not known to be as strict as the other side.
    struct Difference {
        /// The path with dots, as the language has it: `anchors.corp.kind`.
        let path: String
        let here: FieldComparison.Value
        let there: FieldComparison.Value
        /// Whether a reader would call this side looser, and not only different.
        let isLooser: Bool
        /// The two certificates, where it is they that differ.
        var reissued: ReissuedMember? = nil

        /// The value of this side where another set of the rule has the other side's certificate,
        /// too. Two certificates are incomparable, and one more is not.
        var besides: FieldComparison.Value {
            guard reissued != nil, case .word(let word) = here else { return here }
            return .word(word + " beside the other")
        }
    }

    let own: TrustedMember
    let other: TrustedMember
    let sides: (own: Side, other: Side)
    /// Compares the log lists of the sides.
    let logLists: LogListOrder

    /// The terms in which `own` is not known to be as strict as `other`. Both are the same
    /// authority.
    func differences() -> [Difference] {
        var found = certificateTerms()
        found += constraints(own.constraints, other.constraints).map { key in
            func first(_ constraints: [AnchorConstraints]) -> FieldComparison.Value {
                .constraints(constraints.first { $0.keys.contains(key) })
            }
            return difference(
                "constraints.\(key.rawValue)", first(own.constraints), first(other.constraints))
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
        // An anchor of kind leaf vouches only for itself; no anchor of another kind vouches for
        // itself. `revocation.scope: chain` demands evidence for an anchor of kind intermediate,
        // and never for a root.
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
        // `web-pki` has every demand of validation that `rfc5280` has, and more
        // (`StandardDemand`). So it is stricter where `rfc5280` only reports demands of issuance.
        // Where `rfc5280` enforces them, each standard has demands that the other standard does
        // not have. A reader takes `web-pki` for the stricter one.
        let isStricter = own.standard == .webPKI && !sides.other.enforcesIssuance
        if own.standard != other.standard, !isStricter {
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
        // Two certificates of the same name and key may differ in any other field, and in their
        // digests. A verdict may depend on each of them.
        if own.certificate != other.certificate {
            let lost = lostLimits().joined(separator: ", ")
            var term = difference(
                "members",
                .word(lost.isEmpty ? "another certificate" : "a certificate without \(lost)"),
                .word(lost.isEmpty ? "a certificate" : "one with \(lost)"),
                isLooser: !lost.isEmpty)
            term.reissued = ReissuedMember(here: own, there: other)
            found.append(term)
        }
        // A root programme has judged the members of the machine's store. No demand of a standard
        // is made of their certificates (`StandardRules`).
        if own.isOfStore, !other.isOfStore {
            found.append(
                difference(
                    "members", .word("of the machine's store"), .word("listed"), isLooser: false))
        }
        return found
    }

    /// The limits in the certificate of the other side that the certificate of this side does not
    /// have. Limits that the other side ignores do not count.
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
                !ours.present.contains(.extendedKeyUsage)
                    && theirs.present.contains(.extendedKeyUsage)
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

    /// The keys of constraints that the other side writes and this side does not meet. All
    /// constraints of a side apply together.
    private func constraints(
        _ here: [AnchorConstraints], _ there: [AnchorConstraints]
    ) -> [AnchorConstraints.Key] {
        if here == there, sides.own == sides.other { return [] }
        let joint = JointConstraints(here)
        var lost: [AnchorConstraints.Key] = []
        for theirs in there {
            lost += theirs.keys.filter { key in
                guard !lost.contains(key) else { return false }
                return !joint.meets(key, of: theirs)
                    || (key == .sct && !judgesTimestampsAsStrictly(in: theirs.sct))
            }
        }
        return lost
    }

    /// Whether the earliest timestamp lies in a window of the other side wherever it lies in the
    /// windows of this side. The log list decides which timestamp is the earliest. The rule decides
    /// when the log list is too old.
    private func judgesTimestampsAsStrictly(in window: DateWindow?) -> Bool {
        let (own, other) = (sides.own, sides.other)
        let change = logLists.change(own.logList, other.logList, since: own.since(other))
        switch change.approves {
        case .equal: break
        // With fewer logs the earliest timestamp is a later one, or there is none.
        case .stricter: guard window?.from == nil else { return false }
        case .weaker, .incomparable: return false
        }
        guard let theirs = other.failsAfter else { return true }
        guard let ours = own.failsAfter else { return false }
        guard let issued = change.issuedHere, let issuedThere = change.issuedThere else {
            // The lists are the same.
            return ours <= theirs
        }
        return issued.advanced(bySeconds: ours) <= issuedThere.advanced(bySeconds: theirs)
    }

    // MARK: The machine's store

    /// The keys of filters that remove members of the machine's store on the other side and are not
    /// known to remove them on this side.
    private func filters() -> [String] {
        guard own.filters != other.filters else { return [] }
        let filters = StoreFilters(own.filters)
        var lost: [String] = []
        for theirs in other.filters {
            if let only = theirs.only, !filters.liesIn(only: only) { lost.append("only") }
            if !theirs.exclude.allSatisfy({ filters.liesOutside($0) }) { lost.append("exclude") }
        }
        return lost
    }
}
