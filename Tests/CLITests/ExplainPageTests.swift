import Foundation
import PageSupport
import Testing

/// `explain --format html`: the page, as the command writes it.
@Suite("explain --format html") struct ExplainPageTests {
    static func readable(_ run: CommandRun) -> String {
        "$ hawser \(run.arguments.joined(separator: " "))\nexit \(run.status)\n"
            + Page(run.output).readable
    }

    @Test(
        "a page says what the text says",
        arguments: [
            ("explain-page-reject", "api.acme.example", "chain.pem", "2027-09-01"),
            ("explain-page-accept", "api.acme.example", "chain.pem", "2026-06-01"),
            ("explain-page-hostile", "www.acme.example", "hostile.pem", "2026-06-01"),
        ])
    func page(_ golden: String, _ host: String, _ chain: String, _ at: String) throws {
        let workshop = try Workshop()
        let words = ["explain", host, "--policy", "unit", "--chain", chain, "--at", at]
        let run = try workshop.run(words + ["--format", "html"])
        let text = try workshop.run(words)
        #expect(run.status == text.status && run.error == text.error)
        #expect(run.output.hasPrefix("<!DOCTYPE html>\n"))
        try expectGolden(golden, transcript: Self.readable(run))
    }
}
