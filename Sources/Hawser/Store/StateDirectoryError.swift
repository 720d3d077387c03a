public import TrustEngine

/// Why a folder cannot keep a store's state, why its last use failed, or why it does not prove
/// which revision was in force.
public struct StateDirectoryError: CodedError {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The program names no folder.
        case notConfigured = "no-state-directory"
        /// The program trusts no keys, so anybody can state a revision.
        case noKeys = "no-trusted-keys"
        /// The folder does not exist, or the folder above it does not exist.
        case missing = "state-directory-missing"
        /// The folder belongs to another user.
        case foreign = "state-directory-foreign"
        /// The folder's group or all users have rights to it.
        case open = "state-directory-open"
        /// Another user may remove the folder or put another folder in its place.
        case exchangeable = "state-directory-exchangeable"
        /// The folder keeps the state of a store with another name.
        case otherStore = "state-directory-of-other-store"
        /// Another process holds the folder's lock, or the file system has no locks.
        case locked = "state-directory-locked"
        /// The folder or a file in it cannot be opened or read.
        case unreadable = "state-directory-unreadable"
        /// The folder cannot be written: the disk is full, or mounted read-only.
        case unwritable = "state-directory-unwritable"
        /// The folder does not hold what was written there.
        case damaged = "state-directory-damaged"
        /// The folder was in use, and the files that were kept in it are gone.
        case wiped = "state-directory-wiped"
        /// Too few of the trusted keys have signed the table that is kept in the folder.
        case notSigned = "state-directory-not-signed"
    }

    /// The reason.
    public let code: Code
    /// What was found and what would be right: lower case, no full stop. The text names the path.
    public let context: String
    /// Whether the disk, or the user's share of it, is full.
    var isOfFullDisk = false
}

// Errors that need no look at the system.
extension StateDirectoryError {
    static let notConfigured = StateDirectoryError(
        code: .notConfigured,
        context: "no state directory is named: what was in force is forgotten when the process ends"
    )

    static let noKeys = StateDirectoryError(
        code: .noKeys,
        context: "no key is trusted: whoever writes a table writes its revision too; name the keys "
            + "that sign tables")

    /// A file does not hold what the store wrote. `floor` is the revision that other files still
    /// prove.
    static func damaged(_ path: String, stillKnown floor: RevisionFloor?) -> StateDirectoryError {
        StateDirectoryError(
            code: .damaged, context: "`\(path)` is not what was written there\(held(floor))")
    }

    /// A file holds a table that an unreleased build wrote.
    static func unreleased(_ path: String) -> StateDirectoryError {
        StateDirectoryError(
            code: .damaged,
            context: "`\(path)` was written by an unreleased build of Hawser; compile the policy "
                + "again, with a higher revision, and offer that table")
    }

    /// A file is gone. `floor` is the revision that other files still prove.
    static func gone(_ path: String, stillKnown floor: RevisionFloor?) -> StateDirectoryError {
        StateDirectoryError(code: .wiped, context: "`\(path)` is gone\(held(floor))")
    }

    private static func held(_ floor: RevisionFloor?) -> String {
        guard let revision = floor?.revision else { return "" }
        return "; that revision \(revision) was in force is proved by what is left, and held"
    }

    /// A folder carries the name of its store, and its tables are gone.
    static func wiped(_ path: String) -> StateDirectoryError {
        StateDirectoryError(
            code: .wiped,
            context: "`\(path)` was in use and what was kept in it is gone: nothing says which "
                + "revision was in force; \(compare), and where it is to begin anew, remove the "
                + "folder itself and make it again with mode 700")
    }

    /// The files that are left in a folder prove no revision.
    static func unproved(_ path: String, _ reason: String) -> StateDirectoryError {
        StateDirectoryError(
            code: .damaged,
            context: "`\(path)` does not prove which revision was in force: \(reason); \(compare)")
    }

    /// A table was in force that trusted keys have not signed.
    static func notSigned(_ path: String, _ reason: String) -> StateDirectoryError {
        StateDirectoryError(
            code: .notSigned,
            context: "`\(path)` does not prove which revision was in force: \(reason); \(compare)")
    }

    /// A newer table was in force than the offered table, and trusted keys have not signed the
    /// newer one.
    static func notSigned(
        _ path: String, newest: UInt64, offered: UInt64?
    ) -> StateDirectoryError {
        let found = offered.map { "revision \($0)" } ?? "a table without revision"
        return StateDirectoryError(
            code: .notSigned,
            context: "`\(path)` is revision \(newest) by keys that are not trusted now, and "
                + "\(found) is offered: sign revision \(newest) with the trusted keys too, or "
                + "offer a higher one")
    }

    private static let compare =
        "compare the revision in force with the newest that was published"

    /// The folder belongs to a store with another name.
    static func otherStore(
        _ path: String, of owner: String, not store: String
    ) -> StateDirectoryError {
        StateDirectoryError(
            code: .otherStore,
            context: "`\(path)` keeps the state of store `\(owner)`, and this one is "
                + "`\(store)`: give each store a folder of its own; where the store was renamed, "
                + "remove `\(path)/\(StateDirectory.lockName)` and "
                + "`\(path)/\(StateDirectory.recordName)`")
    }
}
