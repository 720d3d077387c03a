import ArgumentParser
import PolicyCompiler
import PolicyTools

/// `hawser import ats`: writes a unit from the App Transport Security of an `Info.plist`.
struct ImportATSCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "ats",
        abstract: "Write what the App Transport Security of an Info.plist means.",
        discussion: """
            FILE is a property list in XML or in Apple's binary form. The policy has a rule for the \
            hosts of each entry of `NSExceptionDomains` and `NSPinnedDomains`, and the demands on \
            all other hosts as its `default`. Other keys are not read.

            Each difference between the file and the policy is a finding with its place, its hosts \
            and its direction, and so is each key that Apple's page does not name; `hawser rule \
            CODE` explains a code. Lines of a binary file are lines of its App Transport Security in \
            XML.

            Ends with 0 if the policy means the same, and with 1 if there is a finding beyond a \
            remark. Nothing is written of a file that is refused.
            """)

    @Argument(help: "The Info.plist, or -, standard input.", completion: .file())
    var file: String

    @OptionGroup var options: ForeignFileOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        try ForeignFileRun(file, options).answer(
            named: "Info.plist", text: ATSReader.text, read: ATSReader.read
        ) { read, source in
            ATSImport.policy(of: read, source: source, owner: options.owner)
        }
    }
}
