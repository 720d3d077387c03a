import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW502: a rule rejects a certificate without revocation evidence that names no source of
    /// evidence, and the unit names a certificate of this kind.
    static let hardFailNoSource = LintRule(.hardFailNoSource) { context in
        guard context.namesJudged else { return [] }
        return context.bound.bodies.compactMap { body in
            guard let requirement = context.requirements(of: body)?.revocation,
                requirement.causes[.noEndpoint] == .fail,
                !context.isTolerated([.path, .revocation], by: body),
                !context.isReported(.revocation, by: body)
            else { return nil }
            let lacking = context.judged(by: body).filter { certificate, role in
                RevocationDecision.of(certificate, at: role, answers: [], under: requirement)
                    == .undetermined(.noEndpoint, .fail)
            }
            guard let first = lacking.first?.certificate else { return nil }
            // A preset sets every cause, of its own layer and of the layers below it.
            let layers = [body.fields] + context.parts.layers.layers(from: body.profile?.value)
            let setting = layers.lazy.compactMap {
                $0.setting(.revocationCausesNoEndpoint) ?? $0.setting(.revocationPreset)
            }.first
            let name = { (certificate: Certificate) in
                "`" + Words.shortened(certificate.subjectText, to: 200) + "`"
            }
            return Diagnostic(
                .hardFailNoSource,
                "`\(body.name)` rejects every path with \(name(first)), unless its evidence is brought "
                    + "along: it must not be revoked, and names no source to ask",
                at: Diagnostic.Label(body.key),
                labels: setting.map { [Diagnostic.Label($0.key, "demanded here")] } ?? [],
                help: [
                    "`scope: leaf` asks nothing of authorities, `short-lived` nothing of what ends soon, and "
                        + "`causes: { no-endpoint: report }` lets pass what names no source"
                ], notes: lacking.dropFirst().prefix(3).map { "likewise \(name($0.certificate))" })
        }
    }
}

extension LintContext {
    /// Whether the unit names any certificate that could be judged. If it does not, the rules need
    /// not be flattened.
    var namesJudged: Bool {
        bound.anchorSets.contains { !$0.offered.isEmpty || $0.kind?.value == .intermediate }
            || bound.pinSets.contains { $0.keys.contains { !$0.key.certificates.isEmpty } }
    }

    /// The certificates that the unit knows to stand below the anchors of a body, or at them, each
    /// with its role on a path.
    func judged(
        by body: BoundBody
    ) -> [(certificate: Certificate, role: RevocationDecision.Role)] {
        let resolutions = (body.anchors?.items ?? []).compactMap { parts.anchorSets[$0.value] }
        let groups = resolutions.flatMap(\.groups)
        let anchors = KnownCertificates.Anchors(groups)
        let pinned = Set((body.pins?.items ?? []).map(\.value))
        let isAnchored = body.anchors?.items.contains { $0.value == "pinned-keys" } != true
        // Sorted, because the members of a set have no order.
        let offered = resolutions.flatMap {
            $0.intermediates.sorted { $0.lexicographicallyPrecedes($1) }
        }
        .compactMap { known.certificate($0) }
        let carried =
            isAnchored
            ? bound.pinSets.filter { pinned.contains($0.id.value) }
                .flatMap { $0.keys.flatMap(\.key.certificates) } : []
        let below = (offered + carried).filter { !anchors.holds($0) && !$0.isSelfIssued }
            .map { certificate -> (Certificate, RevocationDecision.Role) in
                (certificate, certificate.layout.extensions.isCA ? .intermediate : .endEntity)
            }
        let ends = groups.filter { $0.kind == .intermediate }.flatMap(\.members)
            .sorted { $0.der.lexicographicallyPrecedes($1.der) }
            .map { ($0, RevocationDecision.Role.intermediateAnchor) }
        return below + ends
    }
}
