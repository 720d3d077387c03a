import Hawser

/// Only tables that two of three people signed are put in force. An older table never follows a
/// newer one, even after a restart: without the state that proves the last revision the program
/// does not start.
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
