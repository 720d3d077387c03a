import PolicyCompiler
import TrustEngine

/// Text of others as a scalar or a comment of the YAML that policies and tests are written in. The
/// written text is read back as the same text.
package enum YAMLText {
    /// A scalar on one line: plain where it is a word that YAML reads as itself, otherwise in
    /// double quotes. Inside them every character that an editor hides, and everything outside
    /// ASCII that could be taken for something else, is an escape.
    package static func scalar(_ text: String) -> String {
        isWord(text) ? text : quoted(text)
    }

    /// A list of scalars in flow form.
    package static func list(_ items: [String]) -> String {
        "[\(items.map(scalar).joined(separator: ", "))]"
    }

    /// A scalar in double quotes.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case " "..."~": quoted.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let (mark, width) =
                    scalar.value <= 0xFF ? ("x", 2) : scalar.value <= 0xFFFF ? ("u", 4) : ("U", 8)
                quoted +=
                    "\\\(mark)" + String(repeating: "0", count: width - digits.utf8.count) + digits
            }
        }
        return quoted + "\""
    }

    /// Whether a text is a plain scalar that no reader of YAML takes for a number, a truth value or
    /// the beginning of something else: a lower-case letter, then letters, digits, `-`, `_`, `.`
    /// and `/`.
    private static func isWord(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        guard AmbiguousScalar.problem(of: text) == nil else { return false }
        return text.utf8.allSatisfy { octet in
            switch octet {
            case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "/"):
                return true
            default: return false
            }
        }
    }
}
