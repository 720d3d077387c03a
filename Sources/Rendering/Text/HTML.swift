import TrustEngine

/// A piece of markup. Text becomes a part of it through `escape` alone: names of elements and
/// attributes are literals of this program.
package struct HTML: Hashable, Sendable {
    /// The markup, which is well-formed by itself.
    package let markup: String

    private init(markup: String) { self.markup = markup }

    /// Nothing.
    package static let none = HTML(markup: "")

    /// A text, escaped.
    package init(_ text: String) { markup = HTML.escape(text) }

    /// A sentence, escaped. What stands between two backticks is code.
    package init(sentence: String) {
        let parts = sentence.split(separator: "`", omittingEmptySubsequences: false)
        // A backtick without its second one stays a backtick.
        let pairs = parts.count % 2 == 1 ? parts.count : parts.count - 1
        var text = ""
        for (index, part) in parts.enumerated() {
            if index < pairs, index % 2 == 1 {
                text += "<code>" + HTML.escape(String(part)) + "</code>"
            } else {
                if index >= pairs { text += "`" }
                text += HTML.escape(String(part))
            }
        }
        markup = text
    }

    /// An element. An attribute without a value is left out.
    package static func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>,
        _ children: [HTML]
    ) -> HTML {
        var text = "<\(name)"
        for (key, value) in attributes {
            if let value { text += " \(key)=\"\(escape(value))\"" }
        }
        text += ">"
        for child in children { text += child.markup }
        return HTML(markup: text + "</\(name)>")
    }

    /// An element without attributes.
    package static func element(_ name: StaticString, _ children: [HTML]) -> HTML {
        element(name, [:], children)
    }

    /// An element that holds a text.
    package static func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>, _ text: String
    ) -> HTML {
        element(name, attributes, [HTML(text)])
    }

    /// An element without attributes that holds a text.
    package static func element(_ name: StaticString, _ text: String) -> HTML {
        element(name, [:], [HTML(text)])
    }

    /// An element without an end tag: `meta`, `br`.
    package static func void(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:]
    ) -> HTML {
        var text = "<\(name)"
        for (key, value) in attributes {
            if let value { text += " \(key)=\"\(escape(value))\"" }
        }
        return HTML(markup: text + ">")
    }

    /// Facts with their names.
    package static func facts(_ rows: [(String, [HTML])]) -> HTML {
        element(
            "dl", ["class": "facts"],
            rows.flatMap { [element("dt", $0.0), element("dd", $0.1)] })
    }

    /// Pieces one after the other.
    package static func joined(_ pieces: [HTML]) -> HTML {
        HTML(markup: pieces.map(\.markup).joined())
    }

    /// A constant of this program that is markup: the style sheet, and the type of the document.
    package static func constant(_ markup: StaticString) -> HTML { HTML(markup: "\(markup)") }

    /// The only way by which text reaches a page. What HTML gives a meaning becomes a reference
    /// (HTML, section 13.1.4). Control and format characters, the bidirectional ones among them,
    /// are written out as `\u{202E}` and have no effect.
    private static func escape(_ text: String) -> String {
        var shown = ""
        for scalar in TerminalEscape.escape(text).unicodeScalars {
            switch scalar {
            case "&": shown += "&amp;"
            case "<": shown += "&lt;"
            case ">": shown += "&gt;"
            case "\"": shown += "&quot;"
            case "'": shown += "&#39;"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
