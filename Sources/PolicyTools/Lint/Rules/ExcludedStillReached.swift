import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW315: an anchor set excludes a CA, and a certificate that the unit knows leads from the
    /// CA's name and key to another anchor of the same rule. `exclude` says where a path may not
    /// end; the path goes on through the CA to that anchor. Not reported where the rule forbids the
    /// key.
    static let excludedStillReached = LintRule(.excludedStillReached) { context in
        var findings: [SourceSpan: Diagnostic] = [:]
        let sets = context.excludingSets
        guard !sets.isEmpty else { return [] }
        for body in context.bound.bodies {
            let excluding = context.excludingSets(sets, of: body)
            guard !excluding.isEmpty, let trusted = context.trusted(by: body) else { continue }
            for set in excluding {
                for entry in context.entries(of: set) where findings[entry.id.span] == nil {
                    findings[entry.id.span] = trusted.finding(entry, of: set, in: body, context)
                }
            }
        }
        return Array(findings.values)
    }
}

extension LintContext {
    /// The sets that exclude members.
    fileprivate var excludingSets: [String: BoundAnchorSet] {
        Dictionary(
            bound.anchorSets.filter { $0.exclude != nil }.map { ($0.id.value, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The sets among these that a body trusts, directly or because a set includes them.
    fileprivate func excludingSets(
        _ sets: [String: BoundAnchorSet], of body: BoundBody
    ) -> [BoundAnchorSet] {
        var open = (body.anchors?.items ?? []).map(\.value)
        var seen = Set(open)
        var found: [BoundAnchorSet] = []
        while let id = open.popLast() {
            if let set = sets[id] { found.append(set) }
            for item in parts.anchorSets.set(id)?.include?.items ?? []
            where seen.insert(item.value).inserted {
                open.append(item.value)
            }
        }
        return found
    }

    /// The entries of `exclude` that remove a member, or may remove one of the machine's store.
    fileprivate func entries(of set: BoundAnchorSet) -> [BoundMatchEntry] {
        let idle = Set((parts.anchorSets[set.id.value]?.idle ?? []).map(\.entry.id.span))
        return (set.exclude?.entries ?? []).filter { !idle.contains($0.id.span) }
    }

    /// What a body trusts and forbids; nil where a part of that could not be read, and where a
    /// waiver makes the path needless.
    fileprivate func trusted(by body: BoundBody) -> TrustedByBody? {
        guard !isTolerated([.path], by: body), let requirements = requirements(of: body) else {
            return nil
        }
        var groups: [ResolvedAnchorSets.Group] = []
        for item in body.anchors?.items ?? [] where item.value != "system" {
            guard let resolution = parts.anchorSets[item.value], resolution.isComplete else {
                return nil
            }
            groups += resolution.groups
        }
        return TrustedByBody(
            anchors: KnownCertificates.Anchors(groups),
            forbidden: requirements.forbiddenKeys.flatMap(\.matches))
    }
}

/// The anchors of one rule that the unit knows, and the keys that it forbids.
private struct TrustedByBody {
    let anchors: KnownCertificates.Anchors
    let forbidden: [KeyMatch]

    /// The finding where a certificate with the name and key of an excluded CA leads to an anchor.
    /// A CA that another set of the rule trusts by name is an anchor on that set's terms, and is
    /// not reported.
    func finding(
        _ entry: BoundMatchEntry, of set: BoundAnchorSet, in body: BoundBody, _ context: LintContext
    ) -> Diagnostic? {
        for match in entry.key.matches {
            for excluded in context.known.certificates(namedBy: match) {
                guard !anchors.holds(excluded) else { continue }
                for bridge in context.known.authorities(like: excluded) {
                    guard bridge.layout.notAfter >= context.time, !isForbidden(bridge, context),
                        context.known.end(of: bridge, anchors) == .anchor
                    else { continue }
                    return finding(entry, bridge, of: set, in: body)
                }
            }
        }
        return nil
    }

    private func isForbidden(_ certificate: Certificate, _ context: LintContext) -> Bool {
        forbidden.contains { context.known.certificates(namedBy: $0).contains(certificate) }
    }

    private func finding(
        _ entry: BoundMatchEntry, _ bridge: Certificate, of set: BoundAnchorSet, in body: BoundBody
    ) -> Diagnostic {
        let issuer = Words.shortSubject(bridge.issuerText)
        return Diagnostic(
            .excludedStillReached,
            "`\(set.id.value)` excludes `\(entry.id.value)`, but in `\(body.name)` a path may still "
                + "go on through `\(bridge.shortSubject)`, which `\(issuer)` vouches for, to "
                + "another anchor",
            at: Diagnostic.Label(entry.id.span),
            labels: body.anchors.map { [Diagnostic.Label($0.key, "the anchors of the rule")] }
                ?? [],
            help: [
                "`exclude` says at which certificates no path ends; to refuse the key wherever it "
                    + "stands write it under `forbidden-keys` of the rule or its profile"
            ],
            notes: [
                "the subject is `\(bridge.shownSubject)`, issued by "
                    + "`\(Words.shortened(bridge.issuerText, to: 200))`"
            ])
    }
}
