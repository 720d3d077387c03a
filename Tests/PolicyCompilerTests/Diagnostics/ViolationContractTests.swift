import PolicyCompiler
import Testing
import TrustEngine

@testable import generate_tables

/// `grammar/violations.yaml` and the code that is generated from it.
@Suite struct ViolationContractTests {
    @Test("a violation is declared covered by a key under `waivers`, and each key covers one")
    func waivers() {
        let keys = Set(PolicyFields.waivers.keys.map(\.name))
        #expect(keys == Set(ViolationDeclaration.WaiverKey.allCases.map(\.rawValue)))
        #expect(
            Set(ViolationKind.allCases.compactMap(\.declaration.waiver))
                == Set(ViolationDeclaration.WaiverKey.allCases))
    }

    @Test("the path validator's checks are those that the contract says it is asked")
    func pathChecks() {
        for check in PathCheck.allCases {
            #expect(check.check.isAskedOfPaths, "\(check)")
        }
        #expect(Set(PathCheck.allCases.map(\.check)).count == PathCheck.allCases.count)
    }

    struct Broken: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let message: String
    }

    static let broken: [Broken] = [
        Broken(
            testDescription: "no violations", text: "checks: { a: { what: b, asked: path } }\n",
            message: "`violations` is missing"),
        Broken(
            testDescription: "a check that is asked of nothing",
            text: "checks: { a: { what: b, asked: nobody } }\n",
            message: "`a` is asked of nothing that is known"),
        Broken(
            testDescription: "a violation of no check",
            text: violation("check: b, side: server"), message: "`v` belongs to no check"),
        Broken(
            testDescription: "a side that is none", text: violation("check: a, side: nobody"),
            message: "`v` has the unknown `side` `nobody`"),
        Broken(
            testDescription: "a key that is none",
            text: violation("check: a, side: server, colour: red"),
            message: "`v` has the unknown key `colour`"),
        Broken(
            testDescription: "a kind that is none",
            text: violation("check: a, side: server, fields: { host: name }"),
            message: "`v`: `host` is of no kind that is known"),
    ]

    private static func violation(_ rest: String) -> String {
        "checks: { a: { what: b, asked: path } }\n"
            + "violations: { v: { what: c, raised-by: evaluation, \(rest) } }\n"
    }

    @Test("what the contract's head does not name is refused", arguments: broken)
    func refused(_ row: Broken) throws {
        let file = try #require(GeneratedFile.all.first { $0.name == "violations" })
        #expect(throws: ContractProblem(message: row.message)) {
            try file.make(Array(row.text.utf8), over: [])
        }
    }
}
