import ArgumentParser

/// `hawser import`: turns what other systems trust into a policy.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Write a policy from what another system trusts.",
        subcommands: [
            ImportNSCCommand.self, ImportATSCommand.self, ImportPinsJSONCommand.self,
            ImportOkHttpCommand.self, ImportTrustKitCommand.self, ImportCurlCommand.self,
            ImportEnvoyCommand.self, ImportIstioCommand.self, ImportGatewayCommand.self,
            ImportSPIFFECommand.self, ImportStoreCommand.self, ImportCertdataCommand.self,
            ImportChromeCommand.self, ImportChromeEnterpriseCommand.self,
        ])
}
