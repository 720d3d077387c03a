import Foundation
import TestPKI

/// `openssl s_server` on a free port of loopback, with a chain of the test PKI. It is stopped when
/// this value goes.
final class LoopbackServer {
    /// Where the command is, or nil when this machine has none.
    static let command: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let port: UInt16
    private let process = Process()
    private let folder: URL

    /// Starts a server and waits until it says that it listens.
    init(chain: [Minted], options: [String], files: [String: [UInt8]] = [:]) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("hawser-probe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, bytes) in files {
            try Data(bytes).write(to: folder.appendingPathComponent(name))
        }
        try Data(chain[0].pem.utf8).write(to: folder.appendingPathComponent("leaf.pem"))
        try Data(chain.dropFirst().map(\.pem).joined().utf8)
            .write(to: folder.appendingPathComponent("chain.pem"))
        try Data(chain[0].key.privateKeyPEM.utf8).write(
            to: folder.appendingPathComponent("key.pem"))
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: LoopbackServer.command ?? "/usr/bin/openssl")
        process.currentDirectoryURL = folder
        process.arguments =
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", "leaf.pem", "-key", "key.pem",
            ] + (chain.count > 1 ? ["-cert_chain", "chain.pem"] : []) + options
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = Pipe()
        try process.run()
        port = try LoopbackServer.port(in: output.fileHandleForReading)
    }

    deinit {
        // A child inherits the signal mask of the thread that starts it, and threads of a pool
        // block SIGTERM; nothing blocks SIGKILL.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Reads `ACCEPT 127.0.0.1:PORT`, which the command prints when port 0 was asked for.
    private static func port(in output: FileHandle) throws -> UInt16 {
        var text = ""
        while true {
            let data = output.availableData
            guard !data.isEmpty else { throw NotListening(output: text) }
            text += String(decoding: data, as: UTF8.self)
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("ACCEPT ") }),
                let port = line.split(separator: ":").last.flatMap({ UInt16($0) }), port > 0
            else { continue }
            return port
        }
    }

    struct NotListening: Error {
        let output: String
    }
}
