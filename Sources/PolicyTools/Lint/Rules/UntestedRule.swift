import PolicyCompiler
import Rendering

extension LintRule {
    /// HW801: a unit has test files, but none of their cases has a host that a rule decides.
    static let untestedRule = LintRule(.untestedRule) { context in
        // A file with a mistake may hold the case.
        guard let tester = context.tester, !tester.files.contains(where: \.isBroken) else {
            return []
        }
        let rules = tester.rules
        let tested = Set(
            tester.cases.map { rules.name(of: rules.decision($0.host, port: $0.port)) })
        return context.bound.rules.filter { !tested.contains($0.id.value) }.map { rule in
            Diagnostic(
                .untestedRule,
                "no case of the tests has a host that `\(rule.id.value)` decides, so a change of it "
                    + "fails no test", at: Diagnostic.Label(rule.id.span),
                help: ["add a case with a host of its patterns"])
        }
    }
}
