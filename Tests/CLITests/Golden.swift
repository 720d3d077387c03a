import Foundation
import Testing

/// Compares a run with its golden file, byte by byte; `UPDATE_GOLDEN=1` writes the file instead.
func expectGolden(
    _ name: String, _ run: CommandRun, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try expectGolden(name, transcript: run.transcript, sourceLocation: sourceLocation)
}

/// The same for a run in a format of findings; of the rules that SARIF declares, the golden has
/// those that results name.
func expectGolden(
    _ name: String, format: String, _ run: CommandRun,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let transcript = try format == "sarif" ? SARIFRun.transcript(run) : run.transcript
    try expectGolden(name, transcript: transcript, sourceLocation: sourceLocation)
}

/// The same for several runs on one page.
func expectGolden(
    _ name: String, transcript: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Goldens/\(name).txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(transcript.utf8).write(to: file)
        return
    }
    let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(
        transcript == golden,
        "\(name) differs; look at it, then `UPDATE_GOLDEN=1 swift test --filter CLITests`",
        sourceLocation: sourceLocation)
}
