#if Serve
import ArgumentParser
import CLibC
import CVersion
import Hawser
import Logging
import NIOCore
import Rendering
import ServeArguments
import TrustEngine

/// The words that the program is called with.
private struct ServeWords: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hawser-serve",
        abstract: "The server of `hawser serve`, which is how it is started.",
        version: "hawser-serve \(HAWSER_VERSION)")

    @OptionGroup var options: ServeOptions
}

/// The program that `hawser serve` starts.
public enum ServeProgram {
    /// Runs until a signal stops the server, and ends the process. The status: 0 stopped, 2 could
    /// not start.
    public static func main(_ arguments: [String]) -> Never { exit(run(arguments)) }

    private static func run(_ arguments: [String]) -> Int32 {
        let options: ServeOptions
        do {
            options = try ServeWords.parse(arguments).options
        } catch {
            let isAnswer = ServeWords.exitCode(for: error).isSuccess
            ProgramOutput.say(ServeWords.fullMessage(for: error), to: isAnswer ? .output : .error)
            return isAnswer ? 0 : 2
        }
        do throws(ServeSettings.Problem) {
            return try serve(try ServeSettings(options))
        } catch {
            ProgramOutput.say("error: " + TerminalEscape.escape(error.context), to: .error)
            return 2
        }
    }

    private static func serve(_ settings: ServeSettings) throws(ServeSettings.Problem) -> Int32 {
        StopSignals.block()
        let manager = SystemdNotices()
        let server: VerdictServer
        do throws(VerdictServer.StartError) {
            server = try VerdictServer(
                .file(settings.table), store: settings.store, settings.server)
        } catch {
            let isOther =
                NamedPath.exists(settings.table) && !EngineLoader.isTable(settings.table)
            throw ServeSettings.Problem(
                error.context
                    + (isOther ? "; `hawser compile POLICY -o FILE` writes a table" : ""))
        }
        let places = settings.places(server.ports).joined(separator: ", ")
        let snapshot = server.store.snapshot
        var logger = Logger(label: "hawser.serve")
        logger[metadataKey: "store"] = "\(TerminalEscape.escape(settings.store.name))"
        logger.notice(
            "listening on \(TerminalEscape.escape(places)); policy \(snapshot.engine.table.policyDigest.text)"
        )
        manager.tell("READY=1\nSTATUS=judging on \(TerminalEscape.escape(places))")
        while true {
            switch StopSignals.next() {
            case .reload:
                logger.notice("reading the table again, as SIGHUP asks")
                server.reload()
            case .stop:
                manager.tell("STOPPING=1\nSTATUS=ending the requests that have begun")
                logger.notice("stopping")
                // A second signal does not wait for anybody.
                _ = BackgroundThread.start {
                    if case .stop = StopSignals.next() { _exit(0) }
                }
                let isDone = server.stop()
                let seconds = settings.server.limits.drainTime.components.seconds
                logger.notice(
                    "stopped\(isDone ? "" : ", with requests that had not ended after \(seconds) seconds")"
                )
                return 0
            }
        }
    }
}
#endif
