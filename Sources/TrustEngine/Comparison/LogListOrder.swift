// The order of log lists. A list decides which timestamps count, whose logs are independent of each
// other, and when the list is too old.

/// The log list that a behaviour judges timestamps by. Two values of one digest are the same list.
package struct LogListTerms: Hashable, Sendable {
    /// Where the logs are found.
    private enum Contents: Sendable {
        case read(LogList)
        case octets(LogListContents)
        case absent
    }

    package let digest: Digest
    private let contents: Contents

    /// A list that an engine has read.
    init(_ list: LogList) {
        digest = list.digest
        contents = .read(list)
    }

    /// A list of a policy.
    init(_ list: LogListContents) {
        digest = list.digest
        contents = .octets(list)
    }

    /// A list whose logs are not at hand.
    init(named digest: Digest) {
        self.digest = digest
        contents = .absent
    }

    /// The list; nil where its logs are not at hand or cannot be read. Cost: linear in the octets
    /// of a list that no engine has read.
    fileprivate var list: LogList? {
        switch contents {
        case .read(let list): return list
        case .octets(let list): return LogList(written: list.bytes, digest: list.digest)
        case .absent: return nil
        }
    }

    package static func == (left: LogListTerms, right: LogListTerms) -> Bool {
        left.digest == right.digest
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// The differences between the log lists of a behaviour and of the other side.
package struct LogListChange: Hashable, Sendable {
    /// SHA-256 of the two lists; nil where a side has no list.
    package let here: Digest?
    package let there: Digest?
    /// The instants at which the lists were issued; nil where a list is not at hand.
    package let issuedHere: UTCInstant?
    package let issuedThere: UTCInstant?
    /// The names of the logs that this side alone has, that the other side alone has, and of which
    /// the two lists say different things; sorted.
    package let added: [String]
    package let removed: [String]
    package let changed: [String]
    /// The logs of one name that the two sides have with different keys, sorted by name.
    package let rekeyed: [Rekeyed]
    /// The relation of the logs: a side is not weaker if each timestamp that counts for it counts
    /// for the other side, and operators that are independent here are independent there.
    package let logs: Relation
    /// The relation of the dates: the list that was issued first is too old first, so it is
    /// stricter.
    package let age: Relation
    /// Whether each timestamp of a log that is approved here is approved there, and the reverse.
    let approves: Relation

    /// A log of which the name stays and the key is replaced.
    package struct Rekeyed: Hashable, Sendable {
        /// The log's name in both lists, raw text.
        package let name: String
        /// The id of the log, which is the SHA-256 of its key.
        package let here: Digest
        package let there: Digest
    }
}

/// Compares log lists, and remembers the comparisons.
final class LogListOrder {
    private struct Pair: Hashable {
        let here: LogListTerms?
        let there: LogListTerms?
        let time: UTCInstant?
    }

    private var known: [Pair: LogListChange] = [:]
    /// The lists that were read, and the instants at which their logs change their states, sorted.
    private var read: [LogListTerms: (list: LogList?, instants: [UTCInstant])] = [:]

    /// How one list compares with another for requests that are judged at `time` or later; nil for
    /// every time. Cost: linear in the octets of both lists at the first call, then in their logs
    /// once for each instant at which a log changes its state.
    func change(
        _ here: LogListTerms?, _ there: LogListTerms?, since time: UTCInstant?
    ) -> LogListChange {
        // A list that is the same on both sides need not be read.
        let isSame = here == there
        let own = contents(of: isSame ? nil : here)
        let other = contents(of: isSame ? nil : there)
        // The states of all logs are the same at all times between two of these instants.
        let last = time.flatMap { time in
            [own, other].compactMap { $0.instants.last { $0 <= time } }.max()
        }
        let pair = Pair(here: here, there: there, time: last)
        if let found = known[pair] { return found }
        let found = LogListOrder.compare((here, own.list), (there, other.list), since: last)
        known[pair] = found
        return found
    }

    private func contents(
        of terms: LogListTerms?
    ) -> (list: LogList?, instants: [UTCInstant]) {
        guard let terms else { return (nil, []) }
        if let found = read[terms] { return found }
        let list = terms.list
        let found = (list: list, instants: Set((list?.logs.values.map(\.since) ?? [])).sorted())
        read[terms] = found
        return found
    }

    private static func compare(
        _ here: (terms: LogListTerms?, list: LogList?),
        _ there: (terms: LogListTerms?, list: LogList?), since time: UTCInstant?
    ) -> LogListChange {
        func change(
            _ own: LogList?, _ other: LogList?, added: [String] = [], removed: [String] = [],
            changed: [String] = [], rekeyed: [LogListChange.Rekeyed] = [],
            _ relations: (logs: Relation, age: Relation, approves: Relation)
        ) -> LogListChange {
            LogListChange(
                here: here.terms?.digest, there: there.terms?.digest, issuedHere: own?.issued,
                issuedThere: other?.issued, added: added, removed: removed, changed: changed,
                rekeyed: rekeyed, logs: relations.logs, age: relations.age,
                approves: relations.approves)
        }
        if here.terms == there.terms { return change(nil, nil, (.equal, .equal, .equal)) }
        guard let own = here.list, let other = there.list else {
            return change(
                here.list, there.list, (.incomparable, .incomparable, .incomparable))
        }
        let (ours, theirs) = (own.byKey, other.byKey)
        typealias Logs = [[UInt8]: TransparencyLog]
        func relation(_ isNoWeaker: (Logs, Logs) -> Bool) -> Relation {
            Relation(isNoWeaker: isNoWeaker(ours, theirs), isNoStricter: isNoWeaker(theirs, ours))
        }
        let approves = relation { $0.counts(noMoreThan: $1, since: time, approvedAlone: true) }
        let counts = relation { $0.counts(noMoreThan: $1, since: time, approvedAlone: false) }
        let operators = relation { $0.namesOperators(noMoreThan: $1) }
        func names(_ logs: Logs, without rest: Logs) -> [String] {
            logs.filter { rest[$0.key] == nil }.map(\.value.name).sorted()
        }
        return change(
            own, other, added: names(ours, without: theirs), removed: names(theirs, without: ours),
            changed: ours.compactMap { key, log in
                theirs[key].flatMap { log.isAlike($0) ? nil : log.name }
            }.sorted(), rekeyed: own.rekeyed(from: other),
            (
                counts.and(operators),
                Relation(
                    isNoWeaker: own.issued <= other.issued,
                    isNoStricter: other.issued <= own.issued), approves
            ))
    }
}

extension LogList {
    /// The logs, by their keys.
    fileprivate var byKey: [[UInt8]: TransparencyLog] {
        Dictionary(logs.values.map { ($0.keyBytes, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The logs of this list that replace a log of the same name, each of which the other list does
    /// not have.
    fileprivate func rekeyed(from other: LogList) -> [LogListChange.Rekeyed] {
        func names(_ list: LogList, without rest: LogList) -> [String: [Digest]] {
            Dictionary(
                grouping: list.logs.filter { rest.logs[$0.key] == nil }.map {
                    (name: $0.value.name, id: $0.key)
                }, by: \.name
            ).mapValues { $0.map(\.id).sorted { $0.text < $1.text } }
        }
        let former = names(other, without: self)
        return names(self, without: other).flatMap { name, ids in
            zip(ids, former[name] ?? []).map {
                LogListChange.Rekeyed(name: name, here: $0, there: $1)
            }
        }.sorted { ($0.name, $0.here.text) < ($1.name, $1.here.text) }
    }
}

extension [[UInt8]: TransparencyLog] {
    /// Whether every timestamp that counts by these logs counts as much by the others
    /// (`TransparencyJudge`). With `approvedAlone` only timestamps of approved logs count.
    fileprivate func counts(
        noMoreThan others: Self, since time: UTCInstant?, approvedAlone: Bool
    ) -> Bool {
        allSatisfy { key, log in
            guard log.canCount else { return true }
            if approvedAlone, log.state == .retired, let time, log.since <= time { return true }
            return others[key].map {
                log.counts(noMoreThan: $0, since: time, approvedAlone: approvedAlone)
            } ?? false
        }
    }

    /// Whether any timestamps of these logs have at least as many operators by the others. It is so
    /// if the others' operator of a timestamp determines the operator here: then two timestamps
    /// with two operators here have two operators there.
    fileprivate func namesOperators(noMoreThan others: Self) -> Bool {
        var operators: [String: String] = [:]
        for (key, log) in self where log.canCount {
            guard let other = others[key] else { continue }
            let former = log.previousOperators + other.previousOperators
            let ends = Set(former.map { $0.until }).sorted()
            var start = UTCInstant(secondsSinceEpoch: .min)
            for end in ends + [UTCInstant(secondsSinceEpoch: .max)] {
                // A retired log signs nothing that counts.
                if log.state == .retired, start >= log.since { break }
                let (own, theirs) = (log.operatorName(at: end), other.operatorName(at: end))
                guard operators.updateValue(own, forKey: theirs).map({ $0 == own }) ?? true else {
                    return false
                }
                if end < UTCInstant(secondsSinceEpoch: .max) { start = end.advanced(bySeconds: 1) }
            }
        }
        return true
    }
}

extension TransparencyLog {
    /// Whether a timestamp of the log can count.
    fileprivate var canCount: Bool {
        guard state != .pending, state != .rejected else { return false }
        return interval.map { $0.from < $0.until } ?? true
    }

    /// Whether every timestamp that counts by this entry of a list counts by another entry for the
    /// same log.
    fileprivate func counts(
        noMoreThan other: TransparencyLog, since time: UTCInstant?, approvedAlone: Bool
    ) -> Bool {
        guard other.takes(all: interval), isTiled || !other.isTiled else { return false }
        /// Whether the other entry's log is approved at the first instant at which this one's is.
        func isApproved(from start: UTCInstant?) -> Bool {
            guard let first = [start, time].compactMap(\.self).max() else { return false }
            return other.since <= first
        }
        switch (state, other.state) {
        case (.pending, _), (.rejected, _), (_, .readonly): return true
        case (_, .pending), (_, .rejected): return false
        case (.qualified, .qualified), (.qualified, .usable), (.usable, .qualified),
            (.usable, .usable):
            return isApproved(from: since)
        case (.readonly, .qualified), (.readonly, .usable), (.retired, .qualified),
            (.retired, .usable):
            return isApproved(from: nil)
        case (.retired, .retired): return since <= other.since
        case (.qualified, .retired), (.usable, .retired), (.readonly, .retired): return false
        }
    }

    /// Whether the log takes every certificate that a log with another interval takes.
    private func takes(all other: Interval?) -> Bool {
        guard let interval else { return true }
        guard let other else { return false }
        return interval.from <= other.from && other.until <= interval.until
    }

    /// Whether two entries say the same of a log, apart from its name.
    fileprivate func isAlike(_ other: TransparencyLog) -> Bool {
        operatorName == other.operatorName && state == other.state && since == other.since
            && interval == other.interval && isTiled == other.isTiled
            && previousOperators.elementsEqual(
                other.previousOperators, by: { $0.name == $1.name && $0.until == $1.until })
    }
}
