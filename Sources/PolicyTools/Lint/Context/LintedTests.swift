package import PolicyCompiler
import Rendering
import TrustEngine

/// The test files of a unit, for the linter.
package struct LintedTests: Sendable {
    private let files: [SourceFile]
    private let resources: any UnitResources
    private let receipts: ReceiptReading?

    /// - Parameters:
    ///   - files: the test files, by their paths from the unit's root; at least one.
    ///   - resources: the files of the unit.
    package init(
        _ files: [SourceFile], resources: any UnitResources, receipts: ReceiptReading? = nil
    ) {
        self.files = files
        self.resources = resources
        self.receipts = receipts
    }

    /// The test files with their cases, compared with the policy.
    func tester(of table: PolicyTable, crypto: any CryptoBackend) -> PolicyTester {
        PolicyTester(
            table, suites: suites(crypto: crypto), resources: resources, below: "",
            receipts: receipts, crypto: crypto)
    }

    /// The test files by themselves.
    func suites(crypto: any CryptoBackend) -> [TestSuite] {
        files.map { TestFile.read($0, resources: resources, crypto: crypto) }
    }
}

/// What the linter says of one test file and the files of its cases.
package struct LintedTestFile: Sendable {
    /// The files that spans are indices into.
    package let files: [SourceFile]
    package let trees: [SyntaxTree]
    /// In source order.
    package let findings: [Diagnostic]

    init(_ suite: TestSuite, _ findings: [Diagnostic], _ options: LintOptions) {
        files = suite.files
        trees = suite.trees
        self.findings = findings.filter { options.looksFor($0.code) || $0.severity == .error }
    }
}

extension LintContext {
    /// The test files with their faults. Test files of a policy that does not compile are only
    /// read.
    var testFiles: [LintedTestFile] {
        if let tester {
            return tester.files.map { LintedTestFile($0.suite, $0.diagnostics, options) }
        }
        return options.tests?.suites(crypto: crypto)
            .map { LintedTestFile($0, $0.diagnostics, options) } ?? []
    }
}
