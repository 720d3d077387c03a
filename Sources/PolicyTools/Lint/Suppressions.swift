import PolicyCompiler
import Rendering
import TrustEngine

// Ignore comments:
//
//     # hawser:ignore HW211 until=2027-03-01 -- the shop moves in spring
//
// A comment after text applies to its own line. Comments on lines of their own apply to the first
// line after them. A comment hides a finding that has one of its codes and a label on that line. It
// must give a reason and, if the code is an error, a last day: an ignore comment is an exception
// like a waiver, and one function decides whether either is in force.

/// One ignore comment, as far as it could be read.
struct Suppression {
    /// The span of the whole comment.
    let span: SourceSpan
    /// The line that it applies to, index from 0.
    let line: Int
    /// The codes that it hides, with their spans; empty if it names none.
    let codes: [Located]
    let reason: String
    /// The last second at which it hides anything; nil where it never ends.
    let until: UTCInstant?

    struct Located {
        let code: DiagnosticCode
        let span: SourceSpan
    }
}

/// The ignore comments of a unit: which findings they hide, and the faults of the comments.
enum Suppressions {
    /// Splits findings into those that are reported and those that are hidden, and reports mistakes
    /// in the comments. If not every rule could be applied (`isWhole`), no comment is reported as
    /// unused.
    static func apply(
        to found: [Diagnostic], in compilation: Compilation, _ options: LintOptions, isWhole: Bool
    ) -> (told: [Diagnostic], suppressed: [SuppressedFinding]) {
        var problems: [Diagnostic] = []
        var inForce: [CodeOnLine: [Int]] = [:]
        var suppressions: [Suppression] = []
        for tree in compilation.trees {
            for comment in SuppressionComment.all(in: tree) {
                let (suppression, wrong) = comment.read(at: options.time)
                problems += wrong
                guard let suppression else { continue }
                for item in suppression.codes {
                    let line = CodeOnLine(
                        file: suppression.span.file, line: suppression.line, code: item.code)
                    inForce[line, default: []].append(suppressions.count)
                }
                suppressions.append(suppression)
            }
        }
        var told = problems.filter { options.looksFor($0.code) }
        var suppressed: [SuppressedFinding] = []
        // For each comment the codes that it hides something of.
        var used = [[DiagnosticCode]](repeating: [], count: suppressions.count)
        for finding in found {
            guard !inForce.isEmpty, LintRules.isSuppressible(finding.code) else {
                told.append(finding)
                continue
            }
            let lines = ([finding.primary] + finding.labels).compactMap {
                CodeOnLine($0.span, finding.code, in: compilation.files)
            }
            let hiding = lines.flatMap { inForce[$0] ?? [] }
            for index in hiding where !used[index].contains(finding.code) {
                used[index].append(finding.code)
            }
            if let first = hiding.first {
                suppressed.append(
                    SuppressedFinding(finding, .comment(reason: suppressions[first].reason)))
            } else {
                told.append(finding)
            }
        }
        if isWhole, options.looksFor(.unusedSuppression) {
            for (index, suppression) in suppressions.enumerated() {
                told += unused(suppression, used[index], compilation, options)
            }
        }
        return (told, suppressed)
    }

    private struct CodeOnLine: Hashable {
        let file: Int32
        let line: Int
        let code: DiagnosticCode

        init(file: Int32, line: Int, code: DiagnosticCode) {
            self.file = file
            self.line = line
            self.code = code
        }

        init?(_ span: SourceSpan, _ code: DiagnosticCode, in files: [SourceFile]) {
            guard files.indices.contains(Int(span.file)) else { return nil }
            file = span.file
            line = files[Int(span.file)].lines.line(of: Int(span.start))
            self.code = code
        }
    }

    /// HW701 for each code of a comment that hid no finding, unless this run did not look for the
    /// code.
    private static func unused(
        _ suppression: Suppression, _ used: [DiagnosticCode], _ compilation: Compilation,
        _ options: LintOptions
    ) -> [Diagnostic] {
        let idle = suppression.codes.filter { item in
            let rule = LintRules.all.first { $0.code == item.code }
            let isLookedFor = rule.map(options.wants) ?? options.looksFor(item.code)
            return isLookedFor && !used.contains(item.code)
        }
        let file = compilation.files[Int(suppression.span.file)]
        let advice =
            compilation.policy == nil
            ? "mend the errors first: the hidden finding may lie in the unread part"
            : "delete the comment"
        return idle.map { item in
            Diagnostic(
                .unusedSuppression,
                "this hides nothing: no `\(item.code.rawValue)` is found on the line that it speaks "
                    + "of",
                at: Diagnostic.Label(item.span), help: [advice],
                fix: idle.count == suppression.codes.count
                    ? SuppressionComment.retirement(
                        of: suppression.span, keeping: suppression.reason, .unit, in: file)
                    : nil)
        }
    }
}

