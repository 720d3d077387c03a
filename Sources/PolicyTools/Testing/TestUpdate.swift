import PolicyCompiler
import Rendering
package import TrustEngine

/// Writes what came out in place of what was expected. Nothing else in the file changes: comments,
/// layout and the order of keys stay. Each value is named by the order: a value that demands less
/// of the policy than before is written only if a person asks for it.
package enum TestUpdate {
    /// Which values are written.
    package enum Mode: Hashable, Sendable {
        /// All but those that demand less than before.
        case unlessWeaker
        /// All.
        case all
    }

    /// A file with its new text.
    package struct Rewritten: Sendable {
        /// The path from the unit's root.
        package let path: String
        package let bytes: [UInt8]
    }

    /// What was rewritten or left, in words.
    package struct Result: Sendable {
        package var files: [Rewritten] = []
        /// One line for each value that was rewritten.
        package var rewritten: [String] = []
        /// One line for each value that was not, with the reason.
        package var left: [String] = []
    }

    /// The new text of the files of a suite.
    ///
    /// - Parameter outcomes: one for each of `file.cases`.
    package static func update(
        _ file: PolicyTester.File, _ outcomes: some Sequence<TestOutcome>, _ mode: Mode,
        crypto: any CryptoBackend
    ) -> Result {
        var result = Result()
        let order = ExpectationOrder(crypto: crypto)
        var edits: [Int: [(range: Range<Int>, text: String)]] = [:]
        for (one, outcome) in zip(file.cases, outcomes) {
            for mismatch in outcome.mismatches {
                let what = "`\(one.test.name)`: `\(mismatch.field)`"
                guard let value = mismatch.update else {
                    result.left.append(
                        "\(what) is left: it came out as \(mismatch.got), and what else the case "
                            + "expects does not go with that")
                    continue
                }
                let index = Int(mismatch.place.file)
                let range = Int(mismatch.place.start)..<Int(mismatch.place.end)
                let comments = file.suite.trees[index].comments
                guard
                    !comments.contains(where: {
                        Int($0.start) >= range.lowerBound && Int($0.end) <= range.upperBound
                    })
                else {
                    result.left.append("\(what) is left: a comment stands inside its value")
                    continue
                }
                let text = TestUpdate.text(value, of: mismatch.field)
                let words: String
                switch order.relation(of: mismatch, in: one.test, to: value) {
                case .weaker:
                    words = "weaker: "
                    guard mode == .all else {
                        result.left.append(
                            "\(what) is left: \(mismatch.expected) -> \(text) is weaker; "
                                + "`--update=weaker` writes it")
                        continue
                    }
                case .stricter: words = "stricter: "
                case .incomparable: words = "changed: "
                case .equal: words = ""
                }
                edits[index, default: []].append((range, text))
                result.rewritten.append("\(words)\(what): \(mismatch.expected) -> \(text)")
            }
        }
        for (index, list) in edits.sorted(by: { $0.key < $1.key }) {
            let source = file.suite.files[index]
            var bytes = source.bytes
            for edit in list.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
                bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
            }
            result.files.append(Rewritten(path: source.path, bytes: bytes))
        }
        return result
    }

    /// A value as a test file writes it.
    private static func text(_ value: JSONValue, of field: String) -> String {
        switch value {
        case .string(let text) where field == "pattern": return "\"\(text)\""
        case .array(let items) where field == "hosts":
            return "["
                + items.map { "\"\(FlowText.render($0))\"" }.joined(separator: ", ") + "]"
        case .string:
            // As an item of a list a scalar is quoted where it must be.
            return String(FlowText.render(.array([value])).dropFirst().dropLast())
        case .object, .array, .integer, .bool, .null: return FlowText.render(value)
        }
    }
}

extension ExpectationOrder {
    /// How what came out compares with what a case expects.
    fileprivate func relation(
        of mismatch: TestMismatch, in test: TestCase, to got: JSONValue
    ) -> Relation {
        guard let was = test.expected.values.first(where: { $0.key == mismatch.field })
        else { return .incomparable }
        return relation(mismatch.field, from: was.value, to: ExpectedValue(got))
    }
}

extension ExpectedValue {
    /// A value that came out, as a test would write it. The depth is bounded: the values are our
    /// own.
    fileprivate init(_ value: JSONValue) {
        switch value {
        case .null: self = .scalar("none")
        case .bool(let flag): self = .scalar(flag ? "yes" : "no")
        case .integer(let number): self = .scalar(String(number))
        case .string(let text): self = .scalar(text)
        case .array(let items): self = .list(items.map { ExpectedValue($0) })
        case .object(let members):
            self = .map(members.map { Entry(key: $0.key, value: ExpectedValue($0.value)) })
        }
    }
}
