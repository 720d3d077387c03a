import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW319: a rule trusts a CA through two sets, and the terms of one of them decide nothing,
    /// because the other set holds the CA without them. Each set is tried on its own terms, so that
    /// the wider terms count. One finding for each set of a rule.
    static let mootTerms = LintRule(.mootTerms) { context in
        context.bound.bodies.flatMap { body -> [Diagnostic] in
            context.anchorsByTerms(of: body)?.findings(.mootTerms, context) ?? []
        }
    }

    /// HW320: as HW319, where the other set is the machine's store, which may hold the CA.
    static let termsBesideSystem = LintRule(.termsBesideSystem) { context in
        context.bound.bodies.flatMap { body -> [Diagnostic] in
            context.anchorsByTerms(of: body)?.findings(.termsBesideSystem, context) ?? []
        }
    }
}

extension LintContext {
    /// The anchors of a body, with what each of its sets demands of them. Nil where the body names
    /// one set, where a set could not be read, and where the path is waived.
    fileprivate func anchorsByTerms(of body: BoundBody) -> AnchorsByTerms? {
        guard let anchors = body.anchors, anchors.items.count > 1, !isTolerated([.path], by: body)
        else { return nil }
        var groups: [(item: Located<String>, group: ResolvedAnchorSets.Group)] = []
        for item in anchors.items {
            if item.value == "system" {
                groups.append((item: item, group: .system))
                continue
            }
            guard let set = parts.anchorSets[item.value], set.isComplete else { return nil }
            groups += set.groups.map { (item: item, group: $0) }
        }
        let left = anchors.items.flatMap { item in
            refusals(of: item.value).map { (item, $0) }
        }
        return AnchorsByTerms(body: body, groups: groups, refusals: left)
    }

    /// The certificates that a set, or a set that it includes, leaves out.
    private func refusals(of id: String) -> [AnchorsByTerms.Refusal] {
        var open = [id]
        var seen: Set<String> = [id]
        var found: [AnchorsByTerms.Refusal] = []
        while let id = open.popLast() {
            guard let set = parts.anchorSets.set(id) else { continue }
            found += set.leftOut.map { .init(set: id, certificate: $0.certificate, entry: nil) }
            for entry in set.exclude?.entries ?? [] {
                found += entry.key.matches.flatMap { known.certificates(namedBy: $0) }
                    .map { .init(set: id, certificate: $0, entry: entry.id.value) }
            }
            for item in set.include?.items ?? [] where seen.insert(item.value).inserted {
                open.append(item.value)
            }
        }
        return found
    }
}

/// The anchors of one rule.
private struct AnchorsByTerms {
    /// A certificate that a set leaves out.
    struct Refusal {
        let set: String
        let certificate: Certificate
        /// The entry of `exclude`; nil where the uses beside the certificate refuse it.
        let entry: String?
    }

    /// What one set demands of a CA, and the set that holds the CA without it.
    private struct Moot {
        let set: Located<String>
        let other: Located<String>
        let certificate: Certificate
        /// The terms in words.
        let terms: String
    }

    let body: BoundBody
    let groups: [(item: Located<String>, group: ResolvedAnchorSets.Group)]
    let refusals: [(item: Located<String>, refusal: Refusal)]

    /// The most members that are compared in one rule.
    private static let most = 2_000

    func findings(_ code: DiagnosticCode, _ context: LintContext) -> [Diagnostic] {
        let isOfSystem = code == .termsBesideSystem
        guard groups.contains(where: { $0.group.isSystem }) || !isOfSystem else { return [] }
        let moot = terms(isOfSystem, context) + exclusions(isOfSystem, context)
        var bySet: [SourceSpan: [Moot]] = [:]
        for one in moot { bySet[one.set.span, default: []].append(one) }
        return bySet.values.compactMap { finding(code, $0, context) }
    }

    // MARK: Terms

    /// Groups of one set whose constraints or standard another set undoes for a member.
    private func terms(_ isOfSystem: Bool, _ context: LintContext) -> [Moot] {
        var found: [Moot] = []
        for (item, group) in groups where !group.isSystem {
            for (other, wider) in groups
            where other.value != item.value && wider.isSystem == isOfSystem {
                guard context.anchorWork.spend(1 + group.members.count / 16),
                    let words = AnchorsByTerms.undone(of: group, by: wider)
                else { continue }
                let anchors = KnownCertificates.Anchors([wider])
                let member = group.members.prefix(AnchorsByTerms.most)
                    .filter { member in
                        wider.isSystem
                            ? !AnchorsByTerms.removes(wider, member, context)
                            : group.kind == .leaf
                                ? anchors.holds(member) : anchors.holdsAuthority(member)
                    }.min { $0.precedes($1) }
                guard let member else { continue }
                found.append(Moot(set: item, other: other, certificate: member, terms: words))
            }
        }
        return found
    }

