import Testing

/// The order of the folders inside each target, and how many files may use each other.
@Suite struct FolderOrderTests {
    /// For each target its folders, the lowest first. A file uses files of its own folder and of
    /// folders before it. `.` is the target's own folder; where it is not listed it is last.
    static let orders: [String: [String]] = [
        "Sources/TrustEngine": [
            "Certificates/Unicode", "Certificates/DER", "Certificates/Names",
            "Certificates/Points", "Certificates", "Certificates/Revocation",
            "Certificates/Transparency", "PathValidation", "PathValidation/Revocation",
            "PathValidation/Transparency", "Policy", "Comparison", "Evaluation",
        ],
        "Sources/PolicyReading": ["Values", "Places", "Patterns", "Fields", "Traces"],
        "Sources/Rendering": [
            "Words", "Text", "Documents", "Fields", "Violations/Facts", "Violations", ".",
            "Verdicts", "HTML", "Writers", "Show", "Explain",
        ],
        "Sources/LibCrypto": ["Memory"],
        "Sources/Hawser": [
            "System", "Files", "Signing", ".", "Filters", "Fetching/System", "Fetching",
            "URLLoading", "URLLoading/Apple", "Store/System", "Store", "Receipts", "Metrics",
            "Shadow", "Judging",
        ],
        "Sources/PolicyCompiler": [
            "Diagnostics", "Units", "Syntax", "Scalars", "Binding", "Checks", "Lowering",
            "Assertions",
        ],
        "Sources/PolicyTools": [
            "Answers", "Dates", "Format", "Hosts", "Import", "Foreign/Markup",
            "Foreign/PropertyLists", "Foreign/Documents", "Foreign", "Foreign/NSC", "Foreign/ATS",
            "Foreign/Pins/Reading", "Foreign/Pins", "Foreign/Pins/OkHttp", "Foreign/Pins/PinsJSON",
            "Foreign/Pins/TrustKit", "Foreign/Pins/Curl", "Foreign/Stores", "Foreign/Certdata",
            "Foreign/ChromeEnterprise", "Foreign/Envoy", "Foreign/Gateway", "Foreign/Bundles",
            "Foreign/Istio", "Foreign/SPIFFE", "Language",
            "Testing/Capture", "Testing/Cases", "Demands", "Diff", "Assertions", "Audit", "Classes",
            "Export", "Forecast", "Log", "Testing/Coverage", "Testing/Mutants", "Testing",
            "Lint/Context",
            "Lint/Rules", "Lint", "Findings", "Repairs", "Guards", "UnitReport",
        ],
        "Sources/HawserCommand": [
            "Process", "Git", "Options", "Policies", "Compared", "Requests",
            "Commands/Rule", "Commands/Schema",
            "Commands/Serve", "Commands/Assert", "Commands/Check", "Commands/Fmt",
            "Commands/Run/System", "Commands/Run", "Commands/Tables", "Commands/Audit",
            "Commands/Diff", "Commands/Explain", "Commands/Export", "Commands/Fetch",
            "Commands/Forecast",
            "Commands/Import", "Commands/Init", "Commands/Log", "Commands/Pin",
            "Commands/Revocations", "Commands/Show", "Commands/Test", "Commands/Capture",
            "Commands/Lint", "Commands/Report", "Commands/LSP/Wire", "Commands/LSP/Texts",
            "Commands/LSP/Language", "Commands/LSP/Units", "Commands/LSP/Answers", "Commands/LSP",
            "CommandLine",
        ],
        "Sources/Integrations/Serve/Sources/HawserServe": ["System"],
    ]

    /// Files that a folder uses of a folder above, as `TARGET/FOLDER -> FOLDER`: how many uses
    /// there are, and why. The number must hold, so the list only shrinks.
    static let upward: [String: (uses: Int, reason: String)] = [
        "Sources/Hawser/Store/System -> Store": (
            4, "what calls the system for a store throws the store's errors and keeps its records"
        )
    ]

    /// The most files that use each other, directly or through others.
    static let largestKnot = 8

    /// The sizes of knots that are larger today, by target, each with its reason. A knot that is
    /// gone or smaller fails until its new size stands here, so the list only shrinks.
    static let largerKnots: [String: (sizes: [Int], reason: String)] = [
        "Sources/GenerateTables": ([17], "each contract is read by what generates from it"),
        "Sources/Hawser": ([20], "a store, its state, its sources and its errors name each other"),
    ]

    /// Targets by their folders, each with its files by their paths from there.
    private static let targets: [String: [(path: String, code: String)]] = {
        var targets: [String: [(path: String, code: String)]] = [:]
        for file in Tree.swift(below: "Sources") {
            let parts = file.components
            let isNested = parts[1] == "Integrations"
            let length = isNested ? 5 : 2
            guard parts.count > length else { continue }
            targets[parts.prefix(length).joined(separator: "/"), default: []].append(
                (parts.dropFirst(length).joined(separator: "/"), file.code))
        }
        return targets
    }()

    private static let uses = targets.mapValues { FileUses($0) }

