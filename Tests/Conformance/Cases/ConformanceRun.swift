import Foundation
package import TrustEngine

/// One run of the command `conformance`, its streams and its clock handed in.
package enum ConformanceRun {
    /// What a run tells whoever started it.
    package enum Status: Int32, Sendable {
        case asExpected = 0
        case notAsExpected = 1
        case couldNotAsk = 2
    }

    /// Runs a command line (without the program's name).
    ///
    /// `expectations` is the file of known divergences that holds unless the command line names
    /// another, and `notices` the file of vectors that the defaults accept with a notice; `clock`
    /// the CPU time of the thread in nanoseconds; `other` judges every case, and reports at the
    /// end, where the command line asks for libcrypto. With `second`, every case is judged again by
    /// this backend, and a difference is not as expected.
    package static func run(
        _ words: [String], expectations: String, notices: String, clock: () -> Int,
        beside other: (any OtherValidator)? = nil, second: (any CryptoBackend)? = nil,
        output: (String) -> Void, errors: (String) -> Void
    ) -> Status {
        if words.contains("--help") {
            output(RunArguments.usage)
            return .asExpected
        }
        do {
            let arguments: RunArguments
            do {
                arguments = try RunArguments(words)
            } catch {
                errors("conformance: \(error)\n\(RunArguments.usage)")
                return .couldNotAsk
            }
            return try run(
                arguments, expectations: expectations, notices: notices, clock: clock,
                beside: arguments.isBesideLibcrypto ? other : nil, second: second, output: output)
        } catch {
            errors("conformance: \(error)\n")
            return .couldNotAsk
        }
    }

    private static func run(
        _ arguments: RunArguments, expectations: String, notices: String, clock: () -> Int,
        beside other: (any OtherValidator)?, second: (any CryptoBackend)?,
        output: (String) -> Void
    ) throws -> Status {
        var report = RunReport(
            expectations: try read(
                arguments.expectations ?? expectations, Expectations.init(json:)),
            notices: arguments.isUnderDefaults
                ? try read(arguments.notices ?? notices, ExpectedNotices.init(json:)) : nil)
        let terms = CaseTerms(
            issuance: arguments.isUnderDefaults ? .report : .enforce, anchors: arguments.anchors)
        var record = RunRecord()
        var differences: [String] = []
        for file in try CaseReader.files(at: arguments.paths) {
            try CaseReader.read(file) { vector in
                guard arguments.wants(vector) else { return }
                if arguments.explains {
                    output("\(vector.id): \(vector.expected.rawValue) is expected\n")
                    output(CaseResult.explanation(of: vector, terms) + "\n")
                }
                let result: CaseResult
                if arguments.isUnderDefaults {
                    let compared = ComparedResult.of(
                        vector, anchors: arguments.anchors, clock: clock)
                    report.add(compared)
                    result = compared.reported
                } else {
                    result = CaseResult.of(vector, terms, clock: clock)
                    report.add(result)
                }
                if let second,
                    let difference = CaseResult.difference(of: vector, terms, with: second)
                {
                    differences.append("\(vector.id): \(difference)")
                }
                record.add(
                    result, libcrypto: try other?.judge(vector, ours: result, clock: clock))
            }
        }
        guard report.count > 0 else {
            throw CaseProblem("no case of these files is asked for")
        }
        output(report.text)
        if let other { output("\n" + other.report) }
        if let second {
            output(
                "\n\(report.count) cases judged again with \(type(of: second)): "
                    + "\(differences.count) differ in verdict, trace or work\n")
            for difference in differences { output("  \(difference)\n") }
        }
        if let path = arguments.json {
            try record.json().write(to: URL(filePath: path), options: .atomic)
        }
        return report.surprises.isEmpty && differences.isEmpty ? .asExpected : .notAsExpected
    }

    private static func read<List>(
        _ path: String, _ list: (Data) throws -> List
    ) throws -> List {
        guard let octets = FileManager.default.contents(atPath: path) else {
            throw CaseProblem("\(path): no such file, or it cannot be read")
        }
        do {
            return try list(octets)
        } catch {
            throw CaseProblem("\(path): \(error)")
        }
    }
}

/// Another validator that judges the cases of a run, to be compared with.
package protocol OtherValidator: AnyObject {
    /// Judges a case; `ours` is our result.
    func judge(
        _ vector: ConformanceCase, ours: CaseResult, clock: () -> Int
    ) throws -> OtherVerdict
    /// The outcome, for people.
    var report: String { get }
}

/// What another validator says of a case.
package struct OtherVerdict: Codable, Hashable, Sendable {
    package let verdict: CaseResult.Verdict
    /// In its own words; nil for an accept.
    package let reason: String?
    /// Its answer to only the certificates of our path, if it rejects a case that we accept.
    package let onPath: Answer?

    /// An answer to the certificates of one path.
    package struct Answer: Codable, Hashable, Sendable {
        package let verdict: CaseResult.Verdict
        /// In its own words; nil for an accept.
        package let reason: String?

        package init(_ verdict: CaseResult.Verdict, reason: String?) {
            self.verdict = verdict
            self.reason = reason
        }
    }

    package init(
        _ verdict: CaseResult.Verdict, reason: String? = nil, onPath: Answer? = nil
    ) {
        self.verdict = verdict
        self.reason = reason
        self.onPath = onPath
    }
}
