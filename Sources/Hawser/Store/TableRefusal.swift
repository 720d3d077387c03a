import TrustEngine

/// Why an offered table is not put in force.
public enum TableRefusal: Error, Hashable, Sendable {
    /// No engine can be made of it.
    case notLoaded(EngineLoaderError)
    /// Its revision is below the newest that was in force; nil when it states none and one was.
    case olderRevision(UInt64?, newest: UInt64)
    /// It states the revision in force and is another file.
    case sameRevisionOtherContent(UInt64)
    /// It waives demands, and the program loads no such table; the ids of the rules that do,
    /// sorted, `default` among them.
    case waiversNotAllowed(rules: [String])
    /// The program has something of its own against it (`PolicyStore.Configuration.admission`).
    case notAdmitted(String)

    /// The reason's stable name.
    public var code: String {
        switch self {
        case .notLoaded(let error): return error.code
        case .olderRevision: return "older-revision"
        case .sameRevisionOtherContent: return "same-revision-other-content"
        case .waiversNotAllowed: return "waivers-not-allowed"
        case .notAdmitted: return "not-admitted"
        }
    }

    /// What was found, lower case, no full stop.
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
        case .waiversNotAllowed(let rules):
            let named = rules.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
            let more = rules.count > 3 ? " and \(rules.count - 3) more" : ""
            return "it has waivers in \(named)\(more), and this program loads no table that has any"
        case .notAdmitted(let reason): return reason
        }
    }
}

/// Why a source could not hand over a table at all.
public struct SourceFailure: Error, Hashable, Sendable {
    /// The reason's stable name, one of the source's own.
    public let code: String
    /// What was found, lower case, no full stop.
    public let context: String

    /// A failure.
    public init(code: String, context: String) {
        self.code = code
        self.context = context
    }

    /// The failure to read a file.
    init(_ error: FileReadError) {
        self.init(code: error.code.rawValue, context: error.context)
    }
}

/// What became of an offered table.
public enum Offer: Sendable {
    /// It is in force.
    case installed(PolicySnapshot)
    /// It is in force already; that it is still offered confirms it.
    case unchanged
    /// The one before stays in force.
    case refused(TableRefusal)
}

/// Why there is no store: nothing that was at hand can be put in force, or the state that the
/// program requires is not sound.
public struct PolicyStoreError: Error, Hashable, Sendable {
    /// Why the source's table is none; nil when no source was asked.
    public let source: SourceFailure?
    /// Why the last table that was in force is none; nil when none is kept.
    public let lastKnownGood: SourceFailure?
    /// Why the state directory does not prove which revision was in force, where the program
    /// requires that it does (`StateNeed.required`); nil otherwise.
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

    /// The stable name.
    public var code: String { unsound == nil ? "no-usable-table" : "state-not-sound" }

    /// What was found, lower case, no full stop.
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
