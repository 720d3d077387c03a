import Foundation
import TestPKI
import Testing

/// Files of builds before 0.1, handed to every command that reads one. The files are kept as those
/// builds wrote them.
@Suite("Files of unreleased builds")
struct UnreleasedFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Goldens/unreleased")

    private static func workshop(_ names: String...) throws -> Workshop {
        let workshop = try Workshop()
        for name in names {
            try FileManager.default.copyItem(
                at: folder.appending(path: name), to: workshop.folder.appending(path: name))
        }
        return workshop
    }

    /// Every way in which a command takes a table; TABLE stands for the file.
    private static let commands = [
        "inspect TABLE", "sign TABLE --sign-key key.pem -o new.hwt --revision 8",
        "explain api.acme.example --table TABLE --chain chain.pem",
        "show api.acme.example --table TABLE", "diff TABLE unit", "diff unit TABLE",
        "audit --table TABLE rows.jsonl", "forecast --table TABLE", "report TABLE -o page.html",
        "run --table TABLE -- true",
    ]

    @Test(
        "a table is refused in words", arguments: commands,
        ["table-3.hwt", "envelope-1.hwt", "envelope-2.hwt"])
    func table(_ command: String, _ name: String) throws {
        let workshop = try Self.workshop(name)
        try workshop.write("key.pem", TestKey.ed25519("signs").privateKeyPEM)
        try workshop.write("rows.jsonl", "")
        let arguments = command.split(separator: " ").map { $0 == "TABLE" ? name : String($0) }
        let run = try workshop.run(arguments)
        #expect(run.status == (command.hasPrefix("run ") ? 125 : 2), "\(run.transcript)")
        let words = "it was written by an unreleased build of Hawser; compile the policy again"
        #expect(run.error.contains(words), "\(run.transcript)")
        #expect(run.error.contains("unsupported-version"), "\(run.transcript)")
    }

    @Test("a receipt is refused in words", arguments: ["receipt-1.jsonl", "receipt-2.jsonl"])
    func receipt(_ name: String) throws {
        let workshop = try Self.workshop(name)
        #expect(try workshop.run("compile", "unit", "-o", "policy.table").status == 0)
        let run = try workshop.run("explain", "--receipt", name, "--table", "policy.table")
        #expect(run.status == 2, "\(run.transcript)")
        #expect(run.error.contains("unreleased build of Hawser"), "\(run.transcript)")
        let audit = try workshop.run("audit", "--table", "policy.table", name)
        #expect(audit.output.contains("other-format"), "\(audit.transcript)")
        #expect(audit.output.contains("unreleased build of Hawser"), "\(audit.transcript)")
    }
}
