import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The file of `diff --allow`.
enum AllowanceOption {
    /// Reads the file. Its diagnostics are reported on standard error; a file with errors allows
    /// nothing, and nothing is compared.
    static func read(_ path: String) throws(CommandFailure) -> Allowances {
        let bytes: [UInt8]
        do throws(CommandFailure) {
            bytes = try InputFile.read(path, limit: UnitLoader.largestFile)
        } catch {
            throw .notCompared(error.message, status: error.status)
        }
        let file = SourceFile(path: path, bytes: bytes)
        let (allowances, diagnostics) = Allowances.read(file, crypto: EngineLoader.makeBackend())
        report(diagnostics, of: file)
        guard let allowances else {
            throw .notCompared("the allowances of `\(path)` cannot be read")
        }
        return allowances
    }

    /// Reports the faults of the allowances on standard error, after all comparisons. Returns
    /// whether there are any.
    static func report(
        _ allowances: Allowances, after diffs: [PolicyDiff], since: UTCInstant
    ) -> Bool {
        for change in diffs.flatMap(\.changes) {
            if let partial = change.allowed?.partial { Report.progress(partial) }
        }
        let findings = allowances.findings(after: diffs, since: since)
        report(findings, of: allowances.file)
        return !findings.isEmpty
    }

    // MARK: Allowances of the old side

    /// The allowances that stand in a file of the old side. Reports on standard error which do not.
    static func standing(
        _ allowances: Allowances, in trees: ComparedTrees
    ) throws(CommandFailure) -> Allowances {
        let files: [String: [UInt8]]
        do throws(NotCompared) {
            // A file of any name that is the same as ours, and every file that may be an earlier
            // one.
            let own = try trees.old.identity(of: allowances.file.bytes)
            let names = trees.old.identities.filter { path, identity in
                identity == own
                    || [".yaml", ".yml"].contains { path.lowercased().hasSuffix($0) }
            }.keys
            files = try trees.old.read(Set(names).union(trees.changed)) { _, bytes in
                GuardMark.kind(of: bytes) == .own(.allowances)
            }
        } catch {
            throw .notCompared(error)
        }
        let kept = allowances.standing(
            in: files.sorted { $0.key < $1.key }.map { SourceFile(path: $0.key, bytes: $0.value) },
            crypto: EngineLoader.makeBackend())
        let ids = Set(kept.entries.map(\.id))
        for one in allowances.entries where !ids.contains(one.id) {
            Report.progress(
                "allowance `\(one.id)` does not stand in the old policy's files as it is, so "
                    + "`--allow-base` does not count it")
        }
        return kept
    }

    // MARK: Writing

    /// Writes the allowances that comparisons need into a file, after those that it has.
    static func write(
        _ writer: AllowanceWriter, for diffs: [PolicyDiff], to path: String
    ) throws(CommandFailure) {
        var (text, taken) = ([UInt8](), Set<String>())
        if NamedPath.exists(path) {
            let known = try read(path)
            taken = Set(known.entries.map(\.id))
            text = known.file.bytes
            if let last = text.last, last != 0x0A { text.append(0x0A) }
        } else {
            text = Array("hawser-allow: 1\n\nallowances:\n".utf8)
        }
        let written = writer.entries(for: diffs, taken: taken)
        for sentence in written.left { Report.progress(sentence) }
        guard !written.ids.isEmpty else {
            Report.progress("nothing needs an allowance; `\(path)` is left as it is")
            return
        }
        text += Array(written.text.utf8)
        // What was there may end with something that no entry can follow.
        let file = SourceFile(path: path, bytes: text)
        let ids = Allowances.read(file, crypto: EngineLoader.makeBackend()).allowances?.entries.map(
            \.id)
        guard let ids, Set(ids) == taken.union(written.ids) else {
            throw .couldNotAsk(
                "`\(path)` does not end with its last allowance, so none can be added; write to a "
                    + "new file")
        }
        try OutputFile.write(text, to: path)
        let count = written.ids.count
        Report.progress(
            "wrote \(count) allowance\(count == 1 ? "" : "s") to `\(path)`: "
                + written.ids.map { "`\($0)`" }.joined(separator: ", "))
    }

    /// Who decides, why and until when; nil where nothing is to be written.
    static func writer(
        _ path: String?, owner: String?, reason: String?, until: String?, since: UTCInstant
    ) throws(CommandFailure) -> AllowanceWriter? {
        let given = [("--owner", owner), ("--reason", reason), ("--until", until)]
        guard path != nil else {
            if let other = given.first(where: { $0.1 != nil }) {
                throw .couldNotAsk("`\(other.0)` is for `--write-allowance`")
            }
            return nil
        }
        guard let owner, let reason, let until else {
            let missing = given.filter { $0.1 == nil }.map { "`\($0.0)`" }
            throw .couldNotAsk(
                "`--write-allowance` takes \(missing.joined(separator: " and ")), too: an allowance "
                    + "says who decides it, why, and until when")
        }
        let last = try asking { () throws(ScalarProblem) in
            _ = try FreeTextScanner.scan(owner, for: "--owner", style: .doubleQuoted)
            _ = try FreeTextScanner.scan(reason, for: "--reason", style: .doubleQuoted)
            return try DateScanner.scan(until).lastSecond
        }
        guard last >= since else { throw .couldNotAsk("`--until \(until)` is over already") }
        guard last <= since.advanced(bySeconds: Allowances.longest) else {
            throw .couldNotAsk("`--until \(until)` is more than 180 days away; decide again then")
        }
        return AllowanceWriter(owner: owner, reason: reason, until: until)
    }

    private static func report(_ diagnostics: [Diagnostic], of file: SourceFile) {
        guard !diagnostics.isEmpty else { return }
        StandardStreams.write(
            LintDocument.text(diagnostics, files: [file]), to: .error)
    }
}
