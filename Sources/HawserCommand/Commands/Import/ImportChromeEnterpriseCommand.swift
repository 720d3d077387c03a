import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools

/// `hawser import chrome-enterprise`: writes a unit from Chrome's enterprise lists of certificates.
struct ImportChromeEnterpriseCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "chrome-enterprise",
        abstract: "Write what Chrome's enterprise lists of certificates mean.",
        discussion: """
            FILE is a file of enterprise policies in JSON, as Chrome on Linux reads it. The policy \
            trusts the machine's store, which stands for the roots that Chrome has anyway, and each \
            added certificate with the names that its constraints permit. Certificates that are \
            distrusted become forbidden keys.

            Each difference between the file and the policy is a finding with its place, and so is \
            each entry that Chrome drops. Ends with 0 if the policy means the same, and with 1 if \
            there is a finding beyond a remark.
            """)

    @Argument(help: "The policies in JSON, or -, standard input.", completion: .file())
    var file: String

    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        try ForeignFileRun(file, options).answer(
            named: "certificates.json", read: ChromeEnterpriseReader.read
        ) { read, source in
            ChromeEnterpriseImport.policy(
                of: read, source: source, owner: options.owner, crypto: EngineLoader.makeBackend())
        }
    }
}
