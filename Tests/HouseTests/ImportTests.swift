import Testing

/// Who may import whom: each target's own line, more narrowly than the build can check.
@Suite struct ImportTests {
    /// A target's folder and what its files may import. A folder below a target may have its own
    /// line.
    static let lines: [(folder: String, modules: Set<String>)] = [
        ("Sources/TrustEngine", []),
        ("Sources/MLDSA", []),
        (
            "Sources/LibCrypto",
            ["TrustEngine", "MLDSA", "CLibCrypto", "CLibCryptoShims", "Synchronization"]
        ),
        ("Sources/TLSProbe", ["TrustEngine", "CLibSSL", "Glibc"]),
        ("Sources/Rendering", ["TrustEngine"]),
        // Compiled only on Apple's platforms.
        ("Sources/Hawser/URLLoading/Apple", ["TrustEngine", "Foundation", "Security"]),
        (
            "Sources/Hawser",
            [
                "Rendering", "LibCrypto", "TrustEngine", "Logging", "CoreMetrics", "Glibc",
                "Synchronization",
            ]
        ),
        (
            "Sources/Integrations/NIO/Sources/HawserNIO",
            [
                "Hawser", "TrustEngine", "Logging", "NIOCore", "NIOPosix", "NIOSSL", "NIOTLS",
                "Glibc", "Synchronization",
            ]
        ),
        (
            "Sources/Integrations/NIO/Sources/HawserAsyncHTTPClient",
            [
                "HawserNIO", "Hawser", "TrustEngine", "Logging", "CoreMetrics", "NIOCore",
                "NIOHTTP1", "NIOSSL", "AsyncHTTPClient", "Synchronization",
            ]
        ),
        (
            "Sources/Integrations/SwiftCrypto/Sources/HawserSwiftCrypto",
            ["LibCrypto", "TrustEngine", "Crypto", "CryptoExtras"]
        ),
        (
            "Sources/VerdictService", ["Hawser", "Rendering", "TrustEngine"]
        ),
        ("Sources/ServeArguments", ["ArgumentParser"]),
        (
            "Sources/Integrations/Serve/Sources/HawserServe",
            [
                "VerdictService", "ServeArguments", "Hawser", "Rendering", "TrustEngine",
                "ArgumentParser", "Logging", "NIOCore", "NIOPosix", "NIOHTTP1", "Glibc",
                "Synchronization",
            ]
        ),
        ("Sources/Integrations/Serve/Sources/hawser-serve", ["HawserServe", "Glibc"]),
        (
            "Sources/CHawser",
            [
                "Hawser", "Rendering", "TrustEngine", "CHawserABI", "Logging", "CoreMetrics",
                "Glibc", "Synchronization",
            ]
        ),
        ("Sources/PolicyCompiler/Syntax", ["TrustEngine", "CLibYAML"]),
        ("Sources/PolicyCompiler", ["TrustEngine"]),
        ("Sources/PolicyTools", ["Rendering", "PolicyCompiler", "TrustEngine"]),
        ("Sources/HawserYAML", ["Hawser", "PolicyCompiler", "TrustEngine"]),
        (
            "Sources/HawserCommand",
            [
                "PolicyTools", "HawserYAML", "TLSProbe", "Hawser", "Rendering", "PolicyCompiler",
                "TrustEngine", "CSchemas", "CProgramStart", "ServeArguments", "ArgumentParser",
                "Glibc", "Synchronization",
            ]
        ),
        ("Sources/GenerateTables", ["PolicyTools", "PolicyCompiler", "Glibc"]),
        (
            "Tests/TestPKI",
            [
                "TrustEngine", "LibCrypto", "CLibCrypto", "CLibCryptoShims", "Glibc",
                "Synchronization",
            ]
        ),
        // What a service's author types, as the documentation quotes it.
        ("Tests/Tutorial", ["Hawser"]),
    ]

