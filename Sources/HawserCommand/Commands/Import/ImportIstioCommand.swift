import ArgumentParser
import PolicyCompiler
import PolicyTools
import TrustEngine

/// `hawser import destination-rule`: writes a unit from `DestinationRule` objects of Istio.
struct ImportIstioCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "destination-rule",
        abstract: "Write what DestinationRule objects of Istio trust.",
        discussion: """
            FILE is a stream of YAML documents or a `List`. The policy has a rule for each \
            destination with TLS, and for each port with settings of its own. Without \
            `caCertificates` nothing is verified, as Istio's own analyzer says, and is a warning.

            Each difference between the file and the policy is a finding with its place, its hosts \
            and its direction; `hawser rule CODE` explains a code.

            Ends with 0 if the policy means the same, and with 1 if there is a finding beyond a \
            remark. Nothing is written of a file that is refused.
            """)

    @Argument(help: "The objects, or -, standard input.", completion: .file())
    var file: String

    @OptionGroup var cluster: ClusterDomainOption
    @OptionGroup var folder: ForeignCertificatesOption
    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        let domain = try cluster.domain()
        return try ForeignFileRun(file, options).answer(
            named: "destination-rule.yaml", read: IstioFile.read
        ) { read, source throws(CommandFailure) in
            IstioImport.policy(
                of: read, source: source, certificates: try folder.certificates(of: read.paths),
                domain: domain, owner: options.owner)
        }
    }
}
