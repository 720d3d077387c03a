import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW205: a wildcard over a name under which strangers register names, by the built-in list.
    static let publicSuffixWildcard = LintRule(.publicSuffixWildcard) { context in
        // Under the names for examples and private use nobody registers names.
        guard context.names.tops.contains(where: { !PrivateHosts.isReserved(context.names, $0) })
        else { return [] }
        return context.bound.rules(.wildcards).flatMap(\.element.hosts).compactMap { host in
            guard let base = host.pattern.wildcardBase, !PrivateHosts.isReserved(base) else {
                return nil
            }
            let name = Array(base.utf8)
            guard PublicSuffixes.isSpanned(byWildcardOver: name.span) else { return nil }
            return Diagnostic(
                .publicSuffixWildcard,
                "`\(host.text)` covers names of strangers: anyone can register one under `\(base)`",
                at: Diagnostic.Label(host.span),
                help: ["write the names that are yours, such as `\"**.acme.\(base)\"`"],
                notes: ["by the Public Suffix List of \(PublicSuffixes.version.prefix(10))"])
        }
    }
}