    /// The terms of a group that decide nothing beside a wider group, in words; nil where the other
    /// group is not wider.
    private static func undone(
        of group: ResolvedAnchorSets.Group, by wider: ResolvedAnchorSets.Group
    ) -> String? {
        guard group.kind != .leaf || wider.kind == .leaf || wider.isSystem else { return nil }
        let own = Array(group.constraints)
        let others = Array(wider.constraints)
        guard own.demandAll(of: others) else { return nil }
        if !own.isEmpty, !others.demandAll(of: own) {
            let keys = Set(own.flatMap(\.keys).map(\.rawValue)).sorted()
            return Words.list(keys.map { "constraints.\($0)" })
        }
        guard group.standard == .webPKI, wider.standard == .rfc5280 else { return nil }
        return "`standard: web-pki`"
    }

    /// Whether a filter keeps a certificate out of the machine's store.
    private static func removes(
        _ system: ResolvedAnchorSets.Group, _ certificate: Certificate, _ context: LintContext
    ) -> Bool {
        system.filters.contains { !$0.keeps(certificate, crypto: context.crypto) }
    }

    // MARK: Exclusions

    /// Certificates that one set leaves out and another set holds, on equal or weaker terms.
    private func exclusions(_ isOfSystem: Bool, _ context: LintContext) -> [Moot] {
        var found: [Moot] = []
        for (item, refusal) in refusals.prefix(AnchorsByTerms.most) {
            let own = groups.filter { $0.item.value == item.value }.map(\.group)
            for (other, wider) in groups
            where other.value != item.value && wider.isSystem == isOfSystem {
                guard context.anchorWork.spend(1) else { return found }
                let holds =
                    wider.isSystem
                    ? !AnchorsByTerms.removes(wider, refusal.certificate, context)
                    : KnownCertificates.Anchors([wider]).holds(refusal.certificate)
                // A set of its own terms for a CA that another set excludes is what `exclude` is
                // for.
                let isNoStricter = own.contains { group in
                    Array(group.constraints).demandAll(of: Array(wider.constraints))
                        && (group.standard == .webPKI || wider.standard == .rfc5280
                            || wider.isSystem)
                }
                guard holds, isNoStricter || refusal.entry == nil else { continue }
                let words =
                    refusal.entry.map { "`exclude` of `\($0)`" }
                    ?? "the uses beside its certificate"
                found.append(
                    Moot(
                        set: item, other: other, certificate: refusal.certificate, terms: words))
            }
        }
        return found
    }

    // MARK: Words

    private func finding(
        _ code: DiagnosticCode, _ moot: [Moot], _ context: LintContext
    ) -> Diagnostic? {
        guard let told = moot.min(by: { $0.certificate.precedes($1.certificate) }) else {
            return nil
        }
        let name = "`\(told.certificate.shortSubject)`"
        let digest = context.crypto.digest(.sha256, of: told.certificate.keyOctets.span)
        let key = KeyMatch(kind: .spki, digest: digest).text
        let (set, other) = (told.set.value, told.other.value)
        let message =
            code == .termsBesideSystem
            ? "if the machine's store holds \(name), \(told.terms) of `\(set)` decides nothing in "
                + "`\(body.name)`"
            : "\(told.terms) of `\(set)` decides nothing in `\(body.name)`: `\(other)` holds \(name) "
                + "without it"
        let others = Set(moot.map(\.certificate)).count - 1
        var notes = ["each set of a rule is tried on its own terms, so that the wider terms count"]
        notes.append("its subject is `\(told.certificate.shownSubject)`")
        if others > 0 {
            notes.append("\(Words.count(others, "more certificate")) likewise")
        }
        return Diagnostic(
            code, message, at: Diagnostic.Label(told.set.span),
            labels: [Diagnostic.Label(told.other.span, "on other terms here")],
            help: [
                "name in the place of `\(other)` a set of its own: `include: [\(other)]` and `exclude: "
                    + "{ apart: { spki: \(key) } }`"
            ], notes: notes)
    }
}
