import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW519: `revocation.sources` leaves CRLs out, and the issuers of a rule publish nothing else.
    /// That is known where an anchor is the root of a CA that has ended its OCSP service, and where
    /// a certificate that the unit names below an anchor has a CRL in it and no responder. Of other
    /// anchors, and of the machine's store, nothing is known and nothing reported. HW502 reports a
    /// named certificate whose path is rejected for it.
    static let ocspNotPublished = LintRule(.ocspNotPublished) { context in
        context.bodies(demanding: { $0.revocation.asksOnlyResponders }).compactMap { body in
            guard let demands = context.flattened(body),
                demands.requirements.value.revocation.asksOnlyResponders,
                !context.isTolerated([.path, .revocation], by: body)
            else { return nil }
            let requirement = demands.requirements.value.revocation
            let action = requirement.causes[.noEndpoint]
            if let found = context.announcedAnchor(of: body),
                found.authority.withoutOCSPSince <= context.time,
                requirement.shortLived.map({ $0 < found.authority.longestLifetime }) ?? true
            {
                return finding(
                    "\(found.authority.name), whose `\(found.anchor.shortSubject)` it trusts, "
                        + "answers no OCSP request since \(Words.day(found.authority.withoutOCSPSince))",
                    action, of: body, at: found.item.span, [found.authority.withoutOCSPSource],
                    context)
            }
            guard action != .fail, context.namesJudged else { return nil }
            let lacking = context.judged(by: body).first { certificate, role in
                certificate.layout.extensions.present.contains(.crlDistributionPoints)
                    && RevocationDecision.of(certificate, at: role, answers: [], under: requirement)
                        == .undetermined(.noEndpoint, action)
            }
            guard let lacking, let item = body.anchors?.items.first else { return nil }
            return finding(
                "`\(lacking.certificate.shortSubject)` below its anchors names a CRL and no responder",
                action, of: body, at: item.span, [], context)
        }
    }

    private static func finding(
        _ reason: String, _ action: CauseAction, of body: BoundBody, at anchors: SourceSpan,
        _ notes: [String], _ context: LintContext
    ) -> Diagnostic {
        let effect: String
        switch action {
        case .fail: effect = "every path without evidence brought along is rejected"
        case .report: effect = "a revocation is never looked up, and each accept reports so"
        case .pass: effect = "a revocation is never looked up, and nothing says so"
        }
        let own = body.fields.setting(.revocationSources)
        let written =
            own
            ?? context.parts.layers
            .setting(.revocationSources, in: body.fields, over: body.profile?.value)
        let labels =
            own == nil
            ? written.map { [Diagnostic.Label($0.span, "the sources are written here")] } ?? []
            : [Diagnostic.Label(anchors, "trusted here")]
        return Diagnostic(
            .ocspNotPublished,
            "`\(body.name)` asks for revocation only by OCSP, and \(reason): \(effect)",
            at: Diagnostic.Label(own?.span ?? anchors), labels: labels,
            help: [
                "add `crl` to `revocation.sources`; without the key they are `[stapled, crl, ocsp]`"
            ], notes: notes)
    }
}

extension RevocationRequirement {
    /// Whether no source but responders and staples is asked. HW523 is about filters.
    fileprivate var asksOnlyResponders: Bool { !sources.contains(.crl) && !asksFilters }
}
