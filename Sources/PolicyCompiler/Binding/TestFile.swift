package import TrustEngine

/// A test file and the cases of the folders that it names, as they were read.
package struct TestSuite: Sendable {
    /// The test file, then the file of each case in a folder of its own. Spans are indices into
    /// this list, after the files that the caller counts before it.
    package let files: [SourceFile]
    /// The trees of these files, in the same order.
    package let trees: [SyntaxTree]
    /// The cases of the test file in source order, then those in folders, by their paths.
    package let cases: [TestCase]
    /// The clock of the cases that have none.
    package let at: Located<UTCInstant>?
    /// The file that stands for the machine's store in the cases that name none.
    package let system: Located<String>?
    /// In source order.
    package let diagnostics: [Diagnostic]

    /// The path of the test file from the unit's root.
    package var path: String { files.first?.path ?? "" }
    /// Whether a diagnostic is an error. Then no case is run.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    package init(
        files: [SourceFile], trees: [SyntaxTree], cases: [TestCase], at: Located<UTCInstant>?,
        system: Located<String>?, diagnostics: [Diagnostic]
    ) {
        self.files = files
        self.trees = trees
        self.cases = cases
        self.at = at
        self.system = system
        self.diagnostics = diagnostics
    }
}

/// Reads test files, which `hawser test` names: strict YAML of its own shape
/// (`grammar/test.schema.json`), with the diagnostics of policies.
package enum TestFile {
    /// The name of the file that makes a folder a case.
    package static let requestName = "request.yaml"

    /// The most folders that are searched for cases of one test file.
    static let mostFolders = 100_000

    /// Reads a test file and the cases of its folders. What the file says of a policy is not
    /// compared with the policy here.
    ///
    /// - Parameters:
    ///   - file: the test file, by its path from the unit's root.
    ///   - resources: the files of the unit.
    ///   - firstFile: the number of the first file in spans.
    package static func read(
        _ file: SourceFile, resources: any UnitResources, firstFile: Int = 0,
        crypto: any CryptoBackend
    ) -> TestSuite {
        let reader = TestFileReader(resources, firstFile: firstFile, crypto: crypto)
        return reader.read(file)
    }

    /// Reads the file of one case in a folder of its own, as a test file beside the folder of cases
    /// would.
    ///
    /// - Parameters:
    ///   - file: `request.yaml`, by its path from the unit's root.
    ///   - testFile: the path of the test file, from whose folder `system` counts.
    package static func readRequest(
        _ file: SourceFile, of testFile: String, crypto: any CryptoBackend
    ) -> (requested: TestCase?, diagnostics: [Diagnostic]) {
        let reader = TestFileReader(FilesOfMemory(), firstFile: 0, crypto: crypto)
        return reader.readRequest(file, of: testFile)
    }
}

/// Reads one test file and the files of its cases.
private final class TestFileReader {
    private let resources: any UnitResources
    private let firstFile: Int
    private let binder: Binder
    private var trees: [SyntaxTree] = []
    private var cases: [TestCase] = []
    /// The span of the name of each case.
    private var names: [String: SourceSpan] = [:]

    init(_ resources: any UnitResources, firstFile: Int, crypto: any CryptoBackend) {
        self.resources = resources
        self.firstFile = firstFile
        binder = Binder(
            PolicyUnit(files: [], resources: resources, isDirectory: false), crypto: crypto)
    }

    func read(_ file: SourceFile) -> TestSuite {
        let tree = parse(file)
        var at: Located<UTCInstant>?
        var system: Located<String>?
        binder.currentPath = file.path
        if let map = binder.bindTestFile(tree) {
            at = binder.instant(map["at"], path: "at")
            system = binder.path(map["system"], path: "system")
            if let section = map["cases"],
                binder.requireMap(section.value, for: "cases", example: section.shape.example)
            {
                bind(section)
            }
            if let folders = map["folders"] { bind(folders: folders, of: file) }
            if map["cases"] == nil, map["folders"] == nil, !map.mayHold("cases"),
                !map.mayHold("folders"), let first = map.node.entries.first
            {
                binder.report(
                    .emptyTest, "the file has no case, so nothing is tested", at: first.key.span,
                    help: [
                        "write cases, for example `\(TestFields.file.key("cases")?.example ?? "")`"
                    ])
            }
        }
        return TestSuite(
            files: trees.map(\.file), trees: trees, cases: cases, at: at, system: system,
            diagnostics: diagnostics())
    }

    func readRequest(
        _ file: SourceFile, of testFile: String
    ) -> (requested: TestCase?, diagnostics: [Diagnostic]) {
        add(request: file, of: testFile)
        return (cases.first, diagnostics())
    }

    private func diagnostics() -> [Diagnostic] {
        DiagnosticCollector.sorted(
            Binder.helped(trees.flatMap(\.diagnostics), by: binder.emptyHelp) + binder.diagnostics)
    }

    private func parse(_ file: SourceFile) -> SyntaxTree {
        let nodes = trees.reduce(0) { $0 + $1.nodes.count }
        let tree = SyntaxParser.parse(
            file, fileIndex: firstFile + trees.count,
            mostNodes: max(TreeBuilder.mostNodes - nodes, 0))
        trees.append(tree)
        return tree
    }

    // MARK: Cases

    private func bind(_ section: MapEntry) {
        for (key, value) in section.value.entries {
            guard let id = binder.id(key) else { continue }
            let example = binder.entryExample(id.value, in: section.shape.example)
            binder.noteUnread(value, key: key, example: example, isRequired: true)
            let shape = TestFields.testCase
            guard let map = binder.section(value, shape: shape, name: id.value, example: example)
            else { continue }
            take(binder.bindTestCase(id, map, systemFrom: binder.currentPath))
        }
    }

