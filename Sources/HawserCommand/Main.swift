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
        let arguments = FastPath.plain(Array(words.dropFirst()))
        StandardStreams.finish(FastPath.run(arguments) ?? CommandTree.run(arguments))
    }
}
