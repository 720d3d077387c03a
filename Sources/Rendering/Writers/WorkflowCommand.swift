/// The commands that a step of GitHub Actions prints (https://docs.github.com/actions: workflow
/// commands for GitHub Actions).
package enum WorkflowCommand {
    /// The kinds of annotation, the worst first.
    package enum Kind: String, CaseIterable, Sendable {
        case error, warning, notice
    }

    /// The annotations of one kind that GitHub shows of a step
    /// (https://docs.github.com/actions: limitations of annotations).
    package static let most = 10

    /// One command, without a line end. `message` may have several lines.
    package static func line(
        _ kind: Kind, _ properties: [(String, String)], _ message: String
    ) -> String {
        let own = properties.map { "\($0.0)=\(escape($0.1, isProperty: true))" }
            .joined(separator: ",")
        return "::\(kind.rawValue)\(own.isEmpty ? "" : " " + own)::"
            + escape(message, isProperty: false)
    }

    /// Escapes untrusted text for a command. All text goes through this function, so nothing in it
    /// can end the command or begin another.
    package static func escape(_ text: String, isProperty: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            case ":" where isProperty: escaped += "%3A"
            case "," where isProperty: escaped += "%2C"
            default: TerminalEscape.append(scalar, to: &escaped)
            }
        }
        return escaped
    }
}
