internal import TrustEngine

// The expectations of a case (`grammar/test.schema.json`).
extension Binder {
    /// Reads `expect`. False if it is not a map.
    func bindExpected(_ entry: MapEntry, into one: inout TestCase) -> Bool {
        guard requireMap(entry.value, for: "expect", example: entry.shape.example) else {
            return false
        }
        for (key, value) in entry.value.entries where key.kind == .scalar {
            let shape = TestFields.expectation.key(key.text)
            noteUnread(
                value, key: key, example: shape?.example ?? "\(key.text): require", isRequired: true
            )
            guard let shape else {
                bindField(key, value, into: &one.expected)
                continue
            }
            bind(MapEntry(shape: shape, key: key, value: value), into: &one.expected)
        }
        refuseContradictions(one, of: entry)
        return true
    }

    private func bind(_ entry: MapEntry, into expected: inout TestExpectation) {
        let name = entry.shape.name
        switch name {
        case "rule":
            expected.rule = id(entry.value, field: "rule", example: entry.shape.example)
        case "pattern":
            expected.pattern = scan(entry, path: "pattern") { text throws(ScalarProblem) in
                try HostPatternScanner.scan(text).pattern
            }
        case "anchors": expected.anchors = ids(entry, "an anchor set")
        case "pins": expected.pins = none(entry) ?? ids(entry, "a pin set")
        case "verdict":
            expected.verdict = word(
                entry.value, path: name, example: entry.shape.example, of: Binder.verdicts
            ) { TestExpectation.Verdict(rawValue: $0) }
        case "violations":
            expected.violations = words(entry, of: Binder.violations)
        case "reported":
            expected.reported = none(entry) ?? words(entry, of: Binder.violations)
        case "notices":
            expected.notices = none(entry) ?? words(entry, of: Binder.notices)
        default:
            // The keys that are fields without a dot.
            if let value = expectedValue(entry.value) {
                expected.fields.append(
                    TestExpectation.Field(
                        name: Located(value: name, span: entry.key.span),
                        value: Located(value: value, span: entry.value.span)))
            }
        }
    }

    /// The empty list, which is written `none`; nil for any other value.
    private func none(_ entry: MapEntry) -> BoundList<String>? {
        guard entry.value.kind == .scalar, entry.value.text == "none" else { return nil }
        return BoundList(key: entry.key.span, span: entry.value.span, items: [])
    }

    private func ids(_ entry: MapEntry, _ noun: String) -> BoundList<String>? {
        let (bound, isWhole) = list(entry, path: entry.shape.name) {
            id($0, field: noun, example: entry.shape.example)
        }
        return isWhole ? bound : nil
    }

    private func words(_ entry: MapEntry, of words: ClosedWords) -> BoundList<String>? {
        let name = entry.shape.name
        let (bound, isWhole) = list(entry, path: name) { node in
            scan(node, path: name, example: entry.shape.example) { text throws(ScalarProblem) in
                if words.words.contains(text) { return text }
                throw ScalarProblem(
                    .unknownValue,
                    "\(self.quoted(text)) is not \(words.noun)"
                        + DidYouMean.question(for: text, among: words.words),
                    help: ["`hawser explain` prints these words; for example `\(words.words[0])`"])
            }
        }
        return isWhole ? bound : nil
    }

    private static let verdicts = ClosedWords(
        "a verdict", TestExpectation.Verdict.allCases.map(\.rawValue))
    private static let violations = ClosedWords(
        "a violation", ViolationKind.allCases.flatMap(\.ids))
    private static let notices = ClosedWords("a notice", Notice.Kind.allCases.map(\.rawValue))

    // MARK: Fields

    /// A field that `show` prints. Which anchor sets, pin sets and entries there are is for the
    /// policy to say; here the form of the name is.
    private func bindField(
        _ key: SyntaxNode, _ value: SyntaxNode, into expected: inout TestExpectation
    ) {
        let name = key.text
        guard Binder.isFieldName(name) else {
            reportUnknownExpectation(key)
            return
        }
        guard let value = expectedValue(value).map({ Located(value: $0, span: value.span) }) else {
            return
        }
        expected.fields.append(
            TestExpectation.Field(name: Located(value: name, span: key.span), value: value))
    }

