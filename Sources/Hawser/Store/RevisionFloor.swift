import TrustEngine

/// The newest revision that was in force: no other table may state it, and none an older one.
struct RevisionFloor: Hashable, Sendable {
    /// The revision; nil as long as no table stated one.
    let revision: UInt64?
    /// The digest of the table that had it.
    let fileDigest: Digest

    init(revision: UInt64?, fileDigest: Digest) {
        self.revision = revision
        self.fileDigest = fileDigest
    }

    /// The floor that a table in force sets.
    init(_ table: CheckedTable) {
        self.init(revision: table.revision, fileDigest: table.engine.table.fileDigest)
    }

    /// The floor that a table sets which a state directory names.
    init(_ entry: StateRecord.Entry) {
        self.init(revision: entry.revision, fileDigest: entry.fileDigest)
    }

    /// Refuses a table that would take the policy back. Where a revision was in force, a table
    /// without one may be older than it and nobody could tell.
    func admit(_ table: RevisionFloor) throws(TableRefusal) {
        guard let revision else { return }
        guard let offered = table.revision, offered >= revision else {
            throw .olderRevision(table.revision, newest: revision)
        }
        if offered == revision, table.fileDigest != fileDigest {
            throw .sameRevisionOtherContent(revision)
        }
    }
}
