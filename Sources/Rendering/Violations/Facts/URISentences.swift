import TrustEngine

/// Explains why a presented URI does not match a wanted URI, where the two texts do not show the
/// reason. Violations hold names as text, so a text is explained only where it is plainly meant as
/// a URI.
enum URISentences {
    /// A clause about the first presented URI that needs an explanation; empty where no URI does.
    /// It stands after the names that were wanted and presented.
    static func mismatch(presented: [String], patterns: [String]) -> String {
        // As many patterns as a list shows.
        let patterns = patterns.prefix(6).compactMap { try? URIPattern($0) }
        for text in presented.prefix(6) where isURI(text) {
            let octets = Array(text.utf8)
            for pattern in patterns {
                guard let mismatch = pattern.mismatch(octets.span), let words = words(mismatch)
                else { continue }
                let name =
                    presented.count == 1
                    ? "the name" : "`\(Words.shortened(text, to: 100))`"
                return "; \(name) \(words)"
            }
        }
        return ""
    }

    /// Why a name is not a URI of a host; nil for a URI of a host, and for a text that is not
    /// plainly meant as a URI.
    static func fault(of name: String) -> String? {
        guard isURI(name) else { return nil }
        let octets = Array(name.utf8)
        do throws(URIText.Problem) {
            let uri = try URIText(octets.span)
            return uri.hostName(in: octets.span) == nil ? "has no host name" : nil
        } catch {
            return words(error)
        }
    }

    /// Whether a text is plainly meant as a URI and is not cut off.
    private static func isURI(_ text: String) -> Bool {
        text.contains("://") && !text.hasSuffix("…")
    }

    /// Why a URI does not match a pattern; nil where the two texts show the difference.
    private static func words(_ mismatch: URIPattern.Mismatch) -> String? {
        switch mismatch {
        case .differs: return nil
        case .notURI(let problem): return words(problem)
        case .queryOrFragment: return "has a query or a fragment, which no pattern holds"
        case .severalSegments: return "has several segments where `*` stands for one"
        case .emptySegment: return "has an empty segment, for which no wildcard stands"
        case .dotSegment: return "has a dot segment, for which no wildcard stands"
        case .escape: return "has percent-encoding, for which no wildcard stands"
        }
    }

    /// The fault of a URI; nil where the scheme is missing, because the text may be another kind of
    /// name.
    private static func words(_ problem: URIText.Problem) -> String? {
        let place = "at octet \(problem.range.lowerBound)"
        switch problem.kind {
        case .noScheme, .badScheme: return nil
        case .badOctet(let octet) where (0x21...0x7E).contains(octet) && octet != 0x60:
            return "is not a URI (`\(Character(Unicode.Scalar(octet)))` \(place))"
        case .badOctet(let octet):
            return "is not a URI (0x\(Hexadecimal.encode([octet])) \(place))"
        case .badEscape: return "is not a URI (a `%` without two hexadecimal digits \(place))"
        case .badPort: return "is not a URI (its port is not a number)"
        case .badAddress: return "is not a URI (its brackets hold no IPv6 address)"
        }
    }
}
