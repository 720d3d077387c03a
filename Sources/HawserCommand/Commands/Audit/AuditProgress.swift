import PolicyTools
import Rendering
import TrustEngine

/// Prints the progress of an audit on standard error: a line that is drawn over again on a
/// terminal, and a line of JSON every ten seconds otherwise.
struct AuditProgress {
    /// The value of `--progress`.
    enum Kind: String, CaseIterable, Sendable {
        case auto, bar, json, none
    }

    private enum Form {
        case bar, json, none
    }

    private let form: Form
    /// The octets of all inputs; nil where one is a stream.
    private let total: Int?
    /// The octets that were read before this run began to judge.
    private let skipped: Int
    private let begun = ContinuousClock.now
    private var last: ContinuousClock.Instant
    private var isDrawn = false

    init(_ kind: Kind, total: Int?, skipped: Int) {
        switch kind {
        case .auto: form = StandardStreams.isTerminal(.error) ? .bar : .json
        case .bar: form = .bar
        case .json: form = .json
        case .none: form = .none
        }
        self.total = total
        self.skipped = skipped
        last = begun
    }

    /// The seconds since the beginning.
    var seconds: Double { begun.duration(to: .now) / .seconds(1) }

    /// Prints the progress, if it is time to.
    ///
    /// - Parameters:
    ///   - rows: the rows that this run has judged.
    ///   - octets: the octets of the inputs that are read.
    mutating func tell(rows: Int, octets: Int) {
        let pause: Duration
        switch form {
        case .none: return
        case .bar: pause = .milliseconds(200)
        case .json: pause = .seconds(10)
        }
        guard last.duration(to: .now) >= pause else { return }
        last = .now
        let seconds = max(seconds, 0.001)
        let rate = Double(rows) / seconds
        var left: Int?
        if let total, octets > skipped {
            left = Int(Double(total - octets) / (Double(octets - skipped) / seconds))
        }
        switch form {
        case .none: break
        case .bar:
            isDrawn = true
            StandardStreams.write("\r\u{1B}[K" + bar(rows, rate, octets, left), to: .error)
        case .json:
            let members: JSONMembers = [
                "schema": "hawser/audit-progress/1", "rows": AuditProgress.number(rows),
                "rowsPerSecond": AuditProgress.number(Int(rate)),
                "octets": AuditProgress.number(octets), "ofOctets": AuditProgress.number(total),
                "secondsLeft": AuditProgress.number(left),
            ]
            StandardStreams.write(
                JSONValue.object(members).render(.compact) + "\n", to: .error)
        }
    }

    private static func number(_ value: Int?) -> JSONValue {
        guard let value else { return .null }
        return .integer(value)
    }

    private func bar(_ rows: Int, _ rate: Double, _ octets: Int, _ left: Int?) -> String {
        let numbers = "\(rows) rows, \(Int(rate)) a second"
        guard let total, total > 0 else { return numbers }
        let share = min(1, Double(octets) / Double(total))
        let filled = Int(share * 20)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
        let end = left.map { ", \($0 / 60) min \($0 % 60) s left" } ?? ""
        return "[\(bar)] \(Int(share * 100)) %, \(numbers)\(end)"
    }

    /// Takes the bar away.
    mutating func end() {
        guard isDrawn else { return }
        isDrawn = false
        StandardStreams.write("\r\u{1B}[K", to: .error)
    }
}
