import Foundation
import Testing

/// `lint --base`: what the branch made weaker (HW803).
@Suite("lint --base", .enabled(if: GitWorkshop.isHere, "this machine has no `git`"))
struct LintBaseTests {
    private static let examples = CommandRun.repository.appending(
        path: "policies/invalid")

    /// A repository whose commit has the example with TLS 1.3, and the example in the files.
    private func shop() throws -> GitWorkshop {
        let text = try String(
            contentsOf: Self.examples.appending(path: "HW803.yaml"), encoding: .utf8)
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", text.replacing("tls1.2 }", with: "tls1.3 }"))
        let root = try String(
            contentsOf: Self.examples.appending(path: "files/limited-root.pem"), encoding: .utf8)
        try shop.write("trust/files/limited-root.pem", root)
        try shop.commit("one")
        try shop.write("trust/policy.yaml", text)
        return shop
    }

    private func lint(_ shop: GitWorkshop, _ arguments: String...) throws -> CommandRun {
        try CommandRun(
            ["lint", "--at", "2026-06-01", "--select", "HW803"] + arguments,
            in: shop.repository.appending(path: "trust"), environment: shop.environment)
    }

    @Test("what the commit refused and the files accept is one finding at its line")
    func weaker() throws {
        let shop = try shop()
        let run = try lint(shop, "--base", "HEAD")
        #expect(run.status == 1)
        let id = try shop.git(["rev-parse", "--short=12", "HEAD"])
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let shown = run.output.replacing(id, with: "1a2b3c4d5e6f")
        let golden = Self.examples.appending(path: "HW803.txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try Data(shown.utf8).write(to: golden)
        }
        #expect(try shown == String(contentsOf: golden, encoding: .utf8))
    }

    @Test("without a base, and against the same policy, nothing is found")
    func equal() throws {
        let shop = try shop()
        #expect(try lint(shop).status == 0)
        try shop.commit("two")
        #expect(try lint(shop, "--base", "HEAD").status == 0)
    }

    @Test("a base that is not there ends with 2")
    func absent() throws {
        let run = try lint(shop(), "--base", "gone")
        #expect(run.status == 2 && run.error.contains("not compared: "))
        #expect(try lint(shop(), "--base", "HEAD", "--fix").status == 2)
    }
}
