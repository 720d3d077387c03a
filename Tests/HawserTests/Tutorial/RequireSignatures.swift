import Hawser

/// Tables that two of three people signed; nothing else is put in force, and no older one after a newer.
func signedConfiguration(_ keys: [String]) throws -> PolicyStore.Configuration {
    var configuration = PolicyStore.Configuration()
    configuration.trustedKeys = try TrustedKeys(
        keys.map { try TablePublicKey(base64: $0) }, threshold: 2)
    return configuration
}
