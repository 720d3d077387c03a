package import PolicyCompiler
package import TrustEngine

/// Applies the fixes of findings to the text of a unit. Nothing is written to disk here.
package enum LintFixes {
    /// Which fixes are applied.
    package enum Mode: Hashable, Sendable {
        /// Fixes that do not change the meaning of the policy.
        case safe
        /// Also fixes that a person must check.
        case all
    }

    /// The unit after its fixes.
    package struct FixedUnit: Sendable {
        /// The findings in the text after the fixes.
        package let result: LintResult
        /// The new bytes of each changed file, by the file's index in the unit.
        package let changed: [Int: [UInt8]]
        /// The fixes that were applied, each with edits of the text before it.
        package let applied: [FixIt]
        /// The lines that were deleted, in the order in which they went.
        package let deletions: [Deletion]
        /// Fixes that were left out: with them the policy did not compile any more, a safe fix
        /// changed its meaning, or a host would have become weaker that the fix does not name.
        package let refused: [FixIt]
    }

    /// A line of text that a fix took away and put nothing in the place of.
    package struct Deletion: Hashable, Sendable {
        /// The file by its path from the unit's root.
        package let file: String
        /// The line, from 1, in the text that the fix changed.
        package let line: Int
        /// What stood there, without the blanks around it.
        package let text: String

        package init(file: String, line: Int, text: String) {
            self.file = file
            self.line = line
            self.text = text
        }
    }

    /// Applies fixes in rounds until none is left. Each round applies fixes whose edits do not
    /// touch. Fixes that change which pattern decides which hosts follow one by one, since each
    /// depends on all patterns. A new layout comes last, since it touches the whole file. The unit
    /// is linted again after each round. A policy that compiled before compiles afterwards, with
    /// the same meaning if only safe fixes are applied, and otherwise with no host judged less
    /// strictly but those that a fix names (`FixIt.moves`). A fix that would break this is left
    /// out.
    package static func apply(
        to unit: PolicyUnit, _ options: LintOptions, _ mode: Mode, crypto: any CryptoBackend
    ) -> FixedUnit {
        var state = State(unit, options, crypto)
        var refused: Set<FixIt> = []
        var applied: [FixIt] = []
        var deletions: [Deletion] = []
        var (rounds, hostRounds) = (0, 0)
        while rounds < mostRounds, hostRounds < mostHostRounds {
            let fixes = state.fixes(mode).filter { !refused.contains($0) }
            let round = chosen(from: fixes, state.unit)
            guard !round.isEmpty else { break }
            if round[0].basis == .hosts { hostRounds += 1 } else { rounds += 1 }
            if let next = state.applying(round, mode) {
                deletions += round.flatMap { state.deletions(of: $0) }
                state = next
                applied += round
                continue
            }
            // One of these fixes breaks the policy. Applying each alone finds it.
            for fix in round {
                guard let next = state.applying([fix], mode) else {
                    refused.insert(fix)
                    continue
                }
                deletions += state.deletions(of: fix)
                state = next
                applied.append(fix)
                // The other fixes were made for the text before this edit.
                break
            }
        }
        var changed: [Int: [UInt8]] = [:]
        for (index, file) in state.unit.files.enumerated()
        where file.bytes != unit.files[index].bytes {
            changed[index] = file.bytes
        }
        return FixedUnit(
            result: state.result, changed: changed, applied: applied, deletions: deletions,
            refused: refused.sorted { $0.title < $1.title })
    }

    /// The fixes that `apply` would not leave out, if each were the only fix.
    package static func proved(
        _ fixes: [FixIt], of unit: PolicyUnit, _ options: LintOptions, crypto: any CryptoBackend
    ) -> [FixIt] {
        guard !fixes.isEmpty else { return [] }
        let state = State(unit, options, crypto)
        return fixes.filter { fix in
            state.applying([fix], fix.safety == .safe ? .safe : .all) != nil
        }
    }

    /// The most rounds. A fix can reveal another finding, which the next round fixes; more rounds
    /// than this mean that fixes undo each other.
    private static let mostRounds = 16
    /// The most rounds with one fix. Findings that are left are reported, and the next run fixes
    /// them.
    private static let mostHostRounds = 256

    /// Fixes whose edits do not touch, in their order. A fix that changes which rule decides hosts
    /// is chosen by itself, and a fix of a whole file only without other fixes.
    private static func chosen(from fixes: [FixIt], _ unit: PolicyUnit) -> [FixIt] {
        let parts = fixes.filter { fix in !fix.edits.contains { isWhole($0, unit) } }
        let ordered = (parts.isEmpty ? fixes : parts)
            .sorted {
                ($0.edits[0].span.file, $0.edits[0].span.start)
                    < ($1.edits[0].span.file, $1.edits[0].span.start)
            }
        let alike = ordered.filter { $0.basis != .hosts }
        guard !alike.isEmpty else { return Array(ordered.prefix(1)) }
        // Only safe fixes, so that the round can be held to the meaning before it.
        let safe = alike.filter { $0.safety == .safe }
        return apart(safe.isEmpty ? alike : safe)
    }

    /// The fixes whose edits do not touch the edits of an earlier fix.
    private static func apart(_ ordered: [FixIt]) -> [FixIt] {
        // Nearly every fix is one edit. In order, each needs to be compared only with the last one
        // that was chosen.
        var last: SourceSpan?
        var scattered: [SourceSpan] = []
        var chosen: [FixIt] = []
        for fix in ordered {
            let spans = fix.edits.map(\.span)
            let taken = spans.count == 1 ? scattered : chosen.flatMap { $0.edits.map(\.span) }
            let isFree = spans.allSatisfy { span in
                !(last.map { touches($0, span) } ?? false)
                    && !taken.contains { touches($0, span) }
            }
            guard isFree else { continue }
            chosen.append(fix)
            if spans.count == 1 { last = spans[0] } else { scattered += spans }
        }
        return chosen
    }

    private static func isWhole(_ edit: FixIt.Edit, _ unit: PolicyUnit) -> Bool {
        edit.span.start == 0 && Int(edit.span.end) == unit.files[Int(edit.span.file)].bytes.count
    }

    private static func touches(_ left: SourceSpan, _ right: SourceSpan) -> Bool {
        left.file == right.file && left.start <= right.end && right.start <= left.end
    }

    /// The bytes of a file after edits that do not touch one another. The new text gets the line
    /// ends of the file.
    package static func bytes(of file: SourceFile, after edits: [FixIt.Edit]) -> [UInt8] {
        var bytes: [UInt8] = []
        var offset = 0
        let first = file.line(0)
        let usesCRLF = first.upperBound < file.bytes.count && file.bytes[first.upperBound] == 0x0D
        for edit in edits.sorted(by: { $0.span.start < $1.span.start }) {
            bytes += file.bytes[offset..<Int(edit.span.start)]
            for byte in edit.replacement.utf8 {
                if byte == 0x0A, usesCRLF, bytes.last != 0x0D { bytes.append(0x0D) }
                bytes.append(byte)
            }
            offset = Int(edit.span.end)
        }
        return bytes + file.bytes[offset...]
    }

    /// The patterns whose hosts a policy may judge less strictly after some fixes than before them,
    /// from an instant on, but those that the fixes name; `default` stands for the hosts of no
    /// pattern.
    package static func weakened(
        by fixes: [FixIt], _ before: PolicyTable, _ after: PolicyTable, since time: UTCInstant
    ) -> [String] {
        let weaker = StricterHosts(from: after, to: before, since: time)
        let named = Set(fixes.flatMap(\.moves))
        return weaker.patterns.filter { !named.contains($0) }
            + (weaker.includesDefault ? ["default"] : [])
    }

    /// A unit and its findings.
    private struct State {
        let unit: PolicyUnit
        let options: LintOptions
        let crypto: any CryptoBackend
        let result: LintResult

        init(_ unit: PolicyUnit, _ options: LintOptions, _ crypto: any CryptoBackend) {
            self.unit = unit
            self.options = options
            self.crypto = crypto
            result = Linter.lint(unit, options, crypto: crypto)
        }

        /// The fixes of the reported findings, each once, in source order.
        func fixes(_ mode: Mode) -> [FixIt] {
            var seen: Set<FixIt> = []
            return result.findings.compactMap(\.fix).map { mode == .all ? $0.furthest : $0 }.filter
            {
                fix in
                (mode == .all || fix.safety == .safe) && !fix.edits.isEmpty
                    && fix.edits.allSatisfy { unit.files.indices.contains(Int($0.span.file)) }
                    && seen.insert(fix).inserted
            }
        }

        /// The lines that a fix takes away. Text that stands in the edit's replacement again, and
        /// an edit of a whole file, which is a new layout, take nothing away.
        func deletions(of fix: FixIt) -> [Deletion] {
            fix.edits.sorted { ($0.span.file, $0.span.start) < ($1.span.file, $1.span.start) }
                .flatMap { edit -> [Deletion] in
                    let file = unit.files[Int(edit.span.file)]
                    let range = Int(edit.span.start)..<Int(edit.span.end)
                    guard edit.replacement.allSatisfy(\.isWhitespace),
                        !LintFixes.isWhole(edit, unit)
                    else { return [] }
                    let first = file.lines.line(of: range.lowerBound)
                    return file.bytes[range].split(
                        separator: 0x0A, omittingEmptySubsequences: false
                    ).enumerated().compactMap { index, part in
                        let words = part.split { [0x20, 0x09, 0x0D].contains($0) }
                        guard !words.isEmpty else { return nil }
                        return Deletion(
                            file: file.path, line: first + index + 1,
                            text: words.map { String(decoding: $0, as: UTF8.self) }
                                .joined(separator: " "))
                    }
                }
        }

        /// The unit with some fixes; nil if they would break the policy.
        func applying(_ fixes: [FixIt], _ mode: Mode) -> State? {
            let edits = fixes.flatMap(\.edits)
            let files = unit.files.enumerated().map { index, file in
                let own = edits.filter { Int($0.span.file) == index }
                return own.isEmpty
                    ? file
                    : SourceFile(path: file.path, bytes: LintFixes.bytes(of: file, after: own))
            }
            let next = State(
                PolicyUnit(
                    files: files, resources: unit.resources, mentioned: unit.mentioned,
                    diagnostics: unit.diagnostics, isDirectory: unit.isDirectory),
                options, crypto)
            guard let before = result.compilation.policy else {
                return next.errors <= errors ? next : nil
            }
            guard let after = next.result.compilation.policy else { return nil }
            let (earlier, later) = (table(of: before), table(of: after))
            if earlier.policyDigest == later.policyDigest { return next }
            // A fix that makes a host weaker must say so, and a safe fix changes no meaning.
            guard fixes.contains(where: { $0.safety == .needsReview }) else { return nil }
            let weaker = LintFixes.weakened(by: fixes, earlier, later, since: options.time)
            return weaker.isEmpty ? next : nil
        }

        private var errors: Int {
            result.compilation.diagnostics.count { $0.severity == .error }
        }

        private func table(of policy: CheckedPolicy) -> PolicyTable {
            CompilerPipeline.table(of: policy, crypto: crypto)
        }
    }
}
