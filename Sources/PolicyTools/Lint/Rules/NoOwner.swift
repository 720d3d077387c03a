import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW601: a rule, or a `default` with a body, has no `owner`.
    static let noOwner = LintRule(.noOwner, isErrorWhenStrict: true) { context in
        context.bound.bodies(.noOwner).compactMap { body in
            guard body.owner == nil, !body.mayHaveOwner else { return nil }
            return Diagnostic(
                .noOwner,
                "`\(body.name)` has no owner, so nobody is asked when it rejects, or when it is to change",
                at: Diagnostic.Label(body.key),
                help: ["add `owner: NAME`, the team that answers for it"])
        }
    }
}
