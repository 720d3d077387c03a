import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW518: certificates must have the purpose `client-auth`, and public CAs are trusted, which
    /// leave that purpose out. It is reported for `path.key-purposes` of a rule and for
    /// `constraints.key-purposes` of an anchor set, where neither allows another purpose.
    static let publicClientAuth = LintRule(.publicClientAuth) { context in
        let ofRules = context.bodies(demanding: \.keyPurposes.isClientAlone).compactMap {
            body -> Diagnostic? in
            guard let item = context.publicSet(of: body),
                context.flattened(body)?.requirements.value.keyPurposes.isClientAlone == true
            else { return nil }
            let label = Diagnostic.Label(item.span, "public CAs")
            guard let setting = body.fields.setting(.keyPurposes) else {
                let written = context.parts.layers
                    .setting(.keyPurposes, in: body.fields, over: body.profile?.value)
                return finding(
                    "`\(body.name)`", at: item.span,
                    labels: written.map { [Diagnostic.Label($0.span, "demanded here")] } ?? [])
            }
            return finding(
                "`\(body.name)`",
                at: context.span(of: "client-auth", in: setting) ?? setting.span, labels: [label])
        }
        let ofSets = context.bound.anchorSets.compactMap { set -> Diagnostic? in
            guard let constraints = set.constraints,
                constraints.value.keyPurposes?.isClientAlone == true,
                let place = constraints.part("key-purposes"), context.holdsPublicCA(set.id.value)
            else { return nil }
            return finding("`\(set.id.value)`", at: place, labels: [])
        }
        return ofRules + ofSets
    }

    private static func finding(
        _ name: String, at span: SourceSpan, labels: [Diagnostic.Label]
    ) -> Diagnostic {
        Diagnostic(
            .publicClientAuth,
            "\(name) asks public CAs for certificates of purpose `client-auth`, which they leave out",
            at: Diagnostic.Label(span), labels: labels,
            help: ["trust only the private CA that issues to these clients"],
            notes: [
                "Chrome Root Program Policy 1.8 section 1.3.2: an issuing CA disclosed from 2026-06-15 "
                    + "on has only `server-auth`, and so has each certificate issued from 2027-03-15 on",
                "Let's Encrypt, \"Ending TLS Client Authentication Certificate Support in 2026\": by "
                    + "default its certificates are without `client-auth` since 2026-02-11",
            ])
    }
}

extension KeyPurposes {
    /// Whether `client-auth` is the only purpose.
    fileprivate var isClientAlone: Bool { clientAuth && !serverAuth && others.isEmpty }
}

extension LintContext {
    /// The item of a rule's anchors that names a set with public CAs; nil if there is none, and
    /// where the rule's anchors are not needed.
    fileprivate func publicSet(of body: BoundBody) -> Located<String>? {
        // The baseline asks for `server-auth`.
        guard body.profile != nil || body.fields.writes(.keyPurposes),
            !body.waivers.contains(where: { $0.check == .path })
        else { return nil }
        return body.anchors?.items.first { holdsPublicCA($0.value) }
    }
}
