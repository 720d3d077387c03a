package import TrustEngine

/// A weakening that somebody decided to let through until a day, as a file of allowances has it.
package struct Allowance: Hashable, Sendable {
    /// The hosts of an allowance.
    package enum Hosts: Hashable, Sendable {
        /// Every class of hosts that one of the patterns covers.
        case inside([HostPattern])
        /// The hosts that no pattern of either policy matches.
        case unmatched
    }

    package let id: String
    package let hosts: Hosts
    /// The field with dots, as `diff` prints it. It stands only for this field, not for fields
    /// below it: an author who allows `revocation.preset` has not read the new value of
    /// `revocation.causes.stale`.
    package let field: String
    /// The old and the new value, as `diff` prints them.
    package let from: String
    package let to: String
    /// The lines that `diff` prints below the field: remarks, and authorities that are added. Two
    /// changes of an anchor set or a pin set may have the same values and differ only here.
    package let also: [String]
    package let reason: String
    package let owner: String
    /// The last second at which the allowance holds.
    package let until: UTCInstant
    /// The span of the id.
    package let place: SourceSpan
    /// The span of the value of `until`.
    package let untilPlace: SourceSpan
}

/// Reads a file of allowances, which `diff --allow` names: strict YAML of its own shape
/// (`grammar/allow.schema.json`), with the diagnostics of policies.
package enum AllowanceFile {
    /// The allowances in source order, and all diagnostics in source order. The allowances are nil
    /// if and only if a diagnostic is an error.
    package static func read(
        _ file: SourceFile, crypto: any CryptoBackend
    ) -> (allowances: [Allowance]?, diagnostics: [Diagnostic]) {
        let tree = SyntaxParser.parse(file, fileIndex: 0)
        let unit = PolicyUnit(files: [file], resources: FilesOfMemory(), isDirectory: false)
        let binder = Binder(unit, crypto: crypto)
        let allowances = binder.bindAllowances(tree)
        let diagnostics = DiagnosticCollector.sorted(
            Binder.helped(tree.diagnostics, by: binder.emptyHelp) + binder.diagnostics)
        let isSound = diagnostics.allSatisfy { $0.severity < .error }
        return (isSound ? allowances : nil, diagnostics)
    }
}

extension Binder {
    /// Reads the allowances of a file that could be read; an empty list if nothing could.
    fileprivate func bindAllowances(_ tree: SyntaxTree) -> [Allowance] {
        guard let root = tree.root else {
            if tree.diagnostics.allSatisfy({ $0.severity < .error }) {
                report(
                    .noVersion, "the file holds no allowances; it begins with `hawser-allow: 1`",
                    at: SourceSpan(file: tree.fileIndex, start: 0, end: 0))
            }
            return []
        }
        guard root.kind == .map else {
            if root.kind != .error {
                report(
                    .wrongType, "a file of allowances is a map; found \(found(root))",
                    at: root.span, help: ["it begins with `hawser-allow: 1`"])
            }
            return []
        }
        bindVersion(root, key: "hawser-allow")
        let shape = AllowanceFields.file
        let map = contents(of: root, shape: shape)
        guard let section = map["allowances"] else {
            // For a file without its version, only the version is reported.
            if map["hawser-allow"] != nil, let first = root.entries.first {
                requireKeys(
                    ["allowances"], in: map, of: "the file", at: first.key.span, shape: shape)
            }
            return []
        }
        guard
            requireMap(section.value, for: "allowances", example: section.shape.example)
        else { return [] }
        return section.value.entries.compactMap { key, value in
            guard let id = id(key) else { return nil }
            let example = entryExample(id.value, in: section.shape.example)
            noteUnread(value, key: key, example: example, isRequired: true)
            return bindAllowance(id, value, example: example)
        }
    }

    /// One allowance; nil if a part of it is missing or could not be read.
    private func bindAllowance(
        _ id: Located<String>, _ value: SyntaxNode, example: String
    ) -> Allowance? {
        let shape = AllowanceFields.allowance
        guard let map = section(value, shape: shape, name: id.value, example: example) else {
            return nil
        }
        requireKeys(
            shape.keys.filter(\.isRequired).map(\.name), in: map,
            of: "allowance `\(id.value)`", at: id.span, shape: shape)
        let hosts = allowedHosts(map["hosts"])
        let field = scan(map["field"], path: "field") { text throws(ScalarProblem) in
            try FieldPathScanner.scan(text)
        }
        let from = shownValue(map["from"], path: "from")
        let to = shownValue(map["to"], path: "to")
        let also = map["also"].map { entry in
            list(entry, path: "also") { line in
                let style = line.style
                return scan(line, path: "also", example: entry.shape.example, isText: true) {
                    text throws(ScalarProblem) in
                    try FreeTextScanner.scan(text, for: "also", style: style)
                }
            }
        }
        let reason = text(map["reason"], path: "reason")
        let owner = text(map["owner"], path: "owner")
        let until = date(map["until"], path: "until")
        guard let hosts, let field, let from, let to, let reason, let owner, let until,
            also?.isWhole ?? true
        else { return nil }
        return Allowance(
            id: id.value, hosts: hosts, field: field.value, from: from.value, to: to.value,
            also: also?.list.items.map(\.value) ?? [], reason: reason.value, owner: owner.value,
            until: until.value.lastSecond,
            place: id.span, untilPlace: until.span)
    }

    /// `default`, or a list of patterns; nil if a part of it could not be read.
    private func allowedHosts(_ entry: MapEntry?) -> Allowance.Hosts? {
        guard let entry else { return nil }
        if entry.value.kind == .scalar {
            if entry.value.text == "default" { return .unmatched }
            report(
                .wrongType,
                "`hosts` takes a list of host patterns, or `default` for the hosts that no pattern "
                    + "matches; found \(found(entry.value))",
                at: entry.value.span, help: ["for example `\(entry.shape.example)`"])
            return nil
        }
        let (bound, isWhole) = list(entry, path: "hosts") {
            host($0, path: "hosts", example: entry.shape.example)
        }
        return isWhole ? .inside(bound.items.map(\.value.pattern)) : nil
    }

    /// The text of a value, as `diff` prints it. A number needs no quotes, as in a policy.
    private func shownValue(_ entry: MapEntry?, path: String) -> Located<String>? {
        scan(entry, path: path) { text throws(ScalarProblem) in
            try ScalarProblem.requireText(text, of: "`\(path)`")
            return text
        }
    }
}
