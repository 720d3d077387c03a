import Foundation
import Hawser
import HawserServe
import HawserYAML
import Logging
import TestPKI

/// A server on a socket of its own, with a policy that accepts one chain.
final class ServedWorld {
    static let host = "api.served.example"
    private static let root = Scenario().root("Served Root", key: .p256("served root"))
    private static let leaf = root.issueLeaf(dns: [host])

    let folder: URL
    let server: VerdictServer
    var socket: String { folder.appendingPathComponent("hawser.sock").path }

    /// A question that is accepted.
    static let question = body(host)

    static func body(_ host: String) -> String {
        let chain = Data(leaf.der).base64EncodedString()
        return #"{"host":"\#(host)","port":443,"chain":["\#(chain)"],"#
            + #""tls":{"state":"observed","version":"tls1.3"}}"#
    }

    /// The token for TCP.
    static let token = String(repeating: "t0ken/", count: 8)

    init(
        tcp: Bool = false, _ change: (inout VerdictServer.Configuration) -> Void = { _ in }
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("hawser-serve-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let place: VerdictServer.Configuration.Place =
            tcp
            ? .loopback(isIPv6: false, port: 0)
            : .unix(path: folder.appendingPathComponent("hawser.sock").path, group: nil)
        var configuration = VerdictServer.Configuration(places: [place])
        configuration.token = AccessToken(Array((Self.token + "\n").utf8))
        configuration.threads = 2
        change(&configuration)
        server = try VerdictServer(
            .octets(try Self.table(in: folder)), store: Self.store, configuration)
    }

    static var store: PolicyStore.Configuration {
        var store = PolicyStore.Configuration()
        store.clock = { Scenario.judgedAt }
        store.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return store
    }

    static func table(in folder: URL) throws -> [UInt8] {
        try Data(root.pem.utf8).write(to: folder.appendingPathComponent("root.pem"))
        let policy = """
            hawser: 1
            default: deny
            anchors:
              root: { files: [root.pem] }
            rules:
              api:
                hosts: ["\(host)"]
                anchors: [root]

            """
        let file = folder.appendingPathComponent("policy.yaml")
        try Data(policy.utf8).write(to: file)
        return try TrustPolicy.load(file.path).engine.table.bytes
    }

    func client() throws -> Client {
        guard let port = server.ports.first else { return try Client(socket: socket) }
        return try Client(port: port)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
