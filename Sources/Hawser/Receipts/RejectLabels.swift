import Rendering
import TrustEngine

/// The labels of a counter of rejects: the rule that decided, and the violation. Their number is
/// bounded. Hosts are never labels: a peer can choose them.
///
/// The first rules that reject get a label each, and all further rules share `other`. A table that
/// is replaced can bring other rules, so the bound is over the life of the process.
package struct RejectLabels: Hashable, Sendable {
    /// One value of the labels.
    package struct Series: Hashable, Sendable {
        /// The id of the rule, `default` for its body, `none` where no rule decided, or `other`.
        package let rule: String
        /// The id of the violation that is printed first.
        package let violation: String

        /// Makes a value of the labels.
        package init(rule: String, violation: String) {
            self.rule = rule
            self.violation = violation
        }
    }

    /// Most rules with a label of their own. With some sixty violations, the counter has at most
    /// some thousands of series, and in practice a few for each rule.
    package static let mostRules = 100

    /// The rejects by no rule.
    package static let withoutRule = Series(
        rule: "none", violation: ViolationKind.noApplicableRule.rawValue)

    private static let other = "other"
    private var rules: Set<String> = []

    /// Labels without a rule.
    package init() {}

    /// The labels of a reject; nil for an accept. `rule` is the id of the rule that decided: empty
    /// for the body of `default`, nil where no rule decided.
    package mutating func series(_ verdict: Verdict, host: String, rule: String?) -> Series? {
        guard let violation = verdict.printedViolations(host: host).first else { return nil }
        guard let rule else { return Series(rule: "none", violation: violation.id) }
        guard !rule.isEmpty else { return Series(rule: "default", violation: violation.id) }
        let isKnown = rules.contains(rule) || rules.count < RejectLabels.mostRules
        if isKnown { rules.insert(rule) }
        return Series(rule: isKnown ? rule : RejectLabels.other, violation: violation.id)
    }
}
