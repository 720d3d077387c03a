import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW514: a certificate for a listed name is taken in place of one for the host, and the rule
    /// has a wildcard, or is `default`. The certificate of the one service then stands for every
    /// host there. Two things are not reported. A URI pattern says itself that it stands for many
    /// services. A network has no name that certificates could show, and the devices in it are
    /// listed by the name that they share.
    static let listedOnWildcard = LintRule(.listedOnWildcard, isErrorWhenStrict: true) { context in
        let fallback = context.fallback.flatMap { body in
            finding(body, hosts: "every host that no rule names", at: nil)
        }
        return [fallback].compactMap { $0 }
            + context.bound.rules(.identity).compactMap { _, rule in
                rule.hosts.first { $0.pattern.wildcardBase != nil }.flatMap { host in
                    finding(rule.body, hosts: "every host of `\(host.text)`", at: host)
                }
            }
    }

    private static func finding(
        _ body: BoundBody, hosts: String, at host: BoundHost?
    ) -> Diagnostic? {
        guard let identity = body.identity, let reference = identity.reference,
            reference.value == .listed, let name = exactName(of: identity)
        else { return nil }
        return Diagnostic(
            .listedOnWildcard,
            "`\(body.name)` takes a certificate for `\(name)` in place of one for the host, so who "
                + "holds it can stand in for \(hosts)",
            at: Diagnostic.Label(reference.span),
            labels: host.map { [Diagnostic.Label($0.span, "any host below it")] } ?? [],
            help: [
                "give the host that shows this name a rule of its own, and say why above its pattern: "
                    + "`# hawser:ignore HW211 until=YYYY-MM-DD -- REASON`; or write `reference: "
                    + "host-and-listed` where certificates name the host, too"
            ])
    }

    /// The first listed name that stands for one service; nil if there is none.
    private static func exactName(of identity: BoundIdentity) -> String? {
        identity.dns.first?.value ?? identity.ip.first?.value.description
            ?? identity.email.first?.value
            ?? identity.uri.first { !$0.value.hasSuffix("*") }?.value
    }
}
