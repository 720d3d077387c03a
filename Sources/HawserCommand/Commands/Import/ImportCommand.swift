import ArgumentParser

/// `hawser import`: turns what other systems trust into a policy.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Write a policy from what another system trusts.",
        subcommands: [
            ImportNSCCommand.self, ImportATSCommand.self, ImportChromeCommand.self,
            ImportPinsJSONCommand.self, ImportOkHttpCommand.self, ImportTrustKitCommand.self,
            ImportCurlCommand.self,
            ImportChromeEnterpriseCommand.self, ImportCertdataCommand.self, ImportStoreCommand.self,
        ])
}
