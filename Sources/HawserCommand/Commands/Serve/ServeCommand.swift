import ArgumentParser
import ServeArguments

/// `hawser serve`: starts the server, which is an executable of its own.
struct ServeCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Judge connections of programs that cannot link Hawser, over a local socket.",
        discussion: """
            Programs of other users and in any language ask over HTTP/1.1 and JSON: POST /v1/evaluate and \
            /v1/explain for a verdict on a chain, POST /v1/show for the rule of a host, GET /healthz, \
            /readyz and /metrics. A reject has the status 403, and only an accept has 200. `hawser schema \
            serve` prints the OpenAPI document.

            The clock is the server's. Nothing in a request is a path or an address that the server opens.

            The server is the executable `hawser-serve`, which is installed beside `hawser`, in \
            `../libexec/hawser`, or in a folder of PATH. `hawser serve` becomes that program.

            SIGTERM ends the server once the requests that have begun are answered; SIGHUP reads the table \
            again. Exit status: 0 stopped, 2 could not start.
            """)

    @OptionGroup var options: ServeOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        // The executable reads the words again, so they are handed on as they were given.
        throw SeparateExecutable.become(
            "hawser-serve", Array(StandardStreams.arguments.dropFirst(2)),
            advice: "build it: `swift build -c release --package-path Sources/Integrations/Serve "
                + "--product hawser-serve`, and copy it beside `hawser`")
    }
}