/// A comment that is an ignore comment or was meant as one.
struct SuppressionComment {
    let tree: SyntaxTree
    let span: SourceSpan
    /// The line that it applies to.
    let line: Int
    /// The offset after `hawser:ignore`, or after what was written in its place.
    private let start: Int
    /// Whether `hawser:ignore` is spelt correctly.
    private let isExact: Bool

    /// All ignore comments of a file, in order.
    static func all(in tree: SyntaxTree) -> [SuppressionComment] {
        tree.comments.compactMap { SuppressionComment($0, in: tree) }
    }

    private init?(_ span: SourceSpan, in tree: SyntaxTree) {
        let bytes = tree.file.bytes
        var offset = Int(span.start) + 1
        while offset < Int(span.end), bytes[offset] == 0x20 { offset += 1 }
        let text = bytes[offset..<Int(span.end)]
        guard let spelling = SuppressionComment.spellings.first(where: { text.begins(with: $0) })
        else { return nil }
        self.tree = tree
        self.span = span
        start = offset + spelling.utf8.count
        isExact = spelling == SuppressionComment.spellings[0]
        line = SuppressionComment.line(of: span, in: tree)
    }

    /// The correct spelling first, then spellings that people write. Without a diagnostic the
    /// latter would hide nothing, and nobody would notice.
    private static let spellings = [
        "hawser:ignore", "hawser: ignore", "hawser ignore", "hawser-ignore", "hawser :ignore",
    ]

