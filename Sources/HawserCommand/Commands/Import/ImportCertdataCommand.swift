import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools

/// `hawser import certdata`: writes a unit from Mozilla's `certdata.txt`.
struct ImportCertdataCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "certdata",
        abstract: "Write the roots of Mozilla's certdata.txt, with their terms.",
        discussion: """
            FILE is `lib/ckfw/builtins/certdata.txt` of NSS, from which most bundles of public CAs \
            are made. The bundles lack its terms. The policy has them: only roots that the file \
            trusts for servers, for each root the date after which certificates that begin later \
            are not trusted, and the certificates that the file distrusts.

            Each difference between the file and the policy is a finding with its place. Ends with \
            0 if the policy means the same, and with 1 if there is a finding beyond a remark. \
            Nothing is written of a file that cannot be read.
            """)

    @Argument(help: "The text of the list, or -, standard input.", completion: .file())
    var file: String

    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        try ForeignFileRun(file, options).answer(
            named: "certdata.txt", read: CertdataReader.read
        ) { read, source in
            CertdataImport.policy(
                of: read, source: source, owner: options.owner, crypto: EngineLoader.makeBackend())
        }
    }
}
