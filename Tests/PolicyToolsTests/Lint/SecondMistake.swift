import PolicyCompiler
import PolicyTools
import TrustEngine

/// A mistake that is added to a file with findings. No fix of the findings may be another one
/// because of it: it may be withheld, but it hurts nothing and touches nothing else.
enum SecondMistake: CaseIterable {
    case syntaxError, openQuote, unknownKey, repeatedKey, reference, endedComment, curlyQuotes

    /// The lines that are added, a line end at the end.
    var text: String {
        switch self {
        case .syntaxError: return "second: [mistake\n"
        case .openQuote: return "second: \"mistake\n"
        case .unknownKey: return "second: { mistake: here }\n"
        case .repeatedKey: return "hawser: 1\n"
        case .reference: return "profiles: { second: { extends: mistake } }\n"
        case .endedComment: return "# hawser:ignore HW211 until=2020-01-31 -- second mistake\n"
        case .curlyQuotes: return "second: “mistake”\n"
        }
    }

    /// Whether a fix may take the lines away or change them.
    private var isMended: Bool {
        switch self {
        case .syntaxError, .openQuote, .unknownKey, .repeatedKey, .reference: return false
        case .endedComment, .curlyQuotes: return true
        }
    }

    /// What a fix of a file breaks when this mistake stands in it as well, in words.
    static func breaches(_ bytes: [UInt8], _ unit: PolicyUnit, _ options: LintOptions) -> [String] {
        let base = FixPromise.table(unit)
        return allCases.flatMap { $0.breaches(bytes, unit, base.map { [$0] } ?? [], options) }
    }

    private func breaches(
        _ bytes: [UInt8], _ unit: PolicyUnit, _ bases: [PolicyTable], _ options: LintOptions
    ) -> [String] {
        let ended = bytes.last == 0x0A ? bytes : bytes + [0x0A]
        let both = unit.replacingFirst(ended + Array(text.utf8))
        // All fixes: the safe ones are among them, and come first.
        let promise = FixPromise(both, .all, options)
        var breaches = promise.breaches(against: [])
        let mended = promise.outcome.changed[0] ?? both.files[0].bytes
        let lines = String(decoding: mended, as: UTF8.self)
            .replacing("\r\n", with: "\n")
        // A new layout may write it in other lines.
        func bare(_ text: String) -> String { text.filter { !" {}\n".contains($0) } }
        if !isMended, !bare(lines).contains(bare(text)) {
            breaches.append("the second mistake was touched")
        }
        // Without the second mistake the mended file is not weaker than the file was.
        if lines.hasSuffix(text), !bases.isEmpty {
            let rest = unit.replacingFirst(Array(lines.dropLast(text.count).utf8))
            let after = FixPromise(rest, .safe, options)
            breaches += after.weaker(than: bases, also: promise.outcome.applied)
        }
        return breaches.map { "\(self): \($0)" }
    }
}

extension PolicyUnit {
    /// The unit with another text in its first file.
    func replacingFirst(_ bytes: [UInt8]) -> PolicyUnit {
        PolicyUnit(
            files: [SourceFile(path: files[0].path, bytes: bytes)] + files.dropFirst(),
            resources: resources, mentioned: mentioned, diagnostics: diagnostics,
            isDirectory: isDirectory)
    }
}
