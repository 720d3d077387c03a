import Testing

/// Who may import whom: each target's own line, more narrowly than the build can check.
@Suite struct ImportTests {
    /// A target's folder and what its files may import. A folder below a target may have its own
    /// line.
    static let lines: [(folder: String, modules: Set<String>)] = [
        ("Sources/TrustEngine", []),
        ("Sources/MLDSA", []),
        ("Sources/CRLite", []),
        (
            "Sources/LibCrypto",
            ["TrustEngine", "MLDSA", "CLibCrypto", "CLibCryptoShims", "Synchronization"]
        ),
        ("Sources/TLSProbe", ["TrustEngine", "CLibSSL", "CLibC"]),
        ("Sources/PolicyReading", ["TrustEngine"]),
        ("Sources/Rendering", ["PolicyReading", "TrustEngine"]),
        // Compiled only on Apple's platforms.
        ("Sources/Hawser/URLLoading/Apple", ["TrustEngine", "Foundation", "Security"]),
        (
            "Sources/Hawser",
            [
                "Rendering", "LibCrypto", "CRLite", "TrustEngine", "Logging", "CoreMetrics",
                "CLibC",
                "Synchronization",
            ]
        ),
        (
            "Sources/Integrations/NIO/Sources/HawserNIO",
            [
                "Hawser", "TrustEngine", "Logging", "NIOCore", "NIOPosix", "NIOSSL", "NIOTLS",
                "CLibC", "Synchronization",
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
                "VerdictService", "ServeArguments", "CVersion", "Hawser", "Rendering",
                "TrustEngine", "ArgumentParser", "Logging", "NIOCore", "NIOPosix", "NIOHTTP1",
                "CLibC",
                "Synchronization",
            ]
        ),
        ("Sources/Integrations/Serve/Sources/hawser-serve", ["HawserServe"]),
        (
            "Sources/CHawser",
            [
                "Hawser", "Rendering", "TrustEngine", "CHawserABI", "Logging", "CoreMetrics",
                "CLibC", "Synchronization",
            ]
        ),
        ("Sources/PolicyCompiler/Syntax", ["TrustEngine", "CLibYAML"]),
        ("Sources/PolicyCompiler", ["TrustEngine"]),
        ("Sources/PolicyTools", ["Rendering", "PolicyCompiler", "TrustEngine", "CSchemas"]),
        ("Sources/HawserYAML", ["Hawser", "PolicyCompiler", "TrustEngine"]),
        (
            "Sources/HawserCommand",
            [
                "PolicyTools", "HawserYAML", "TLSProbe", "Hawser", "Rendering", "PolicyCompiler",
                "CRLite", "TrustEngine", "CSchemas", "CProgramStart", "CVersion", "ServeArguments",
                "ArgumentParser", "CLibC", "Synchronization",
            ]
        ),
        ("Sources/GenerateTables", ["PolicyTools", "PolicyCompiler", "CLibC"]),
        (
            "Tests/TestPKI",
            [
                "TrustEngine", "LibCrypto", "CLibCrypto", "CLibCryptoShims", "CLibC",
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
            for module in imports(of: file.code) {
                seen += 1
                #expect(line.modules.contains(module), "\(file.path) imports \(module)")
            }
        }
        #expect(seen > 50)
    }

    /// Sources and tests import the C library by one module of ours, or by Foundation. So they are
    /// the same for each C library.
    @Test func noFileNamesTheCLibraryOfOneSystem() {
        let systems: Set<String> = [
            "Glibc", "SwiftGlibc", "Musl", "Darwin", "Android", "Bionic", "WinSDK", "WASILibc",
        ]
        var seen = 0
        let nested = Tree.nested.filter { $0.hasSuffix("/") }.map { String($0.dropLast()) }
        for file in Tree.swift(below: "Sources", "Tests")
            + nested.flatMap({ Tree.swift(below: $0) })
        {
            seen += 1
            for module in imports(of: file.code) {
                // Also a part of a module: `Darwin.C`.
                let name = module.split(separator: ".").first.map(String.init) ?? module
                #expect(!systems.contains(name), "\(file.path) imports \(module), not `CLibC`")
            }
            let words = file.code.split { !$0.isLetter && !$0.isNumber }
            #expect(
                !words.contains("canImport") || file.path.hasPrefix(ImportTests.apple),
                "\(file.path)")
        }
        #expect(seen > 500)
    }

    /// Only these files ask what can be imported: Security is there on Apple's systems only.
    private static let apple = "Sources/Hawser/URLLoading/Apple/"

    @Test func nothingBelowTheTestsImportsFoundation() {
        for file in Tree.swift(below: "Sources", "Tests/TestPKI")
        where !file.path.hasPrefix(ImportTests.apple) {
            for module in imports(of: file.code) {
                #expect(!module.hasPrefix("Foundation"), "\(file.path)")
            }
        }
    }

    @Test func importsAreSeenBehindAttributes() {
        let text =
            "import A\npublic import B\n@_exported public import C\n@testable import D\n"
            + "@_exported public import struct E.F\n"
        #expect(imports(of: codeOnly(text)) == ["A", "B", "C", "D", "E"])
    }

    private func imports(of code: String) -> [String] {
        code.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            // In front of it stand attributes and one level of access.
            guard let place = words.firstIndex(of: "import"), words.count > place + 1,
                words[..<place].count(where: { !$0.hasPrefix("@") }) <= 1
            else { return nil }
            // One declaration of a module: `import struct A.B`.
            let kinds: Set<Substring> = [
                "struct", "enum", "class", "protocol", "typealias", "func",
            ]
            guard kinds.contains(words[place + 1]), words.count > place + 2 else {
                return String(words[place + 1])
            }
            return words[place + 2].split(separator: ".").first.map(String.init)
        }
    }

    /// A type named as its module hides the module: `TrustEngine.Certificate` would not resolve.
    @Test func noTypeIsNamedAsItsModule() {
        for file in Tree.swift(below: "Sources") {
            let module = file.components[1]
            #expect(!topLevelTypes(file.code).contains(module), "\(file.path)")
        }
    }

    private func topLevelTypes(_ code: String) -> [String] {
        types(code.split(separator: "\n").filter { $0.first != " " })
    }

    private func types(_ lines: [Substring]) -> [String] {
        let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "typealias", "actor"]
        return lines.compactMap { line in
            let words = line.split { $0 == " " || $0 == ":" || $0 == "{" || $0 == "<" }
            guard let place = words.firstIndex(where: { kinds.contains($0) }),
                words.count > place + 1
            else { return nil }
            // One declaration of a module: `import struct A.B`.
            let kinds: Set<Substring> = [
                "struct", "enum", "class", "protocol", "typealias", "func",
            ]
            guard kinds.contains(words[place + 1]), words.count > place + 2 else {
                return String(words[place + 1])
            }
            return words[place + 2].split(separator: ".").first.map(String.init)
        }
    }
}
