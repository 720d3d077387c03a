import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools

/// `hawser import trust-store`: writes a unit from the certificates of a Java key store or of
/// PKCS#12. One command reads all forms: a file `cacerts` may have any of them, and its octets tell
/// which.
struct ImportStoreCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "trust-store",
        abstract: "Write the trusted certificates of a Java key store or PKCS#12.",
        discussion: """
            FILE is a trust store in the form JKS, JCEKS or PKCS#12; its octets decide which. The \
            policy trusts its certificates for every host, as Java does with the file under \
            `javax.net.ssl.trustStore`. Each certificate becomes a file.

            A store with a private or secret key is refused. Without a password, certificates that \
            are encrypted cannot be read, and the store's digest is not checked. In PKCS#12, Java \
            trusts only certificates with its own mark, and so does the policy; \
            `--all-certificates` takes the others too.

            Findings have their places in the list of the store's entries, a line for each. Ends \
            with 0 if the policy has every entry, and with 1 if there is a finding beyond a remark. \
            Nothing is written of a store that is refused.
            """)

    @Argument(help: "The store, or -, standard input.", completion: .file())
    var file: String

    @Flag(help: "Take certificates of PKCS#12 that are not marked as trusted.")
    var allCertificates = false

    @OptionGroup var passwords: StorePasswordOptions

    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        try InputFile.refuseSecondInput([
            ("FILE", [file]), ("--password-file", passwords.passwordFile.map { [$0] } ?? []),
        ])
        let run = try ForeignFileRun(file, options)
        let password = try passwords.password()
        let bytes = try run.read()
        let name = run.citedName(or: "trust-store")
        let crypto = EngineLoader.makeBackend()
        var listing = StoreListing()
        let store: StoreFile
        do throws(ForeignError) {
            store = try StoreReader.read(
                bytes, password: password, listing: &listing, crypto: crypto,
                passwords: EngineLoader.passwords)
        } catch {
            return try run.refuse(error, in: SourceFile(path: name, bytes: listing.octets))
        }
        let source = SourceFile(path: name, bytes: listing.octets)
        let imported = StoreImport.policy(
            of: store, takesAll: allCertificates, source: source, owner: options.owner,
            crypto: crypto)
        return try run.write(imported, of: source)
    }
}
