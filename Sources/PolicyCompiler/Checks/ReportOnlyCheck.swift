internal import TrustEngine

/// Checks that an entry of `report-only` has an effect: that some rule under it demands more of the
/// check than the baseline does. What the baseline demands is enforced in any case (LANGUAGE
/// section 9).
enum ReportOnlyCheck {
    /// An entry with the requirements of the rules for which it is in effect.
    private struct Held {
        let entry: BoundReportOnly
        /// The rule or profile that writes it.
        let owner: String
        let isOfProfile: Bool
        var isDemanded = false
    }

    static func run(
        _ policy: BoundPolicy, layers: ProfileLayers, into diagnostics: inout [Diagnostic]
    ) {
        var held: [SourceSpan: Held] = [:]
        let inProfiles = policy.profiles.contains { !$0.fields.reportOnly.isEmpty }
        for body in inProfiles ? Array(policy.bodies) : policy.bodies(.fields) {
            // An entry may name any custom check, so no list of them is needed here.
            let entries = layers.reportOnly(
                of: body.fields, named: body.name, over: body.profile?.value)
            guard !entries.isEmpty else { continue }
            let isKnown = layers.isKnown(
                ProfileField.allCases, in: body.fields, over: body.profile?.value)
            let requirements = layers.requirements(body.fields, over: body.profile?.value)
            for (entry, owner, isOfProfile) in entries {
                guard let check = entry.check else { continue }
                let isDemanded = !isKnown || demands(check, body, requirements)
                held[
                    entry.key,
                    default: Held(entry: entry, owner: owner, isOfProfile: isOfProfile)
                ].isDemanded = isDemanded || held[entry.key]?.isDemanded ?? false
            }
        }
        for item in held.values where !item.isDemanded {
            diagnostics.append(warning(item, policy))
        }
    }

    /// Whether a rule demands more of a check than the baseline does.
    private static func demands(
        _ check: ReportOnly.Check, _ body: BoundBody, _ requirements: Requirements
    ) -> Bool {
        let baseline = Requirements()
        switch check {
        case .pins: return body.pins != nil || body.mayHavePins
        case .revocation: return requirements.revocation.causes.someFail
        case .transparency: return requirements.transparency.isDemanded
        case .tls: return requirements.tls != baseline.tls
        case .keys:
            return requirements.keyTypes != baseline.keyTypes
                || requirements.leafKeyTypes != baseline.leafKeyTypes
                || requirements.rsaMinimum != baseline.rsaMinimum
        case .signatures:
            return requirements.minimumHash != baseline.minimumHash
                || requirements.signatureSchemes != baseline.signatureSchemes
        case .lifetime:
            return requirements.maximumLifetime != nil || !requirements.lifetimeSteps.isEmpty
        case .custom(let name): return requirements.checks.contains(name)
        }
    }

    /// HW511. The same mistake is an error for a waiver; here it is a warning, because nothing is
    /// accepted by mistake.
    private static func warning(_ held: Held, _ policy: BoundPolicy) -> Diagnostic {
        let name = held.entry.name
        let words = words(of: held.entry.check)
        let lack =
            held.isOfProfile
            ? "no rule that it holds for \(words.presence)" : "the rule \(words.lack)"
        var hint = ""
        if case .custom = held.entry.check {
            // `all` is never proposed: it reports more than any single check.
            hint = DidYouMean.question(for: name, among: ReportOnly.Check.builtIn.map(\.name))
        }
        var diagnostic = Diagnostic(
            .mootWaiver,
            "report-only `\(name)` of `\(held.owner)` reports nothing: \(lack)\(hint)",
            at: Diagnostic.Label(held.entry.key),
            help: ["remove the entry, or write the demand that it was meant for"])
        diagnostic.severity = .warning
        return diagnostic
    }

    /// The words for a rule that does not demand what the entry reports, and for a rule that does.
    private static func words(
        of check: ReportOnly.Check?
    ) -> (lack: String, presence: String) {
        switch check {
        case nil: return ("demands nothing", "demands anything")
        case .pins: return ("names no pin set", "names a pin set")
        case .revocation:
            return ("has no revocation cause at `fail`", "has a revocation cause at `fail`")
        case .transparency: return ("demands no transparency", "demands transparency")
        case .lifetime: return ("limits no lifetime", "limits the lifetime")
        case .custom(let name):
            return ("does not name `\(name)` in `checks`", "names `\(name)` in `checks`")
        case .tls, .keys, .signatures:
            let section = "`\(check?.name ?? "")`"
            return (
                "demands no more of \(section) than the baseline, which rejects all the same",
                "demands more of \(section) than the baseline, which rejects all the same"
            )
        }
    }
}
