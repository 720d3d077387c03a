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
}
