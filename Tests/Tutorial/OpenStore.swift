import Hawser

/// The policy of a program: opened once at start, asked by every connection.
func openStore(table path: String, state directory: String) throws -> PolicyStore {
    var configuration = PolicyStore.Configuration()
    configuration.name = "payments"
    configuration.stateDirectory = directory
    return try PolicyStore(file: path, configuration: configuration)
}
