import Foundation
import Testing

/// Every diagnostic can be looked up and seen failing.
@Suite struct CatalogueTests {
    @Test func everyCodeHasAnExplanationAndAFailingExample() throws {
        let catalogue = try Tree.read("grammar/diagnostics.yaml")
        // An entry is its code's line and all until the next code.
        let entries = catalogue.components(separatedBy: "\n  HW").dropFirst()
            .map { "HW" + $0 }
        #expect(entries.count > 30)
        for entry in entries {
            let code = String(entry.prefix { $0 != ":" })
            #expect(entry.contains("explanation:"), "\(code) has no explanation")
            let example = Tree.root.appending(path: "policies/invalid/\(code)")
            let exists =
                FileManager.default.fileExists(atPath: example.path)
                || FileManager.default.fileExists(atPath: example.path + ".yaml")
            #expect(exists, "\(code) has no file in policies/invalid")
            #expect(
                FileManager.default.fileExists(atPath: example.path + ".txt"),
                "\(code) has no rendering in policies/invalid")
        }
    }

    @Test func noPolicyThatMustFailIsNamedAsAUnit() {
        for file in Tree.files(below: "policies/invalid", where: { $0 == "policy.yaml" }) {
            Issue.record("\(file.path) makes a unit of a folder of failing policies")
        }
    }
}
