import Rendering

/// Escapes text of strangers for logs and terminals. Hosts, subjects and answers may contain
/// control characters. The sentences and renderings of this module are escaped already.
public enum SafeText {
    /// The text as one line. A character that a terminal obeys, that an editor hides, or that a log
    /// reader takes for the end of a line is written as `\u{1B}` and has no effect.
    public static func line(_ text: String) -> String { TerminalEscape.escape(text) }
}
