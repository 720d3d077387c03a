internal import TrustEngine

/// Checks that a waiver waives something that its rule demands, and that no name is checked on
/// certificates that anyone can make (LANGUAGE section 10).
enum WaiverCheck {
    static func run(
        _ policy: BoundPolicy, layers: ProfileLayers, into diagnostics: inout [Diagnostic]
    ) {
        let pinSets = Dictionary(
            policy.pinSets.map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first })
        for body in policy.bodies(.waivers) {
            checkMoot(body, layers, into: &diagnostics)
            checkHollow(body, pinSets, into: &diagnostics)
        }
    }

    /// HW511. Every rule demands identity, a path, validity, revocation (a revoked certificate is
    /// always rejected), TLS, keys and signatures. Only some rules demand pins and transparency,
    /// and only some enforce demands on those who issue.
    private static func checkMoot(
        _ body: BoundBody, _ layers: ProfileLayers, into diagnostics: inout [Diagnostic]
    ) {
        for waiver in body.waivers {
            switch waiver.check {
            case .pins where body.pins == nil && !body.mayHavePins:
                diagnostics.append(
                    Diagnostic(
                        .mootWaiver,
                        "`\(body.name)` waives `pins` but names no pin set, so there is nothing to "
                            + "waive",
                        at: Diagnostic.Label(waiver.key),
                        help: ["remove the waiver, or name `pins`"]))
            case .transparency
            where layers.isKnown(
                [.transparencyPreset], in: body.fields, over: body.profile?.value):
                let requirements = layers.requirements(body.fields, over: body.profile?.value)
                guard !requirements.transparency.isDemanded else { continue }
                diagnostics.append(
                    Diagnostic(
                        .mootWaiver,
                        "`\(body.name)` waives `transparency` but does not demand it, so there is "
                            + "nothing to waive",
                        at: Diagnostic.Label(waiver.key),
                        help: ["remove the waiver, or write `transparency: { preset: … }`"]))
            case .issuance
            where layers.isKnown([.enforcesIssuance], in: body.fields, over: body.profile?.value):
                let requirements = layers.requirements(body.fields, over: body.profile?.value)
                guard !requirements.enforcesIssuance else { continue }
                diagnostics.append(
                    Diagnostic(
                        .mootWaiver,
                        "`\(body.name)` waives `issuance` but only reports it, so there is nothing to "
                            + "waive",
                        at: Diagnostic.Label(waiver.key),
                        help: ["remove the waiver, or write `path: { issuance: enforce }`"]))
            case .identity, .path, .expired, .revocation, .pins, .transparency, .tls, .keys,
                .issuance, .signatures, .cleartext:
                continue
            }
        }
    }

    /// HW508. A name in a certificate proves nothing if anyone can make the certificate. Without a
    /// path to the anchors, only a pin whose mismatch rejects gives the name a meaning.
    private static func checkHollow(
        _ body: BoundBody, _ pinSets: [String: BoundPinSet], into diagnostics: inout [Diagnostic]
    ) {
        guard let path = body.waivers.first(where: { $0.check == .path }),
            !body.waivers.contains(where: { $0.check == .identity }), !body.mayHavePins,
            !pinsBind(of: body, pinSets)
        else { return }
        diagnostics.append(
            Diagnostic(
                .hollowIdentity,
                "`\(body.name)` checks the name on certificates that anyone can make, which proves "
                    + "nothing",
                at: Diagnostic.Label(path.key),
                help: [
                    "pin the key and use `anchors: [pinned-keys]`, or waive `identity` as well and "
                        + "say so"
                ]))
    }

    /// Whether a mismatch of some pin set rejects, now and later. Only a rule can put pins under
    /// `report-only`.
    private static func pinsBind(
        of body: BoundBody, _ pinSets: [String: BoundPinSet]
    ) -> Bool {
        guard let pins = body.pins, !body.waivers.contains(where: { $0.check == .pins }),
            !body.fields.reportOnly.contains(where: { $0.check == nil || $0.check == .pins })
        else { return false }
        // A set that does not exist or could not be read has its own diagnostic.
        return pins.items.isEmpty
            || pins.items.contains { id in
                guard let set = pinSets[id.value] else { return true }
                return (set.onExpiry?.value ?? .fail) == .fail
            }
    }
}
