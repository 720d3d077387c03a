import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import TrustEngine

/// `hawser import curl`: writes a unit from a curl command or a configuration file of curl.
struct ImportCurlCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "curl",
        abstract: "Write what a curl command or a .curlrc means.",
        discussion: """
            FILE is a shell script with one curl command, or a configuration file of curl. The policy \
            has a rule for the hosts of the URLs. Without a URL, and with `-L`, the demands are the \
            policy's `default`. The files of `--cacert` and `--pinnedpubkey` are read; their paths \
            count from the current folder.

            Ends with 0 if the policy means the same, and with 1 if there is a finding beyond a \
            remark. Nothing is written of a file that is refused.
            """)

    @Argument(help: "The command or the file, or -, standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The version of curl, which decides how lists of hashes are split.",
            valueName: "version"))
    var curl = "8"

    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        guard let version = CurlModel.Version(curl) else {
            throw .couldNotAsk("`--curl` takes a version such as 7.88 or 8; found `\(curl)`")
        }
        let run = try ForeignFileRun(file, options)
        let source = SourceFile(path: run.citedName(or: "curlrc"), bytes: try run.read())
        let read: CurlFile
        do throws(ForeignError) {
            read = try CurlReader.read(source.bytes)
        } catch {
            return try run.refuse(error, in: source)
        }
        let resources = try ImportCurlCommand.resources(of: read, version)
        let imported: ForeignImport
        do throws(ForeignError) {
            imported = try CurlImport.policy(
                of: read, version: version, source: source, resources: resources,
                owner: options.owner)
        } catch {
            return try run.refuse(error, in: source)
        }
        return try run.write(imported, of: source)
    }

    // MARK: Resources

    private static func resources(
        of file: CurlFile, _ version: CurlModel.Version
    ) throws(CommandFailure) -> CurlImport.Resources {
        var resources = CurlImport.Resources()
        if let path = file.certificateFile, NamedPath.isFile(path) {
            resources.anchors = try CertificateFile.withoutKey(path, advice)
        }
        if let path = CurlModel(file, version).pinnedKeyFile, NamedPath.isFile(path) {
            resources.pinnedKey = try key(path)
        }
        return resources
    }

    private static let advice = ", and curl needs none here; take it out"

    /// The digest of a public key in PEM or DER, in base64.
    private static func key(_ path: String) throws(CommandFailure) -> String {
        let bytes = try CertificateFile.octetsWithoutKey(path, advice)
        let blocks = try CertificateFile.blocks(bytes, path: path)
        let der = blocks.map { $0.first { $0.label == "PUBLIC KEY" }?.der } ?? bytes
        guard let der, !KeyMaterial.isPrivateKey(der),
            (try? PublicKey.parse(spki: der.span, at: 0)) != nil
        else {
            throw .couldNotAsk(
                "`\(path)` holds no public key in PEM or DER, as `--pinnedpubkey` takes")
        }
        return Base64.encode(EngineLoader.digests.digest(.sha256, of: der.span).bytes)
    }
}
