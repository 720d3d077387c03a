package import ArgumentParser

/// The options of `hawser serve`. The command reads them, so that a mistake is told and help is
/// given without the server's executable; the executable reads the same words again and acts by
/// them.
package struct ServeOptions: ParsableArguments {
    @Option(help: "The compiled table to judge by. The file is watched.", completion: .file())
    package var table: String

    @Option(
        name: .customLong("trusted-key"),
        help: """
            A public key that must have signed the table, a PEM file or base64 as `hawser sign` prints it; \
            may be repeated.
            """, completion: .file())
    package var trustedKey: [String] = []

    @Option(help: "How many of the trusted keys must have signed; by default 1.")
    package var threshold: Int?

    @Option(
        name: .customLong("state-directory"),
        help: """
            A folder that keeps the table in force, so that a restart without the file still enforces it \
            and refuses an older one.
            """, completion: .directory)
    package var stateDirectory: String?

    @Flag(
        name: .customLong("require-state"),
        help: """
            Do not start where the state directory does not prove which revision was in force, and \
            refuse a table whose revision cannot be recorded there.
            """)
    package var requireState = false

    @Option(
        name: .customLong("stale-after"),
        help: """
            Seconds after which a table that nobody confirms is stale, and every request is rejected.
            """)
    package var staleAfter: UInt32?

    @Flag(
        name: .customLong("warn-when-stale"),
        help:
            "With `--stale-after`: a stale table is told in log, metrics and notices, and judges on."
    )
    package var warnWhenStale = false

    @Flag(
        name: .customLong("forbid-waivers"), help: "Refuse a table that has any waiver.")
    package var forbidWaivers = false

    @Option(
        name: .customLong("log-list"),
        help: "A log_list.json, version 3, of a later day than the policy's own.",
        completion: .file(extensions: ["json"]))
    package var logList: String?

    @Option(
        name: .customLong("crlite-directory"),
        help: "A folder of CRLite filters, as `upki fetch` fills it, for rules that ask `crlite`.",
        completion: .directory)
    package var crliteDirectory: String?

    @Option(help: "The store's name in logs, metrics and answers.")
    package var name = "serve"

    @Option(
        help: """
            The path of the Unix socket. Its mode is 0660. Without `--socket` and `--tcp` the server takes \
            the sockets that systemd hands over.
            """)
    package var socket: String?

    @Option(help: "The group of the socket, by name or number; by default the server's own.")
    package var group: String?

    @Option(
        name: .customLong("allow-user"),
        help: """
            A user who may ask over the Unix socket, by name or number; may be repeated. By default root, \
            the server's own user, and the members of the socket's group.
            """)
    package var allowUser: [String] = []

    @Option(
        name: .customLong("allow-group"),
        help: "A group whose members may ask over the Unix socket; may be repeated.")
    package var allowGroup: [String] = []

    @Option(
        help: """
            A loopback address to listen on, 127.0.0.1:PORT or [::1]:PORT. Whoever asks there must have the \
            token.
            """)
    package var tcp: String?

    @Option(
        name: .customLong("token-file"),
        help: """
            The file with the token for `--tcp`: 32 to 4096 visible characters of ASCII on one line. Other \
            users must not be able to read it.
            """, completion: .file())
    package var tokenFile: String?

    @Flag(
        help: """
            Fetch the evidence that a verdict wants, where the rule says `network: wait`. Without it nothing \
            is ever fetched.
            """)
    package var fetch = false

    @Option(
        name: .customLong("allow-network"),
        help:
            "With `--fetch`: a network to fetch from although it is private, 10.0.0.0/8; may be repeated."
    )
    package var allowNetwork: [String] = []

    @Option(
        name: .customLong("allow-port"),
        help: "With `--fetch`: a port to fetch from besides 80 and 8080; may be repeated.")
    package var allowPort: [UInt16] = []

    @Option(
        name: .customLong("max-body"),
        help: "The most octets of a request's body, 1024 to 67108864.")
    package var maxBody = 1 << 20

    @Option(
        name: .customLong("max-connections"),
        help: "The most connections that are open at a time, 1 to 65536.")
    package var maxConnections = 512

    @Option(
        name: .customLong("max-connections-per-user"),
        help: """
            The most connections of one user at a time; those over TCP count as one user. By default half \
            of `--max-connections`.
            """)
    package var maxConnectionsPerUser: Int?

    @Option(
        help: "Seconds in which a request must have come, and its answer must have gone; 1 to 3600."
    )
    package var timeout = 10

    @Option(
        name: .customLong("idle-timeout"),
        help: "Seconds after which a connection without a request is closed; 1 to 86400.")
    package var idleTimeout = 60

    @Option(
        help: "Seconds that requests have to end when the server is told to stop; 0 to 3600.")
    package var drain = 10

    @Option(help: "Threads that judge, 1 to 256; by default one for each processor.")
    package var threads: Int?

    package init() {}
}