    @Test func everyImportStandsOnItsTargetsLine() {
        var seen = 0
        for file in Tree.swift(below: "Sources", "Tests/TestPKI", "Tests/Tutorial") {
            guard
                let line = ImportTests.lines.first(where: { file.path.hasPrefix($0.folder + "/") })
            else {
                Issue.record("no line for \(file.path)")
                continue
            }
            for module in imports(of: file.text) {
                seen += 1
                #expect(line.modules.contains(module), "\(file.path) imports \(module)")
            }
        }
        #expect(seen > 50)
    }

    @Test func nothingBelowTheTestsImportsFoundation() {
        for file in Tree.swift(below: "Sources", "Tests/TestPKI")
        where !file.path.hasPrefix("Sources/Hawser/URLLoading/Apple/") {
            for module in imports(of: file.text) {
                #expect(!module.hasPrefix("Foundation"), "\(file.path)")
            }
        }
    }

    @Test func importsAreSeenBehindAttributes() {
        let text = "import A\npublic import B\n@_exported public import C\n@testable import D\n"
        #expect(imports(of: text) == ["A", "B", "C", "D"])
    }

    private func imports(of text: String) -> [String] {
        codeOnly(text).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            // In front of it stand attributes and one level of access.
            guard let place = words.firstIndex(of: "import"), words.count > place + 1,
                words[..<place].count(where: { !$0.hasPrefix("@") }) <= 1
            else { return nil }
            return String(words[place + 1])
        }
    }

    // MARK: Folders inside the engine

    /// Lower folders first; a folder may use itself and what stands before it.
    static let engineFolders = [
        "Certificates", "PathValidation", "Policy", "Comparison", "Evaluation",
    ]

    @Test func foldersOfTheEngineUseOnlyThoseBelow() {
        var declared: [String: Int] = [:]
        // Names of types inside others, by the lowest folder that has one.
        var inner: [String: Int] = [:]
        var files: [(level: Int, path: String, code: String)] = []
        for (level, folder) in ImportTests.engineFolders.enumerated() {
            for file in Tree.swift(below: "Sources/TrustEngine/\(folder)") {
                let code = codeOnly(file.text)
                files.append((level, file.path, code))
                for name in topLevelTypes(code) {
                    declared[name] = min(declared[name] ?? level, level)
                }
                for name in innerTypes(code) { inner[name] = min(inner[name] ?? level, level) }
            }
        }
        #expect(declared.count > 50)
        for file in files {
            for word in Set(file.code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
                guard let level = declared[String(word)], level > file.level else { continue }
                // `ReportOnly.Check` is the folder's own.
                if let own = inner[String(word)], own <= file.level { continue }
                // Digests and the crypto seam are vocabulary that certificates may name.
                #expect(
                    level == 1 && ["Digest", "DigestAlgorithm"].contains(String(word)),
                    "\(file.path) uses \(word) of \(ImportTests.engineFolders[level])")
            }
        }
    }

    /// A type named as its module hides the module: `TrustEngine.Certificate` would not resolve.
    @Test func noTypeIsNamedAsItsModule() {
        for file in Tree.swift(below: "Sources") {
            let module = file.components[1]
            #expect(!topLevelTypes(codeOnly(file.text)).contains(module), "\(file.path)")
        }
    }

    private func topLevelTypes(_ code: String) -> [String] {
        types(code.split(separator: "\n").filter { $0.first != " " })
    }

    private func innerTypes(_ code: String) -> [String] {
        types(code.split(separator: "\n").filter { $0.first == " " })
    }

    private func types(_ lines: [Substring]) -> [String] {
        let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "typealias", "actor"]
        return lines.compactMap { line in
            let words = line.split { $0 == " " || $0 == ":" || $0 == "{" || $0 == "<" }
            guard let place = words.firstIndex(where: { kinds.contains($0) }),
                words.count > place + 1
            else { return nil }
            return String(words[place + 1])
        }
    }
}
