import Hawser

/// Tables that two of three people signed; nothing else is put in force, and no older one after a
/// newer, not over a restart either: without the state that proves it the program does not start.
func signedConfiguration(
    _ keys: [String], state directory: String
) throws -> PolicyStore.Configuration {
    var configuration = PolicyStore.Configuration()
    configuration.name = "payments"
    configuration.stateDirectory = directory
    configuration.state = .required
    configuration.trustedKeys = try TrustedKeys(
        keys.map { try TablePublicKey(base64: $0) }, threshold: 2)
    return configuration
}
