import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// One side of a comparison of guards: units, files with guards, and the contents of other files.
struct GuardSide {
    /// The policies by the folders of their units; `""` is the top.
    var policies: [String: String]
    /// The files that may have guards, by their paths from the top.
    var files: [String: String] = [:]
    /// The texts that stand for the contents of other files, by their paths from the top.
    var others: [String: String] = [:]

    /// 2026-11-21T00:00:00Z, from which on the sides are compared.
    private static let since = UTCInstant(secondsSinceEpoch: 1_795_219_200)

    /// The files that policies and tests can read.
    private static let resources = FilesInMemory(
        files: MarkedLint.files.merging(["proofs/one.crl": [0x30, 0x00]]) { $1 })

    private func tree() throws -> GuardTree {
        var units: [String: GuardTree.Policy] = [:]
        for (folder, text) in policies {
            let unit = PolicyUnit(
                files: [SourceFile(path: "policy.yaml", bytes: Array(text.utf8))],
                resources: GuardSide.resources, isDirectory: true)
            let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
            let problems = compilation.diagnostics.map(\.message)
            units[folder] = GuardTree.Policy(
                checked: try #require(compilation.policy, "\(problems)"),
                table: try #require(compilation.table))
        }
        let paths = policies.map { ($0.isEmpty ? "policy.yaml" : "\($0)/policy.yaml", $1) }
        let known = units
        return GuardTree(
            prefix: "",
            identities: Dictionary(uniqueKeysWithValues: paths)
                .merging(files) { $1 }.merging(others) { $1 },
            files: files.mapValues { Array($0.utf8) }, resources: { _ in GuardSide.resources },
            policy: { known[$0] })
    }

    /// The changes of guards from this side to another side.
    func changes(to other: GuardSide) throws -> [GuardChange] {
        GuardComparison.changes(
            from: try tree(), to: try other.tree(), of: [], since: GuardSide.since,
            crypto: LibCryptoBackend())
    }
}
