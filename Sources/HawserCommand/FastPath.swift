import PolicyTools

/// The calls that a hook makes, answered without entering the argument parser: it costs over a
/// millisecond to set up, several times the rest of a start.
enum FastPath {
    /// The status of a call that is answered here, or nil for every other call.
    static func run(_ arguments: [String]) -> ExitStatus? {
        switch arguments.first {
        case "--version", "version":
            guard arguments.count == 1 else { return nil }
            return StandardStreams.write(HawserVersion.text + "\n", to: .output)
                ? .clean : .couldNotAsk
        case "check":
            let paths = Array(arguments.dropFirst())
            guard !paths.isEmpty, !paths.contains(where: { $0.utf8.first == UInt8(ascii: "-") })
            else { return nil }
            return Report.answer {
                () throws(CommandFailure) in
                try PolicyCheck.run(paths: paths, format: .text, colour: Report.colour(.auto))
            }
        case "lint":
            guard let run = LintArguments.read(arguments.dropFirst()) else { return nil }
            return Report.answer { () throws(CommandFailure) in try run.answer() }
        default:
            return nil
        }
    }
}
