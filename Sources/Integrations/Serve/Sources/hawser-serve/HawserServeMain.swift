import HawserServe

/// The executable that `hawser serve` starts.
@main
enum HawserServeMain {
    static func main() {
        ServeProgram.main(Array(CommandLine.arguments.dropFirst()))
    }
}
