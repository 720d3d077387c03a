package import PolicyCompiler
import Rendering
package import TrustEngine

/// The files of assertions of a unit, and what reading them takes.
package struct AssertionInputs: Sendable {
    /// Sorted by path from the unit's root.
    package let files: [SourceFile]
    package let resources: any UnitResources
    package let neighbours: NeighbourUnits

    package init(
        files: [SourceFile], resources: any UnitResources, neighbours: NeighbourUnits
    ) {
        self.files = files
        self.resources = resources
        self.neighbours = neighbours
    }

    /// The files that diagnostics may name, in the order of their indices.
    package var allFiles: [SourceFile] { files }

    /// What was read of every file: the assertions that are sound, with their files, and all
    /// diagnostics.
    ///
    /// - Parameters:
    ///   - first: the index of the first file in spans.
    ///   - policy: nil for a policy with errors; then no name is looked up.
    package func read(
        of policy: CheckedPolicy?, first: Int, crypto: any CryptoBackend
    ) -> (
        assertions: [(file: SourceFile, assertion: Assertion)], diagnostics: [Diagnostic],
        trees: [SyntaxTree]
    ) {
        var assertions: [(file: SourceFile, assertion: Assertion)] = []
        var diagnostics: [Diagnostic] = []
        var trees: [SyntaxTree] = []
        for (index, file) in files.enumerated() {
            let read = AssertionFile.read(
                file, index: first + index, of: policy, resources: resources, crypto: crypto)
            assertions += (read.assertions ?? []).map { (file, $0) }
            diagnostics += read.diagnostics
            trees.append(read.tree)
        }
        return (assertions, diagnostics, trees)
    }
}
