package import PolicyCompiler
package import Rendering
package import TrustEngine

/// The folder of a unit.
package struct UnitFolder: Hashable, Sendable {
    /// The path from the folder in which a report is read; empty where it is that folder.
    package let path: String

    package init(_ path: String) { self.path = path }

    /// A file of the unit by its path from the folder in which the report is read.
    func path(_ file: String) -> String { path.isEmpty ? file : "\(path)/\(file)" }
}

/// What a run of `assert` found, with what the formats need besides.
package struct AssertionReport: Sendable {
    /// The assertions of one unit.
    package struct Unit: Sendable {
        package let folder: UnitFolder
        /// SHA-256 of the policy's meaning.
        package let policyDigest: Digest
        /// By file, then in source order.
        package let results: [AssertionResult]
        /// The files of the policy and of its assertions, for pages.
        package let sources: [PolicySourceFile]

        package init(
            folder: String, policyDigest: Digest, results: [AssertionResult], files: [SourceFile]
        ) {
            let folder = UnitFolder(folder)
            self.folder = folder
            self.policyDigest = policyDigest
            self.results = results
            sources = files.map { PolicySourceFile(SourceFile($0, path: folder.path($0.path))) }
        }
    }

    package enum Outcome: Sendable {
        /// At least one assertion was answered. Assertions without a first instant begin at `at`.
        case answered([Unit], at: UTCInstant)
        /// Why none was. It is never "proved".
        case notAsked(AnswerFailure)
    }

    package let outcome: Outcome
    /// The command line that asks the same again.
    package let command: String
    /// The version of the tool, by Semantic Versioning.
    package let version: String

    package init(_ outcome: Outcome, command: String, version: String) {
        self.outcome = outcome
        self.command = command
        self.version = version
    }

    /// The units; none where nothing was asked.
    package var units: [Unit] {
        switch outcome {
        case .answered(let units, _): return units
        case .notAsked: return []
        }
    }

    /// Every result with its unit, in order.
    var results: [(unit: Unit, result: AssertionResult)] {
        units.flatMap { unit in unit.results.map { (unit, $0) } }
    }

    /// Whether every assertion is proved.
    package var isProved: Bool { results.allSatisfy(\.result.isProved) }
}

/// One place that a report annotates: what a demand of an assertion lacks, in one group of classes.
struct AssertionFinding {
    /// What a finding says.
    enum Kind: String, CaseIterable {
        case refuted = "assertion-refuted"
        case stale = "assertion-stale"
    }

    let kind: Kind
    let unit: AssertionReport.Unit
    let result: AssertionResult
    /// Nil where the assertion is stale.
    let refutation: AssertionRefutation?

    /// The findings of a report, in its order.
    static func all(_ report: AssertionReport) -> [AssertionFinding] {
        report.results.flatMap { unit, result -> [AssertionFinding] in
            switch result.verdict {
            case .proved: return []
            case .refuted(let list):
                return list.map {
                    AssertionFinding(kind: .refuted, unit: unit, result: result, refutation: $0)
                }
            case .stale:
                return [
                    AssertionFinding(kind: .stale, unit: unit, result: result, refutation: nil)
                ]
            }
        }
    }

    /// The place of the assertion in its own file.
    var assertionPlace: FindingPlace { AssertionFinding.place(of: result, in: unit.folder) }

    static func place(
        of result: AssertionResult, in unit: UnitFolder
    ) -> FindingPlace {
        let start = result.file.position(of: Int(result.assertion.id.span.start))
        return FindingPlace(
            file: unit.path(result.file.path), line: Int(start.line), column: Int(start.column))
    }

    /// The places in the policy: of the first gap that has one, or of the rule; then the others.
    var policyPlaces: [FindingPlace] {
        guard let refutation else { return [] }
        var found: [FindingPlace] = []
        for location in refutation.gaps.map({ $0.origin?.location }) + [refutation.rule.location] {
            guard let location else { continue }
            let place = FindingPlace(
                file: unit.folder.path(location.file), line: Int(location.line),
                column: Int(location.column))
            if !found.contains(place) { found.append(place) }
        }
        return found
    }

    /// The file, the assertion, the rule and the demand: the same wherever the lines are.
    var fingerprint: String {
        var hash = StableHash()
        for part in [
            unit.folder.path(result.file.path), result.assertion.id.value, kind.rawValue,
            refutation?.rule.id ?? "", refutation?.demand.key.rawValue ?? "",
            refutation?.hosts.pattern ?? "",
        ] {
            hash.combine(part.utf8)
        }
        return hash.digits
    }

    /// The whole finding in lines.
    var lines: [String] {
        [AssertionSentences.headline(result)] + AssertionSentences.background(result)
            + (refutation.map { AssertionSentences.lines($0, in: unit.folder) } ?? [])
    }
}
