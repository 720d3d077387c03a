import PolicyReading
package import TrustEngine

/// Words that every answer uses: days, durations, counts, lists, and the names of certificates.
/// They contain raw text of certificates and hosts: the renderer must escape whole lines.
package enum Words {
    /// The day of an instant.
    package static func day(_ instant: UTCInstant) -> String {
        String(instant.description.prefix { $0 != "T" })
    }

    /// A duration in the largest unit of the language that divides it without remainder.
    package static func duration(_ seconds: Int64) -> String { WrittenText.duration(seconds) }

    /// A count with its noun.
    package static func count(_ number: Int, _ noun: String) -> String {
        count(number, noun, "\(noun)s")
    }

    /// A count with its noun, by the noun's two forms.
    package static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }

    /// Names in backticks, at most six of them.
    package static func list(_ items: [String]) -> String {
        guard !items.isEmpty else { return "none" }
        return items.prefix(6).map { "`\(unquoted(shortened($0, to: 100)))`" }
            .joined(separator: ", ") + Cut.rest(items.count - 6, before: " and ")
    }

    /// Names that a certificate presents, at most six of them. The engine ends a long list with a
    /// text that says how many more there are (`ServiceIdentity.presentedNames`).
    static func presentedList(_ names: [String]) -> String {
        let words = names.last?.split(separator: " ") ?? []
        guard names.count > 16, words.count == 3, words[0] == "and", words[2] == "more",
            let more = Int(words[1])
        else { return list(names) }
        return list(Array(names.prefix(6)))
            + Cut.rest(names.count - 7 + more, before: " and ")
    }

    /// A text cut to a number of characters.
    package static func shortened(_ text: String, to limit: Int) -> String {
        WrittenText.shortened(text, to: limit)
    }

    /// A text for a place between backticks. A backtick of its own would end the quotation, and
    /// what a stranger wrote behind it would read as our words.
    static func unquoted(_ text: String) -> String {
        text.contains("`") ? text.replacing("`", with: "\\u{60}") : text
    }

    /// A certificate by the most specific part of its subject and its position on the path.
    package static func name(_ certificate: CertificateReference) -> String {
        "`\(shortSubject(certificate.subject))`"
    }

    /// The common name of an RFC 4514 string. Without a common name it is the first part, which is
    /// the most specific (RFC 4514 section 2.1 writes the parts last to first). At most 64
    /// characters.
    package static func shortSubject(_ subject: String) -> String {
        var first: String?
        var part = ""
        var isEscaped = false
        for scalar in subject.unicodeScalars {
            if !isEscaped, scalar == "," || scalar == "+" {
                if part.hasPrefix("CN=") { break }
                first = first ?? part
                part = ""
                continue
            }
            isEscaped = !isEscaped && scalar == "\\"
            part.unicodeScalars.append(scalar)
        }
        let chosen = part.hasPrefix("CN=") ? part : first ?? part
        return chosen.isEmpty ? "(no subject)" : unquoted(shortened(chosen, to: 64))
    }
}
