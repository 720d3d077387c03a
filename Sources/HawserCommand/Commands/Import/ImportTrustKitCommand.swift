import ArgumentParser
import PolicyCompiler
import PolicyTools

/// `hawser import trustkit`: writes a unit from the configuration of TrustKit.
struct ImportTrustKitCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "trustkit",
        abstract: "Write what a configuration of TrustKit means.",
        discussion: """
            FILE is source text in Swift or Objective-C with the dictionary of TrustKit, an \
            `Info.plist` with `TSKConfiguration` in XML or binary, or Android's \
            `network_security_config.xml` as TrustKit-Android reads it. Source text is read as far \
            as the dictionary is made of literals. Each other value is a finding with its place. \
            Lines of a binary file are lines of its dictionary in XML.

            Ends with 0 if the policy means the same, and with 1 if there is a finding beyond a \
            remark. Nothing is written of a file that is refused.
            """)

    @Argument(help: "The source text or the file, or -, standard input.", completion: .file())
    var file: String

    @Flag(help: "Enforce pins that the file only reports.")
    var enforce = false

    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        let run = try ForeignFileRun(file, options)
        let bytes = try run.read()
        let name = run.citedName(or: "Info.plist")
        var source = SourceFile(path: name, bytes: bytes)
        let read: PinListFile
        do throws(ForeignError) {
            let form = TrustKitReader.form(of: file, bytes)
            let text = try TrustKitReader.text(of: bytes)
            source = SourceFile(path: name, bytes: text)
            read = try TrustKitReader.read(text, form, takesAll: enforce)
        } catch {
            return try run.refuse(error, in: source)
        }
        let imported = PinListImport.policy(
            of: TrustKitModel(read), command: "trustkit", source: source, owner: options.owner)
        return try run.write(imported, of: source)
    }
}
