internal import TrustEngine

/// A waiver waives something that its rule demands, and does not leave a name check on certificates
/// that anyone can make (LANGUAGE section 10).
enum WaiverCheck {
    static func run(_ policy: BoundPolicy, into diagnostics: inout [Diagnostic]) {
        let pinSets = Dictionary(
            policy.pinSets.map { ($0.id.value, $0) }, uniquingKeysWith: { first, _ in first })
        for body in policy.bodies {
            checkMoot(body, into: &diagnostics)
            checkHollow(body, pinSets, into: &diagnostics)
        }
    }

    /// HW511. Every rule has identity, a path and validity; pins only when it names some.
    private static func checkMoot(_ body: BoundBody, into diagnostics: inout [Diagnostic]) {
        guard body.pins == nil, let waiver = body.waivers.first(where: { $0.check == .pins }) else {
            return
        }
        diagnostics.append(
            Diagnostic(
                .mootWaiver,
                "`\(body.name)` waives `pins` but names no pin set, so there is nothing to waive",
                at: Diagnostic.Label(waiver.key), help: ["remove the waiver, or name `pins`"]))
    }

    /// HW508. A name on a certificate proves nothing when anyone can make the certificate: without a
    /// path to the anchors only a pin that binds makes it worth looking at.
    private static func checkHollow(
        _ body: BoundBody, _ pinSets: [String: BoundPinSet], into diagnostics: inout [Diagnostic]
    ) {
        guard let path = body.waivers.first(where: { $0.check == .path }),
            !body.waivers.contains(where: { $0.check == .identity })
        else { return }
        let isPinsWaived = body.waivers.contains { $0.check == .pins }
        if let pins = body.pins, !isPinsWaived {
            // A set that could not be read, or that does not exist, has its own diagnostic.
            let binds =
                pins.items.isEmpty
                || pins.items.contains { id in
                    guard let set = pinSets[id.value] else { return true }
                    return (set.onExpiry?.value ?? .fail) == .fail
                }
            if binds { return }
        }
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
}
