import Foundation
import Testing

/// The loop that `policies/README.md` shows: a failure is captured, the case is written, the policy
/// is mended, and an assertion keeps it.
@Suite("from a failure to an assertion")
struct FailureLoopTests {
    private static let policies = CommandRun.repository.appending(path: "policies")

    /// The page's console block: each command with the lines that it prints.
    private static func steps() throws -> [(command: String, output: String)] {
        let page = try String(
            contentsOf: policies.appending(path: "README.md"), encoding: .utf8)
        let start = try #require(page.range(of: "```console\n"))
        let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
        var steps: [(command: String, output: String)] = []
        var isInDocument = false
        for line in page[start.upperBound..<end.lowerBound].split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix("$ ") {
                steps.append((String(line.dropFirst(2)), ""))
                isInDocument = line.hasSuffix("<<'END'")
            } else if isInDocument {
                steps[steps.count - 1].command += "\n\(line)"
                isInDocument = line != "END"
            } else {
                steps[steps.count - 1].output += "\(line)\n"
            }
        }
        return steps
    }

    @Test("every line of the page does what it shows")
    func loop() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "hawser-loop-\(UUID().uuidString)")
        try FileManager.default.copyItem(
            at: Self.policies.appending(path: "classic-failures"), to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let executable = try CommandRun.executable().deletingLastPathComponent().path
        let steps = try Self.steps()
        #expect(steps.count >= 8)
        for step in steps {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "{ \(step.command)\n} 2>&1"]
            process.currentDirectoryURL = folder
            process.environment = ["PATH": "\(executable):/usr/bin:/bin", "TERM": "dumb"]
            process.standardInput = FileHandle.nullDevice
            let printed = Pipe()
            process.standardOutput = printed
            try process.run()
            let data = try printed.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(String(decoding: data, as: UTF8.self) == step.output, "\(step.command)")
        }
    }
}
