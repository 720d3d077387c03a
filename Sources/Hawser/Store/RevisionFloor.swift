import TrustEngine

/// The newest revision that was in force. No other table may state this revision. No table may
/// state an older revision.
struct RevisionFloor: Hashable, Sendable {
    /// The revision; nil as long as no table has stated one.
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

    /// The floor that an entry of a state directory sets.
    init(_ entry: StateRecord.Entry) {
        self.init(revision: entry.revision, fileDigest: entry.fileDigest)
    }

    /// Refuses a table that would bring back an older policy. When a revision was in force, a table
    /// without a revision is refused too, because nobody could tell whether it is older.
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
