import Foundation

/// One run of the built command: its arguments and its output.
struct CommandRun {
    let arguments: [String]
    let output: String
    let error: String
    let status: Int32

    /// Runs `hawser` in a folder, without a terminal and without the environment's colours.
    /// Standard input is empty unless `input` names a file.
    ///
    /// - Parameter memory: the addresses that the command can have, in KiB; nil for as many as it
    ///   asks for. A command that asks for more traps.
    init(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:],
        input: URL? = nil, memory: Int? = nil
    ) throws {
        let process = Process()
        let command = try CommandRun.executable()
        process.executableURL = command
        process.arguments = arguments
        if let memory {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments =
                ["-c", "ulimit -v \(memory) && exec \"$@\"", "sh", command.path] + arguments
        }
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/bin:/bin", "TERM": "dumb"]
            .merging(environment) { $1 }
        process.standardInput =
            try input.map { try FileHandle(forReadingFrom: $0) }
            ?? FileHandle.nullDevice
        // Files, not pipes: neither side waits for the other however much is written.
        let outputFile = folder.appending(path: "stdout-\(UUID().uuidString)")
        let errorFile = folder.appending(path: "stderr-\(UUID().uuidString)")
        defer {
            try? FileManager.default.removeItem(at: outputFile)
            try? FileManager.default.removeItem(at: errorFile)
        }
        try Data().write(to: outputFile)
        try Data().write(to: errorFile)
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        process.waitUntilExit()
        self.arguments = arguments
        self.output = String(decoding: try Data(contentsOf: outputFile), as: UTF8.self)
        self.error = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
        // A crash must not look like an exit status.
        self.status =
            process.terminationReason == .exit
            ? process.terminationStatus : -process.terminationStatus
    }

    /// An environment in which text is not wrapped, for tests that look for whole sentences.
    static let wide = ["COLUMNS": "9999"]

    /// The run as a golden file records it.
    var transcript: String {
        var text = "$ hawser \(arguments.joined(separator: " "))\n"
        text += "exit \(status)\n"
        if !output.isEmpty { text += "--- standard output\n" + output }
        if !error.isEmpty { text += "--- standard error\n" + error }
        return text
    }

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// The built command, which lies beside the test bundle.
    static func executable() throws -> URL {
        let bundle = URL(
            filePath: try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"))
        let candidates = [
            bundle.deletingLastPathComponent(),
            URL(filePath: ProcessInfo.processInfo.arguments.first ?? "")
                .deletingLastPathComponent(),
            Bundle.main.bundleURL,
            repository.appending(path: ".build/debug"),
        ].map { $0.appending(path: "hawser") }
        guard
            let found = candidates.first(where: {
                FileManager.default.isExecutableFile(atPath: $0.path)
            })
        else {
            throw Missing(
                description: "no `hawser` among \(candidates.map(\.path)); build the product first")
        }
        return found
    }

    /// The repository's root.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}
