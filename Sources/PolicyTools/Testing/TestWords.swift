import PolicyCompiler
import Rendering
import TrustEngine

/// The names of a policy that a test can use, and the problems of expectations that name something
/// else.
struct TestWords {
    private let ruleIDs: Set<String>
    private let patterns: [HostPattern: Set<String>]
    private let anchorIDs: Set<String>
    private let pinIDs: Set<String>
    private let checkNames: Set<String>
    private let forbiddenIDs: Set<String>

    init(_ rules: DatedRules) {
        let contents = rules.contents
        ruleIDs = Set(contents.rules.map(\.id))
        var patterns: [HostPattern: Set<String>] = [:]
        for rule in contents.rules {
            for pattern in rule.hosts { patterns[pattern, default: []].insert(rule.id) }
        }
        self.patterns = patterns
        anchorIDs = Set(contents.anchorSets.map(\.id)).union(["pinned-keys", "system"])
        pinIDs = Set(contents.pinSets.map(\.id))
        checkNames = rules.table.checkNames
        var bodies = contents.rules.map(\.body)
        if case .body(let body) = contents.defaultRule { bodies.append(body) }
        forbiddenIDs = Set(bodies.flatMap { $0.requirements.forbiddenKeys.map(\.id) })
    }

    /// The problems of the expectations of a case, in source order.
    func problems(of one: PreparedCase, _ rules: DatedRules) -> [Diagnostic] {
        let expected = one.test.expected
        var found: [Diagnostic] = []
        func report(_ message: String, at span: SourceSpan, help: [String] = []) {
            found.append(Diagnostic(.emptyTest, message, at: Diagnostic.Label(span), help: help))
        }
        func unknown(_ noun: String, _ id: Located<String>, among ids: Set<String>) {
            guard !ids.contains(id.value) else { return }
            report(
                "the policy has no \(noun) `\(id.value)`"
                    + DidYouMean.question(for: id.value, among: ids.sorted()), at: id.span)
        }
        if let rule = expected.rule { checkRule(rule, rules, report) }
        if let pattern = expected.pattern { checkPattern(pattern, one, rules, report) }
        for id in expected.anchors?.items ?? [] { unknown("anchor set", id, among: anchorIDs) }
        for id in expected.pins?.items ?? [] { unknown("pin set", id, among: pinIDs) }
        for field in expected.fields {
            checkName(field, rules, report)
            if let takes = TestWords.takes(field) {
                report(
                    "`\(field.name.value)` takes \(takes); found "
                        + "`\(ExpectedText.text(field.value.value))`, so the case can never pass",
                    at: field.value.span)
            }
        }
        return found
    }

    // MARK: Rules and patterns

    private func checkRule(
        _ rule: Located<String>, _ rules: DatedRules,
        _ report: (String, SourceSpan, [String]) -> Void
    ) {
        guard !ruleIDs.contains(rule.value) else { return }
        let denies = rules.table.deniesByDefault
        switch rule.value {
        case DatedRules.byDefault where denies:
            report(
                "`default` is `deny` in this policy, so no body of it decides", rule.span,
                ["write `rule: deny`"])
        case DatedRules.denied where !denies:
            report(
                "`default` has a body in this policy, so no host is denied by it", rule.span,
                ["write `rule: default`"])
        case DatedRules.byDefault, DatedRules.denied: break
        default:
            let ids = ruleIDs.union([denies ? DatedRules.denied : DatedRules.byDefault])
            report(
                "the policy has no rule `\(rule.value)`"
                    + DidYouMean.question(for: rule.value, among: ids.sorted()), rule.span, [])
        }
    }

    private func checkPattern(
        _ pattern: Located<HostPattern>, _ one: PreparedCase, _ rules: DatedRules,
        _ report: (String, SourceSpan, [String]) -> Void
    ) {
        let text = pattern.value.canonicalText
        guard let owners = patterns[pattern.value] else {
            let near = DidYouMean.question(
                for: text, among: patterns.keys.map(\.canonicalText).sorted())
            report("no rule of the policy has the pattern `\(text)`" + near, pattern.span, [])
            return
        }
        if let rule = one.test.expected.rule, ruleIDs.contains(rule.value),
            !owners.contains(rule.value)
        {
            report(
                "the rule `\(rule.value)` does not have the pattern `\(text)`, so the case can never "
                    + "pass; \(owners.sorted().map { "`\($0)`" }.joined(separator: ", ")) has it",
                pattern.span, [])
            return
        }
        let matches = rules.table.candidates(one.host, port: one.port)
        let found = matches.map { rules.table.pattern(at: Int($0.pattern)) }
        guard !found.contains(pattern.value) else { return }
        report(
            "the pattern `\(text)` does not match `\(one.host.text)` on port \(one.port), so the case "
                + "can never pass", pattern.span, [])
    }

