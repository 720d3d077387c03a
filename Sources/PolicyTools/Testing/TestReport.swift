package import PolicyCompiler
package import Rendering
package import TrustEngine

/// The results of a run of tests. Paths of places are relative to the folder in which the report is
/// read.
package struct TestReport: Sendable {
    /// One field that came out otherwise.
    package struct Difference: Hashable, Sendable {
        package let field: String
        package let expected: String
        package let got: String
        /// The places in the policy that made it.
        package let origins: [String]
        /// The value in the test file.
        package let place: FindingPlace
    }

    /// One case that was run.
    package struct Case: Sendable {
        package let name: String
        package let place: FindingPlace
        package let host: String
        package let port: UInt16
        package let time: UTCInstant
        /// The engine's verdict; nil for a case that is only about the policy.
        package let accepts: Bool?
        /// Empty for a case that passed.
        package let differences: [Difference]
        /// The first line of `explain` of a case that failed.
        package let firstLine: String?
        /// The command that shows the rest.
        package let command: String

        package var passes: Bool { differences.isEmpty }
    }

    /// A mistake in a test file.
    package struct Problem: Hashable, Sendable {
        package let code: String
        package let message: String
        package let place: FindingPlace
    }

    /// A test file.
    package struct File: Sendable {
        package let path: String
        /// The cases in the order of the file; none where it has a mistake.
        package let cases: [Case]
        package let problems: [Problem]
    }

    /// What the cases of a unit ask of its policy.
    package struct Measure: Sendable {
        /// The path of the unit's folder from the folder in which the report is read; empty if they
        /// are the same.
        package let folder: String
        package let coverage: PolicyCoverage
        /// The mistakes in the policy that were tried; nil where none was asked for.
        package let mutation: MutationReport?

        /// The path that a reader can open of a file of the unit.
        package func path(_ file: String) -> String { folder.isEmpty ? file : "\(folder)/\(file)" }
    }

    package private(set) var files: [File] = []
    /// One for each unit of which every case was run.
    package private(set) var measures: [Measure] = []
    /// Whether texts list the gaps of coverage; otherwise they count them.
    package let listsGaps: Bool
    /// The names of cases of which `evaluate`, `explain` and the replay did not agree.
    package private(set) var disagreements: [String] = []

    /// The test files and the files of the policies, for pages.
    package private(set) var sources: [PolicySourceFile] = []
    /// The version of the tool, by Semantic Versioning.
    package let version: String

    /// The command that shows all of the answer.
    package let command: String

    package init(listsGaps: Bool, command: String, version: String) {
        self.listsGaps = listsGaps
        self.command = command
        self.version = version
    }

    package var cases: [Case] { files.flatMap(\.cases) }
    package var failed: Int { cases.count { !$0.passes } }
    package var broken: Int { files.count { !$0.problems.isEmpty } }

    /// The last line of every text: what was run, and what was not.
    package var totals: String {
        let broken = broken
        return "\(Words.count(cases.count, "case")), \(failed) failed, "
            + Words.count(files.count, "file")
            + (broken == 0 ? "" : "; not run: \(Words.count(broken, "file")) with mistakes")
    }

    /// Adds what the cases of a unit ask of its policy.
    package mutating func add(
        _ coverage: PolicyCoverage, _ mutation: MutationReport?, below folder: String
    ) {
        measures.append(Measure(folder: folder, coverage: coverage, mutation: mutation))
    }

    /// Adds the test files of a unit.
    ///
    /// - Parameters:
    ///   - policy: the files of the policy.
    ///   - folder: the path of the unit's folder from the folder in which the report is read; empty
    ///     if they are the same.
    ///   - line: makes a command line of words.
    package mutating func add(
        _ tester: PolicyTester, _ outcomes: [TestOutcome], of policy: [SourceFile],
        below folder: String, line: ([String]) -> String
    ) {
        var seen = Set(sources.map(\.path))
        for file in tester.files.flatMap(\.suite.files) + policy {
            let path = folder.isEmpty ? file.path : "\(folder)/\(file.path)"
            guard seen.insert(path).inserted else { continue }
            sources.append(PolicySourceFile(SourceFile(file, path: path)))
        }
        var rest = outcomes[...]
        for file in tester.files {
            func place(_ span: SourceSpan) -> FindingPlace {
                let source = file.suite.files[
                    min(max(Int(span.file), 0), file.suite.files.count - 1)]
                let position = source.position(of: Int(span.start))
                return FindingPlace(
                    file: folder.isEmpty ? source.path : "\(folder)/\(source.path)",
                    line: position.line, column: position.column)
            }
            var cases: [Case] = []
            for one in file.cases {
                guard let outcome = rest.popFirst() else { break }
                if !outcome.agrees { disagreements.append(one.test.name) }
                cases.append(
                    Case(
                        name: one.test.name, place: place(one.test.place), host: one.host.text,
                        port: one.port, time: one.time,
                        accepts: outcome.observation.explanation.map { $0.verdict.isAccept },
                        differences: outcome.mismatches.map {
                            Difference(
                                field: $0.field, expected: $0.expected, got: $0.got,
                                origins: $0.origins, place: place($0.place))
                        },
                        firstLine: outcome.firstLine,
                        command: line(TestedCommand.words(one, below: folder))))
            }
            files.append(
                File(
                    path: folder.isEmpty ? file.suite.path : "\(folder)/\(file.suite.path)",
                    cases: cases,
                    problems: file.diagnostics.filter { $0.severity == .error }.map {
                        Problem(
                            code: $0.code.rawValue, message: $0.message,
                            place: place($0.primary.span))
                    }))
        }
    }
}

