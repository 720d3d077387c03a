import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW517: `revocation.preset` is `require`, and every cause is `pass`, so that a certificate
    /// without any evidence is accepted. It is reported at the layer that makes it so.
    static let requireNothing = LintRule(.requireNothing, isErrorWhenStrict: true) { context in
        let causes = ProfileField.allCases.filter { $0.section == "revocation.causes" }
        return context.contradictions(among: [.revocationPreset] + causes) { requirements, _ in
            let revocation = requirements.revocation
            guard revocation.preset == .require,
                revocation.possibleCauses.allSatisfy({ revocation.causes[$0] == .pass })
            else { return nil }
            return LayerContradiction(
                code: .requireNothing,
                message: "`revocation.preset` is `require` and every cause is `pass`, so no "
                    + "evidence is required of any certificate",
                help: [
                    "leave out each cause that is to reject, such as `unreachable`; `preset: best-effort` "
                        + "says that none is required"
                ])
        }
    }
}
