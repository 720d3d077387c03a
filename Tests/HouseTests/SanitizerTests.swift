import Foundation
import Testing

/// Which tests the sanitizer stages of `.ci/full` build. In a module without `unsafe` and
/// `@unchecked` the compiler checks that no memory is used wrongly and that no two threads race, so
/// that its tests have nothing for a sanitizer.
@Suite struct SanitizerTests {
    /// Modules whose tests do not have their name and `Tests`.
    private static let testsByModule = [
        "HawserCommand": "CLITests", "GenerateTables": "PolicyCompilerTests",
    ]

    @Test("the tests of every module with unsafe code run under sanitizers, and no others")
    func unsafeModules() throws {
        var needed: Set<String> = []
        // The nested packages have stages of their own, `nio`, `serve` and `swift-crypto`.
        for file in Tree.swift(below: "Sources") where file.components[1] != "Integrations" {
            let words = file.code.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@") }
            if words.contains("unsafe") || words.contains("@unchecked") {
                let module = file.components[1]
                needed.insert(SanitizerTests.testsByModule[module] ?? "\(module)Tests")
            }
        }

        let list = try #require(
            Tree.read(".ci/full").split(separator: "\n").first { $0.hasPrefix("unsafe='") })
        let listed = Set(
            list.dropFirst("unsafe='".count).dropLast().split(separator: " ").map(String.init))
        #expect(listed == needed)
    }

    /// A suppression names a mangled function: the module, the type and the member, each behind its
    /// length. A type whose name repeats a word of the module's name begins with 0 instead.
    @Test("every function that a suppression of the thread sanitizer names is in its module")
    func suppressions() throws {
        let lines = try Tree.read("Tests/thread-sanitizer.suppressions").split(separator: "\n")
        let names = lines.filter { !$0.hasPrefix("#") }
        #expect(!names.isEmpty)
        for name in names {
            let parts = try #require(
                name.wholeMatch(
                    of: /race:\d+([A-Za-z]+)(?:0\w+?|\d+([A-Za-z]+))[VCO]\d+([A-Za-z]+)/),
                "\(name)")
            let code = ["Sources", "Tests"].flatMap { Tree.swift(below: "\($0)/\(parts.1)") }
                .map(\.code).joined()
            if let type = parts.2 { #expect(code.contains(" \(type)"), "\(name)") }
            #expect(code.contains(" \(parts.3)"), "\(name)")
        }
    }
}
