import TrustEngine

/// Why an offered table is not put in force.
public enum TableRefusal: Error, Hashable, Sendable {
    /// No engine can be made from the table.
    case notLoaded(EngineLoaderError)
    /// The table's revision is below `newest`, the newest revision that was in force. The first
    /// value is nil when the table states no revision.
    case olderRevision(UInt64?, newest: UInt64)
    /// The table states the revision in force, and its content differs.
    case sameRevisionOtherContent(UInt64)
    /// The table's terms ended at this instant (`TableTerms.expires`).
    case expired(UTCInstant)
    /// The table has waivers, and the program allows none (`Configuration.allowWaivers`). The ids
    /// of the rules that have waivers, sorted; `default` is one of them.
    case waiversNotAllowed(rules: [String])
    /// The program's own test refuses the engine (`PolicyStore.Configuration.admission`). The
    /// reason that the test gave.
    case notAdmitted(String)
    /// The table's revision cannot be recorded in the state directory, for this reason, and the
    /// program requires that (`StateNeed.required`). The same table may be put in force later.
    case notRecorded(StateDirectoryError)

    /// Whether the same octets would be refused again: the reason is the table, not the machine.
    var isOfTable: Bool {
        switch self {
        case .notLoaded, .olderRevision, .sameRevisionOtherContent, .expired, .waiversNotAllowed,
            .notAdmitted:
            return true
        case .notRecorded: return false
        }
    }

    /// The reason's stable name.
    public var code: String {
        switch self {
        case .notLoaded(let error): return error.code
        case .olderRevision: return "older-revision"
        case .sameRevisionOtherContent: return "same-revision-other-content"
        case .expired: return "table-expired"
        case .waiversNotAllowed: return "waivers-not-allowed"
        case .notAdmitted: return "not-admitted"
        case .notRecorded: return "not-recorded"
        }
    }

    /// What was found: lower case, no full stop.
    public var context: String {
        switch self {
        case .notLoaded(let error): return error.context
        case .olderRevision(let revision?, let newest):
            return
                "revision \(revision), where revision \(newest) was in force: sign a table with a "
                + "higher revision to go back to what it says"
        case .olderRevision(nil, let newest):
            return
                "it states no revision, where revision \(newest) was in force: give it a higher one"
        case .sameRevisionOtherContent(let revision):
            return "revision \(revision) is in force with other content: one revision is one table"
        case .expired(let end):
            return "its terms ended at \(end): sign it anew, or a newer one"
        case .waiversNotAllowed(let rules):
            let named = rules.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
            let more = rules.count > 3 ? " and \(rules.count - 3) more" : ""
            return "it has waivers in \(named)\(more), and this program loads no table that has any"
        case .notAdmitted(let reason): return reason
        case .notRecorded(let reason):
            return
                "its revision cannot be recorded, which the program requires: \(reason.context)"
        }
    }
}

/// Why a source could not hand over a table.
public struct SourceFailure: Error, Hashable, Sendable {
    /// The reason's stable name, which the source chooses.
    public let code: String
    /// What was found: lower case, no full stop.
    public let context: String

    /// Makes a failure from its values.
    public init(code: String, context: String) {
        self.code = code
        self.context = context
    }

    /// The failure to read a file.
    init(_ error: FileReadError) {
        self.init(code: error.code.rawValue, context: error.context)
    }
}

/// The outcome of an offer.
public enum Offer: Sendable {
    /// The table is in force now.
    case installed(PolicySnapshot)
    /// The table was in force already. The offer confirms it.
    case unchanged
    /// The table is refused. The table in force stays in force.
    case refused(TableRefusal)
}

/// Why a store cannot be made: no available table can be put in force, or the state that the
/// program requires is not sound.
public struct PolicyStoreError: Error, Hashable, Sendable {
    /// Why the source gives no usable table; nil without a source, and when `unsound` is set.
    public let source: SourceFailure?
    /// Why the table that was last in force cannot be used; nil when no table is kept, and when
    /// `unsound` is set.
    public let lastKnownGood: SourceFailure?
    /// Why the state directory does not prove which revision was in force, when the program
    /// requires a proof (`StateNeed.required`); nil otherwise.
    public let unsound: StateDirectoryError?

    init(source: SourceFailure?, lastKnownGood: SourceFailure?) {
        self.source = source
        self.lastKnownGood = lastKnownGood
        unsound = nil
    }

    init(unsound: StateDirectoryError) {
        source = nil
        lastKnownGood = nil
        self.unsound = unsound
    }

    /// The error's stable name.
    public var code: String { unsound == nil ? "no-usable-table" : "state-not-sound" }

    /// What was found: lower case, no full stop.
    public var context: String {
        if let unsound {
            return "the store requires sound state and does not start: \(unsound.context)"
        }
        var reasons: [String] = []
        if let source { reasons.append("the source: \(source.context)") }
        if let lastKnownGood {
            reasons.append("the last-known-good table: \(lastKnownGood.context)")
        }
        if reasons.isEmpty { reasons.append("no table was offered, and none is kept") }
        return "no table can be put in force; " + reasons.joined(separator: "; ")
    }
}
