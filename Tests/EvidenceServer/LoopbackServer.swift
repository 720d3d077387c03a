import Foundation

/// `openssl s_server` on a free port of loopback. It is stopped when this value goes.
public final class LoopbackServer {
    /// Where the command is, or nil when this machine has none.
    public static let command: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The port that it listens on.
    public let port: UInt16
    private let process = Process()
    private let folder: URL

    /// Starts a server and waits until it says that it listens. Certificates and the key are PEM.
    ///
    /// - Parameters:
    ///   - others: the certificates that are sent after the server's own.
    ///   - options: further options of `openssl s_server`.
    ///   - files: files that the options name, in the folder of the server.
    public init(
        leaf: String, others: String, key: String, options: [String],
        files: [String: [UInt8]] = [:]
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("hawser-probe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, bytes) in files {
            try Data(bytes).write(to: folder.appendingPathComponent(name))
        }
        for (name, text) in [("leaf.pem", leaf), ("chain.pem", others), ("key.pem", key)] {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: LoopbackServer.command ?? "/usr/bin/openssl")
        process.currentDirectoryURL = folder
        process.arguments =
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", "leaf.pem", "-key", "key.pem",
            ] + (others.isEmpty ? [] : ["-cert_chain", "chain.pem"]) + options
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

    /// The command ended before it listened.
    public struct NotListening: Error {
        /// Its output.
        public let output: String
    }
}
