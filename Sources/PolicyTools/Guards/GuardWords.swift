import PolicyCompiler
import TrustEngine

extension GuardEntry {
    /// What tells guards of one file apart.
    var key: String {
        switch content {
        case .ignore(let one): return "\(name)\n\(one.target)"
        case .assertion, .test, .allowance, .finding, .export, .workflow: return name
        }
    }

    /// What the guard says, whatever its name; nil where the name is all that it has.
    var meaning: String? {
        let parts: [String]
        switch content {
        case .test(let one):
            parts =
                [one.host ?? "", one.subject] + one.conditions.map { "\($0.key)=\($0.text)" }
                + one.expected.map { "\($0.key)=\(ExpectedText.text($0.value))" }
        case .assertion(let one):
            parts = [one.hosts] + one.written.map { "\($0.key)=\($0.value)" }.sorted()
        case .allowance(let one):
            parts = [one.field, one.from, one.to] + one.also.sorted()
        case .export(let one): parts = [one.line]
        case .ignore, .finding, .workflow: return nil
        }
        return ([kind.rawValue, unit ?? ""] + parts).joined(separator: "\n")
    }

    /// The guard as a sentence begins.
    var words: String {
        switch content {
        case .ignore(let one): return "the ignore comment of `\(name)` on `\(one.target)`"
        case .assertion, .test, .allowance, .finding, .export: return "\(kind.noun) `\(name)`"
        case .workflow: return "`\(name)`"
        }
    }

    /// The guard in a list.
    var line: String {
        switch content {
        case .ignore(let one):
            return "`\(name)` on `\(one.target)`, \(one.end): \(one.reason)"
        case .finding(_, let text): return text
        case .export(let one): return "`\(name)` (\(one.line))"
        case .assertion, .test, .allowance, .workflow: return "`\(name)`"
        }
    }

    /// What a reader must know of a guard that is new.
    var background: [String] {
        switch content {
        case .allowance(let one):
            return [
                "\(one.field): \(one.from) -> \(one.to)",
                "until \(DiffSentences.last(one.until)) by \(one.owner): \(one.reason)",
            ]
        case .ignore(let one): return ["\(one.end): \(one.reason)"]
        case .workflow(let calls, _): return calls.map { "now: \($0)" }
        case .export(let one): return [one.line]
        case .assertion, .test, .finding: return []
        }
    }
}

extension IgnoreGuard {
    var end: String {
        until.map { "until \(DiffSentences.last($0))" } ?? "without an end"
    }
}

extension GuardKind {
    /// The guard in a sentence.
    package var noun: String {
        switch self {
        case .assertion: return "assertion"
        case .test: return "test"
        case .allowance: return "allowance"
        case .baseline: return "hidden finding"
        case .ignoreComment: return "ignore comment"
        case .export: return "export"
        case .workflow: return "workflow"
        }
    }

    var nouns: String {
        switch self {
        case .assertion, .test, .allowance, .baseline, .ignoreComment, .export, .workflow:
            return noun + "s"
        }
    }

    var whenRemoved: Relation {
        switch self {
        case .assertion, .test, .export, .workflow: return .weaker
        case .allowance, .baseline, .ignoreComment: return .stricter
        }
    }

    var whenAdded: Relation {
        switch self {
        case .assertion, .test, .export: return .stricter
        case .allowance, .baseline, .ignoreComment: return .weaker
        case .workflow: return .incomparable
        }
    }

    var removed: String {
        switch self {
        case .assertion, .test, .allowance, .baseline, .ignoreComment, .export: return "is removed"
        case .workflow: return "is gone or no longer calls hawser"
        }
    }

    var added: String {
        switch self {
        case .assertion, .test, .allowance, .baseline, .ignoreComment, .export: return "is added"
        case .workflow: return "is added, and calls hawser"
        }
    }
}