    /// The line that a comment applies to: its own if text stands before it, otherwise the first
    /// line below that is not only a comment.
    private static func line(of span: SourceSpan, in tree: SyntaxTree) -> Int {
        let file = tree.file
        var line = file.lines.line(of: Int(span.start))
        let before = file.bytes[file.lines.starts[line]..<Int(span.start)]
        guard before.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return line }
        repeat { line += 1 } while line < file.lines.starts.count && file.isComment(line: line)
        return line
    }

    /// The edit that removes a comment, with its line if nothing else stands on it.
    static func removal(of span: SourceSpan, in file: SourceFile) -> FixIt.Edit {
        let line = file.lines.line(of: Int(span.start))
        var start = Int(span.start)
        while start > file.lines.starts[line], [0x20, 0x09].contains(file.bytes[start - 1]) {
            start -= 1
        }
        var end = Int(span.end)
        if start == file.lines.starts[line], line + 1 < file.lines.starts.count {
            end = file.lines.starts[line + 1]
        }
        return FixIt.Edit(SourceSpan(file: Int(span.file), start: start, end: end), "")
    }

    /// The fix of a comment that hides nothing. Somebody wrote its reason by hand, so a safe fix
    /// keeps the reason as a plain comment. To delete it is for a person to choose.
    ///
    /// - Parameter reason: nil where the comment gives none that can stand by itself.
    static func retirement(
        of span: SourceSpan, keeping reason: String?, _ basis: FixIt.Basis, in file: SourceFile
    ) -> FixIt {
        let deletion = FixIt.Further(
            title: "delete the comment", edits: [removal(of: span, in: file)])
        guard let reason, !spellings.contains(where: { reason.hasPrefix($0) }) else {
            return FixIt(
                title: deletion.title, safety: .needsReview, basis: basis, edits: deletion.edits)
        }
        return FixIt(
            title: "keep the reason as a plain comment", safety: .safe, basis: basis,
            edits: [FixIt.Edit(span, "# \(reason)")], further: deletion)
    }

    // MARK: Reading

    /// The suppression that is in force at an instant, and the problems of the comment. The
    /// suppression is nil if the comment hides nothing.
    func read(at time: UTCInstant) -> (suppression: Suppression?, problems: [Diagnostic]) {
        guard isExact else {
            return (nil, [bare("this is not an ignore comment and hides nothing")])
        }
        let (head, reason) = parts
        var problems: [Diagnostic] = []
        var codes: [Suppression.Located] = []
        var until: (date: ScannedDate, span: SourceSpan)?
        var isReadable = true
        for word in words(until: head) {
            if word.text.hasPrefix("until=") {
                do throws(ScalarProblem) {
                    until = (try DateScanner.scan(String(word.text.dropFirst(6))), word.span)
                } catch {
                    problems.append(bare(error.message, at: word.span))
                    isReadable = false
                }
            } else if let code = DiagnosticCode(rawValue: word.text) {
                if LintRules.isSuppressible(code) {
                    codes.append(Suppression.Located(code: code, span: word.span))
                } else {
                    problems.append(notSuppressible(code, at: word.span))
                    isReadable = false
                }
            } else {
                problems.append(unknown(word.text, at: word.span))
                isReadable = false
            }
        }
        guard isReadable else { return (nil, problems) }
        if codes.isEmpty { return (nil, [bare("this ignore comment names no code")]) }
        guard let reason else {
            return (nil, [bare("this ignore comment gives no reason")])
        }
        if until == nil, let error = codes.first(where: { $0.code.severity == .error }) {
            return (
                nil,
                [
                    bare(
                        "`\(error.code.rawValue)` is an error, and this ignore comment never ends",
                        at: error.span)
                ]
            )
        }
        if let until, !DatedTerm.isInForce(until: until.date.lastSecond, at: time) {
            return (nil, [ended(until.span, reason)])
        }
        let suppression = Suppression(
            span: span, line: line, codes: codes, reason: reason, until: until?.date.lastSecond)
        return (suppression, [])
    }

    /// The offset at which the part before ` -- ` ends, and the reason after it. Offsets count the
    /// octets of the file, which need not be UTF-8.
    private var parts: (end: Int, reason: String?) {
        let bytes = tree.file.bytes[start..<Int(span.end)]
        let dash = UInt8(ascii: "-")
        for index in bytes.indices.dropLast()
        where bytes[index] == dash && bytes[index + 1] == dash
            && (index == start || bytes[index - 1] == 0x20)
        {
            let reason = String(decoding: bytes[(index + 2)...], as: UTF8.self)
                .split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
            return (index, reason.isEmpty ? nil : reason)
        }
        return (bytes.endIndex, nil)
    }

    private struct Word {
        let text: String
        let span: SourceSpan
    }

    /// The words before the reason, separated by blanks and commas.
    private func words(until end: Int) -> [Word] {
        var words: [Word] = []
        var offset = start
        let bytes = tree.file.bytes
        func isSeparator(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D, 0x2C].contains(byte) }
        while offset < end {
            guard !isSeparator(bytes[offset]) else {
                offset += 1
                continue
            }
            var last = offset
            while last < end, !isSeparator(bytes[last]) { last += 1 }
            words.append(
                Word(
                    text: String(decoding: bytes[offset..<last], as: UTF8.self),
                    span: SourceSpan(file: tree.fileIndex, start: offset, end: last)))
            offset = last
        }
        return words
    }

    // MARK: Faults

    private func bare(_ message: String, at word: SourceSpan? = nil) -> Diagnostic {
        Diagnostic(
            .bareSuppression, message, at: Diagnostic.Label(word ?? span),
            help: ["write `# hawser:ignore CODE until=YYYY-MM-DD -- REASON`"])
    }

    private func notSuppressible(_ code: DiagnosticCode, at wordSpan: SourceSpan) -> Diagnostic {
        let why =
            switch code.finder {
            case .lint, .base: "`\(code.rawValue)` cannot be hidden"
            case .check:
                "`\(code.rawValue)` cannot be hidden: no load accepts the policy, whatever a comment "
                    + "says"
            case .diff: "`\(code.rawValue)` is a finding of `hawser diff`, which no comment hides"
            case .test: "`\(code.rawValue)` is a finding in a test file, which no comment hides"
            case .import:
                "`\(code.rawValue)` is a finding of `hawser import`, which no comment hides"
            case .export:
                "`\(code.rawValue)` is a finding in a file of exports, which no comment hides"
            case .assert:
                "`\(code.rawValue)` is a finding in a file of assertions, which no comment hides"
            }
        return Diagnostic(
            .notSuppressible, why, at: Diagnostic.Label(wordSpan),
            help: ["mend it, and delete the comment"])
    }

    private func unknown(_ word: String, at wordSpan: SourceSpan) -> Diagnostic {
        let names = DiagnosticCode.allCases.map(\.rawValue)
        let bySlug = DiagnosticCode.allCases.first { $0.slug == word }?.rawValue
        // Codes differ from each other by two edits or fewer, so only their letter case can be
        // guessed.
        let folded = word.uppercased()
        let meant = bySlug ?? names.first { $0 == folded }
        let hint = meant.map { "; did you mean `\($0)`?" } ?? ""
        return Diagnostic(
            .unknownCode, "no finding has the code \(quoted(word))\(hint)",
            at: Diagnostic.Label(wordSpan),
            help: meant == nil ? ["`hawser rule --all` lists them"] : [],
            fix: meant.map { code in
                FixIt(
                    title: "write `\(code)`", safety: .needsReview,
                    edits: [FixIt.Edit(wordSpan, code)])
            })
    }

    private func quoted(_ word: String) -> String {
        "`\(Words.shortened(word, to: 40))`"
    }

    private func ended(_ untilSpan: SourceSpan, _ reason: String) -> Diagnostic {
        Diagnostic(
            .suppressionEnded, "this ignore comment has ended and hides nothing any more",
            at: Diagnostic.Label(untilSpan),
            help: ["mend the hidden finding and delete the comment, or write a new date"],
            fix: SuppressionComment.retirement(
                of: span, keeping: reason, .text, in: tree.file))
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes begin with a word that ends there: at the end of the bytes, or before a
    /// character that no word has.
    fileprivate func begins(with word: String) -> Bool {
        guard starts(with: word.utf8) else { return false }
        guard let next = dropFirst(word.utf8.count).first else { return true }
        return [0x20, 0x09, 0x0D, 0x3A].contains(next)
    }
}
