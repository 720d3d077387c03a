import Rendering
package import TrustEngine

/// The sentences of a comparison, which every format prints, so that formats never differ in words.
/// They hold text from hosts, files and certificates; each renderer escapes them.
package enum DiffSentences {
    /// The first of several sentences and the number of the others.
    package static func some(_ sentences: [String], most: Int) -> [String] {
        let more = sentences.count - most
        return Array(sentences.prefix(most)) + (more > 0 ? ["and \(more) more"] : [])
    }

    /// A relation as the word that every format prints.
    package static func relation(_ relation: Relation) -> String {
        switch relation {
        case .equal: return "equal"
        case .stricter: return "stricter"
        case .weaker: return "weaker"
        case .incomparable: return "incomparable"
        }
    }

    /// An instant, as a date where it is midnight.
    package static func day(_ instant: UTCInstant) -> String { Words.day(instant) }

    /// The last instant of a dated term, as a date where it is the last second of a day.
    package static func last(_ instant: UTCInstant) -> String {
        let next = instant.advanced(bySeconds: 1)
        return next.secondsSinceEpoch % 86_400 == 0
            ? String(instant.description.prefix(10)) : instant.description
    }

    package static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}
