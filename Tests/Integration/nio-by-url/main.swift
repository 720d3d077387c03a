// A service in a package of its own: billing POLICY PORT. It asks the server on a port of loopback
// by two ways, and then under a name that has no rule. It prints each record of a verdict, and how
// each connection ended; its log goes to standard error.

import AsyncHTTPClient
import Hawser
import HawserAsyncHTTPClient
import HawserNIO
import HawserYAML
import NIOPosix

let arguments = CommandLine.arguments
guard arguments.count == 3, let port = UInt16(arguments[2]) else {
    fatalError("usage: billing POLICY PORT")
}
let table = try TrustPolicy.load(arguments[1]).engine.table.bytes

let hosts = AskedHosts.hosts([AskedHost("localhost", port: port)])
var configuration = PolicyStore.Configuration()
configuration.admission = IntegrationLimits(chain: .whole).admission(for: hosts)
let store = try PolicyStore(table: table, configuration: configuration)

let settings = HandshakeSettings(
    unmetDemands: .refuse, hosts: hosts,
    recording: VerdictRecording { print("record: \($0.json)") })

let client = try HawserHTTPClient(store: store, settings: settings)
let connections = try HawserClientTLS(store: store, settings: settings)

func ask(_ host: String) async throws {
    do {
        let response = try await client.execute(
            HTTPClientRequest(url: "https://\(host):\(port)/"), timeout: .seconds(10))
        print("HTTP \(host): \(response.status.code)")
    } catch let error as HawserTLSError {
        print("HTTP \(host): \(error.violations.map(\.id))")
    }
    do {
        let connection = try await connections.connect(
            ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton), host: host, port: port
        ).get()
        print("NIO \(host): rule \(connection.handshake.ruleID ?? "none")")
        try await connection.channel.close()
    } catch let error as HawserTLSError {
        print("NIO \(host): \(error.violations.map(\.id))")
    }
}

try await ask("localhost")
try await ask("127.0.0.1")
try await client.shutdown()
