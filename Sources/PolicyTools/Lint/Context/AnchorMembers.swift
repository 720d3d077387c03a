import PolicyCompiler
import Rendering
import TrustEngine

/// The terms that a set states for its own certificates, those in `files` and `pem`.
struct AnchorTerms {
    let set: Located<String>
    let kind: AnchorKind
    /// Whether `kind` could be read, or is not written.
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

    /// The terms, as the reasons why no path can end at a certificate take them.
    var deadEnd: AnchorDeadEnd.Terms {
        AnchorDeadEnd.Terms(kind: kind, standard: standard, ignoredLimits: ignoredLimits)
    }

    /// Whether a group of a resolved set has these terms and the certificate is its member.
    func hold(_ certificate: Certificate, in group: ResolvedAnchorSets.Group) -> Bool {
        !group.isSystem && group.kind == kind && group.standard == standard
            && group.ignoredLimits == ignoredLimits && group.members.contains(certificate)
    }
}

/// A fault of one certificate of a set.
struct AnchorFault {
    let message: String
    let help: [String]
    /// Equal for faults that one diagnostic reports together for a file.
    let sort: String
    /// Of the faults of one sort, the one with the lowest rank is reported first.
    var rank: Int64 = 0
}

extension LintContext {
    /// One finding for each file with faults among the certificates that sets name themselves. The
    /// first sort of fault is the message; the others are notes. A certificate that `only` or
    /// `exclude` removes is nobody's anchor and has no finding. A certificate that a set includes
    /// is judged in the set that names it.
    func anchorFindings(
        _ code: DiagnosticCode, _ fault: (AnchorTerms, BoundAnchor) -> AnchorFault?
    ) -> [Diagnostic] {
        bound.anchorSets.flatMap { set -> [Diagnostic] in
            let terms = AnchorTerms(set)
            let groups = parts.anchorSets[set.id.value]?.groups ?? []
            var found: [SourceSpan: AnchorFaults] = [:]
            for anchor in set.members {
                guard let fault = fault(terms, anchor),
                    groups.contains(where: { terms.hold(anchor.certificate, in: $0) })
                else { continue }
                found[anchor.span, default: AnchorFaults()].add(fault, of: anchor)
            }
            return found.values.compactMap { $0.finding(code) }
        }
    }

    /// The findings without the findings about sets where no path can end at any anchor (HW313),
    /// when findings about the set's own certificates, or about a rule that names it, say why.
    func withoutRepeatedSets(_ findings: [Diagnostic]) -> [Diagnostic] {
        let told = Set(
            findings.filter {
                [.anchorDeadEnd, .weakAnchor, .issuanceRefused].contains($0.code)
            }.map(\.primary.span))
        guard findings.contains(where: { $0.code == .anchorSetDeadEnd }) else { return findings }
        let named = Dictionary(
            bound.bodies.flatMap { $0.anchors?.items ?? [] }.map { ($0.span, $0.value) },
            uniquingKeysWith: { first, _ in first })
        return findings.filter { finding in
            guard finding.code == .anchorSetDeadEnd,
                let set = bound.anchorSets.first(where: { $0.id.span == finding.primary.span }),
                set.include == nil
            else { return true }
            return !set.members.allSatisfy { told.contains($0.span) }
                && !told.contains { span in named[span] == set.id.value }
        }
    }

    /// The bodies of every rule, and of `default` if it has one.
    var judgedBodies: [(decider: HostCoverage.Decider, body: BoundBody)] {
        bound.rules.enumerated().map { (.rule($0.offset), $0.element.body) }
            + (fallback.map { [(.fallback, $0)] } ?? [])
    }

