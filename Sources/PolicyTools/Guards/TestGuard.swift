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
        add("at", at.map { TestGuard.text($0.value) })
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
        add("crlite", test.filterReply?.value.rawValue)
        add("crlite-newest", test.filtersNewest.map { TestGuard.text($0.value) })
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
        expected = test.expected.values
    }

    /// An instant as a date where it is the first second of a day.
    private static func text(_ instant: UTCInstant) -> String {
        instant.secondsSinceEpoch % 86_400 == 0 ? Words.day(instant) : instant.description
    }

    private static func text(_ tls: TLSParameters) -> String {
        [tls.version?.name, tls.cipherSuite, tls.group, tls.signatureScheme, tls.alpn]
            .compactMap(\.self).joined(separator: " ")
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
