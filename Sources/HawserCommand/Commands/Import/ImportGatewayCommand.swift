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

    @Option(
        help: ArgumentHelp(
            "The domain of the cluster, which ends the names of services.", valueName: "domain"))
    var clusterDomain = "cluster.local"

    @OptionGroup var folder: ForeignCertificatesOption
    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        guard (try? ExactNameScanner.scan(clusterDomain))?.canonicalText == clusterDomain else {
            throw .couldNotAsk(
                "`--cluster-domain` takes a name such as `cluster.local`; found `\(clusterDomain)`")
        }
        let run = try ForeignFileRun(file, options)
        let source = SourceFile(path: run.citedName(or: "gateway.yaml"), bytes: try run.read())
        let read: GatewayFile
        do throws(ForeignError) {
            read = try GatewayReader.read(source.bytes)
        } catch {
            return try run.refuse(error, in: source)
        }
        var bundles: [String: String] = [:]
        for name in read.missing {
            guard let found = try folder.file(name) else { continue }
            bundles[name] = String(
                decoding: try ForeignCertificatesOption.octets(found), as: UTF8.self)
        }
        return try run.write(
            GatewayImport.policy(
                of: read, source: source, bundles: bundles, domain: clusterDomain,
                owner: options.owner), of: source)
    }
}
