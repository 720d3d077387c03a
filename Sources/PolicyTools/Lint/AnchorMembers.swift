import PolicyCompiler
import TrustEngine

/// What a set says of the certificates that it names itself, in `files` and `pem`.
struct AnchorTerms {
    let set: Located<String>
    let kind: AnchorKind
    /// Whether `kind` is written and could not be read.
    let isKindKnown: Bool
    let standard: Standard
    let ignoredLimits: AnchorLimits

    init(_ set: BoundAnchorSet) {
        self.set = set.id
        self.kind = set.kind?.value ?? .root
        self.isKindKnown = !set.hasUnreadableKind
        self.standard = set.standard?.value ?? .rfc5280
        self.ignoredLimits = set.ignoredLimits?.value ?? []
    }

    /// Whether a group of a resolved set has these terms and a certificate as a member.
    func hold(_ certificate: Certificate, in group: ResolvedAnchorSets.Group) -> Bool {
        !group.isSystem && group.kind == kind && group.standard == standard
            && group.ignoredLimits == ignoredLimits && group.members.contains(certificate)
    }
}

/// What is wrong with one certificate of a set.
struct AnchorFault {
    let message: String
    /// The same for faults of one sort: of these, those of one file are told as one.
    let help: [String]
    /// Among faults of one sort the one with the least is told first.
    var rank: Int64 = 0
}

extension LintContext {
    /// One finding for each file and sort of fault among the certificates that sets name themselves. Those
    /// that `only` or `exclude` take out are nobody's anchors and pass; those that a set includes are judged
    /// where they are named.
    func anchorFindings(
        _ code: DiagnosticCode, _ fault: (AnchorTerms, BoundAnchor) -> AnchorFault?
    ) -> [Diagnostic] {
        bound.anchorSets.flatMap { set -> [Diagnostic] in
            let terms = AnchorTerms(set)
            let groups = parts.anchorSets[set.id.value]?.groups ?? []
            var order: [FaultPlace] = []
            var found: [FaultPlace: [(anchor: BoundAnchor, fault: AnchorFault)]] = [:]
            for anchor in set.members {
                guard let fault = fault(terms, anchor),
                    groups.contains(where: { terms.hold(anchor.certificate, in: $0) })
                else { continue }
                let place = FaultPlace(span: anchor.span, help: fault.help)
                if found[place] == nil { order.append(place) }
                found[place, default: []].append((anchor, fault))
            }
            return order.map { LintContext.finding(code, found[$0] ?? []) }
        }
    }

    private static func finding(
        _ code: DiagnosticCode, _ faults: [(anchor: BoundAnchor, fault: AnchorFault)]
    ) -> Diagnostic {
        var first = 0
        for index in faults.indices where faults[index].fault.rank < faults[first].fault.rank {
            first = index
        }
        let (anchor, fault) = faults[first]
        var others: [String] = []
        for index in faults.indices where index != first {
            // As many as are named, and one more that is counted.
            others.append(
                others.count > 6 ? "" : faults[index].anchor.certificate.shortSubject)
        }
        var notes = ["its subject is `\(anchor.certificate.shownSubject)`"]
        if !others.isEmpty { notes.append("likewise: \(ViolationSentences.list(others))") }
        return Diagnostic(
            code, fault.message, at: Diagnostic.Label(anchor.span), help: fault.help, notes: notes)
    }

    /// Every rule, and `default` where it is a body.
    var judgedBodies: [(decider: HostCoverage.Decider, body: BoundBody)] {
        bound.rules.indices.map { (.rule($0), bound.rules[$0].body) }
            + (fallback.map { [(.fallback, $0)] } ?? [])
    }

    /// The groups of all anchors of a body, each with the item that names its set; nil where some of them
    /// could not be read, and for `pinned-keys`, whose anchors are whatever is pinned.
    func anchorGroups(
        of body: BoundBody
    ) -> [(item: Located<String>, group: ResolvedAnchorSets.Group)]? {
        var groups: [(Located<String>, ResolvedAnchorSets.Group)] = []
        for item in body.anchors?.items ?? [] {
            guard let set = parts.anchorSets[item.value], set.isComplete, !set.groups.isEmpty
            else { return nil }
            groups += set.groups.map { (item, $0) }
        }
        return groups.isEmpty ? nil : groups
    }

    /// Whether a waiver of a body is in force, or may be.
    func waives(_ checks: Set<WaivedCheck>, _ body: BoundBody) -> Bool {
        body.waivers.contains { entry in
            checks.contains(entry.check) && entry.waiver?.isInForce(at: time) ?? true
        }
    }
}

/// Where faults of one sort stand.
private struct FaultPlace: Hashable {
    let span: SourceSpan
    let help: [String]
}

extension Certificate {
    /// The common name, or what else comes first, raw: renderers escape it.
    var shortSubject: String { ViolationSentences.shortSubject(subjectText) }

    /// The subject, at most 200 characters of it.
    var shownSubject: String { ViolationSentences.shortened(subjectText, to: 200) }
}
