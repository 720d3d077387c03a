/// Whether a table that is older than one that was in force is refused, over restarts too.
public enum RollbackProtection: Hashable, Sendable {
    /// It is. The newest revision that was in force stands in the state directory, under enough
    /// signatures of trusted keys, and in no other process's hands.
    case on
    /// It is where a table says truly which revision it is. No key is trusted: whoever can write a
    /// table where the store takes it from can give it any revision. A file that was put back by
    /// mistake is found; an attacker is not.
    case againstMistakes
    /// It may not be, for this reason. While the process runs an older table is refused all the
    /// same; after a restart, or where the reason was found at the start of this process, it may
    /// come into force.
    case off(StateDirectoryError)

    /// The stable name.
    public var code: String {
        switch self {
        case .on: return "on"
        case .againstMistakes: return "against-mistakes"
        case .off: return "off"
        }
    }

    /// Why it is off; nil where it is not.
    public var reason: StateDirectoryError? {
        if case .off(let reason) = self { return reason }
        return nil
    }
}

/// What a store does at its start where its state directory does not prove which revision was in
/// force.
public enum StateNeed: Hashable, Sendable {
    /// It starts, and log, state and metrics say that rollback protection is off, and why. For
    /// programs that must run: a disk that is lost takes the protection, and not the service.
    case wanted
    /// It does not start. For programs that would rather not run than by a policy of the past.
    ///
    /// Refused is a start without trusted keys (a revision is nobody's word then), without a state
    /// directory, or with one that cannot be read, locked and written, that another user may open,
    /// write or exchange, that keeps another store's state, or whose tables are lost, damaged, or
    /// signed by other keys.
    ///
    /// **The first start.** Whoever sets the store up makes an empty folder, with mode 700 and
    /// owned by the user that the program runs as. A folder that is there and empty is taken for
    /// the first start, and the log says so. A folder that is not there is not made: it may be a
    /// volume that is not mounted. A folder that was in use carries a mark, a file whose name
    /// begins with a dot, so that `rm -r FOLDER/*` leaves it: with the mark and without the tables
    /// the folder was wiped, and the start is refused. What cannot be told from a first start is a
    /// folder that was itself removed and made again, or put back as a copy of an earlier day:
    /// whoever can do that decides, so nobody but root and this user may be able to.
    ///
    /// **After the start** a newer table is put in force even where the disk fails and it cannot be
    /// kept: a policy that trusts less must not wait for a disk. Rollback protection is then off
    /// until it is kept.
    case required
}
