extension Explanation {
    /// The places of the policy that the failures of the verdict are cited with; nil where there is
    /// none to cite. A table of a million patterns has millions of places, and a program that
    /// records every verdict does not read all of them for each.
    package var provenanceOfFailures: Provenance? {
        var failures = verdict.violations
        if case .accept(let acceptance) = verdict.outcome {
            failures += acceptance.reported.map(\.violation)
        }
        guard !failures.isEmpty, let table else { return nil }
        for case .rule(let rule) in trace.steps {
            return table.provenance(
                ofRule: rule.rule, profile: rule.profile,
                listsAnchors: failures.contains { failure in
                    if case .anchorConstraintNotMet = failure.reason { return true }
                    return false
                })
        }
        // Without a rule, nothing that was demanded is written anywhere.
        return nil
    }
}
