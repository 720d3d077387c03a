import Foundation
import Testing

/// A process of the program `StoreVictim`.
final class VictimProcess {
    private let process = Process()
    private let output = Pipe()

    /// Starts it.
    init(_ arguments: [String]) throws {
        let bundle = URL(
            filePath: try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"))
        let places = [
            bundle.deletingLastPathComponent(),
            URL(filePath: ProcessInfo.processInfo.arguments.first ?? "")
                .deletingLastPathComponent(),
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: ".build/debug"),
        ].map { $0.appending(path: "StoreVictim") }
        let victim: URL = try #require(
            places.first { FileManager.default.isExecutableFile(atPath: $0.path) })
        process.executableURL = victim
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// Waits for its end.
    func wait() -> (reason: Process.TerminationReason, status: Int32) {
        process.waitUntilExit()
        return (process.terminationReason, process.terminationStatus)
    }

    /// The next line that it writes; nil at its end.
    func line() throws -> String? {
        var line: [UInt8] = []
        while let octet = try output.fileHandleForReading.read(upToCount: 1)?.first {
            if octet == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(octet)
        }
        return nil
    }

    /// All lines that it still writes, to its end.
    func lines() throws -> [String] {
        var lines: [String] = []
        while let line = try line() { lines.append(line) }
        return lines
    }

    /// Ends it as a power cut would.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
}
