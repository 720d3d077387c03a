import Hawser
import HawserSwiftCrypto

/// A store whose engines verify signatures with swift-crypto.
func openStore(table: [UInt8], keys: TrustedKeys?) throws -> PolicyStore {
    var configuration = PolicyStore.Configuration()
    configuration.trustedKeys = keys
    configuration.crypto = SwiftCryptoBackend()
    return try PolicyStore(table: table, configuration: configuration)
}
