/// The command `hawser`. It is synchronous: an asynchronous entry point costs 12 ms in a fully
/// static executable.
@main
enum HawserMain {
    static func main() {
        StandardStreams.openMissing()
        let words = StandardStreams.arguments
        guard !words.isEmpty else {
            // Without its words a gate would print the help, and end as if nothing was found.
            Report.progress("error: the system started `hawser` without any word of a command line")
            StandardStreams.finish(.ownFault)
        }
        let arguments = Array(words.dropFirst())
        StandardStreams.finish(FastPath.run(arguments) ?? CommandTree.run(arguments))
    }
}

/// The version of the command.
enum HawserVersion {
    static let text = "hawser \(number)"
    /// Only the version, by Semantic Versioning 2.0.0.
    static let number = "0.1.0"
}
