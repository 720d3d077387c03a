import Hawser
import PolicyTools
import TrustEngine

/// Reads what a history says of one host.
struct HostHistoryReader {
    private let history: GitHistory
    private let unit: UnitHistory
    private let host: CanonicalHost
    private let port: UInt16
    private var failures: [HostHistory.Failure] = []
    private var changes: [Pair: HostChange?] = [:]

    /// Two versions of the unit.
    private struct Pair: Hashable {
        let old: UnitHistory.Key
        let new: UnitHistory.Key
    }

    /// A version that a commit is compared with.
    private struct Former {
        let key: UnitHistory.Key?
        let table: HistoricTable
        /// The commits in between whose policies cannot be asked.
        let skipped: Int
    }

    init(_ history: GitHistory, path: String, host: CanonicalHost, port: UInt16) {
        self.history = history
        unit = UnitHistory(history, path: path)
        self.host = host
        self.port = port
    }

    /// What was read, for the last line of an answer.
    var versions: Int { unit.count }
    /// The commits that could not be asked.
    var notCompared: [HostHistory.Failure] { failures }

    // MARK: Changes

    /// The commits at which the host's behaviour changed, newest first. A commit is compared with
    /// its first parent. A merge of the main line is a change of its own. A merge off the
    /// main line counts only where it differs from each of its parents.
    ///
    /// - Parameter ids: the commits that are asked about, newest first.
    mutating func entries(_ ids: [String]) throws(NotCompared) -> [HostHistory.Entry] {
        let asked = Set(ids)
        let merges = try merges(ids, asked)
        var entries: [HostHistory.Entry] = []
        for id in ids {
            let commit = try history.commit(id)
            let merge = try merges[id].map { merge throws(NotCompared) in try history.commit(merge)
            }
            guard let (change, skipped) = try change(of: commit, isOnMainLine: merge == nil) else {
                continue
            }
            entries.append(
                HostHistory.Entry(
                    commit: commit.facts, change: change, mergedBy: merge?.facts,
                    skipped: skipped))
        }
        return entries
    }

    /// For the commits off the main line, the commit of the main line that brought them.
    private func merges(
        _ ids: [String], _ asked: Set<String>
    ) throws(NotCompared) -> [String: String] {
        var line: [String] = []
        var next = ids.first
        while let id = next, asked.contains(id) {
            line.append(id)
            next = try history.commit(id).parents.first
        }
        let main = Set(line)
        var found: [String: String] = [:]
        for id in line.reversed() {
            var open = Array(try history.commit(id).parents.dropFirst())
            while let inner = open.popLast() {
                guard asked.contains(inner), !main.contains(inner), found[inner] == nil else {
                    continue
                }
                found[inner] = id
                open += try history.commit(inner).parents
            }
        }
        return found
    }

    private mutating func change(
        of commit: GitHistory.Commit, isOnMainLine: Bool
    ) throws(NotCompared) -> (HostChange, skipped: Int)? {
        let key = try unit.key(commit)
        let version = try unit.version(commit)
        let parent: GitHistory.Commit?
        do throws(NotCompared) {
            parent = try commit.parents.first.map { id throws(NotCompared) in
                try history.commit(id)
            }
        } catch {
            guard history.repository.isShallow, error.code == .missingObject else { throw error }
            fail(
                commit,
                "its parent is not in this repository, which is a shallow clone; fetch the history "
                    + "first: `git fetch --unshallow`")
            return nil
        }
        let isNew =
            try parent.map { parent throws(NotCompared) in
                try unit.key(parent) != key
            } ?? true
        guard isNew else { return nil }
        guard case .table(let table) = version else {
            if case .failed(let reason) = version { fail(commit, reason) }
            return nil
        }
        let former = try former(parent)
        guard let change = change(from: former, to: table, key) else { return nil }
        guard isOnMainLine || commit.parents.count < 2 else {
            for id in commit.parents.dropFirst() {
                let other = try self.former(try history.commit(id))
                if self.change(from: other, to: table, key) == nil { return nil }
            }
            return (change, former.skipped)
        }
        return (change, former.skipped)
    }

