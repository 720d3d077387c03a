import ArgumentParser
import Hawser

/// The revisions of git that shells offer for `diff` and for `--base`. Nothing is offered without a
/// repository, or without `git`.
enum RevisionWords {
    /// The most names that are read of a repository.
    private static let most = 2_000
    /// The seconds that `git` has. A person who presses a key does not wait longer.
    private static let seconds = 2

    /// The branches and tags of the current folder's repository.
    static func names(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        PolicyWords.offered(names())
    }

    /// What `diff` compares: revisions, `none`, and the files of a folder. Where nothing is typed
    /// yet, the branches are left out: there may be many.
    static func policies(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        let mark = PolicyRevision.prefix
        let usual = ["HEAD", PolicyRevision.index].map { mark + $0 }
        if prefix.hasPrefix(mark) { return PolicyWords.offered(usual + names().map { mark + $0 }) }
        let revisions = prefix.isEmpty || !mark.hasPrefix(prefix) ? [] : names().map { mark + $0 }
        return PolicyWords.offered(usual + revisions + [DiffSides.none] + files(prefix))
    }

    private static func names() -> [String] {
        let arguments = [
            "for-each-ref", "--count=\(most)", "--format=%(refname:short)", "refs/heads",
            "refs/remotes", "refs/tags",
        ]
        guard let repository = try? GitRepository.open(for: ".", seconds: seconds),
            let text = try? repository.run(arguments).text
        else { return [] }
        return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("-") }
    }

    /// The entries of the folder that the beginning of a path names, with that folder.
    private static func files(_ prefix: String) -> [String] {
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let isHiddenAsked = prefix[folder.endIndex...].hasPrefix(".")
        guard let root = try? RootFolder(path: folder.isEmpty ? "." : folder),
            let entries = try? root.entries(of: "")
        else { return [] }
        // Bash adds the mark of a folder itself.
        let mark = CompletionShell.requesting == .bash ? "" : "/"
        return entries.filter { isHiddenAsked || !$0.name.hasPrefix(".") }
            .map {
                folder + $0.name + ($0.kind == .folder || $0.kind.isLinkToFolder ? mark : "")
            }
    }
}
