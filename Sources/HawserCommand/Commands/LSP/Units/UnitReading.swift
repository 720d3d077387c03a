import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

/// The unit that a document belongs to.
struct UnitKey: Hashable {
    /// The folder of the unit, absolute and without links; for a policy outside any unit, the
    /// folder of its file.
    let root: String
    /// The name of the only file, for a policy outside any unit.
    let file: String?
}

/// A unit as `lint` reads and lints it, with the texts of an editor in place of files.
final class UnitReading {
    let key: UnitKey
    let unit: PolicyUnit
    let options: LintOptions
    let parts: PolicyParts
    let result: LintResult
    /// The findings by the path of their file from the root; each with the files that its spans
    /// are indices into.
    let findings: [String: [Found]]

    /// A finding with the files that its spans are indices into.
    struct Found {
        let finding: Diagnostic
        let files: [SourceFile]

        /// The file of a span; nil if it belongs to none.
        func file(_ span: SourceSpan) -> SourceFile? {
            files.indices.contains(Int(span.file)) ? files[Int(span.file)] : nil
        }
    }

    /// The files of the unit that are policies, tests or assertions, with their trees, each once.
    private(set) lazy var trees: [SyntaxTree] = {
        var seen: Set<String> = []
        let others = result.testFiles.flatMap(\.trees)
        let assertions = result.assertionFiles.map { SyntaxParser.parse($0, fileIndex: 0) }
        return (result.compilation.trees + others + assertions)
            .filter { seen.insert($0.file.path).inserted }
    }()

    /// The table; nil if the policy has errors.
    private(set) lazy var table: PolicyTable? = result.compilation.policy.map {
        CompilerPipeline.table(of: $0, crypto: crypto)
    }

    /// The classes of hosts by the index of the rule that decides them; nil if the policy has
    /// errors, or there are too many.
    private(set) lazy var hostClasses: (byRule: [Int: [HostClass]], hosts: HostClasses)? =
        table.flatMap { table in
            let hosts = HostClasses([table])
            return (try? hosts.all()).map { all in
                (byRule: Dictionary(grouping: all) { $0.deciders[0] }, hosts: hosts)
            }
        }

    /// For each pattern of the policy, the other rules whose narrower patterns decide hosts inside
    /// it; patterns without such rules are left out.
    private(set) lazy var rulesInside: [HostPattern: [Int]] = {
        guard let table, let hostClasses else { return [:] }
        var inside: [HostPattern: [Int]] = [:]
        for (decider, classes) in hostClasses.byRule where decider != HostClass.byDefault {
            for one in classes {
                guard let pattern = one.pattern else { continue }
                for match in table.covering(pattern, port: one.port)
                where Int(match.rule) != decider {
                    let around = table.pattern(at: Int(match.pattern))
                    if inside[around]?.last != decider {
                        inside[around, default: []].append(decider)
                    }
                }
            }
        }
        return inside
    }()
    /// The rules that decide hosts inside a pattern, by the pattern.
    private var known: [HostPattern: [Int]] = [:]

    /// The index of each rule in the table, by its id.
    private(set) lazy var ruleIndices: [String: Int] =
        table.map { table in
            Dictionary(
                (0..<table.ruleCount).map { (table.text(table.rule(at: $0).id), $0) },
                uniquingKeysWith: { first, _ in first })
        } ?? [:]

    let crypto: any CryptoBackend

    /// Reads and lints a unit.
    ///
    /// - Parameters:
    ///   - texts: the octets of open documents, by their paths from the root.
    ///   - old: trees of earlier texts of the policies, by their paths, for less work.
    ///   - isRead: whether the unit of another folder, which an assertion compares with, may be
    ///     read.
    /// - Throws: `CommandFailure` if `lint` could not ask, in its words.
    init(
        _ key: UnitKey, texts: [String: [UInt8]], _ base: LintOptions, crypto: any CryptoBackend,
        reusing old: [String: SyntaxTree] = [:],
        reading isRead: @escaping @Sendable (String) -> Bool
    ) throws(CommandFailure) {
        let tree = OverlaidTree(
            try asking { () throws(FileReadError) in try RootFolder(path: key.root) }, texts: texts)
        let unit = try asking { () throws(FileReadError) -> PolicyUnit in
            if let file = key.file { return try UnitLoader.looseUnit(of: [file], in: tree) }
            return try UnitLoader.unit(in: tree)
        }
        let options = try LintedUnit.options(
            base, of: unit, root: key.root, in: tree, reading: isRead)
        let read = CompilerPipeline.read(unit, crypto: crypto, reusing: old)
        let result = Linter.lint(read, options, crypto: crypto)
        self.key = key
        self.unit = unit
        self.options = options
        self.crypto = crypto
        parts = read.parts
        self.result = result
        var findings: [String: [Found]] = [:]
        func add(_ some: [Diagnostic], _ files: [SourceFile]) {
            for finding in some {
                let file = Int(finding.primary.span.file)
                let path = files.indices.contains(file) ? files[file].path : ""
                findings[path, default: []].append(Found(finding: finding, files: files))
            }
        }
        add(result.findings, result.files)
        for file in result.testFiles { add(file.findings, file.files) }
        self.findings = findings
    }

    /// The rules that decide hosts inside a pattern, `HostClass.byDefault` for `default`, in the
    /// order of their indices; nil for a policy with errors, and where the policy has more patterns
    /// than are asked while somebody types.
    func deciders(of pattern: HostPattern) -> [Int]? {
        if let found = known[pattern] { return found }
        guard let table, table.patternCount <= UnitReading.mostPatterns,
            known.count < UnitReading.mostPatterns,
            let classes = try? PolicyClasses(table, inside: pattern, crypto: crypto)
        else { return nil }
        let witnesses = classes.groups.flatMap { $0.entries.map(\.witness) }
        let deciders = Set(
            witnesses.map { witness in
                table.lookUp(witness.host, port: witness.port).map { Int($0.rule) }
                    ?? HostClass.byDefault
            })
        let found = deciders.sorted { UInt(bitPattern: $0) < UInt(bitPattern: $1) }
        known[pattern] = found
        return found
    }

    private static let mostPatterns = 2_000

    /// The octets of the unit's policies.
    var octetCount: Int { unit.files.reduce(0) { $0 + $1.bytes.count } }

    /// The tree of a file, by its path from the root.
    func tree(of path: String) -> SyntaxTree? { trees.first { $0.file.path == path } }
}
