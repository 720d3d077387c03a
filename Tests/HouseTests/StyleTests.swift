import Foundation
import Testing

/// House rules that a reader would otherwise have to remember.
@Suite struct StyleTests {
    /// Files that may say `unsafe`: where C is called, or a library that takes pointers.
    static let unsafePlaces = [
        "Sources/LibCrypto/", "Sources/Integrations/SwiftCrypto/", "Sources/TLSProbe/",
        "Sources/CHawser/", "Tests/TestPKI/",
        "Sources/PolicyCompiler/Syntax/LibYAMLReader.swift", "Sources/Hawser/Files/",
        "Sources/Hawser/System/", "Sources/Hawser/Fetching/System/",
        "Sources/Hawser/Store/System/",
        "Sources/HawserCommand/Process/StandardStreams.swift",
        "Sources/HawserCommand/Commands/Serve/SeparateExecutable.swift",
        "Sources/Integrations/Serve/Sources/HawserServe/System/",
        "Sources/HawserCommand/Process/ChildProcess.swift",
        "Sources/HawserCommand/Commands/Run/System/",
        "Sources/GenerateTables/",
        "Tests/MintFixtures/",
    ]

    @Test func unsafeCodeStandsOnlyWhereCIsCalled() {
        var seen = 0
        for file in Tree.swift(below: "Sources", "Tests/TestPKI") {
            let words = file.code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            guard words.contains("unsafe") else { continue }
            seen += 1
            #expect(
                StyleTests.unsafePlaces.contains { file.path.hasPrefix($0) },
                "\(file.path) says `unsafe`")
        }
        #expect(seen >= 4)
    }

    /// Every public error is a struct with a code and a context.
    @Test func publicErrorsHaveOneShape() {
        var seen = 0
        for file in Tree.swift(below: "Sources") {
            for found in file.code.matches(
                of: /public (struct|enum|final class|class|actor) (\w+):([^{]*)\{/)
            {
                let conformances = found.3.split { !$0.isLetter && !$0.isNumber }
                #expect(
                    !conformances.contains("Error"),
                    "\(file.path): `\(found.2)` is to conform to `CodedError`")
                guard conformances.contains("CodedError") else { continue }
                seen += 1
                #expect(found.1 == "struct", "\(file.path): `\(found.2)` is to be a struct")
            }
        }
        #expect(seen >= 20)
    }

    @Test func fileNamesSayWhatIsInside() {
        let empty = ["Utils", "Util", "Helpers", "Helper", "Common", "Manager", "Misc"]
        for file in Tree.swift(below: "Sources", "Tests") {
            for word in empty {
                #expect(!file.name.hasPrefix(word), "\(file.path)")
                #expect(!file.name.hasSuffix(word + ".swift"), "\(file.path)")
            }
        }
    }

    /// What a line of a comment begins with, by the ending of the file's name. Makefile and the
    /// scripts of `.ci` have no ending. A comment that begins with `/*` may stand after code too.
    static let commentMarks = [
        "swift": ["//"], "c": ["/*", "* ", "//"], "h": ["/*", "* ", "//"],
        "sh": ["#"], "py": ["#"], "yaml": ["#"], "": ["#"],
    ]

    /// Generated files follow their generators, and test data its source.
    @Test func commentsStayWithin100Columns() throws {
        func ending(of name: String) -> String { URL(filePath: name).pathExtension }
        var files = Tree.files(
            below: "Sources", "Tests", "Packaging", "grammar", "Documentation", ".ci"
        ) {
            StyleTests.commentMarks[ending(of: $0)] != nil && !$0.contains("+Generated")
        }
        files.removeAll { $0.path.hasPrefix("Tests/Fuzz/Corpus/") }
        files.append(Tree.File(path: "Makefile", text: try Tree.read("Makefile")))
        var seen: [String: Int] = [:]
        for file in files {
            let kind = ending(of: file.name)
            let marks = StyleTests.commentMarks[kind, default: []]
            seen[kind, default: 0] += 1
            // Octets are quicker to count than columns, and never fewer.
            for (index, line) in file.lines.enumerated() where line.utf8.count > 100 {
                let start = line.drop { $0 == " " }
                let holdsComment = marks.contains {
                    start.hasPrefix($0) || $0 == "/*" && line.contains($0)
                }
                #expect(
                    !holdsComment || line.count <= 100,
                    "\(file.path):\(index + 1) has \(line.count) columns")
            }
        }
        #expect(seen.count == StyleTests.commentMarks.count)
        #expect(seen["swift", default: 0] > 500)
    }

    @Test func longFilesSayWhyTheyAreOneThing() {
        for file in Tree.swift(below: "Sources") where !file.name.contains("+Generated") {
            guard file.lines.count > 500 else { continue }
            let head = file.lines.prefix(12).joined(separator: "\n")
            #expect(head.contains("One file because"), "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test func nothingIsLeftUnfinished() {
        let marks = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "not " + "implemented"]
        for file in Tree.swift(below: "Sources", "Tests") {
            for mark in marks {
                #expect(!file.text.contains(mark), "\(file.path) says \(mark)")
            }
        }
        for file in Tree.swift(below: "Sources") {
            for mark in ["fatal" + "Error(", "try" + "!"] {
                #expect(!file.text.contains(mark), "\(file.path) says \(mark)")
            }
        }
    }

    @Test func noFileNamesOneMachine() throws {
        let folders = ["ro" + "ot", "wo" + "rk", "ho" + "me", "tmp/" + "bash"].map { "/\($0)/" }
        let kinds = [".swift", ".md", ".yaml", ".json", ".txt", ".sh", ".c", ".h", ".ebnf", ".py"]
        var files = Tree.files(
            below: "Sources", "Tests", "policies", "grammar", "Documentation", ".github"
        ) { name in
            kinds.contains { name.hasSuffix($0) }
        }
        let scripts = try FileManager.default.contentsOfDirectory(
            atPath: Tree.root.appending(path: ".ci").path
        ).map { ".ci/\($0)" }
        #expect(scripts.count > 5)
        for path in ["README.md", "Makefile", "Package.swift"] + scripts {
            files.append(Tree.File(path: path, text: try Tree.read(path)))
        }
        #expect(files.count > 100)
        for file in files {
            for folder in folders {
                #expect(!file.text.contains(folder), "\(file.path) names \(folder)")
            }
        }
    }

    @Test func everyTopFolderOpensWithAReadme() throws {
        for folder in ["Sources", "Tests", "policies", "grammar", "Packaging", "Documentation"] {
            #expect(try !Tree.read("\(folder)/README.md").isEmpty)
        }
    }
}
