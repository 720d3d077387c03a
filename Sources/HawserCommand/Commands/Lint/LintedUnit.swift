import HawserYAML
import PolicyCompiler
import PolicyTools

/// The files that `lint` reads beside the policies of a unit.
enum LintedUnit {
    /// The options with the files of assertions and the tests of a unit.
    ///
    /// - Parameters:
    ///   - tree: the files of the unit, where they are not those on disk.
    ///   - isRead: whether the unit of another folder, which an assertion compares with, may be
    ///     read.
    static func options(
        _ options: LintOptions, of unit: PolicyUnit, root: String, in tree: (any UnitTree)? = nil,
        reading isRead: @escaping @Sendable (String) -> Bool = { _ in true }
    ) throws(CommandFailure) -> LintOptions {
        var options = options
        if unit.isDirectory {
            options.assertions = try AssertedUnit.inputs(of: root, unit, in: tree, reading: isRead)
        }
        options.tests = try TestRun.lintedTests(of: unit, root: root, in: tree)
        return options
    }
}
