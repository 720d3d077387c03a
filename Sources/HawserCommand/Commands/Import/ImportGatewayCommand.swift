import ArgumentParser
import PolicyCompiler
import PolicyTools

/// `hawser import backend-tls-policy`: writes a unit from manifests of the Gateway API.
struct ImportGatewayCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "backend-tls-policy",
        abstract: "Write what BackendTLSPolicy objects of the Kubernetes Gateway API mean.",
        discussion: """
            FILE is a stream of YAML documents or a `List`, with the `ConfigMap` and `Service` \
            objects that the policies refer to. The policy has a rule for each service that is a \
            target, under its name in the cluster. Of two policies for one target the older decides, \
            then the first by its name.

            Each object is checked against the schema of its CRD. Each difference between the file \
            and the policy is a finding with its place, its hosts and its direction; `hawser rule \
            CODE` explains a code.

            Ends with 0 if the policy means the same, and with 1 if there is a finding beyond a \
            remark. Nothing is written of a file that is refused.
            """)

    @Argument(help: "The manifests, or -, standard input.", completion: .file())
    var file: String

    @OptionGroup var cluster: ClusterDomainOption
    @OptionGroup var folder: ForeignCertificatesOption
    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        let domain = try cluster.domain()
        return try ForeignFileRun(file, options).answer(
            named: "gateway.yaml",
            read: { octets throws(ForeignError) in try GatewayReader.read(octets) }
        ) { read, source throws(CommandFailure) in
            var bundles: [String: String] = [:]
            for name in read.missing {
                guard let found = try folder.file(name) else { continue }
                let octets = try CertificateFile.octetsWithoutKey(
                    found, ForeignCertificatesOption.advice)
                bundles[name] = String(decoding: octets, as: UTF8.self)
            }
            return GatewayImport.policy(
                of: read, source: source, bundles: bundles, domain: domain, owner: options.owner)
        }
    }
}
