/// Why a folder cannot keep a store's state, did not this time, or does not prove which revision
/// was in force.
public struct StateDirectoryError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The program names no folder.
        case notConfigured = "no-state-directory"
        /// The program trusts no keys, so a revision is nobody's word.
        case noKeys = "no-trusted-keys"
        /// It is not there, or the folder that it should lie in is not.
        case missing = "state-directory-missing"
        /// It belongs to another user.
        case foreign = "state-directory-foreign"
        /// Its group, or everybody, may do something with it.
        case open = "state-directory-open"
        /// Another user may take it away, or put another folder in its place.
        case exchangeable = "state-directory-exchangeable"
        /// It keeps the state of a store of another name.
        case otherStore = "state-directory-of-other-store"
        /// Another process holds its lock, or its file system has no locks.
        case locked = "state-directory-locked"
        /// It cannot be opened or read.
        case unreadable = "state-directory-unreadable"
        /// It cannot be written: the disk is full, or mounted read-only.
        case unwritable = "state-directory-unwritable"
        /// What stands in it is not what was written there.
        case damaged = "state-directory-damaged"
        /// It was in use, and what was kept in it is gone.
        case wiped = "state-directory-wiped"
        /// Too few of the trusted keys have signed what is kept in it.
        case notSigned = "state-directory-not-signed"
    }

    /// The reason.
    public let code: Code
    /// What was found and what would be right, lower case, no full stop; names the path.
    public let context: String
}

// The words for what can be said without a look at the system.
extension StateDirectoryError {
    static let notConfigured = StateDirectoryError(
        code: .notConfigured,
        context: "no state directory is named: what was in force is forgotten when the process ends"
    )

    static let noKeys = StateDirectoryError(
        code: .noKeys,
        context: "no key is trusted: whoever writes a table writes its revision too; name the keys "
            + "that sign tables")

    /// A file that holds something else than the store wrote, and what is known all the same.
    static func damaged(_ path: String, stillKnown floor: RevisionFloor?) -> StateDirectoryError {
        StateDirectoryError(
            code: .damaged, context: "`\(path)` is not what was written there\(held(floor))")
    }

    /// A file that is gone, and what is known all the same.
    static func gone(_ path: String, stillKnown floor: RevisionFloor?) -> StateDirectoryError {
        StateDirectoryError(code: .wiped, context: "`\(path)` is gone\(held(floor))")
    }

    private static func held(_ floor: RevisionFloor?) -> String {
        guard let revision = floor?.revision else { return "" }
        return "; that revision \(revision) was in force is proved by what is left, and held"
    }

    /// A folder whose store is known and whose tables are not.
    static func wiped(_ path: String) -> StateDirectoryError {
        StateDirectoryError(
            code: .wiped,
            context: "`\(path)` was in use and what was kept in it is gone: nothing says which "
                + "revision was in force; \(compare), and where it is to begin anew, remove the "
                + "folder itself and make it again with mode 700")
    }

    /// A folder in which nothing that is left proves a revision.
    static func unproved(_ path: String, _ reason: String) -> StateDirectoryError {
        StateDirectoryError(
            code: .damaged,
            context: "`\(path)` does not prove which revision was in force: \(reason); \(compare)")
    }

    /// A table that was in force and that trusted keys have not signed.
    static func notSigned(_ path: String, _ reason: String) -> StateDirectoryError {
        StateDirectoryError(
            code: .notSigned,
            context: "`\(path)` does not prove which revision was in force: \(reason); \(compare)")
    }

    /// A newer table was in force than the one that is offered, and trusted keys have not signed
    /// it.
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

    /// A folder of a store of another name.
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
