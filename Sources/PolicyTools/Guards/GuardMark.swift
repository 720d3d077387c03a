package import PolicyCompiler

/// Recognises Hawser's own files by their content. The name does not matter.
package enum GuardMark {
    /// What a file is.
    package enum Kind: Hashable, Sendable {
        case own(OwnFileKind)
        /// A baseline of `lint`.
        case baseline
    }

    /// The kind of a file, by its first key or by the `schema` of a baseline; nil for other files.
    ///
    /// Cost: linear in the octets.
    package static func kind(of bytes: [UInt8]) -> Kind? {
        if let kind = OwnFileKind.kind(of: bytes)?.kind { return .own(kind) }
        return isBaseline(bytes) ? .baseline : nil
    }

    private static func isBaseline(_ bytes: [UInt8]) -> Bool {
        // A baseline names its form in its first lines.
        guard bytes.prefix(4_096).firstRange(of: Array(LintBaseline.schema.utf8)) != nil else {
            return false
        }
        let tree = SyntaxParser.parse(SourceFile(path: "baseline", bytes: bytes), fileIndex: 0)
        return tree.root?.entries.contains {
            $0.key.text == "schema" && $0.value.text == LintBaseline.schema
        } ?? false
    }
}

/// By what a file is known as a workflow or a hook, which may call hawser.
package enum WorkflowMark {
    /// Folders of workflows and hooks.
    private static let folders: Set<String> = [
        ".azure-pipelines", ".buildkite", ".ci", ".circleci", ".forgejo", ".git-hooks", ".gitea",
        ".githooks", ".github", ".gitlab", ".hooks", ".husky", ".teamcity", ".tekton",
        ".woodpecker", "ci", "git-hooks", "githooks", "hooks",
    ]
    /// Files of workflows and hooks, and of programs that run tasks, in lower case.
    private static let names: Set<String> = [
        ".drone.yml", ".gitlab-ci.yaml", ".gitlab-ci.yml", ".pre-commit-config.yaml",
        ".pre-commit-config.yml", ".pre-commit-hooks.yaml", ".travis.yml", ".woodpecker.yml",
        "azure-pipelines.yaml", "azure-pipelines.yml", "bitbucket-pipelines.yml", "gnumakefile",
        "jenkinsfile", "justfile", "lefthook.yaml", "lefthook.yml", "makefile", "noxfile.py",
        "package.json", "taskfile.yaml", "taskfile.yml", "tox.ini",
    ]

    /// Whether a file runs programs by its path or its first octets. Pages are none.
    static func isOne(_ path: String, _ bytes: [UInt8]) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard let name = parts.last?.lowercased(), !name.hasSuffix(".md") else { return false }
        return bytes.starts(with: "#!".utf8) || names.contains(name)
            || parts.dropLast().contains(where: folders.contains)
    }

    /// The lines that name hawser, without the blanks around them and without comments.
    static func calls(in bytes: [UInt8]) -> [String] {
        let word = Array("hawser".utf8)
        guard !bytes.contains(0), bytes.firstRange(of: word) != nil else { return [] }
        return bytes.split { $0 == 0x0A || $0 == 0x0D }.compactMap { line in
            guard line.firstRange(of: word) != nil else { return nil }
            let text = line.drop { $0 == 0x20 || $0 == 0x09 }
            guard text.first != UInt8(ascii: "#") || text.starts(with: "#!".utf8) else {
                return nil
            }
            var end = text.endIndex
            while end > text.startIndex, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
            return String(decoding: text[..<end], as: UTF8.self)
        }
    }
}

/// Selects the files that are kept for the comparison.
package enum GuardFiles {
    /// Whether a file may have a guard in it.
    package static func mayGuard(_ path: String, _ bytes: [UInt8]) -> Bool {
        path.hasSuffix(TestGuard.ending) || path.hasSuffix(AssertionGuard.ending)
            || GuardMark.kind(of: bytes) != nil
            || WorkflowMark.isOne(path, bytes) && !WorkflowMark.calls(in: bytes).isEmpty
    }

    /// Whether a file of assertions may name another unit.
    package static func namesUnit(_ path: String, _ bytes: [UInt8]) -> Bool {
        bytes.firstRange(of: Array("unit".utf8)) != nil
    }
}
