import Foundation
import PolicyCompiler
import Testing

@testable import GenerateTables

/// The checked-in generated files are what the generator makes of the contracts today.
@Suite struct GeneratedFilesTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("generated files are fresh", arguments: GeneratedFile.all.map(\.name))
    func fresh(_ name: String) throws {
        let file = try #require(GeneratedFile.all.first { $0.name == name })
        let contract = try Data(contentsOf: Self.root.appending(path: file.contract))
        let target = Self.root.appending(path: file.target)
        let made = try file.make(Array(contract), over: Array(Data(contentsOf: target)))
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] == "1" {
            try Data(made.utf8).write(to: target)
        }
        let checkedIn = try String(contentsOf: target, encoding: .utf8)
        #expect(checkedIn == made, "`swift run generate-tables` makes it again")
    }

    @Test("a contract without a field is refused by its code")
    func missingField() throws {
        let file = try #require(
            GeneratedFile.all.first { $0.name == "diagnostic-catalogue" })
        #expect(throws: ContractProblem(message: "`HW001` has no `severity`")) {
            try file.make(Array("codes:\n  HW001: { slug: a }\n".utf8), over: [])
        }
        #expect(
            throws: ContractProblem(message: "grammar/diagnostics.yaml:1:1: `codes` has no value")
        ) {
            try file.make(Array("codes:\n".utf8), over: [])
        }
    }
}
