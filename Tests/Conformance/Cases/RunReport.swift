package import Foundation
import PolicyTools
import Rendering

/// What a run came to, suite by suite.
package struct RunReport: Sendable {
    /// The tally of one suite.
    private struct Suite: Sendable {
        var run = 0
        var agreeing = 0
        /// Hard and soft apart.
        var divergences: [Divergence: (hard: Int, soft: Int)] = [:]
        /// Failures that issuance alone makes accepts of; no divergences.
        var noticed = 0
        var slowest: CaseResult?
        var costliest: CaseResult?
        var nanoseconds = 0

        mutating func add(_ result: CaseResult, isNoticed: Bool) {
            run += 1
            nanoseconds += result.nanoseconds
            if result.nanoseconds > slowest?.nanoseconds ?? -1 { slowest = result }
            if result.cost > costliest?.cost ?? -1 { costliest = result }
            guard !isNoticed else {
                noticed += 1
                return
            }
            guard let divergence = result.divergence else {
                agreeing += 1
                return
            }
            var count = divergences[divergence] ?? (0, 0)
            if result.vector.strength == .soft { count.soft += 1 } else { count.hard += 1 }
            divergences[divergence] = count
        }

        func count(_ divergence: Divergence) -> String {
            let count = divergences[divergence] ?? (0, 0)
            return count.soft == 0 ? "\(count.hard)" : "\(count.hard) (+\(count.soft) soft)"
        }
    }

    private let expectations: Expectations
    /// What the defaults accept with a notice; nil for a run under `enforce`.
    private let notices: ExpectedNotices?
    /// In the order in which they are met.
    private var names: [String] = []
    private var suites: [String: Suite] = [:]
    private var total = Suite()
    /// Every case that diverges.
    private var diverging: [CaseResult] = []
    /// Ids of the accepts with a notice, by demand: where the suite expects a failure, and others.
    private var noticedFailures: [String: [String]] = [:]
    private var noticedSuccesses: [String: [String]] = [:]
    private var unknownFeatures: [String: Int] = [:]
    package private(set) var surprises: [Expectations.Surprise] = []

    package init(expectations: Expectations, notices: ExpectedNotices? = nil) {
        self.expectations = expectations
        self.notices = notices
    }

    /// Number of cases taken.
    package var count: Int { total.run }

    /// Total CPU time of evaluation, nanoseconds.
    package var nanoseconds: Int { total.nanoseconds }

    /// Takes the result of one case under `enforce`.
    package mutating func add(_ result: CaseResult) {
        add(result, isNoticed: false, expectations.surprise(of: result))
    }

    /// Takes the results of one case in a run under the defaults.
    package mutating func add(_ compared: ComparedResult) {
        let result = compared.reported
        let isNoticed = compared.isNoticedFailure
        for demand in result.breaches {
            if isNoticed {
                noticedFailures[demand, default: []].append(result.vector.id)
            } else if result.vector.expected == .success {
                noticedSuccesses[demand, default: []].append(result.vector.id)
            }
        }
        let notices = notices ?? ExpectedNotices()
        add(
            result, isNoticed: isNoticed, notices.surprise(of: compared, known: expectations))
    }

    private mutating func add(
        _ result: CaseResult, isNoticed: Bool, _ surprise: Expectations.Surprise?
    ) {
        let name = result.vector.suite
        if suites[name] == nil { names.append(name) }
        suites[name, default: Suite()].add(result, isNoticed: isNoticed)
        total.add(result, isNoticed: isNoticed)
        if result.divergence != nil, !isNoticed { diverging.append(result) }
        if let surprise { surprises.append(surprise) }
        for feature in result.vector.features where !FeatureTable.knows(feature) {
            unknownFeatures[feature, default: 0] += 1
        }
    }

    /// The report for people.
    package var text: String {
        var lines = [RunReport.table(rows)]
        for feature in unknownFeatures.keys.sorted() {
            lines.append(
                "the feature `\(feature)` is not known here and was taken for a label "
                    + "(\(unknownFeatures[feature] ?? 0) cases)\n")
        }
        for result in diverging { lines.append(RunReport.paragraph(result, expectations)) }
        lines += noticeLists
        if surprises.isEmpty {
            lines.append(
                diverging.isEmpty
                    ? noticedFailures.isEmpty ? "every case agrees\n" : "every other case agrees\n"
                    : "every divergence has its entry in the expectations\n")
        } else {
            lines.append(
                "not as expected:\n"
                    + surprises.map { "  \(TerminalEscape.escape($0.sentence))\n" }.joined())
        }
        return lines.joined(separator: "\n")
    }

    /// The accepts with a notice, by demand: each vector where the suite expects a failure, and
    /// numbers for the others.
    private var noticeLists: [String] {
        guard notices != nil else { return [] }
        var lists: [String] = []
        if !noticedFailures.isEmpty {
            var list =
                "rejected under enforce as the suite expects, accepted under the defaults with "
            list += "a notice: \(total.noticed)\n"
            for (demand, ids) in noticedFailures.sorted(by: { $0.key < $1.key }) {
                list += "  \(demand): \(ids.count)\n"
                for id in ids.sorted() { list += "    \(TerminalEscape.escape(id))\n" }
            }
            lists.append(list)
        }
        if !noticedSuccesses.isEmpty {
            var list = "accepted with a notice, where the suite expects success:\n"
            for (demand, ids) in noticedSuccesses.sorted(by: { $0.key < $1.key }) {
                list += "  \(demand): \(ids.count)\n"
            }
            lists.append(list)
        }
        return lists
    }

    private var rows: [[String]] {
        var head = ["suite", "run", "agree"]
        if notices != nil { head.append("noticed") }
        head += ["false accepts", "false rejects", "declined", "slowest", "costliest"]
        var rows = [head]
        for name in names + (names.count > 1 ? [""] : []) {
            let suite = name.isEmpty ? total : suites[name] ?? Suite()
            var row = [name.isEmpty ? "total" : name, "\(suite.run)", "\(suite.agreeing)"]
            if notices != nil { row.append("\(suite.noticed)") }
            row += [
                suite.count(.falseAccept), suite.count(.falseReject), suite.count(.declined),
                suite.slowest.map { "\(RunReport.milliseconds($0.nanoseconds)) ms" } ?? "",
                suite.costliest.map { "\($0.cost) units (\($0.vector.id))" } ?? "",
            ]
            rows.append(row)
        }
        return rows
    }

    /// Columns of one width, the last one ragged.
    private static func table(_ rows: [[String]]) -> String {
        var widths = [Int](repeating: 0, count: rows.first?.count ?? 0)
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.count) }
        }
        return rows.map { row in
            let line = row.enumerated().map { index, cell in
                index == row.count - 1
                    ? cell : cell.padding(toLength: widths[index], withPad: " ", startingAt: 0)
            }
            return TerminalEscape.escape(line.joined(separator: "  ")) + "\n"
        }.joined()
    }

    /// One case that diverges: our reason beside the expected one.
    private static func paragraph(_ result: CaseResult, _ expectations: Expectations) -> String {
        let vector = result.vector
        let soft = vector.strength == .soft ? ", soft" : ""
        var lines = [
            "\(vector.id) (\(vector.suite)\(soft)): \(result.divergence?.rawValue ?? "agrees")",
            "  asked     \(Words.shortened(vector.description, to: 300))",
            "  expected  \(vector.expected.rawValue)"
                + (vector.expectedReason.map {
                    ": \(Words.shortened($0, to: 300))"
                } ?? ""),
            "  ours      \(result.verdict.rawValue)" + (result.reason.map { ": \($0)" } ?? ""),
        ]
        lines += result.sentences.map { "            \($0)" }
        if let entry = expectations.entries[vector.id] {
            lines.append("  known     \(entry.reason)")
        }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// Milliseconds with two decimals.
    package static func milliseconds(_ nanoseconds: Int) -> String {
        let hundredths = (nanoseconds + 5_000) / 10_000
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}

/// What `--json` writes: every case given, in its order.
package struct RunRecord: Codable, Sendable {
    /// One case.
    package struct Case: Codable, Hashable, Sendable {
        package let id: String
        package let verdict: CaseResult.Verdict
        /// Ids of violations, or why it is declined; null for an accept.
        package let reason: String?
        /// CPU time of one evaluation.
        package let ms: Double
        /// Cost units.
        package let cost: Int
        /// The demands in the notice of issuance; nil without that notice.
        package let breaches: [String]?
        /// What libcrypto says, where it was asked.
        package let libcrypto: OtherVerdict?

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(id, forKey: .id)
            try fields.encode(verdict, forKey: .verdict)
            // Null rather than left out.
            try fields.encode(reason, forKey: .reason)
            try fields.encode(ms, forKey: .ms)
            try fields.encode(cost, forKey: .cost)
            try fields.encodeIfPresent(breaches, forKey: .breaches)
            try fields.encodeIfPresent(libcrypto, forKey: .libcrypto)
        }
    }

    package var cases: [Case] = []

    package init() {}

    /// Takes the result of one case.
    package mutating func add(_ result: CaseResult, libcrypto: OtherVerdict? = nil) {
        cases.append(
            Case(
                id: result.vector.id, verdict: result.verdict, reason: result.reason,
                ms: Double(result.nanoseconds / 1_000) / 1_000, cost: result.cost,
                breaches: result.breaches.isEmpty ? nil : result.breaches,
                libcrypto: libcrypto))
    }

    /// The file's octets.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
