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
        let source = SourceFile(
            path: run.citedName(or: "destination-rule.yaml"), bytes: try run.read())
        let read: IstioFile
        do throws(ForeignError) {
            read = try IstioFile.read(source.bytes)
        } catch {
            return try run.refuse(error, in: source)
        }
        var certificates: [String: [Certificate]] = [:]
        for path in read.paths {
            guard let found = try folder.file(path) else { continue }
            certificates[path] = try ForeignCertificatesOption.certificates(found)
        }
        return try run.write(
            IstioImport.policy(
                of: read, source: source, certificates: certificates, domain: clusterDomain,
                owner: options.owner), of: source)
    }
}
