import PolicyCompiler
import Rendering
import TrustEngine

/// A case of a test of one side.
struct TestGuard {
    /// The ending of the name of a test file.
    static let ending = ".test.yaml"

    /// What a case asks, each part by its key; a part that is not written has the text of its
    /// default.
    let conditions: [(key: String, text: String)]
    /// The host with its port; nil where a receipt has it.
    let host: String?
    /// The kind of the question: `policy`, `chain`, `cleartext` or `receipt`.
    let subject: String
    /// Whether the engine judges.
    let isJudged: Bool
    /// The files and folders that the case is judged with, from the top.
    let files: [String]
    /// The expectations, in the order of the language.
    let expected: [(key: String, value: ExpectedValue)]

    /// - Parameter root: the folder of the unit, from the top.
    init(_ test: TestCase, of suite: TestSuite, root: String) {
        var paths: [String] = []
        var conditions: [(key: String, text: String)] = []
        func add(_ key: String, _ text: String?) {
            conditions.append((key, text ?? "not written"))
        }
        func addFiles(_ key: String, _ files: [Located<String>]) {
            paths += files.map(\.value)
            add(key, files.isEmpty ? nil : files.map(\.value).joined(separator: ", "))
        }
        let at = test.at ?? suite.at
        add("at", at.map { DiffSentences.day($0.value) })
        switch test.subject {
        case .statement: subject = "policy"
        case .chain(let path):
            subject = "chain"
            addFiles("chain", [path])
        case .cleartext: subject = "cleartext"
        case .receipt(let line):
            subject = "receipt"
            paths.append(line.value.path)
            add("receipt", line.value.path + (line.value.line.map { ":\($0)" } ?? ""))
        }
        addFiles("system", [test.system ?? suite.system].compactMap(\.self))
        addFiles("staple", [test.staple].compactMap(\.self))
        addFiles("ocsp", test.ocsp)
        addFiles("crls", test.crls)
        addFiles("timestamps", [test.timestamps].compactMap(\.self))
        addFiles("evidence", [test.evidence].compactMap(\.self))
        add("tls", TestGuard.text(test.tls))
        add(
            "checks",
            test.assumed.isEmpty
                ? nil
                : test.assumed.map { "\($0.name.value): \($0.answer.rawValue)" }
                    .joined(separator: ", "))
        self.conditions = conditions
        host = test.host.map { HostWithPort.text($0.value.text, test.port) }
        isJudged = test.subject.isJudged
        files = Set(paths).sorted().map { root.isEmpty ? $0 : "\(root)/\($0)" }
        expected = TestGuard.values(test.expected)
    }

    private static func text(_ tls: TLSParameters) -> String {
        [tls.version?.name, tls.cipherSuite, tls.group, tls.signatureScheme, tls.alpn]
            .compactMap(\.self).joined(separator: " ")
    }

    /// What a case expects, each by its key under `expect`.
    static func values(
        _ expected: TestExpectation
    ) -> [(key: String, value: ExpectedValue)] {
        func list(_ bound: BoundList<String>?) -> ExpectedValue? {
            bound.map { .list($0.items.map { .scalar($0.value) }) }
        }
        let known: [(String, ExpectedValue?)] = [
            ("rule", expected.rule.map { .scalar($0.value) }),
            ("pattern", expected.pattern.map { .scalar($0.value.canonicalText) }),
            ("anchors", list(expected.anchors)), ("pins", list(expected.pins)),
            ("verdict", expected.verdict.map { .scalar($0.value.rawValue) }),
            ("violations", list(expected.violations)), ("reported", list(expected.reported)),
            ("notices", list(expected.notices)),
        ]
        return known.compactMap { key, value in value.map { (key, $0) } }
            + expected.fields.map { ($0.name.value, $0.value.value) }
    }

    /// How a new case compares with the old case of the same name, and what changed, a line each.
    /// Nil where it asks and expects the same.
    ///
    /// - Parameter hasChanged: whether a file or folder differs between the two sides.
    static func change(
        from was: TestGuard, to now: TestGuard, _ order: ExpectationOrder,
        hasChanged: (String) -> Bool
    ) -> (relation: Relation, lines: [String])? {
        var found: [(relation: Relation, line: String)] = []
        func add(_ relation: Relation, _ line: String) { found.append((relation, line)) }
        if was.host != now.host {
            // Nothing is left that asks of the old host.
            add(
                .weaker,
                "host: \(was.host ?? "of the receipt") -> \(now.host ?? "of the receipt")")
        }
        if was.subject != now.subject {
            add(
                was.isJudged && !now.isJudged ? .weaker : .incomparable,
                "asks: \(was.subject) -> \(now.subject)")
        }
        for (key, text) in was.conditions {
            let there = now.conditions.first { $0.key == key }?.text ?? "not written"
            if text != there { add(.incomparable, "\(key): \(text) -> \(there)") }
        }
        for path in was.files where now.files.contains(path) && hasChanged(path) {
            add(.incomparable, "`\(path)` has other contents")
        }
        for (key, value) in was.expected {
            let text = ExpectedText.text(value)
            guard let there = now.expected.first(where: { $0.key == key })?.value else {
                add(.weaker, "\(key): \(text) -> not expected")
                continue
            }
            let relation = order.relation(key, from: value, to: there)
            if relation != .equal {
                add(relation, "\(key): \(text) -> \(ExpectedText.text(there))")
            }
        }
        for (key, value) in now.expected where !was.expected.contains(where: { $0.key == key }) {
            add(.stricter, "\(key): not expected -> \(ExpectedText.text(value))")
        }
        guard !found.isEmpty else { return nil }
        let grave: [Relation] = [.weaker, .incomparable, .stricter, .equal]
        return (
            Relation.direction(of: found.map(\.relation)),
            grave.flatMap { relation in found.filter { $0.relation == relation } }.map(\.line)
        )
    }
}