    /// As `judgedBodies`, without the rules whose profile's demands are not wanted and that write
    /// no field of their own, and without those whose list of anchors is not wanted. Profiles and
    /// lists are few, so each is asked once.
    func judgedBodies(
        demanding isWanted: (Requirements) -> Bool,
        anchoredBy isAnchor: ([String]) -> Bool = { _ in true }
    ) -> [(decider: HostCoverage.Decider, body: BoundBody)] {
        let answers = self.answers(isWanted)
        let lists = bound.outlines.anchors.map(isAnchor)
        var found: [(decider: HostCoverage.Decider, body: BoundBody)] = []
        for (index, outline) in bound.outlines.all.enumerated()
        where lists[Int(outline.anchors)] && (outline.has(.fields) || answers[Int(outline.profile)])
        {
            found.append((decider: .rule(index), body: bound.rules[index].body))
        }
        if let fallback { found.append((decider: .fallback, body: fallback)) }
        return found
    }

    /// The bodies whose demands may be wanted: bodies of `default`, bodies that write a field, and
    /// bodies whose profile's demands are wanted.
    func bodies(demanding isWanted: (Requirements) -> Bool) -> [BoundBody] {
        let answers = self.answers(isWanted)
        return bound.bodies(
            { $0.has(.fields) || answers[Int($0.profile)] }, default: { _ in true })
    }

    /// The answers to a question about the demands of each profile, in the order of the outlines.
    private func answers(_ isWanted: (Requirements) -> Bool) -> [Bool] {
        bound.outlines.profiles.map { isWanted(parts.layers.flattened(of: $0).requirements.value) }
    }

    /// The groups of all anchors of a body, each with the item that names its set. Nil if some
    /// could not be read, and for `pinned-keys`, whose anchors are the pinned keys.
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

    /// Whether a waiver of one of these checks is in force in a body, or may be in force.
    func waives(_ checks: [WaivedCheck], _ body: BoundBody) -> Bool {
        body.waivers.contains { entry in
            checks.contains(entry.check) && entry.waiver?.isInForce(at: time) ?? true
        }
    }
}

/// The faults of one file's certificates.
private struct AnchorFaults {
    /// By sort, in the order of the file.
    private var sorts: [[(anchor: BoundAnchor, fault: AnchorFault)]] = []
    private var sortIndices: [String: Int] = [:]

    /// The most sorts of fault that are reported for one file.
    private static let most = 4

    mutating func add(_ fault: AnchorFault, of anchor: BoundAnchor) {
        if let index = sortIndices[fault.sort] {
            sorts[index].append((anchor, fault))
        } else {
            sortIndices[fault.sort] = sorts.count
            sorts.append([(anchor, fault)])
        }
    }

    func finding(_ code: DiagnosticCode) -> Diagnostic? {
        var told = sorts.prefix(AnchorFaults.most).map(AnchorFaults.told)
        guard !told.isEmpty else { return nil }
        let (anchor, fault, others) = told.removeFirst()
        var notes = ["its subject is `\(anchor.certificate.shownSubject)`"] + others
        for (_, fault, others) in told { notes += [fault.message] + others }
        notes += Cut.others(sorts.count - AnchorFaults.most, after: " that are wrong otherwise")
        return Diagnostic(
            code, fault.message, at: Diagnostic.Label(anchor.span), help: fault.help, notes: notes)
    }

    /// The fault with the lowest rank among faults of one sort, and the other certificates in a
    /// note.
    private static func told(
        _ faults: [(anchor: BoundAnchor, fault: AnchorFault)]
    ) -> (anchor: BoundAnchor, fault: AnchorFault, others: [String]) {
        var first = 0
        for index in faults.indices where faults[index].fault.rank < faults[first].fault.rank {
            first = index
        }
        var others: [String] = []
        for index in faults.indices where index != first {
            // Only the named ones need their subject; the rest are counted.
            let isNamed = others.count < 6
            others.append(isNamed ? faults[index].anchor.certificate.shortSubject : "")
        }
        let note = others.isEmpty ? [] : ["likewise: \(Words.list(others))"]
        return (faults[first].anchor, faults[first].fault, note)
    }
}

extension Certificate {
    /// The common name, or the first attribute of the subject if there is none. Not escaped:
    /// renderers escape it.
    var shortSubject: String { Words.shortSubject(subjectText) }

    /// At most 200 characters of the subject.
    var shownSubject: String { Words.shortened(subjectText, to: 200) }
}