    private func take(_ one: TestCase?) {
        guard let one else { return }
        if let first = names[one.name] {
            binder.report(
                .duplicateId, "the case `\(one.name)` is there twice; a name stands for one case",
                at: one.place, labels: [Diagnostic.Label(first, "first here")],
                help: ["rename one of the two, or remove it"])
            return
        }
        names[one.name] = one.place
        cases.append(one)
    }

    // MARK: Folders

    private func bind(folders entry: MapEntry, of file: SourceFile) {
        let (bound, _) = binder.list(entry, path: "folders") {
            binder.folder($0, example: entry.shape.example)
        }
        for folder in bound.items {
            do throws(ResourceError) {
                if try !addCases(below: folder.value, named: folder.span, of: file) {
                    binder.report(
                        .emptyTest,
                        "no folder in `\(folder.value)` has a `\(TestFile.requestName)`, so nothing "
                            + "is tested", at: folder.span,
                        help: ["a case is a folder with a `\(TestFile.requestName)`"])
                }
            } catch {
                binder.report(
                    .emptyTest, "the folder cannot be read: \(error.context)", at: folder.span)
            }
        }
    }

    /// Adds every case below a folder, by the order of the paths. Hidden folders are skipped.
    /// Returns whether there was one.
    private func addCases(
        below folder: String, named span: SourceSpan, of testFile: SourceFile
    ) throws(ResourceError) -> Bool {
        var found: [SourceFile] = []
        var open = [folder]
        var seen = 0
        var isFound = false
        while let next = open.popLast() {
            seen += 1
            guard seen <= TestFile.mostFolders else {
                throw ResourceError(
                    code: .tooLarge,
                    context: "`\(folder)` has more than \(TestFile.mostFolders) folders")
            }
            for name in try resources.folders(next) where !name.hasPrefix(".") {
                open.append(next.isEmpty ? name : "\(next)/\(name)")
            }
            let path = next.isEmpty ? TestFile.requestName : "\(next)/\(TestFile.requestName)"
            do throws(ResourceError) {
                found.append(
                    SourceFile(
                        path: path, bytes: try resources.read(path, limit: UnitFiles.limit)))
            } catch {
                guard error.code != .notFound else { continue }
                isFound = true
                binder.report(
                    .emptyTest, "a case cannot be read: \(error.context)", at: span)
            }
        }
        for file in found.sorted(by: { $0.path < $1.path }) {
            add(request: file, of: testFile.path)
        }
        return isFound || !found.isEmpty
    }

    /// Adds the case of a `request.yaml`.
    private func add(request file: SourceFile, of testFile: String) {
        let tree = parse(file)
        binder.currentPath = file.path
        defer { binder.currentPath = testFile }
        let start = SourceSpan(file: tree.fileIndex, start: 0, end: 0)
        let parts = file.path.split(separator: "/")
        let name = parts.count > 1 ? String(parts[parts.count - 2]) : "request"
        guard let root = tree.root else {
            if tree.diagnostics.allSatisfy({ $0.severity < .error }) {
                binder.report(.emptyTest, "the file holds no case", at: start)
            }
            return
        }
        let shape = TestFields.testCase
        guard
            let map = binder.section(
                root, shape: shape, name: TestFile.requestName, example: "host: pay.example")
        else { return }
        let place = root.entries.first?.key.span ?? start
        take(
            binder.bindTestCase(
                Located(value: name, span: place), map, systemFrom: testFile))
    }
}

extension Binder {
    /// The keys of a test file that could be read; nil if nothing could.
    fileprivate func bindTestFile(_ tree: SyntaxTree) -> MapContents? {
        guard let root = tree.root else {
            if tree.diagnostics.allSatisfy({ $0.severity < .error }) {
                report(
                    .noVersion, "the file holds no tests; it begins with `hawser-test: 1`",
                    at: SourceSpan(file: tree.fileIndex, start: 0, end: 0))
            }
            return nil
        }
        guard root.kind == .map else {
            if root.kind != .error {
                report(
                    .wrongType, "a test file is a map; found \(found(root))", at: root.span,
                    help: ["it begins with `hawser-test: 1`"])
            }
            return nil
        }
        bindVersion(root, key: "hawser-test")
        return contents(of: root, shape: TestFields.file)
    }

    /// The first second of a date.
    func instant(_ entry: MapEntry?, path: String) -> Located<UTCInstant>? {
        date(entry, path: path).map { Located(value: $0.value.firstSecond, span: $0.span) }
    }

    /// The path of a file, from the unit's root.
    func path(
        _ entry: MapEntry?, path: String, from file: String? = nil
    ) -> Located<String>? {
        guard let entry else { return nil }
        return self.file(
            entry.value, path: path, example: entry.shape.example, from: file ?? currentPath)
    }

    /// The path of a file, from the unit's root.
    func file(
        _ node: SyntaxNode, path: String, example: String, from file: String
    ) -> Located<String>? {
        scan(node, path: path, example: example) { text throws(ScalarProblem) in
            let scanned = try RelativePathScanner.scan(text, namedIn: file)
            guard !scanned.isFolder else {
                throw ScalarProblem(
                    .unknownValue, "\(self.quoted(text)) is a folder; `\(path)` takes a file",
                    help: ["for example `\(example)`"])
            }
            return scanned.path
        }
    }

    /// The path of a folder, from the unit's root; the `/` at its end may be left out.
    func folder(_ node: SyntaxNode, example: String) -> Located<String>? {
        scan(node, path: "folders", example: example) { text throws(ScalarProblem) in
            try RelativePathScanner.scan(
                text.utf8.last == UInt8(ascii: "/") ? text : text + "/",
                namedIn: self.currentPath
            ).path
        }
    }
}
