import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

/// The units whose tests are run, with their test files.
struct TestRun {
    /// A unit with its tests.
    struct Unit {
        let root: String
        /// The folder as messages show it: from the current folder, empty if it is that folder.
        let shown: String
        /// The absolute paths of the test files.
        var files: [String]
        let unit: PolicyUnit
    }

    private(set) var units: [Unit] = []
    private let here: String

    /// Finds the tests that paths name: test files, units, or folders above several units.
    init(paths: [String]) throws(CommandFailure) {
        here = try InputFile.resolve(".")
        try PolicySource.refuseOthers(paths)
        var seen: Set<String> = []
        for path in paths.isEmpty ? [try TestRun.here()] : paths {
            for file in try TestRun.files(path, isNamed: !paths.isEmpty)
            where seen.insert(file).inserted {
                try add(file)
            }
        }
    }

    /// The folder of a command line that names nothing: the root of the unit that the current
    /// folder lies in, or the current folder.
    private static func here() throws(CommandFailure) -> String {
        try asking { () throws(FileReadError) in try UnitLoader.place(of: ".").unit ?? "." }
    }

    /// The absolute paths of the test files that a path names.
    private static func files(
        _ path: String, isNamed: Bool
    ) throws(CommandFailure) -> [String] {
        do throws(FileReadError) {
            let absolute = try NamedPath.resolve(path)
            guard NamedPath.isFolder(absolute) else {
                guard OwnFileKind(named: TestRun.name(of: absolute)) == .tests else {
                    throw FileReadError(
                        code: .notRegular,
                        context: "`\(path)` is not a test file; its name must end in `.test.yaml`")
                }
                return [absolute]
            }
            let found = try CompanionFiles.below(absolute, .tests)
            if let wrong = found.misnamed.first {
                throw FileReadError(
                    code: .notRegular,
                    context: "in `\(path)`: \(wrong.message); \(wrong.help)")
            }
            guard !found.files.isEmpty else {
                throw FileReadError(
                    code: .notFound,
                    context:
                        "there is no test file, `NAME.test.yaml`, in `\(isNamed ? path : ".")` "
                        + "or below it\(isNamed ? "" : AssertedUnit.policiesHere(page: "test.md"))")
            }
            return found.files.map { absolute == "/" ? "/\($0)" : "\(absolute)/\($0)" }
        } catch {
            throw .couldNotAsk(error.context)
        }
    }

    private mutating func add(_ file: String) throws(CommandFailure) {
        let folder = TestRun.folder(of: file)
        if let index = units.firstIndex(where: { unit in
            unit.unit.isDirectory && (folder + "/").hasPrefix(unit.root + "/")
        }) {
            units[index].files.append(file)
            return
        }
        let located = try asking { () throws(UnitLoadError) in try CompanionFiles.unit(of: file) }
        guard let located else {
            throw .couldNotAsk(
                "`\(RelativePath.path(of: file, from: here))` is the test of no policy: neither its "
                    + "folder nor one above it has a policy")
        }
        if let index = units.firstIndex(where: { $0.root == located.root }) {
            units[index].files.append(file)
            return
        }
        units.append(
            Unit(
                root: located.root, shown: RelativePath.path(of: located.root, from: here),
                files: [file], unit: located.unit))
    }

    private static func name(of file: String) -> String {
        file.split(separator: "/").last.map(String.init) ?? file
    }

    private static func folder(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/"), slash != file.startIndex else { return "" }
        return String(file[..<slash])
    }

    /// The test files of a unit, read.
    static func suites(of unit: Unit) throws(CommandFailure) -> [TestSuite] {
        var suites: [TestSuite] = []
        for file in unit.files {
            let prefix = unit.root == "/" ? 1 : unit.root.utf8.count + 1
            let path = String(decoding: file.utf8.dropFirst(prefix), as: UTF8.self)
            try asking { () throws(ResourceError) in
                let bytes = try unit.unit.resources.read(path, limit: UnitLoader.largestFile)
                suites.append(
                    TestFile.read(
                        SourceFile(path: path, bytes: bytes), resources: unit.unit.resources,
                        crypto: EngineLoader.makeBackend()))
            }
        }
        return suites
    }

    /// The test files of a unit for the linter; nil where it has none. Policies outside any unit
    /// have none: the folders below them are not theirs.
    ///
    /// - Parameter tree: the files of the unit, where they are not those on disk.
    static func lintedTests(
        of unit: PolicyUnit, root: String, in tree: (any UnitTree)? = nil
    ) throws(CommandFailure) -> LintedTests? {
        guard unit.isDirectory else { return nil }
        var files: [SourceFile] = []
        try asking { () throws(FileReadError) in
            let folder: any UnitTree
            if let tree { folder = tree } else { folder = try RootFolder(path: root) }
            for path in try CompanionFiles.below(in: folder, .tests).files {
                files.append(
                    SourceFile(
                        path: path, bytes: try folder.read(path, limit: UnitLoader.largestFile)))
            }
        }
        guard !files.isEmpty else { return nil }
        return LintedTests(files, resources: unit.resources, receipts: TestReceipts.read)
    }

    /// The names of all cases that can be read, for shells.
    func names() -> [String] {
        units.flatMap { unit in
            ((try? TestRun.suites(of: unit)) ?? []).flatMap { $0.cases.map(\.name) }
        }
    }
}

extension TestRun {
    /// The names of the cases of tests: of the paths of a command line, or of the current folder.
    static func offeredCases(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        let paths = words.filter { word in
            !word.hasPrefix("-") && NamedPath.exists(word) && word != prefix
        }
        return PolicyWords.offered(((try? TestRun(paths: paths))?.names()) ?? [])
    }
}
