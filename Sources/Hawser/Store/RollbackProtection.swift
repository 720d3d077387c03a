/// Whether a table that is older than one that was in force is refused, over restarts too.
public enum RollbackProtection: Hashable, Sendable {
    /// An older table is refused. The state directory holds the newest revision that was in force,
    /// with enough signatures of trusted keys. No other user can write the directory. When the disk
    /// is full the directory may hold the revision and not the table
    /// (`PolicyStoreState.stateDirectoryFailure`).
    case on
    /// An older table is refused when tables state their true revision. No key is trusted: whoever
    /// can write the source's table can give it any revision. So a file that was put back by
    /// mistake is refused, and an attacker is not kept out.
    case againstMistakes
    /// An older table may come into force, for this reason. While the process runs, an older table
    /// is refused all the same. It may come into force after a restart, or in this process when the
    /// reason was found at its start.
    case off(StateDirectoryError)

    /// The stable name of the case.
    public var code: String {
        switch self {
        case .on: return "on"
        case .againstMistakes: return "against-mistakes"
        case .off: return "off"
        }
    }

    /// Why the protection is off; nil when it is not off.
    public var reason: StateDirectoryError? {
        if case .off(let reason) = self { return reason }
        return nil
    }
}

/// The action of a store when its state directory does not prove which revision was in force, or
/// cannot record the next one.
public enum StateNeed: Hashable, Sendable {
    /// The store starts. Log, state and metrics say that rollback protection is off, and why. This
    /// is for programs that must run: when the disk is lost, the protection is lost and the service
    /// goes on.
    case wanted
    /// The store does not start. This is for programs that must not run with a policy of the past.
    ///
    /// A start is refused:
    ///
    /// - without trusted keys, because then anybody can state a revision;
    /// - without a state directory;
    /// - when the state directory cannot be read, locked and written;
    /// - when another user may open, write or exchange the state directory;
    /// - when the state directory belongs to another store;
    /// - when the tables in it are lost, damaged, or signed by other keys.
    ///
    /// **The first start.** Whoever sets up the store makes an empty folder with mode 700, owned by
    /// the user that the program runs as. An existing empty folder counts as the first start, and
    /// the log says so. A folder that does not exist is not made, because it may be a volume that
    /// is not mounted.
    ///
    /// A folder that was in use carries a mark: a file whose name begins with a dot, so that `rm -r
    /// FOLDER/*` leaves it. With the mark and without the tables, the folder was wiped, and the
    /// start is refused. The store cannot tell a first start from a folder that was removed and
    /// made again. It also cannot recognize a folder that was put back as a copy of an earlier day.
    /// So only root and this user may be able to do either.
    ///
    /// **After the start** a newer table is refused when its revision cannot be recorded in the
    /// directory (`TableRefusal.notRecorded`), because a restart could go back behind it. The table
    /// in force stays in force. A store that watches a file offers the table again by itself, after
    /// 1, 2, 4 seconds and so on. A full disk is seldom a reason: the directory has spare blocks
    /// for the record. Then the newer table is in force and its revision is known to the next
    /// start, and only the table itself is not kept.
    case required
    /// As `required` at the start. After the start a newer table is put in force even when its
    /// revision cannot be recorded. This is for programs whose next policy must not wait for a
    /// disk. Rollback protection is then off until the table is kept: a restart may go back to the
    /// table before.
    case requiredAtStart

    /// Whether the store starts only with a directory that proves which revision was in force.
    var isDemand: Bool {
        switch self {
        case .wanted: return false
        case .required, .requiredAtStart: return true
        }
    }
}
