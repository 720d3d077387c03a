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
        let run = try ForeignFileRun(file, options)
        let source = SourceFile(path: run.citedName(or: "envoy.yaml"), bytes: try run.read())
        let read: EnvoyFile
        do throws(ForeignError) {
            read = try EnvoyReader.read(source.bytes)
        } catch {
            return try run.refuse(error, in: source)
        }
        var certificates: [String: [Certificate]] = [:]
        for path in read.paths {
            guard let found = try folder.file(path) else { continue }
            certificates[path] = try ForeignCertificatesOption.certificates(found)
        }
        return try run.write(
            EnvoyImport.policy(
                of: read, source: source, certificates: certificates, owner: options.owner),
            of: source)
    }
}

/// The option for certificates that a file names and does not hold.
struct ForeignCertificatesOption: ParsableArguments {
    @Option(
        name: .customLong("certificates"),
        help: ArgumentHelp(
            "A folder with the CA certificates that FILE names by path or by object.",
            valueName: "folder"), completion: .directory)
    var certificatesFolder: String?

    /// The file in the folder with the last part of a path, as it is or with the ending of PEM; nil
    /// if there is none.
    func file(_ path: String) throws(CommandFailure) -> String? {
        guard let certificatesFolder, let name = path.split(separator: "/").last, name != "..",
            name != "."
        else { return nil }
        return ["", ".pem", ".crt"].map { "\(certificatesFolder)/\(name)\($0)" }.first(
            where: NamedPath.isFile)
    }

    /// The certificates of a file. A file with a private key is refused.
    static func certificates(_ path: String) throws(CommandFailure) -> [Certificate] {
        try CertificateFile.certificates(try octets(path), path: path)
    }

    /// The octets of a file with certificates. A file with a private key is refused.
    static func octets(_ path: String) throws(CommandFailure) -> [UInt8] {
        let bytes = try InputFile.read(path, limit: CertificateFile.limit)
        if let blocks = try CertificateFile.blocks(bytes, path: path), blocks.containsPrivateKey {
            throw .couldNotAsk(
                "`\(path)` holds a private key; give a file that holds certificates only")
        }
        return bytes
    }
}
