import Foundation
public import TestPKI

/// `openssl s_client` with a certificate of the test PKI: a client that resumes sessions.
public final class OpenSSLClient {
    /// Where the command is, or nil when this machine has none.
    public static let command: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// What a connection does about sessions.
    public enum Session: Sendable {
        /// It keeps the one that it gets.
        case kept
        /// It offers the one that was kept.
        case offered
    }

    private let folder: URL

    /// A client that shows this chain.
    public init(chain: [Minted]) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("hawser-nio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(chain[0].pem.utf8).write(to: folder.appendingPathComponent("leaf.pem"))
        try Data(chain.dropFirst().map(\.pem).joined().utf8)
            .write(to: folder.appendingPathComponent("chain.pem"))
        try Data(chain[0].key.privateKeyPEM.utf8)
            .write(to: folder.appendingPathComponent("key.pem"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Connects by TLS 1.2, which gives its ticket within the handshake, and ends.
    ///
    /// - Returns: `New` or `Reused`, as the command says of the session.
    public func connect(port: UInt16, session: Session) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: Self.command ?? "openssl")
        process.currentDirectoryURL = folder
        process.arguments = [
            "s_client", "-connect", "127.0.0.1:\(port)", "-tls1_2", "-cert", "leaf.pem", "-key",
            "key.pem", "-cert_chain", "chain.pem",
            session == .kept ? "-sess_out" : "-sess_in", "session.pem",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let line = text.split(separator: "\n").first {
            $0.hasPrefix("New, ") || $0.hasPrefix("Reused, ")
        }
        return line.map { String($0.prefix { $0 != "," }) } ?? text
    }
}
