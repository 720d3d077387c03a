import CHawserABI
import Logging
import Rendering

/// Sends log lines to a function of the program. Without one, warnings and errors go to standard
/// error: a store that refuses a table is never silent by default.
///
/// SAFETY: the function may be called from any thread, as `hawser_log_function` demands. The
/// context is only passed on.
@safe struct CallbackLog: LogHandler, @unchecked Sendable {
    private let function: hawser_log_function?
    private let context: UnsafeMutableRawPointer?
    private let gate: CallbackGate

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level

    /// Makes a log that works while its gate is open.
    init(
        _ function: hawser_log_function?, context: UnsafeMutableRawPointer?, _ gate: CallbackGate
    ) {
        unsafe self.function = function
        unsafe self.context = context
        self.gate = gate
        logLevel = unsafe function == nil ? .warning : .trace
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Logs one line: the message, then `key=value` for each piece of metadata, sorted.
    func log(event: LogEvent) {
        let about = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let words = about.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        let line = TerminalEscape.escape("\(event.message)" + words.joined())
        guard let function = unsafe function else {
            _ = gate.pass { StandardError.write("hawser: \(event.level): \(line)") }
            return
        }
        let level = CallbackLog.number(event.level)
        unsafe line.withCString { text in
            _ = gate.pass {
                CallbackGate.callback { unsafe function(context, level, text) }
            }
        }
    }

    /// The level, as hawser.h numbers levels.
    private static func number(_ level: Logger.Level) -> Int32 {
        switch level {
        case .trace: return 0
        case .debug: return 1
        case .info: return 2
        case .notice: return 3
        case .warning: return 4
        case .error: return 5
        case .critical: return 6
        }
    }
}
