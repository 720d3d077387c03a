import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW309: no anchor of a rule may vouch for one of its hosts, because of the name constraints
    /// in the anchors' certificates or of `permitted-names` and `excluded-names` of their sets. For
    /// a wildcard it is reported if it holds for every host that the wildcard covers. Where all
    /// anchors are servers' own certificates, a wildcard is also reported if some host that it
    /// covers has none of their names. Not reported while the name or the path is waived.
    static let nameConstraintsExclude = LintRule(.nameConstraintsExclude) { context in
        // Many rules trust the same few sets.
        let outlines = context.bound.outlines
        var known = [NamesUnderAnchors??](repeating: nil, count: outlines.anchors.count)
        // The number of the first list with the same sets.
        var numbers: [String: Int] = [:]
        let lists = outlines.anchors.indices.map { list in
            let sets = Set(outlines.anchors[list]).sorted().joined(separator: " ")
            if let first = numbers[sets] { return first }
            numbers[sets] = list
            return list
        }
        return outlines.all.enumerated().compactMap { index, outline in
            let list = lists[Int(outline.anchors)]
            if case .some(.none) = known[list] { return nil }
            let rule = context.bound.rules[index]
            guard !context.waives([.path, .identity], rule.body) else { return nil }
            let asked: NamesUnderAnchors?
            if let answer = known[list] {
                asked = answer
            } else {
                asked = NamesUnderAnchors(of: rule.body, context)
                known[list] = .some(asked)
            }
            guard let anchors = asked, let wanted = WantedName.all(of: rule) else { return nil }
            var excluded: [WantedName.Excluded] = []
            for name in wanted.hosts + wanted.listed {
                guard !context.anchorWork.isExhausted else { return nil }
                let why = anchors.objections(to: name.pattern, budget: &context.anchorWork)
                if let why { excluded.append((name, why)) }
            }
            if excluded.isEmpty, let partly = WantedName.partly(rule, wanted.hosts, anchors) {
                return partly
            }
            // One permitted name of the list is enough.
            if excluded.count(where: \.name.isListed) < wanted.listed.count {
                excluded.removeAll(where: \.name.isListed)
            }
            return excluded.isEmpty ? nil : WantedName.finding(rule, excluded)
        }
    }
}

/// A name that a certificate must present to be accepted under a rule.
private struct WantedName {
    let pattern: HostPattern
    let text: String
    let span: SourceSpan
    /// Whether the name comes from `identity` and not from `hosts`.
    let isListed: Bool

    /// A name, and why no anchor may vouch for it.
    typealias Excluded = (name: WantedName, why: [NamesUnderAnchors.Objection])

    /// The hosts of a rule, all of which must be permitted, and the names of `identity`, of which
    /// one must be. Nil if they could not be read. `listed` is empty if an e-mail address or a URI
    /// would satisfy the rule.
    static func all(of rule: BoundRule) -> (hosts: [WantedName], listed: [WantedName])? {
        let hosts = rule.hosts.map {
            WantedName(pattern: $0.pattern, text: $0.text, span: $0.span, isListed: false)
        }
        guard let identity = rule.body.identity else { return (hosts, []) }
        guard !identity.hasUnreadableReference else { return nil }
        let isKnown =
            identity.email.isEmpty && identity.uri.isEmpty
            && identity.lists.allSatisfy { ["dns", "ip"].contains($0.value) }
        let listed =
            identity.dns.map { name(.name($0.value), $0.span) }
            + identity.ip.map { name(.address($0.value), $0.span) }
        return (identity.reference?.value == .listed ? [] : hosts, isKnown ? listed : [])
    }

    private static func name(_ host: HostPattern.Host, _ span: SourceSpan) -> WantedName {
        let pattern = HostPattern(host: host, port: nil)
        return WantedName(
            pattern: pattern, text: pattern.canonicalText, span: span, isListed: true)
    }

    /// The finding about a pattern of which the anchors, servers' own certificates, have only some
    /// names.
    static func partly(
        _ rule: BoundRule, _ hosts: [WantedName], _ anchors: NamesUnderAnchors
    ) -> Diagnostic? {
        for host in hosts {
            guard let names = anchors.onlyAccepted(of: host.pattern) else { continue }
            return Diagnostic(
                .nameConstraintsExclude,
                "of `\(host.text)` \(Words.list(names)) alone can be accepted: each anchor "
                    + "of the rule is a server's own certificate, of kind `leaf`",
                at: Diagnostic.Label(host.span),
                labels: rule.body.anchors.map { [Diagnostic.Label($0.span, "all of kind `leaf`")] }
                    ?? [],
                help: ["name these hosts alone, or an anchor that may vouch for the others"])
        }
        return nil
    }

    /// The help where every anchor of the rule is a server's own certificate: nobody vouches for
    /// another one, so a new certificate must be put into the set too. Nil for other anchors.
    private static func helpOfLeaf(
        _ rule: BoundRule, _ name: WantedName, _ why: [NamesUnderAnchors.Objection]
    ) -> [String]? {
        guard !why.isEmpty, why.allSatisfy({ $0.leaf != nil }), let set = why.first?.set else {
            return nil
        }
        var help = [
            "have the server use a certificate for `\(name.text)`, and put that one into `\(set)`: a "
                + "set of kind `leaf` trusts its certificates by their bytes"
        ]
        guard why.count == 1, !name.isListed, rule.body.identity == nil,
            let listed = why[0].leaf.flatMap(OwnAnchor.name)
        else { return help }
        let place = rule.hosts.count == 1 ? "" : ", in a rule of its own for this host"
        help.append(
            "or, where that server is meant, list the name that it presents\(place): "
                + "`identity: \(listed.identityValue)`")
        return help
    }

    static func finding(_ rule: BoundRule, _ excluded: [Excluded]) -> Diagnostic {
        let (name, why) = excluded[0]
        let others = excluded.count - 1
        let hosts =
            others == 0
            ? "`\(name.text)`"
            : "`\(name.text)` and \(Words.count(others, "more name")) of "
                + "`\(rule.id.value)`"
        var help = [
            name.isListed
                ? "name an anchor that may vouch for it, or list the name that the hosts present"
                : "name an anchor that may vouch for it, or take the host out of the rule"
        ]
        if let own = helpOfLeaf(rule, name, why) { help = own }
        if why.contains(where: \.isOfCertificate) {
            help.append(
                "where the limits in the anchor's certificate shall not bind, write "
                    + "`ignore-limits: [name-constraints]` in its set")
        }
        let first = rule.body.anchors?.items.first { $0.value == why.first?.set }
        var notes = why.dropFirst().map { "`\($0.set)`: \($0.reason)" }
        if others > 0 {
            let names = excluded.dropFirst().map(\.name.text)
            notes.append("likewise: \(Words.list(names))")
        }
        return Diagnostic(
            .nameConstraintsExclude,
            "no certificate for \(hosts) is ever accepted: no anchor of the rule may vouch for it",
            at: Diagnostic.Label(name.span),
            labels: first.map { [Diagnostic.Label($0.span, why[0].reason)] } ?? [],
            help: help, notes: notes)
    }
}
