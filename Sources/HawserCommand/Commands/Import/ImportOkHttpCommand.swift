import ArgumentParser
import PolicyCompiler
import PolicyTools

/// `hawser import okhttp`: writes a unit from the calls of OkHttp's `CertificatePinner.Builder`.
struct ImportOkHttpCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "okhttp",
        abstract: "Write what the calls of OkHttp's CertificatePinner mean.",
        discussion: """
            FILE is source text in Java or Kotlin with one `CertificatePinner.Builder()`. Calls of \
            `add` are read as far as their arguments are literals. Each other argument is a finding \
            with its place. The policy has a rule for each pattern, and accepts hosts without pins.

            Ends with 0 if the policy means the same, and with 1 if there is a finding beyond a \
            remark. Nothing is written of a file that is refused.
            """)

    @Argument(help: "The source text, or -, standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The version of OkHttp, which decides what patterns mean.", valueName: "version"))
    var okhttp = "5"

    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        guard let version = OkHttpModel.Version(okhttp) else {
            throw .couldNotAsk(
                "`--okhttp` takes a version from 3.2 on, such as 4.12; found `\(okhttp)`")
        }
        return try ForeignFileRun(file, options).answer(
            named: "Pins.kt",
            read: { octets throws(ForeignError) in
                try OkHttpReader.read(octets, OkHttpReader.language(of: file, octets), version)
            },
            policy: { read, source in
                PinListImport.policy(
                    of: OkHttpModel(read, version), command: "okhttp --okhttp \(okhttp)",
                    source: source, owner: options.owner)
            })
    }
}
