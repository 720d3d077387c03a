import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// A unit with what the linter must find written into it: `«HW206:text»` around the text at which a
/// finding stands. Nothing else may be found.
struct MarkedLint {
    /// A finding's code and place, as a test compares them.
    struct Mark: Hashable, CustomStringConvertible {
        var code: String
        var text: String
        var start: Int
        var description: String { "\(code) at \(start) `\(text)`" }
    }

    /// The time of every test.
    static let time = UTCInstant(secondsSinceEpoch: 1_780_315_200)  // 2026-06-01T12:00:00Z

    private(set) var bytes: [UInt8] = []
    private(set) var marks: [Mark] = []
    private let source: String

    /// The same unit with its text changed, marks included.
    func policyText(_ change: (String) -> String) -> MarkedLint { MarkedLint(change(source)) }

    init(_ text: String) {
        source = text
        var open: [(code: String, start: Int)] = []
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "«":
                let code = rest.prefix { $0 != ":" }
                rest = rest.dropFirst(code.count + 1)
                open.append((String(code), bytes.count))
            case "»":
                guard let (code, start) = open.popLast() else { continue }
                let marked = String(decoding: bytes[start...], as: UTF8.self)
                marks.append(Mark(code: code, text: marked, start: start))
            default: bytes += Array(String(character).utf8)
            }
        }
    }

    /// The unit: this text as its `policy.yaml`, and the files beside it.
    func unit(_ files: [String: [UInt8]] = [:]) -> PolicyUnit {
        PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: bytes)],
            resources: FilesInMemory(files: MarkedLint.files.merging(files) { $1 }),
            isDirectory: true)
    }

    static func options(
        _ level: LintLevel = .default, at time: UTCInstant = MarkedLint.time
    ) -> LintOptions {
        var options = LintOptions(time: time)
        options.level = level
        return options
    }

    /// What the linter says.
    func lint(
        _ options: LintOptions = MarkedLint.options(), files: [String: [UInt8]] = [:]
    ) -> LintResult {
        Linter.lint(unit(files), options, crypto: LibCryptoBackend())
    }

    /// Holds the linter to the marks, and its words to phrases. Findings with the codes `others`
    /// are not looked at.
    @discardableResult
    func expect(
        _ options: LintOptions = MarkedLint.options(), files: [String: [UInt8]] = [:],
        says phrases: [String] = [], without others: Set<DiagnosticCode> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> LintResult {
        let result = lint(options, files: files)
        let found = result.findings.filter { !others.contains($0.code) }.map { finding in
            let span = finding.primary.span
            return Mark(
                code: finding.code.rawValue,
                text: String(
                    decoding: bytes[Int(span.start)..<Int(span.end)], as: UTF8.self),
                start: Int(span.start))
        }
        let words = result.findings.map { finding in
            ([finding.message] + finding.labels.map(\.text) + finding.help + finding.notes)
                .joined(separator: "\n")
        }.joined(separator: "\n")
        #expect(Set(found) == Set(marks), "\(words)", sourceLocation: sourceLocation)
        #expect(found.count == marks.count, "\(words)", sourceLocation: sourceLocation)
        for phrase in phrases {
            #expect(words.contains(phrase), "\(words)", sourceLocation: sourceLocation)
        }
        for finding in result.findings {
            #expect(finding.labels.count <= 3, sourceLocation: sourceLocation)
        }
        // Its fixes keep their promise, alone and beside a second mistake.
        guard result.findings.contains(where: { $0.fix != nil }) else { return result }
        let unit = self.unit(files)
        for mode in [LintFixes.Mode.safe, .all] {
            let breaches = FixPromise(unit, mode, options).breaches(against: [])
            #expect(breaches == [], "\(mode)", sourceLocation: sourceLocation)
        }
        let breaches = SecondMistake.breaches(bytes, unit, options)
        #expect(breaches == [], sourceLocation: sourceLocation)
        return result
    }

    // MARK: Files

    static let pki = Scenario()
    static let root = pki.root("Acme Root", key: .p256("lint-root"))
    static let otherRoot = pki.root("Other Root", key: .p256("lint-other-root"))

    /// What every test can name.
    static let files: [String: [UInt8]] = [
        "corp.pem": Array(root.pem.utf8), "other.pem": Array(otherRoot.pem.utf8),
    ]
}

/// Files by their path from the unit's root.
struct FilesInMemory: UnitResources {
    var files: [String: [UInt8]]

    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        guard let bytes = files[path] else {
            throw ResourceError(code: .notFound, context: "there is no such file")
        }
        return bytes
    }

    func list(_ folder: String) throws(ResourceError) -> [String] {
        let prefix = folder.isEmpty ? "" : folder + "/"
        return files.keys.filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }.filter { !$0.contains("/") }.sorted()
    }
}
