import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW212: an address in a rule whose anchors are only public CAs. Addresses of private use are
    /// reported by HW213.
    static let ipLiteral = LintRule(.ipLiteral) { context in
        context.bound.rules(.ranges).compactMap { _, rule in
            let anchors = rule.body.anchors?.items ?? []
            guard let item = anchors.first, anchors.allSatisfy({ context.isPublic($0.value) }),
                !rule.body.waivers.contains(where: { $0.check == .path }),
                let host = rule.hosts.first(where: { host in
                    host.pattern.wildcardBase == nil && !host.pattern.isName
                        && PrivateHosts.reason(host.pattern) == nil
                })
            else { return nil }
            return Diagnostic(
                .ipLiteral,
                "`\(host.text)` is an address, and the public CAs that `\(rule.id.value)` trusts certify "
                    + "names: hardly a server has a certificate for its address",
                at: Diagnostic.Label(host.span),
                labels: [Diagnostic.Label(item.span, "public CAs alone")],
                help: [
                    "write the server's name, or trust the private CA that certifies the address"
                ])
        }
    }
}

extension LintContext {
    /// Whether every member of an anchor set is a public CA: in the machine's store, or judged as a
    /// public CA.
    fileprivate func isPublic(_ id: String) -> Bool {
        if id == "system" { return true }
        guard let set = parts.anchorSets[id], set.isComplete, !set.groups.isEmpty else {
            return false
        }
        return set.groups.allSatisfy { $0.isSystem || $0.standard == .webPKI }
    }
}

extension HostPattern {
    /// Whether the pattern is one name, without a wildcard.
    var isName: Bool {
        if case .name = host { return true }
        return false
    }
}
