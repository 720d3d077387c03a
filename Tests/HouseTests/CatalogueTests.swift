import Foundation
import Testing

/// Every diagnostic can be looked up and seen failing.
@Suite struct CatalogueTests {
    @Test func everyCodeHasAnExplanationAndAFailingExample() throws {
        let catalogue = try Tree.read("grammar/diagnostics.yaml")
        let codes = catalogue.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("  HW"), line.hasSuffix(":") else { return nil }
            return String(line.dropFirst(2).dropLast())
        }
        #expect(codes.count > 30)
        for code in codes {
            let place = try #require(catalogue.range(of: "  \(code):\n"))
            let rest = catalogue[place.upperBound...]
            let entry = rest.range(of: "\n  HW").map { rest[..<$0.lowerBound] } ?? rest
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