/// Compares two expectations of a test: the one that demands more of the policy is stricter.
struct ExpectationOrder {
    private let values: ValueOrder

    init(crypto: any CryptoBackend) { values = ValueOrder(crypto: crypto) }

    /// How the second value of a key under `expect` compares with the first.
    func relation(
        _ key: String, from was: ExpectedValue, to now: ExpectedValue
    ) -> Relation {
        if was == now { return .equal }
        switch key {
        case "verdict": return now == .scalar("reject") ? .stricter : .weaker
        case "rule":
            // Whether one rule is stricter than another is said by no name.
            if was == .scalar(DatedRules.denied) { return .weaker }
            return now == .scalar(DatedRules.denied) ? .stricter : .incomparable
        case "pattern", "violations", "reported", "notices": return .incomparable
        case "pins": return ExpectationOrder.inclusion(was, now, more: .stricter)
        case "anchors", "identity.dns", "identity.ip", "identity.email", "identity.uri":
            return ExpectationOrder.inclusion(was, now, more: .weaker)
        case "identity.reference": return ExpectationOrder.reference(was, now)
        // Any other key is a field's.
        default:
            if key.hasPrefix("waivers.") || key.hasPrefix("report-only.") {
                return ExpectationOrder.exception(was, now)
            }
            return field(key, was, now)
        }
    }

    private func field(
        _ key: String, _ was: ExpectedValue, _ now: ExpectedValue
    ) -> Relation {
        guard let field = ProfileField(rawValue: key), !field.decidesNothing else {
            return .incomparable
        }
        let known = values.relation(
            field, from: ExpectedText.text(was), to: ExpectedText.text(now))
        if let known { return known }
        func isAbsent(_ value: ExpectedValue) -> Bool {
            value == .scalar("none") || value == .scalar("any")
        }
        if isAbsent(was) != isAbsent(now) { return isAbsent(now) ? .weaker : .stricter }
        return .incomparable
    }

    private static func items(_ value: ExpectedValue) -> Set<ExpectedValue> {
        switch value {
        case .list(let items): return Set(items)
        case .scalar(let text): return text == "none" ? [] : [value]
        case .map: return [value]
        }
    }

    private static func inclusion(
        _ was: ExpectedValue, _ now: ExpectedValue, more: Relation
    ) -> Relation {
        let (old, new) = (items(was), items(now))
        if old == new { return .equal }
        if old.isSubset(of: new) { return more }
        guard new.isSubset(of: old) else { return .incomparable }
        return more == .stricter ? .weaker : .stricter
    }

    private static func reference(_ was: ExpectedValue, _ now: ExpectedValue) -> Relation {
        let both = ExpectedValue.scalar(IdentityRequirement.Reference.hostAndListed.name)
        if now == both { return .stricter }
        return was == both ? .weaker : .incomparable
    }

    /// A waiver or an entry of `report-only`: none is stricter than any, and an earlier end than a
    /// later one.
    private static func exception(_ was: ExpectedValue, _ now: ExpectedValue) -> Relation {
        if was == .scalar("none") { return .weaker }
        if now == .scalar("none") { return .stricter }
        guard case .map(let old) = was, case .map(let new) = now else { return .incomparable }
        func end(_ entries: [ExpectedValue.Entry]) -> UTCInstant? {
            guard case .scalar(let text)? = entries.first(where: { $0.key == "until" })?.value
            else { return nil }
            return (try? DateScanner.scan(text))?.lastSecond
        }
        func rest(_ entries: [ExpectedValue.Entry]) -> Set<ExpectedValue.Entry> {
            Set(entries.filter { $0.key != "until" })
        }
        guard rest(old) == rest(new), let before = end(old), let after = end(new) else {
            return .incomparable
        }
        if before == after { return .equal }
        return after > before ? .weaker : .stricter
    }
}
