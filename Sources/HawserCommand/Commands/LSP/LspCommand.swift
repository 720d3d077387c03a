import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import TrustEngine

/// `hawser lsp`: serves an editor over standard input and output.
struct LspCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Serve an editor: findings as you type, and what a rule decides.",
        discussion: """
            Speaks the Language Server Protocol over standard input and standard output; editors \
            start it. It reports what `lint` reports, over texts that are not saved yet, with the \
            other files of their unit. It reads no file outside the unit and the folders that the \
            editor has opened, fetches nothing, and runs nothing but `git`, as `diff` does. \
            The page Documentation/editors.md has the settings of editors.
            """)

    @Option(help: "The instant to judge at, as 2026-11-21 or 2026-11-21T12:00:00Z; by default now.")
    var at: String?

    @Option(help: "How long before its end a thing is reported; by default 90d.")
    var horizon: String?

    @Option(help: "default, strict (governance is an error) or audit (remarks, too).")
    var level: LintLevel = .default

    func answer() throws(CommandFailure) -> ExitStatus {
        let fixed = try at.map { text throws(CommandFailure) in try AskedInstant.read(text) }
        var seconds: Int64?
        if let horizon {
            try asking { () throws(ScalarProblem) in
                seconds = try DurationScanner.scan(horizon, for: "--horizon")
            }
        }
        let (level, ahead) = (self.level, seconds)
        let workspace = EditorWorkspace(crypto: EngineLoader.makeBackend()) {
            var options = LintOptions(time: fixed ?? StandardStreams.now())
            if let ahead { options.horizon = ahead }
            options.level = level
            return options
        }
        let base =
            StandardStreams.environment("XDG_RUNTIME_DIR")
            ?? StandardStreams.environment("TMPDIR") ?? "/tmp"
        return try LanguageServer(
            StandardChannel(), workspace, texts: OpenedTexts(in: base)
        ).run()
    }
}

/// Standard input and output. While the server writes, it reads too: an editor that waits until
/// its own message is read would otherwise wait forever.
final class StandardChannel: EditorChannel {
    private var waiting: [UInt8] = []
    private var isAtEnd = false

    func receive(waits: Bool) -> [UInt8]? {
        if waiting.isEmpty, !isAtEnd {
            let moved = StandardStreams.exchange([], waits: waits)
            waiting = moved.input
            isAtEnd = moved.isInputAtEnd
        }
        if waiting.isEmpty, isAtEnd { return nil }
        defer { waiting = [] }
        return waiting
    }

    func send(_ octets: [UInt8]) -> Bool {
        var rest = octets[...]
        while !rest.isEmpty {
            let moved = StandardStreams.exchange(rest, waits: true, reads: !isAtEnd)
            waiting += moved.input
            isAtEnd = isAtEnd || moved.isInputAtEnd
            guard let written = moved.written else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
