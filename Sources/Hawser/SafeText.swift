import Rendering

/// Text of strangers for logs and terminals. Hosts, subjects and whatever an answer says may hold
/// control characters; sentences and renderings of this module come escaped already.
public enum SafeText {
    /// One line: what a terminal obeys, an editor hides or a log reader takes for a line's end is
    /// shown as `\u{1B}`, and cannot act.
    public static func line(_ text: String) -> String { TerminalEscape.escape(text) }
}
