import TrustEngine

/// Reads URI patterns: `scheme://authority/segments`, whose last segment may be `*` (one segment)
/// or `**` (one or more), such as `spiffe://mesh.example/ns/pay/*`. The engine reads the pattern
/// (`URIPattern`); the message of each of its problems is here.
package enum URIPatternScanner {
    /// The pattern with scheme and host in lower case, as RFC 3986 section 6.2.2.1 compares them.
    /// The rest is unchanged.
    ///
    /// - Throws: HW103 with the part that is wrong; HW014, HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> String {
        try ScalarProblem.requireText(text, of: "the URI pattern")
        do throws(URIPattern.Problem) {
            return try URIPattern(text).canonicalText
        } catch {
            let words = words(error, Array(text.utf8))
            throw ScalarProblem(
                .unknownValue, "\(ScalarProblem.quote(text)) \(words.message)", range: words.range,
                help: words.help.map { [$0] } ?? [])
        }
    }

    /// The words after the quoted pattern, and the part of the pattern that is wrong.
    private struct Words {
        let range: Range<Int>?
        let message: String
        var help: String?

        init(_ range: Range<Int>?, _ message: String, help: String? = nil) {
            self.range = range
            self.message = message
            self.help = help
        }
    }

    private static func words(_ problem: URIPattern.Problem, _ octets: [UInt8]) -> Words {
        switch problem {
        case .noAuthority:
            return Words(
                nil, "is not a URI pattern: it has no `scheme://`",
                help: "write for example `spiffe://mesh.example/ns/pay/*`")
        case .notURI(let problem): return words(problem, octets)
        case .emptyAuthority(let range):
            return Words(range, "has no authority between `://` and the path")
        case .emptyHost(let range): return Words(range, "has no host in its authority")
        case .wildcardInAuthority(let range):
            return Words(
                range, "has `*` in its authority, which is always exact",
                help: "write one pattern for each authority")
        case .queryOrFragment(let range):
            return Words(range, "has a query or a fragment; a URI pattern ends with its path")
        case .partialWildcard(let range):
            return Words(
                range, "is not a pattern: `*` stands for a whole segment",
                help: "write `/*` for one segment or `/**` for one or more")
        case .wildcardNotLast(let range):
            return Words(
                range, "is not a pattern: `\(text(octets[range]))` stands last or not at all")
        case .emptySegment(let range): return Words(range, "has an empty segment")
        case .dotSegment(let range):
            return Words(
                range,
                "has the segment `\(text(octets[range]))`, which no two readers resolve alike")
        }
    }

    private static func words(_ problem: URIText.Problem, _ octets: [UInt8]) -> Words {
        let range = problem.range
        switch problem.kind {
        case .noScheme, .badScheme:
            return Words(
                range,
                "has a scheme that is not a letter and then letters, digits, `+`, `-` or `.`")
        case .badEscape:
            return Words(
                range, "has a `%` without two hex digits after it",
                help: "write `%25` for the sign itself")
        case .badPort: return Words(range, "has a port that is not a number")
        case .badAddress:
            return Words(
                range, "has brackets around something else than an IPv6 address",
                help: "write for example `https://[2001:db8::1]/`")
        case .badOctet(let octet) where octet >= 0x80:
            let end = octets[range.upperBound...].firstIndex { $0 < 0x80 } ?? octets.endIndex
            return Words(
                range.lowerBound..<end,
                "has characters outside ASCII, which a URI writes as `%` and two hex digits for "
                    + "each octet")
        case .badOctet:
            return Words(
                range, "has a character that a URI does not hold there",
                help: "write it as `%` and two hex digits")
        }
    }

    private static func text(_ octets: ArraySlice<UInt8>) -> String {
        String(decoding: octets, as: UTF8.self)
    }
}
