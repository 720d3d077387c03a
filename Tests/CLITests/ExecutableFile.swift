import Foundation
import Testing

/// A program that a test writes in order to run it.
enum ExecutableFile {
    /// Writes a program, and the folders above it. `install` writes the file, so that this process
    /// never has it open for writing. A child of another test could inherit the open file, and
    /// systems do not run a file that a process has open for writing (ETXTBSY).
    static func write(_ octets: some DataProtocol, to file: URL) throws {
        let source = FileManager.default.temporaryDirectory
            .appending(path: "hawser-program-\(UUID().uuidString)")
        try Data(octets).write(to: source)
        defer { try? FileManager.default.removeItem(at: source) }
        let copy = Process()
        copy.executableURL = URL(filePath: "/usr/bin/install")
        copy.arguments = ["-D", "-m", "755", source.path, file.path]
        try copy.run()
        copy.waitUntilExit()
        try #require(copy.terminationStatus == 0)
    }

    /// Writes a program for the shell.
    static func write(script: String, to file: URL) throws {
        try write(Array("#!/bin/sh\n\(script)\n".utf8), to: file)
    }
}
