import ArgumentParser
import PolicyCompiler
import PolicyTools

/// `hawser import spiffe`: writes a unit from a trust bundle of SPIFFE.
struct ImportSPIFFECommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "spiffe",
        abstract: "Write the anchors of a SPIFFE trust bundle.",
        discussion: """
            FILE is a bundle in JSON, as a bundle endpoint serves it. Its X.509 authorities are the \
            anchors, and servers have to present an X509-SVID of the trust domain. The bundle does \
            not name its trust domain. Keys for JWT are left out.

            A finding names the day on which the bundle is due for renewal by its refresh hint; \
            `hawser rule CODE` explains a code.

            Ends with 0 if every finding is a remark, and with 1 otherwise. Nothing is written of a \
            file that is refused.
            """)

    @Argument(help: "The bundle, or -, standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The trust domain of the bundle, such as `mesh.example`.", valueName: "domain"))
    var trustDomain: String

    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "Hosts whose servers are workloads of the domain; by default every host.",
            valueName: "pattern"))
    var hosts: [String] = []

    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        guard SPIFFEImport.pattern(ofTrustDomain: trustDomain) != nil else {
            throw .couldNotAsk(
                "`--trust-domain` takes a name such as `mesh.example`; found `\(trustDomain)`")
        }
        var patterns: [String] = []
        for host in hosts {
            guard let scanned = try? HostPatternScanner.scan(host) else {
                throw .couldNotAsk("`--host` takes a host pattern; found `\(host)`")
            }
            if !patterns.contains(scanned.canonicalText) { patterns.append(scanned.canonicalText) }
        }
        return try ForeignFileRun(file, options).answer(
            named: "bundle.json", read: SPIFFEBundle.read
        ) { read, source throws(CommandFailure) in
            SPIFFEImport.policy(
                of: read, trustDomain: trustDomain, source: source, hosts: patterns,
                owner: options.owner, at: try AskedInstant.read(options.at))
        }
    }
}
