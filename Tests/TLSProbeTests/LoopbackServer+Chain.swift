import EvidenceServer
import TestPKI

extension LoopbackServer {
    /// Starts a server with a chain of the test PKI.
    convenience init(
        chain: [Minted], options: [String], files: [String: [UInt8]] = [:]
    ) throws {
        try self.init(
            leaf: chain[0].pem, others: chain.dropFirst().map(\.pem).joined(),
            key: chain[0].key.privateKeyPEM, options: options, files: files)
    }
}