    /// Whether a name may be a field's.
    private static func isFieldName(_ name: String) -> Bool {
        if ProfileField(rawValue: name) != nil { return name != "forbidden-keys" }
        guard let dot = name.firstIndex(of: ".") else { return false }
        let rest = String(name[name.index(after: dot)...])
        guard !rest.isEmpty else { return false }
        switch name[..<dot] {
        case "anchors", "pins", "report-only", "forbidden-keys": return true
        case "identity": return PolicyFields.identity.key(rest) != nil
        case "waivers": return PolicyFields.waivers.key(rest) != nil
        default: return false
        }
    }

    private func reportUnknownExpectation(_ key: SyntaxNode) {
        let text = key.text
        let keys = TestFields.expectation.keys.map(\.name)
        let fields =
            ProfileField.allCases.map(\.rawValue).filter { $0 != "forbidden-keys" }
            + PolicyFields.identity.keys.map { "identity.\($0.name)" }
            + PolicyFields.waivers.keys.map { "waivers.\($0.name)" }
        let below = fields.first { $0.hasPrefix(text + ".") }
        report(
            .unknownKey,
            "\(quoted(text)) is nothing that a case can expect"
                + DidYouMean.question(for: text, among: keys + fields),
            at: key.span,
            help: below.map { ["a field is written with its dots, for example `\($0): …`"] }
                ?? [
                    "it takes " + listed(keys)
                        + ", and the fields that `hawser show` prints, such as `revocation.preset`"
                ],
            fix: DidYouMean.only(for: text, among: keys + fields).map { name in
                FixIt(
                    title: "write `\(name)`", safety: .needsReview,
                    edits: [FixIt.Edit(key.span, name)])
            })
    }

    /// A value of any shape; nil if a part of it could not be read.
    ///
    /// Recursive: the parser bounds the depth.
    private func expectedValue(_ node: SyntaxNode) -> ExpectedValue? {
        switch node.kind {
        case .scalar:
            if node.style == .plain, isReservedWord(node.text),
                let problem = AmbiguousScalar.problem(of: node.text)
            {
                report(problem, in: node)
                return nil
            }
            return .scalar(node.text)
        case .list:
            let items = node.items.map(expectedValue)
            return items.contains { $0 == nil } ? nil : .list(items.compactMap { $0 })
        case .map:
            var entries: [ExpectedValue.Entry] = []
            for (key, value) in node.entries {
                noteUnread(value, key: key, example: "\(key.text): …", isRequired: false)
                guard let value = expectedValue(value) else { return nil }
                entries.append(ExpectedValue.Entry(key: key.text, value: value))
            }
            return .map(entries)
        case .error: return nil
        }
    }

    // MARK: Contradictions

    /// Refuses expectations that cannot be met, or that nothing would look at.
    private func refuseContradictions(_ one: TestCase, of entry: MapEntry) {
        let expected = one.expected
        func key(_ name: String) -> SourceSpan {
            entry.value.entries.first { $0.key.text == name }?.key.span ?? entry.key.span
        }
        let ofVerdict = ["verdict", "violations", "reported", "notices"]
        let written = Set(entry.value.entries.map(\.key.text))
        let isChainWritten: Bool
        switch one.subject {
        case .statement: isChainWritten = false
        case .chain, .cleartext, .receipt: isChainWritten = true
        }
        if !isChainWritten {
            for name in ofVerdict where written.contains(name) {
                report(
                    .emptyTest,
                    "`\(name)` is what the engine says of a chain, and the case has none",
                    at: key(name), help: ["write the `chain` that the server presents"])
            }
            return
        }
        let accepts = expected.verdict?.value == .accept
        let rejects = expected.verdict?.value == .reject || expected.violations != nil
        if accepts, written.contains("violations") {
            report(
                .emptyTest, "an accept has no `violations`", at: key("violations"),
                labels: expected.verdict.map { [Diagnostic.Label($0.span, "an accept")] } ?? [],
                help: ["what an accept lets through is `reported`"])
        }
        guard rejects, !accepts else { return }
        for name in ["reported", "notices"] where written.contains(name) {
            report(
                .emptyTest, "a reject has no `\(name)`", at: key(name),
                labels: expected.verdict.map { [Diagnostic.Label($0.span, "a reject")] } ?? [],
                help: ["why it rejects is `violations`"])
        }
    }
}
