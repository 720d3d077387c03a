import PolicyCompiler
import TrustEngine

/// One guard of one side.
struct GuardEntry {
    /// The compared contents.
    enum Content {
        case assertion(AssertionGuard)
        case test(TestGuard)
        case allowance(Allowance)
        /// A finding of a baseline: its fingerprint, and how people know it.
        case finding(String, text: String)
        case ignore(IgnoreGuard)
        case export(ExportGuard)
        case workflow([String], [UInt8])
    }

    let kind: GuardKind
    /// The path from the top of its side.
    let file: String
    /// The folder of its unit; nil where it belongs to none.
    let unit: String?
    let name: String
    let owner: String?
    let place: GuardChange.Place
    let content: Content
}

/// The guards of one file.
struct GuardFile {
    /// The kind of the file's guards. A file that cannot be read has a kind, too.
    let kind: GuardKind
    let entries: [GuardEntry]
    /// Why the guards of the file do not count. Lower case, no full stop.
    let problem: String?

    init(_ kind: GuardKind, _ entries: [GuardEntry]) {
        (self.kind, self.entries, problem) = (kind, entries, nil)
    }

    init(_ kind: GuardKind, unread problem: String) {
        (self.kind, self.problem, entries) = (kind, problem, [])
    }
}

/// Reads the guards of the files of one side.
struct GuardReader {
    let tree: GuardTree
    let isNew: Bool
    let since: UTCInstant
    let crypto: any CryptoBackend

    /// The guards of a file; nil where it can have none.
    func read(_ path: String, _ bytes: [UInt8]) -> GuardFile? {
        let kind = GuardMark.kind(of: bytes)
        if kind == .own(.tests) || path.hasSuffix(TestGuard.ending) { return tests(path, bytes) }
        if kind == .own(.assertions) || path.hasSuffix(AssertionGuard.ending) {
            return assertions(path, bytes)
        }
        switch kind {
        case .own(.policy): return ignores(path, bytes)
        case .own(.allowances): return allowances(path, bytes)
        case .own(.exports): return exports(path, bytes)
        case .own(.tests), .own(.assertions): return nil
        case .baseline: return baseline(path, bytes)
        case nil:
            let calls = WorkflowMark.calls(in: bytes)
            guard !calls.isEmpty, WorkflowMark.isOne(path, bytes) else { return nil }
            return whole(.workflow, path, .workflow(calls, bytes))
        }
    }

    private func place(_ path: String, _ file: SourceFile, _ offset: Int32) -> GuardChange.Place {
        let position = file.position(of: Int(offset))
        return GuardChange.Place(
            file: tree.prefix + path, line: position.line, column: position.column, isNew: isNew)
    }

    private func whole(_ kind: GuardKind, _ path: String, _ content: GuardEntry.Content)
        -> GuardFile
    {
        let place = GuardChange.Place(file: tree.prefix + path, line: 1, column: 1, isNew: isNew)
        return GuardFile(
            kind,
            [
                GuardEntry(
                    kind: kind, file: path, unit: nil, name: path, owner: nil, place: place,
                    content: content)
            ])
    }

    // MARK: Tests and assertions

