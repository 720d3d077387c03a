import PolicyCompiler
import PolicyTools
import Rendering

/// The answer of `textDocument/codeAction`: the fixes of findings, and the pages of their codes.
/// Each fix is one that `lint` would apply: it was applied to the whole unit, and did not break the
/// policy, change its meaning, or make a host weaker that it does not name.
enum CodeActionAnswer {
    /// Every safe fix of the unit, as `--fix`.
    static let fixAll = "source.fixAll.hawser"
    /// Also the fixes that a person must check, as `--fix-unsafe`. The kind is not below
    /// `source.fixAll`, which editors apply whenever they save.
    static let fixUnsafe = "source.hawser.fixUnsafe"
    static let kinds = ["quickfix", fixAll, fixUnsafe]

    /// The most fixes that are tried for one answer: each one lints the unit again.
    private static let most = 8

    static func answer(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let document = try ask.document()
        guard
            let range = EditorRange.octets(
                ask.params["range"], in: document.text, ask.workspace.units)
        else { return .array([]) }
        let reading = document.reading
        let only = ask.params.at("context", "only")?.texts
        func isWanted(_ kind: String) -> Bool {
            only?.contains { kind == $0 || kind.hasPrefix($0 + ".") } ?? false
        }
        var actions: [JSONValue] = []
        if only == nil || isWanted("quickfix") || only?.contains("") ?? false {
            func touched(_ found: [UnitReading.Found]) -> [UnitReading.Found] {
                found.filter { found in
                    let span = found.finding.primary.span
                    return Int(span.start) <= range.upperBound && range.lowerBound <= Int(span.end)
                }
            }
            let found = touched(reading?.findings[document.path] ?? [])
            let others = touched(
                DiagnosticItems.companion(document.document, document.path, ask.workspace))
            actions += (reading.map { fixes(found, $0, ask) } ?? []) + pages(found + others)
        }
        guard let reading else { return .array(actions) }
        // What changes the whole unit is offered only where it is asked for.
        if isWanted(fixAll) {
            actions += whole(reading, .safe, "Apply every safe fix (lint --fix)", fixAll, ask)
        }
        if isWanted(fixUnsafe) {
            let title =
                "Apply every fix, also unsafe ones that a person must check "
                + "(lint --fix-unsafe)"
            actions += whole(reading, .all, title, fixUnsafe, ask)
        }
        return .array(actions)
    }

    // MARK: One finding

    private static func fixes(
        _ found: [UnitReading.Found], _ reading: UnitReading, _ ask: EditorAsk
    ) -> [JSONValue] {
        let unit = reading.unit
        var seen: Set<FixIt> = []
        let wanted = found.flatMap { found -> [(UnitReading.Found, FixIt)] in
            guard let fix = found.finding.fix else { return [] }
            var own = fix
            own.further = nil
            return ([own] + (fix.further == nil ? [] : [fix.furthest])).map { (found, $0) }
        }.filter { found, fix in
            // Test files are counted by themselves; no fix is for them.
            !fix.edits.isEmpty
                && fix.edits.allSatisfy { edit in
                    let index = Int(edit.span.file)
                    return unit.files.indices.contains(index)
                        && found.file(edit.span) === unit.files[index]
                }
                && seen.insert(fix).inserted
        }.prefix(most)
        let proved = Set(
            LintFixes.proved(
                wanted.map { $0.1 }, of: unit, reading.options, crypto: reading.crypto))
        return wanted.filter { proved.contains($0.1) }.map { found, fix in
            let isSafe = fix.safety == .safe
            var changed: [Int: [FixIt.Edit]] = [:]
            for edit in fix.edits { changed[Int(edit.span.file), default: []].append(edit) }
            let files = changed.map { index, edits in
                (
                    file: unit.files[index],
                    bytes: LintFixes.bytes(of: unit.files[index], after: edits)
                )
            }
            return .object([
                "title": isSafe ? fix.title : "unsafe, a person must check it: \(fix.title)",
                "kind": "quickfix", "isPreferred": isSafe ? true : nil,
                "diagnostics": [DiagnosticItems.item(found, reading, ask.workspace)],
                "edit": edit(files, reading, ask),
            ])
        }
    }

    private static func pages(_ found: [UnitReading.Found]) -> [JSONValue] {
        Set(found.map(\.finding.code.rawValue)).sorted().map { code in
            let title = "Explain \(code) (rule \(code))"
            return .object([
                "title": title, "kind": "quickfix",
                "command": JSONValue.object([
                    "title": title, "command": EditorCommand.rule.rawValue, "arguments": [code],
                ]),
            ])
        }
    }

    // MARK: The whole unit

    private static func whole(
        _ reading: UnitReading, _ mode: LintFixes.Mode, _ title: String, _ kind: String,
        _ ask: EditorAsk
    ) -> [JSONValue] {
        let fixed = LintFixes.apply(
            to: reading.unit, reading.options, mode, crypto: reading.crypto)
        guard !fixed.changed.isEmpty else { return [] }
        let files = fixed.changed.map { (file: reading.unit.files[$0.key], bytes: $0.value) }
        return [
            .object(["title": title, "kind": kind, "edit": edit(files, reading, ask)])
        ]
    }

    private static func edit(
        _ files: [(file: SourceFile, bytes: [UInt8])], _ reading: UnitReading, _ ask: EditorAsk
    ) -> JSONValue {
        let root = reading.key.root
        var edits: [String: [JSONValue]] = [:]
        for (file, bytes) in files {
            let text = ask.workspace.text(of: file, in: root)
            edits[file.path] = EditorRange.edit(from: text, to: bytes, ask.workspace.units)
                .map { [$0] }
        }
        return ask.workspace.change(edits, in: root, ask.client)
    }
}
