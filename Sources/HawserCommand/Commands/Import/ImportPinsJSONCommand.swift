import ArgumentParser
import PolicyCompiler
import PolicyTools

/// `hawser import pins-json`: writes a unit from a list of pins in JSON.
struct ImportPinsJSONCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "pins-json",
        abstract: "Write what a list of pins in JSON means.",
        discussion: """
            FILE is a dictionary from hosts to pins, or a list of entries with a `host`. `hawser help \
            foreign-files.md` names the shapes that are read; every other key is refused with its \
            place. The policy has a rule for each entry, and accepts hosts without pins.

            Ends with 0 if the policy means the same, and with 1 if there is a finding beyond a \
            remark. Nothing is written of a file that is refused.
            """)

    @Argument(help: "The list in JSON, or -, standard input.", completion: .file())
    var file: String

    @Flag(help: "Enforce pins that the file only reports.")
    var enforce = false

    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        try ForeignFileRun(file, options).answer(
            named: "pins.json",
            read: { octets throws(ForeignError) in
                try PinsJSONReader.read(octets, takesAll: enforce)
            },
            policy: { read, source in
                PinListImport.policy(
                    of: PinsJSONModel(read), command: "pins-json", source: source,
                    owner: options.owner)
            })
    }
}
