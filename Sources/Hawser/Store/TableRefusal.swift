public import TrustEngine

/// Why an offered table is not put in force.
public struct TableRefusal: CodedError {
    /// The reason's stable name: a code of `TableLoadError`, or one of the codes of refusals, such
    /// as `ErrorCode.olderRevision`.
    public let code: ErrorCode
    /// What was found: lower case, no full stop.
    public let context: String
    /// Whether the same octets would be refused again: the reason is the table, not the machine.
    let isOfTable: Bool

    private init(_ code: ErrorCode, isOfTable: Bool = true, _ context: String) {
        self.code = code
        self.context = context
        self.isOfTable = isOfTable
    }

    /// No engine can be made from the table.
    static func notLoaded(_ error: TableLoadError) -> TableRefusal {
        TableRefusal(error.code, error.context)
    }

    /// The table's revision is below `newest`. `revision` is nil when the table states none.
    static func olderRevision(_ revision: UInt64?, newest: UInt64) -> TableRefusal {
        TableRefusal(
            .olderRevision,
            revision.map {
                "revision \($0), where revision \(newest) was in force: sign a table with a "
                    + "higher revision to go back to what it says"
            }
                ?? "it states no revision, where revision \(newest) was in force: give it a higher "
                + "one")
    }

    /// The table states the revision in force, and its content differs.
    static func sameRevisionOtherContent(_ revision: UInt64) -> TableRefusal {
        TableRefusal(
            .sameRevisionOtherContent,
            "revision \(revision) is in force with other content: one revision is one table")
    }

    /// The table's terms ended at this instant.
    static func expired(_ end: UTCInstant) -> TableRefusal {
        TableRefusal(
            .tableExpired, "its terms ended at \(end): sign it anew, or a newer one")
    }

    /// The table has waivers in these rules, whose ids are sorted.
    static func waiversNotAllowed(rules: [String]) -> TableRefusal {
        let named = rules.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
        let more = rules.count > 3 ? " and \(rules.count - 3) more" : ""
        return TableRefusal(
            .waiversNotAllowed,
            "it has waivers in \(named)\(more), and this program loads no table that has any")
    }

    /// The program's own test refuses the engine.
    static func notAdmitted(_ reason: String) -> TableRefusal {
        TableRefusal(.notAdmitted, reason)
    }

    /// The table's revision cannot be recorded in the state directory.
    static func notRecorded(_ reason: StateDirectoryError) -> TableRefusal {
        TableRefusal(
            .notRecorded, isOfTable: false,
            "its revision cannot be recorded, which the program requires: \(reason.context)")
    }
}

// Computed, so that no lock of Swift's runtime is taken for them in a child after `fork`.
extension ErrorCode {
    /// The table's revision is below the newest revision that was in force, or it states none.
    public static var olderRevision: ErrorCode { "older-revision" }
    /// The table states the revision in force, and its content differs.
    public static var sameRevisionOtherContent: ErrorCode { "same-revision-other-content" }
    /// The table's terms ended (`TableTerms.expires`).
    public static var tableExpired: ErrorCode { "table-expired" }
    /// The table has waivers, and the program allows none (`Configuration.allowWaivers`).
    public static var waiversNotAllowed: ErrorCode { "waivers-not-allowed" }
    /// The program's own test refuses the engine (`PolicyStore.Configuration.admission`).
    public static var notAdmitted: ErrorCode { "not-admitted" }
    /// The table's revision cannot be recorded in the state directory, and the program requires
    /// that (`StateNeed.required`). The same table may be put in force later.
    public static var notRecorded: ErrorCode { "not-recorded" }
}

/// Why a source could not hand over a table.
public struct SourceFailure: CodedError {
    /// The reason's stable name, which the source chooses.
    public let code: ErrorCode
    /// What was found: lower case, no full stop.
    public let context: String

    /// Makes a failure from its values.
    public init(code: ErrorCode, context: String) {
        self.code = code
        self.context = context
    }

    /// The failure to read a file.
    init(_ error: FileReadError) {
        self.init(code: ErrorCode(error.code), context: error.context)
    }
}

extension PolicyStore {
    /// The outcome of an offer.
    public enum OfferOutcome: Sendable {
        /// The table is in force now.
        case installed(PolicySnapshot)
        /// The table was in force already. The offer confirms it.
        case unchanged
        /// The table is refused. The table in force stays in force.
        case refused(TableRefusal)
    }
}

/// Why a store cannot be made: no available table can be put in force, or the state that the
/// program requires is not sound.
public struct PolicyStoreError: CodedError {
    /// Stable names of the reasons.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// No available table can be put in force.
        case noUsableTable = "no-usable-table"
        /// The program requires sound state, and the state directory proves none.
        case stateNotSound = "state-not-sound"
    }

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
    public var code: Code { unsound == nil ? .noUsableTable : .stateNotSound }

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
