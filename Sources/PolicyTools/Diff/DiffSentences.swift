import Rendering
package import TrustEngine

/// The sentences of a comparison, which every format prints, so that formats never differ in words.
/// They hold text from hosts, files and certificates; each renderer escapes them.
package enum DiffSentences {
    /// A relation as the word that every format prints.
    package static func relation(_ relation: Relation) -> String {
        switch relation {
        case .equal: return "equal"
        case .stricter: return "stricter"
        case .weaker: return "weaker"
        case .incomparable: return "incomparable"
        }
    }

    /// The last instant of a dated term, as a date where it is the last second of a day.
    package static func last(_ instant: UTCInstant) -> String {
        let next = instant.advanced(bySeconds: 1)
        return next.secondsSinceEpoch % 86_400 == 0
            ? String(instant.description.prefix(10)) : instant.description
    }
}
