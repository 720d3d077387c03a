import AsyncHTTPClient
import Hawser
import HawserAsyncHTTPClient
import HawserNIO
import NIOCore
import NIOPosix

/// A service that fetches its policy, asks an API by it, and opens a connection of its own.
func serve(signedTable: [UInt8], keys: TrustedKeys) async throws {
    var configuration = PolicyStore.Configuration()
    configuration.trustedKeys = keys
    // A table is not put in force whose rules for these hosts NIOSSL cannot meet.
    let hosts = AskedHosts.hosts([
        "api.acme.example", "policy.acme.example", AskedHost("queue.acme.example", port: 5671),
    ])
    configuration.admission = IntegrationLimits(chain: .whole).admission(for: hosts)
    let store = try PolicyStore(table: signedTable, configuration: configuration)

    // What is kept of verdicts: receipts and reports, and a line of log for each refusal.
    let settings = HandshakeSettings(
        hosts: hosts, recording: VerdictRecording { print($0.json) })

    // Requests over HTTP: the whole chain of every server is judged.
    let client = try HawserHTTPClient(store: store, settings: settings)
    do {
        let response = try await client.execute(
            HTTPClientRequest(url: "https://api.acme.example/v1"), timeout: .seconds(10))
        print(response.status)
    } catch let error as HawserTLSError {
        for sentence in error.sentences { print(sentence) }
    }

    // Newer tables, asked for every minute through the same client.
    let source = try HTTPTableSource(
        store: store, url: "https://policy.acme.example/table", client: client)
    let polling = Task { await source.run() }

    // A connection of the service's own; what it is used for is up to the service.
    let trust = try HawserClientTLS(store: store, settings: settings)
    let connection = try await trust.connect(
        ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton),
        host: "queue.acme.example", port: 5671
    ).get()
    print("epoch \(connection.handshake.epoch)")
    try await connection.channel.close()

    polling.cancel()
    await polling.value
    try await client.shutdown()
}