/// The command that shows what a case asks.
enum TestedCommand {
    /// The words of `hawser explain`, or of `hawser show` for a case that is only about the policy.
    static func words(_ one: PreparedCase, below folder: String) -> [String] {
        func path(_ path: String) -> String { folder.isEmpty ? path : "\(folder)/\(path)" }
        let policy = folder.isEmpty ? [] : ["--policy", folder]
        let host = HostWithPort.text(one.host.text, one.port)
        let test = one.test
        let store = one.judged == nil ? [] : one.system.map { ["--system-store", path($0)] } ?? []
        switch test.subject {
        case .statement: return ["hawser", "show", host] + policy + ["--all"]
        case .receipt(let receipt):
            let line = receipt.value.line.map { ":\($0)" } ?? ""
            return ["hawser", "explain", "--receipt", path(receipt.value.path) + line] + policy
                + store
        case .cleartext:
            return ["hawser", "explain", host] + policy
                + ["--cleartext", "--at", one.time.description] + store
        // `explain` takes no stated reply of filters.
        case .chain where test.filterReply != nil:
            return ["hawser", "show", host] + policy + ["--all"]
        case .chain(let chain):
            var words = ["hawser", "explain", host] + policy
            words += ["--chain", path(chain.value), "--at", one.time.description] + store
            for (option, value) in [
                ("--tls-version", test.tls.version?.name), ("--cipher-suite", test.tls.cipherSuite),
                ("--group", test.tls.group), ("--signature-scheme", test.tls.signatureScheme),
                ("--alpn", test.tls.alpn), ("--staple", test.staple.map { path($0.value) }),
                ("--sct-list", test.timestamps.map { path($0.value) }),
                ("--evidence", test.evidence.map { path($0.value) }),
            ] {
                if let value { words += [option, value] }
            }
            for response in test.ocsp { words += ["--ocsp", path(response.value)] }
            for list in test.crls { words += ["--crl", path(list.value)] }
            for check in test.assumed {
                words += ["--assume", "\(check.name.value)=\(check.answer.rawValue)"]
            }
            return words
        }
    }
}
