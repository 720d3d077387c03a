import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import TrustEngine

/// `hawser import envoy`: writes a unit from static configuration of Envoy.
struct ImportEnvoyCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "envoy",
        abstract: "Write what the clusters of Envoy trust.",
        discussion: """
            FILE is a bootstrap, a list of clusters, or a file of resources, in YAML or JSON. The \
            policy has a rule for each cluster with TLS: for the server name that it sends, on the \
            ports of its endpoints, or for the endpoints themselves. Secrets are read from FILE, and \
            nothing is fetched. Private keys are not read.

            Each difference between the file and the policy is a finding with its place, its hosts \
            and its direction; `hawser rule CODE` explains a code. A cluster without `trusted_ca` \
            verifies nothing, and is a warning. What Envoy refuses is refused at the same place.

            Ends with 0 if the policy means the same, and with 1 if there is a finding beyond a \
            remark. Nothing is written of a file that is refused.
            """)

    @Argument(help: "The configuration, or -, standard input.", completion: .file())
    var file: String

    @OptionGroup var folder: ForeignCertificatesOption
    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        try ForeignFileRun(file, options).answer(
            named: "envoy.yaml",
            read: { octets throws(ForeignError) in try EnvoyReader.read(octets) }
        ) { read, source throws(CommandFailure) in
            EnvoyImport.policy(
                of: read, source: source, certificates: try folder.certificates(of: read.paths),
                owner: options.owner)
        }
    }
}
