import CPeers

/// CPU time of the process, in nanoseconds.
enum Meter {
    /// The CPU time of a call.
    @inline(never)
    static func time(_ call: () throws -> Void) rethrows -> Int64 {
        let begin = hwpeers_cpu_time()
        try call()
        return hwpeers_cpu_time() - begin
    }

    /// What reading the clock twice takes by itself, at the least.
    static let overhead: Int64 = {
        (0..<1_000).map { _ in time {} }.min() ?? 0
    }()
}

/// Something that is measured: it does its work so many times and says how long that took.
struct Subject {
    /// The subject of the measurement, a chain in most cases.
    let chain: String
    /// The measured work.
    let name: String
    /// CPU nanoseconds of so many operations.
    ///
    /// - Throws: `WrongAnswer`, and what an engine says against its table.
    let work: (Int) throws -> Int64
}

/// A subject gave another answer than the case has. Nothing that it took counts.
struct WrongAnswer: Error, CustomStringConvertible {
    let description: String
}

/// What the subjects took in all rounds.
struct Measurement {
    private let subjects: [Subject]
    private var counts: [Int] = []
    /// Nanoseconds an operation, by subject and round.
    private(set) var rounds: [[Double]] = []

    init(_ subjects: [Subject]) {
        self.subjects = subjects
    }

    /// Runs every subject once in each round, each time in another order, with as many operations
    /// as take about `batch` nanoseconds.
    mutating func run(rounds count: Int, batch: Int64, tell: (Int) -> Void) throws {
        rounds = subjects.map { _ in [] }
        counts = try subjects.map { try Measurement.operations($0, within: batch) }
        for round in 0..<count {
            let first = subjects.count * round / count
            for place in subjects.indices {
                let index = (place + first) % subjects.count
                let time = try subjects[index].work(counts[index])
                rounds[index].append(Double(time) / Double(counts[index]))
            }
            tell(round + 1)
        }
    }

    /// Operations that take about so many nanoseconds, found by doubling.
    private static func operations(_ subject: Subject, within batch: Int64) throws -> Int {
        var count = 1
        while true {
            let time = try subject.work(count)
            if time > batch / 2 || count >= 1 << 22 {
                return max(1, Int(Double(count) * Double(batch) / Double(max(time, 1))))
            }
            count *= 2
        }
    }

    /// Everything as JSON: nanoseconds an operation by chain and subject, sorted.
    var json: String {
        var byChain: [String: [String: [Double]]] = [:]
        for (subject, times) in zip(subjects, rounds) {
            byChain[subject.chain, default: [:]][subject.name] = times
        }
        func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        let chains = byChain.sorted { $0.key < $1.key }.map { chain, subjects in
            let rows = subjects.sorted { $0.key < $1.key }.map { name, times in
                "    \"\(name)\": [\(times.map(number).joined(separator: ", "))]"
            }
            return "  \"\(chain)\": {\n\(rows.joined(separator: ",\n"))\n  }"
        }
        return "{\n\(chains.joined(separator: ",\n"))\n}\n"
    }
}
