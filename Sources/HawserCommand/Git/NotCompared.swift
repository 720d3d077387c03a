/// Why something could not be compared. It is never the same as "no changes": whoever meets it
/// says so, and ends with status 2.
struct NotCompared: Error, Hashable, Sendable {
    /// The reason's stable name.
    enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text after `git:` cannot be read.
        case badRevision = "bad-revision"
        /// This machine has no `git`, or it cannot be started.
        case noGit = "no-git"
        /// The folder lies in no repository, or outside the one that is asked.
        case noRepository = "no-repository"
        /// `git` refuses the repository, because another user owns it.
        case unsafeRepository = "unsafe-repository"
        /// The repository has no commit of this name.
        case unknownRevision = "unknown-revision"
        /// A name stands for more than one object.
        case ambiguousRevision = "ambiguous-revision"
        /// A shallow clone has not what was asked for, or may not have it.
        case shallowClone = "shallow-clone"
        /// Two commits have no common ancestor.
        case noMergeBase = "no-merge-base"
        /// An object is not in the repository: a partial clone, or a damaged repository.
        case missingObject = "missing-object"
        /// The revision has nothing at this path. Its whole listing was read.
        case absent
        /// The path is there, but is not a policy.
        case noPolicy = "no-policy"
        /// A symbolic link stands where a file or a folder is wanted.
        case link
        /// A submodule, whose files are in another repository.
        case submodule
        /// A file of which the repository has only a pointer of Git LFS.
        case pointer = "lfs-pointer"
        /// A path with a line break, or one that is not UTF-8, or one that leaves the repository.
        case badPath = "bad-path"
        /// The index has a merge that is not resolved.
        case unmerged
        /// A bare repository has no index.
        case noIndex = "no-index"
        /// More than the limits of LANGUAGE section 1.6 and of a unit.
        case tooLarge = "too-large"
        /// `git` did not answer in time.
        case timeLimit = "time-limit"
        /// `git` failed, or answered in a way that is not understood.
        case failed
    }

    let code: Code
    /// What was found, then what would be right. Lower case, no full stop. Not escaped: it has
    /// names that others chose.
    let context: String

    init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }
}
