package import Hawser
package import PolicyCompiler

extension PolicyUnit {
    /// The unit without the problems in the names of tests, assertions, allowances and exports.
    /// These files are not policy. `diff` compares them as guards: a file that would be skipped is
    /// a lost guard, and a change that renames it can be compared.
    package var ofPoliciesAlone: PolicyUnit {
        func isCompanion(_ file: SourceFile) -> Bool {
            let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
            let kind =
                OwnFileKind.kind(of: file.bytes)?.kind ?? OwnFileKind.misspelt(name)?.kind
                ?? OwnFileKind(named: name)
            return kind.map { $0 != .policy } ?? false
        }
        let all = files + mentioned
        return PolicyUnit(
            files: files, resources: resources, mentioned: mentioned,
            diagnostics: diagnostics.filter { diagnostic in
                diagnostic.code != .policyFileMisnamed
                    || !isCompanion(all[Int(diagnostic.primary.span.file)])
            }, isDirectory: isDirectory)
    }
}

/// A file of Hawser's own that every command would skip because of its name or its kind.
package struct MisnamedFile: Hashable, Sendable {
    /// The path from the root that was searched.
    package let path: String
    /// The problem. Lower case, no full stop.
    package let message: String
    /// What to do.
    package let help: String
    /// The octets of the first key in the file's text; empty where the text does not matter.
    package let key: Range<Int>

    /// A file whose name differs from a companion's (`NAME.test.yaml` and its like) only in letter
    /// case or extension, or that has a companion's name and is not a file of the unit. Nil for
    /// others.
    package init?(entry: RootFolder.Entry, at path: String) {
        if let (kind, right) = OwnFileKind.misspelt(entry.name), kind != .policy {
            self.init(
                path: path,
                message: "`\(path)` would be skipped: \(kind.words) is named `\(kind.pattern)`",
                help: "rename it to `\(path.dropLast(entry.name.count) + right)`", key: 0..<0)
            return
        }
        guard let kind = OwnFileKind(named: entry.name), kind != .policy, !entry.kind.isFile else {
            return nil
        }
        self.init(
            path: path,
            message: "`\(path)` has the name of \(kind.words) but is \(entry.kind.words)",
            help: MisnamedFile.filesHelp, key: 0..<0)
    }

    /// A file whose first key names a kind that its name does not have. Nil for other files.
    package init?(entry: RootFolder.Entry, at path: String, holding bytes: [UInt8]) {
        guard let (kind, key) = OwnFileKind.kind(of: bytes), kind != OwnFileKind(named: entry.name)
        else { return nil }
        self.init(
            path: path,
            message: "`\(path)` begins with `\(kind.firstKey)` but its name is not that of "
                + "\(kind.words), so it would be skipped",
            help: "rename it to "
                + "`\(path.dropLast(entry.name.count) + MisnamedFile.proposal(entry.name, kind))`",
            key: key)
    }

    private init(path: String, message: String, help: String, key: Range<Int>) {
        self.path = path
        self.message = message
        self.help = help
        self.key = key
    }

    /// What helps where a file of the unit is a link that leads out, or a special file.
    static let filesHelp =
        "files of a unit stand in its folder; a symbolic link may lead to a file of the unit alone"

    /// A name of a kind for a file: `b.test.yaml` for `b_test.yaml`.
    private static func proposal(_ name: String, _ kind: OwnFileKind) -> String {
        guard let word = kind.word else { return kind.pattern }
        guard kind != .policy else { return kind.pattern }
        let folded = name.lowercased()
        var stem = name.dropLast(folded.hasSuffix(".yml") ? 4 : 5)
        let plain = stem.lowercased()
        let endings = OwnFileKind.allCases.compactMap(\.word).flatMap { word in
            ["", "s", "ion", "ions", "ance", "ances"].map { word + $0 }
        }
        for ending in endings
        where ["_", "-", "."].contains(where: { plain.hasSuffix($0 + ending) }) {
            stem = stem.dropLast(ending.count + 1)
            break
        }
        return "\(stem.isEmpty ? "NAME" : stem).\(word).yaml"
    }
}
