import PolicyCompiler
import TrustEngine

/// One set of Chrome's constraints in the words of the language (LANGUAGE section 5). A term is
/// never weaker than Chrome's own; `ChromeRootImport` says where it is stricter.
struct ChromeAnchorTerms: Hashable {
    /// `constraints.sct`.
    var timestamps = Window()
    /// `constraints.not-before`.
    var starts = Window()
    /// `constraints.permitted-names`, canonical patterns, each once.
    var names: [String] = []

    private init() {}

    /// No term at all.
    static let none = ChromeAnchorTerms()

    /// A window in whole seconds, both ends included.
    struct Window: Hashable {
        var from: Int64?
        var until: Int64?

        /// Whether no second lies inside.
        fileprivate var isEmpty: Bool {
            guard let from, let until else { return false }
            return from > until
        }

        /// The value in flow form; nil without a limit.
        var text: String? {
            let ends = [("from", from), ("until", until)].compactMap { key, second in
                second.map { "\(key): \(UTCInstant(secondsSinceEpoch: $0))" }
            }
            return ends.isEmpty ? nil : "{ \(ends.joined(separator: ", ")) }"
        }
    }

    /// Why a set has no terms.
    enum Obstacle: Error, Hashable {
        /// The language has no word for a constraint.
        case noWord(String)
        /// No certificate can meet the constraints.
        case neverHolds
    }

    /// The terms of a set, without its versions.
    ///
    /// Chrome compares the milliseconds of a timestamp with whole seconds, the engine the seconds
    /// without their fraction. With `until` one second less, a timestamp passes only if it also
    /// passes Chrome; only the timestamp with exactly the limit's first millisecond is lost. With
    /// `from` one second more, the timestamps in the second after the limit are lost.
    ///
    /// That one valid timestamp is at or before a limit, or all are after one, is said of the
    /// earliest one.
    init(_ set: ChromeRootStore.ConstraintSet) throws(Obstacle) {
        if set.indexNotAfter != nil || set.indexAfter != nil {
            throw .noWord("an index in a log of Merkle tree certificates")
        }
        timestamps.until = try set.sctNotAfter.map { second throws(Obstacle) in
            try Self.date(second, moved: -1)
        }
        timestamps.from = try set.sctAllAfter.map { second throws(Obstacle) in
            try Self.date(second, moved: 1)
        }
        starts.until = try set.startsNotAfter.map { second throws(Obstacle) in
            try Self.date(second, moved: 0)
        }
        starts.from = try set.startsAfter.map { second throws(Obstacle) in
            try Self.date(second, moved: 1)
        }
        guard !timestamps.isEmpty, !starts.isEmpty else { throw .neverHolds }
        for name in set.permittedNames {
            for pattern in try Self.patterns(name) where !names.contains(pattern) {
                names.append(pattern)
            }
        }
    }

    /// Seconds from 1970 that the language can write as a date: up to the end of the year 9999.
    private static let dates: ClosedRange<Int64> = 0...253_402_300_799

    private static func date(_ second: Int64, moved: Int64) throws(Obstacle) -> Int64 {
        let (moved, overflow) = second.addingReportingOverflow(moved)
        guard !overflow, dates.contains(moved) else {
            throw .noWord("a date before 1970 or after the year 9999 (\(second))")
        }
        return moved
    }

    /// The patterns for a permitted subtree of DNS names: the name and all below it; with a dot
    /// before it, only all below it, as BoringSSL reads it.
    private static func patterns(_ name: String) throws(Obstacle) -> [String] {
        let isBelow = name.utf8.first == UInt8(ascii: ".")
        let base = isBelow ? String(name.dropFirst()) : name
        let problem = Obstacle.noWord("the subtree `\(name)`, which is no name of hosts")
        guard base.utf8.allSatisfy({ $0 < 0x80 }), base.utf8.last != UInt8(ascii: "."),
            let below = pattern("**.\(base)"), case .anyLabels = below.pattern.host
        else { throw problem }
        if isBelow { return [below.canonicalText] }
        guard let own = pattern(base), case .name = own.pattern.host else { throw problem }
        return [own.canonicalText, below.canonicalText]
    }

    /// A pattern without a port; nil for other texts.
    private static func pattern(_ text: String) -> ScannedHostPattern? {
        do throws(ScalarProblem) {
            let scanned = try HostPatternScanner.scan(text, in: .certificateNames)
            return scanned.pattern.port == nil ? scanned : nil
        } catch {
            // The caller says that the name has no pattern.
            return nil
        }
    }
}