    // MARK: Fields

    private func checkName(
        _ field: TestExpectation.Field, _ rules: DatedRules,
        _ report: (String, SourceSpan, [String]) -> Void
    ) {
        let name = field.name.value
        let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.count > 1 else { return }
        func known(_ noun: String, _ ids: Set<String>) {
            let id = parts.dropFirst().joined(separator: ".")
            guard !ids.contains(id) else { return }
            report(
                "the policy has no \(noun) `\(id)`"
                    + DidYouMean.question(for: id, among: ids.sorted()), field.name.span, [])
        }
        switch parts[0] {
        case "report-only":
            known("check", checkNames.union(ReportOnly.Check.builtIn.map(\.name)))
        case "forbidden-keys": known("forbidden key", forbiddenIDs)
        case "anchors", "pins":
            let section = parts[0]
            // The part of a set with different terms has a number: `anchors.corp[2].kind`.
            let id = String(parts[1].prefix { $0 != "[" })
            let ids = section == "anchors" ? anchorIDs : pinIDs
            guard ids.contains(id) else {
                report(
                    "the policy has no \(section == "anchors" ? "anchor set" : "pin set") `\(id)`"
                        + DidYouMean.question(for: id, among: ids.sorted()), field.name.span, [])
                return
            }
            let names = Set(rules.fieldNames(ofSet: id, in: section))
            guard !names.contains(name) else { return }
            report(
                "`\(section).\(id)` has no field `\(name)`"
                    + DidYouMean.question(for: name, among: names.sorted()), field.name.span,
                ["`hawser show` prints the fields of a set under a rule that names it"])
        default: break
        }
    }

    // MARK: Values

    /// What a field takes, in words; nil where the expected value is one that it can have.
    private static func takes(_ field: TestExpectation.Field) -> String? {
        guard let known = ProfileField(rawValue: field.name.value) else {
            return takesOfRule(field)
        }
        let value = field.value.value
        let isAbsent = value == .scalar("none") || value == .scalar("any")
        func words(_ words: FieldWords) -> String {
            words.words.map { "`\($0.name)`" }.joined(separator: ", ")
        }
        switch known.descriptor.kind {
        case .integer(let range):
            if isAbsent { return nil }
            if case .scalar(let text) = value,
                (try? IntegerScanner.scan(text, for: "", in: range)) != nil
            {
                return nil
            }
            return "a number from \(range.lowerBound) to \(range.upperBound), or `none`"
        case .seconds(let range):
            if isAbsent { return nil }
            if case .scalar(let text) = value,
                (try? DurationScanner.scan(text, for: "", in: range)) != nil
            {
                return nil
            }
            return "a duration such as `7d`, or `none`"
        case .word(let list):
            if case .scalar(let text) = value, list.number(of: text) != nil { return nil }
            // A waiver of revocation turns it off, and `show` says so.
            let isWaived = known == .revocationPreset && value == .scalar("disabled")
            return isWaived ? nil : "one of " + words(list)
        case .words(let list), .ranking(let list):
            if case .list(let items) = value, !items.isEmpty,
                items.allSatisfy({ item in
                    if case .scalar(let text) = item { return list.number(of: text) != nil }
                    return false
                })
            {
                return nil
            }
            return "a list of " + words(list)
        case .purposes, .objectIdentifiers, .steps, .names, .preferences:
            if case .list = value { return nil }
            return isAbsent ? nil : "a list, or `none`"
        case .digest:
            if case .scalar = value { return nil }
            return "a digest, or `none`"
        case .forbiddenKeys: return nil
        }
    }

    /// The same of fields that only a rule has.
    private static func takesOfRule(_ field: TestExpectation.Field) -> String? {
        let name = field.name.value
        func isList(_ value: ExpectedValue) -> Bool {
            if case .list = value { return true }
            return value == .scalar("none")
        }
        func isScalar(_ value: ExpectedValue) -> Bool {
            if case .scalar = value { return true }
            return false
        }
        let value = field.value.value
        switch name {
        case "identity.reference":
            let all: [IdentityRequirement.Reference] = [.host, .listed, .hostAndListed]
            if case .scalar(let text) = value, all.contains(where: { $0.name == text }) {
                return nil
            }
            return "one of " + all.map { "`\($0.name)`" }.joined(separator: ", ")
        case "hosts", "identity.dns", "identity.ip", "identity.email", "identity.uri":
            return isList(value) ? nil : "a list"
        case "profile", "owner", "note": return isScalar(value) ? nil : "a text"
        default:
            guard name.hasPrefix("waivers.") || name.hasPrefix("report-only.") else { return nil }
            if case .map = value { return nil }
            return value == .scalar("none")
                ? nil
                : "a map with what `hawser show` prints, such as `{ until: 2027-01-31 }`, or "
                    + "`none`"
        }
    }
}