    @Test func foldersUseOnlyThoseBelow() {
        #expect(FolderOrderTests.targets.count > 10)
        var counts: [String: Int] = [:]
        for (target, uses) in FolderOrderTests.uses.sorted(by: { $0.key < $1.key }) {
            let order = FolderOrderTests.orders[target]
            let found = FolderOrder(order ?? [], uses)
            #expect(found.unknown.isEmpty, "\(target): no order names \(found.unknown)")
            #expect(found.missing.isEmpty, "\(target): the order names \(found.missing)")
            for use in found.upward {
                let name = "\(target)/\(use.folder) -> \(use.above)"
                counts[name, default: 0] += 1
                #expect(
                    FolderOrderTests.upward[name] != nil,
                    "\(target)/\(use.file) uses \(use.used) by `\(use.name)`, which stands above")
            }
        }
        for target in FolderOrderTests.orders.keys where FolderOrderTests.targets[target] == nil {
            Issue.record("\(target) is no target")
        }
        for (name, known) in FolderOrderTests.upward {
            let count = counts[name, default: 0]
            #expect(count == known.uses, "\(name): \(count) uses, and \(known.uses) are known")
        }
    }

    @Test func knotsOfFilesAreSmall() {
        for (target, uses) in FolderOrderTests.uses.sorted(by: { $0.key < $1.key }) {
            let large = uses.knots.filter { $0.count > FolderOrderTests.largestKnot }
            let known = FolderOrderTests.largerKnots[target]?.sizes ?? []
            #expect(
                large.map(\.count) == known,
                "\(target): \(large.map { $0.joined(separator: " ") })")
        }
    }

    // MARK: The analysis itself

    private static let planted: [(path: String, code: String)] = [
        ("Low/Paper.swift", "struct Paper { enum Kind { case plain } }\nfunc fold() {}\n"),
        ("Low/Ink.swift", "struct Ink { let paper: Paper\n    enum Kind {} }\n"),
        ("High/Letter.swift", "struct Letter {\n    let ink: Ink\n}\nprivate struct Seal {}\n"),
        ("High/Letter+Post.swift", "extension Letter {\n    static func post() {}\n}\n"),
        ("Main.swift", "func run() { Letter.post() }\n"),
    ]

    private static func upward(adding path: String, _ text: String) -> [String] {
        FolderOrder(["Low", "High"], FileUses(planted + [(path, codeOnly(text))])).upward
            .map { "\($0.file) \($0.used) \($0.name)" }
    }

    @Test("uses that the analysis sees and does not see")
    func plantedUses() {
        #expect(FolderOrder(["Low", "High"], FileUses(FolderOrderTests.planted)).upward.isEmpty)
        let rows: [(text: String, found: [String])] = [
            ("let a: Letter", ["Low/New.swift High/Letter.swift Letter"]),
            ("let a = \"\\(Letter.name)\"", ["Low/New.swift High/Letter.swift Letter"]),
            ("let a = #\"\\#(Letter.name) \\(Ink)\"#", ["Low/New.swift High/Letter.swift Letter"]),
            ("func a() { run() }", ["Low/New.swift Main.swift run"]),
            (
                "let a = Letter.post()",
                [
                    "Low/New.swift High/Letter+Post.swift Letter.post",
                    "Low/New.swift High/Letter.swift Letter",
                ]
            ),
            // A comment, a text, a name behind a dot, a private type, a type of this folder.
            ("// Letter\n/* Letter */", []), ("let a = \"Letter \\\\(Letter)\"", []),
            ("let a = post.Letter", []), ("let a: Seal", []), ("let a: Kind, b = fold()", []),
            ("struct A {\n    struct Letter {}\n    let a: Letter\n}", []),
        ]
        for row in rows {
            #expect(
                FolderOrderTests.upward(adding: "Low/New.swift", row.text) == row.found,
                "\(row.text)")
        }
    }

    @Test("folders that no order names, and names without a folder")
    func plantedFolders() {
        let uses = FileUses(FolderOrderTests.planted)
        #expect(FolderOrder(["Low"], uses).unknown == ["High"])
        #expect(FolderOrder(["Low", "High", "Cellar"], uses).missing == ["Cellar"])
        // The target's own folder in the middle.
        #expect(
            FolderOrder(["Low", ".", "High"], uses).upward.map(\.used)
                == ["High/Letter+Post.swift", "High/Letter.swift"])
    }

    @Test("knots are found, whatever their size and order")
    func plantedKnots() {
        let ring = (0..<12).map { number in
            (
                path: "T\(number).swift",
                code: "struct T\(number) { let next: T\((number + 1) % 12)? }"
            )
        }
        let pair = [
            (path: "A.swift", code: "struct A { let b: [B] }"),
            (path: "B.swift", code: "struct B { let a: [A] }"),
            (path: "C.swift", code: "struct C { let a: A, t: T0 }"),
        ]
        #expect(FileUses(pair + ring).knots.map(\.count) == [12, 2])
        #expect(FileUses(ring.dropLast() + pair).knots == [["A.swift", "B.swift"]])
    }
}

/// Compares the order of a target's folders with the uses of its files.
struct FolderOrder {
    /// A use of a file in a folder above.
    struct Upward {
        let file: String
        /// The folder of `file`.
        let folder: String
        let used: String
        /// The folder of `used`.
        let above: String
        /// The name that is used.
        let name: String
    }

    /// Uses of folders above, by the file that uses.
    let upward: [Upward]
    /// Folders with files that the order does not name.
    let unknown: [String]
    /// Names of the order without a folder.
    let missing: [String]

    init(_ order: [String], _ uses: FileUses) {
        func name(_ file: FileUses.File) -> String { file.folder.isEmpty ? "." : file.folder }
        let order = order.contains(".") ? order : order + ["."]
        let levels = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        let folders = Set(uses.files.map(name))
        unknown = folders.filter { levels[$0] == nil }.sorted()
        missing = order.filter { $0 != "." && !folders.contains($0) }
        upward = uses.files.enumerated().flatMap { index, file -> [Upward] in
            guard let level = levels[name(file)] else { return [] }
            return uses.uses[index].sorted { $0.key < $1.key }.compactMap { used, word in
                let other = uses.files[used]
                guard let above = levels[name(other)], above > level else { return nil }
                return Upward(
                    file: file.path, folder: name(file), used: other.path, above: name(other),
                    name: word)
            }
        }
    }
}