    private mutating func fail(_ commit: GitHistory.Commit, _ reason: String) {
        failures.append(HostHistory.Failure(commit: commit.facts, reason: reason))
    }

    /// The nearest version from a commit backwards that can be asked; before the first commit every
    /// host is denied.
    private func former(_ first: GitHistory.Commit?) throws(NotCompared) -> Former {
        var skipped = 0
        var commit = first
        while let own = commit {
            if case .table(let table) = try unit.version(own) {
                return Former(key: try unit.key(own), table: table, skipped: skipped)
            }
            skipped += 1
            commit = try own.parents.first.map { id throws(NotCompared) in try history.commit(id) }
        }
        return Former(
            key: nil, table: HistoricTable(PolicySource.tableOfNone()), skipped: skipped)
    }

    private mutating func change(
        from former: Former, to table: HistoricTable, _ key: UnitHistory.Key
    ) -> HostChange? {
        func compare() -> HostChange? {
            HostChange.between(
                former.table, table, host: host, port: port, crypto: EngineLoader.crypto)
        }
        guard let old = former.key else { return compare() }
        if old == key { return nil }
        let pair = Pair(old: old, new: key)
        if let known = changes[pair] { return known }
        let change = compare()
        changes[pair] = .some(change)
        return change
    }

    // MARK: Speakers

    /// The versions that were the last ones of the main line at some time between two instants,
    /// oldest first, each with who could have spoken for the host.
    ///
    /// - Parameter ids: the commits of the main line, newest first.
    mutating func reigns(
        _ ids: [String], from start: UTCInstant, through end: UTCInstant
    ) throws(NotCompared) -> [HostHistory.Reign] {
        var line: [GitHistory.Commit] = []
        for id in ids.reversed() { line.append(try history.commit(id)) }
        let dates = line.map(\.facts.committed)
        let isInOrder = HostHistoryReader.inOrder(dates)
        // The dates in order before or at each commit, and after it.
        var starts: [UTCInstant?] = []
        for (date, counts) in zip(dates, isInOrder) {
            starts.append(counts ? date : starts.last ?? nil)
        }
        var ends = [UTCInstant?](repeating: nil, count: dates.count)
        for index in dates.indices.dropLast().reversed() {
            ends[index] = isInOrder[index + 1] ? dates[index + 1] : ends[index + 1]
        }
        var reigns: [HostHistory.Reign] = []
        var last: UnitHistory.Key?
        for (index, commit) in line.enumerated() {
            let (from, until) = (starts[index], ends[index])
            guard from.map({ $0 <= end }) ?? true, until.map({ start < $0 }) ?? true else {
                continue
            }
            let key = try unit.key(commit)
            switch try unit.version(commit) {
            case .failed(let reason): fail(commit, reason)
            case .table(let table):
                // A commit that leaves the unit as it was goes on with the version before.
                if key == last, isInOrder[index], let former = reigns.last, former.isSure {
                    reigns[reigns.count - 1] = HostHistory.Reign(
                        commit: former.commit, from: former.from, until: until,
                        isSure: former.isSure, speakers: former.speakers)
                    continue
                }
                reigns.append(
                    HostHistory.Reign(
                        commit: commit.facts, from: from, until: until, isSure: isInOrder[index],
                        speakers: HostSpeakers(
                            table, host: host, port: port, from: max(start, from ?? start),
                            through: min(end, until ?? end), crypto: EngineLoader.crypto)))
            }
            last = key
        }
        return reigns
    }

    /// Which commits have dates in order: the most of them whose dates do not decrease. Where one
    /// commit has a false date, it is the only one out of order.
    ///
    /// Cost: O(n log n).
    static func inOrder(_ dates: [UTCInstant]) -> [Bool] {
        // For each length, the index of the smallest last date of a sequence of that length.
        var ends: [Int] = []
        var previous: [Int?] = []
        for (index, date) in dates.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if dates[ends[middle]] <= date { low = middle + 1 } else { high = middle }
            }
            previous.append(low == 0 ? nil : ends[low - 1])
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var found = [Bool](repeating: false, count: dates.count)
        var next = ends.last
        while let index = next {
            found[index] = true
            next = previous[index]
        }
        return found
    }
}
