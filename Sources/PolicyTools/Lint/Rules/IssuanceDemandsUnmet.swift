import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW316: a certificate of an anchor set does not meet demands on its issuer. Every path
    /// through it has a notice. A team that wants `path.issuance: enforce` mends these first. Not
    /// reported where HW317 is.
    static let issuanceBreach = LintRule(.issuanceBreach) { context in
        findings(context.issuanceBreaches.filter { $0.refusal == nil }) { breaches, notes in
            let demands = breaches.flaws.map(\.demand)
            return Diagnostic(
                .issuanceBreach,
                "`path.issuance: enforce` would refuse paths through \(unmet(breaches, demands))",
                at: Diagnostic.Label(breaches.anchor.span), help: [breaches.repair(demands)],
                notes: notes)
        }
    }

    /// HW317: a rule enforces demands on issuers and rejects every path through a certificate of
    /// an anchor set that it trusts, because the certificate does not meet one that is not waived.
    static let issuanceRefused = LintRule(.issuanceRefused) { context in
        // Without a rule that enforces issuance no signature has to be verified.
        guard !context.issuanceEnforcers.isEmpty else { return [] }
        return findings(context.issuanceBreaches.filter { $0.refusal != nil }) { breaches, notes in
            guard let (rule, demands) = breaches.refusal else { return nil }
            let ids = demands.map(\.rawValue).joined(separator: ", ")
            return Diagnostic(
                .issuanceRefused,
                "`\(rule.name)` refuses every path through \(unmet(breaches, demands))",
                at: Diagnostic.Label(breaches.anchor.span),
                labels: rule.setting.map { [Diagnostic.Label($0, "enforced here")] } ?? [],
                help: [
                    breaches.repair(demands),
                    "until then only the waiver `issuance` with `demands: [\(ids)]`, its reason and "
                        + "its end, lets paths through it pass",
                ], notes: notes)
        }
    }

    /// One finding for each file: its first certificate is the message, and each other certificate
    /// is a note.
    private static func findings(
        _ list: [IssuanceBreaches], _ finding: (IssuanceBreaches, [String]) -> Diagnostic?
    ) -> [Diagnostic] {
        var files: [SourceSpan: [IssuanceBreaches]] = [:]
        for breaches in list { files[breaches.anchor.span, default: []].append(breaches) }
        return files.values.compactMap { all in
            let others = all.dropFirst().map { breaches in
                "so with \(breaches.anchor.name), "
                    + unmet(breaches, breaches.refusal?.demands ?? breaches.flaws.map(\.demand))
            }
            var notes = all[0].notes + ["its subject is `\(all[0].certificate.shownSubject)`"]
            notes += Cut.list(others, most: mostNamed)
            return finding(all[0], notes)
        }
    }

    /// The most certificates of a file that are named besides the first.
    private static let mostNamed = 32

    private static func unmet(
        _ breaches: IssuanceBreaches, _ demands: [StandardDemand]
    ) -> String {
        let ids = demands.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        return "`\(breaches.certificate.shortSubject)`, which does not meet "
            + (demands.count == 1
                ? "the demand \(ids) on its issuer"
                : "\(demands.count) demands on its issuer: \(ids)")
    }
}
