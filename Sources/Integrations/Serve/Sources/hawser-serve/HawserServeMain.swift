import Glibc
import HawserServe

/// The executable that `hawser serve` starts.
@main
enum HawserServeMain {
    static func main() {
        exit(ServeProgram.run(Array(CommandLine.arguments.dropFirst())))
    }
}