    /// Why a file is skipped by the command that reads files of its kind; nil where it is not.
    private func skipped(_ path: String, _ ending: String, _ root: String?) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard name.hasSuffix(ending), name.utf8.count > ending.utf8.count else {
            return "`\(path)` is skipped, because its name does not end in `\(ending)`"
        }
        guard let root else { return "`\(path)` lies beside no policy" }
        let folders = GuardTree.path(path, from: root).split(separator: "/").dropLast()
        guard !folders.contains(where: { $0.hasPrefix(".") }) else {
            return "`\(path)` is skipped, because a folder above it is hidden"
        }
        return nil
    }

    private static func firstError(_ diagnostics: [Diagnostic], _ path: String) -> String {
        let first = diagnostics.first { $0.severity == .error }
        return "`\(path)` cannot be read: \(first?.message ?? "no reason is known")"
    }

    private func tests(_ path: String, _ bytes: [UInt8]) -> GuardFile {
        let root = tree.tested(by: path)
        if let reason = skipped(path, TestGuard.ending, root) {
            return GuardFile(.test, unread: reason)
        }
        guard let root, let resources = tree.resources(root) else {
            return GuardFile(.test, unread: "the unit of `\(path)` cannot be read")
        }
        let file = SourceFile(path: GuardTree.path(path, from: root), bytes: bytes)
        let suite = TestFile.read(file, resources: resources, crypto: crypto)
        guard !suite.hasErrors else {
            return GuardFile(.test, unread: GuardReader.firstError(suite.diagnostics, path))
        }
        return GuardFile(
            .test,
            suite.cases.map { one in
                let source = suite.files[Int(one.place.file)]
                let own = root.isEmpty ? source.path : "\(root)/\(source.path)"
                return GuardEntry(
                    kind: .test, file: path, unit: root, name: one.name, owner: nil,
                    place: place(own, source, one.place.start),
                    content: .test(TestGuard(one, of: suite, root: root)))
            })
    }

    private func assertions(_ path: String, _ bytes: [UInt8]) -> GuardFile {
        let root = tree.unit(of: path)
        if let reason = skipped(path, AssertionGuard.ending, root) {
            return GuardFile(.assertion, unread: reason)
        }
        guard let root, let resources = tree.resources(root), let policy = tree.policy(root) else {
            return GuardFile(.assertion, unread: "the policy beside `\(path)` does not compile")
        }
        let file = SourceFile(path: GuardTree.path(path, from: root), bytes: bytes)
        let read = AssertionFile.read(
            file, of: policy.checked, resources: resources, crypto: crypto)
        guard let assertions = read.assertions else {
            return GuardFile(.assertion, unread: GuardReader.firstError(read.diagnostics, path))
        }
        return GuardFile(
            .assertion,
            assertions.map { one in
                GuardEntry(
                    kind: .assertion, file: path, unit: root, name: one.id.value, owner: one.owner,
                    place: place(path, file, one.id.span.start),
                    content: .assertion(
                        AssertionGuard(one, in: read.tree, path: path, policy: policy)))
            })
    }

    // MARK: What lets something pass

    private func allowances(_ path: String, _ bytes: [UInt8]) -> GuardFile {
        let file = SourceFile(path: path, bytes: bytes)
        let (entries, diagnostics) = AllowanceFile.read(file, crypto: crypto)
        guard let entries else {
            return GuardFile(.allowance, unread: GuardReader.firstError(diagnostics, path))
        }
        return GuardFile(
            .allowance,
            entries.map { one in
                GuardEntry(
                    kind: .allowance, file: path, unit: nil, name: one.id, owner: one.owner,
                    place: place(path, file, one.place.start), content: .allowance(one))
            })
    }

    private func exports(_ path: String, _ bytes: [UInt8]) -> GuardFile {
        let file = SourceFile(path: path, bytes: bytes)
        let read = ExportsFile.read(file, crypto: crypto)
        guard let entries = read.entries else {
            return GuardFile(.export, unread: GuardReader.firstError(read.diagnostics, path))
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard name == ExportsFile.name else {
            return GuardFile(
                .export,
                unread: "`\(path)` is skipped, because its name is not `\(ExportsFile.name)`")
        }
        return GuardFile(
            .export,
            entries.map { one in
                GuardEntry(
                    kind: .export, file: path, unit: tree.unit(of: path), name: one.id.value,
                    owner: nil, place: place(path, file, one.id.span.start),
                    content: .export(ExportGuard(one)))
            })
    }

    private func baseline(_ path: String, _ bytes: [UInt8]) -> GuardFile {
        let file = SourceFile(path: path, bytes: bytes)
        let root = SyntaxParser.parse(file, fileIndex: 0).root
        let list = root?.entries.first { $0.key.text == "findings" }?.value.items ?? []
        let entries = list.compactMap { item -> GuardEntry? in
            func text(_ key: String) -> String? {
                item.entries.first { $0.key.text == key }?.value.text
            }
            guard let mark = text("fingerprint") else { return nil }
            let words = [
                text("code").map { "`\($0)`" }, text("file").map { "of `\($0)`" },
                text("message").map { "(\($0))" },
            ]
            return GuardEntry(
                kind: .baseline, file: path, unit: nil, name: mark, owner: nil,
                place: place(path, file, item.span.start),
                content: .finding(mark, text: words.compactMap(\.self).joined(separator: " ")))
        }
        return GuardFile(.baseline, entries)
    }

    private func ignores(_ path: String, _ bytes: [UInt8]) -> GuardFile {
        let file = SourceFile(path: path, bytes: bytes)
        let parsed = SyntaxParser.parse(file, fileIndex: 0)
        let entries = SuppressionComment.all(in: parsed).compactMap { comment -> GuardEntry? in
            // A comment that is not in force hides nothing.
            guard let suppression = comment.read(at: since).suppression else { return nil }
            return GuardEntry(
                kind: .ignoreComment, file: path, unit: tree.unit(of: path),
                name: suppression.codes.map(\.code.rawValue).joined(separator: " "), owner: nil,
                place: place(path, file, suppression.span.start),
                content: .ignore(
                    IgnoreGuard(
                        codes: suppression.codes.map(\.code), until: suppression.until,
                        reason: suppression.reason,
                        target: IgnoreGuard.target(
                            of: suppression.line, comment: suppression.span, in: file))))
        }
        return GuardFile(.ignoreComment, entries)
    }
}

/// An ignore comment that hides something.
struct IgnoreGuard {
    let codes: [DiagnosticCode]
    /// The last second; nil where it never ends.
    let until: UTCInstant?
    let reason: String
    /// The line that it speaks of, without blanks around it and without the comment.
    let target: String

    /// The line that a comment speaks of, without the comment.
    static func target(of line: Int, comment: SourceSpan, in file: SourceFile) -> String {
        guard line < file.lines.starts.count else { return "" }
        let range = file.line(line)
        let isBehind = range.contains(Int(comment.start))
        let text = file.bytes[range.lowerBound..<(isBehind ? Int(comment.start) : range.upperBound)]
        let words = text.split { $0 == 0x20 || $0 == 0x09 }
        return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
}
