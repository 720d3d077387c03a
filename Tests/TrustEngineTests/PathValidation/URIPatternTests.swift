import Testing
import TrustEngine

@Suite("URI patterns (LANGUAGE section 11)")
struct URIPatternTests {
    @Test(
        "canonical text: scheme and host fold",
        arguments: [
            ("SPIFFE://Mesh.Example/Ns/**", "spiffe://mesh.example/Ns/**"),
            ("HTTPS://Ann:P%2F@IDP.Example:443/A", "https://Ann:P%2F@idp.example:443/A"),
            ("a://[FD00::1]:80", "a://[fd00::1]:80"),
        ])
    func canonical(text: String, expected: String) throws {
        #expect(try URIPattern(text).canonicalText == expected)
        #expect(URIPattern.isCanonical(expected))
        #expect(!URIPattern.isCanonical(text))
    }

    @Test(
        "why a URI does not match",
        arguments: [
            ("a://b/c/*", "a://b/c/d", nil),
            ("a://b/c/*", #"a://b/c/\"#, .notURI(problem(.badOctet(0x5C), 8))),
            ("a://b/c/*", "a://b/c/%z", .notURI(problem(.badEscape, 8))),
            ("a://b/c/*", "a://b/c/d?", .queryOrFragment),
            ("a://b/c/*", "a://b/c/d#", .queryOrFragment),
            ("a://b/c/*", "a:b/c/d", .differs), ("a://b/c/*", "a://x/c/d", .differs),
            ("a://b/c/*", "a://b/x/%2e", .differs), ("a://b/c/*", "a://b/c", .differs),
            ("a://b/c/*", "a://b/cd", .differs),
            ("a://b/c/*", "a://b/c/d/e", .severalSegments), ("a://b/c/**", "a://b/c/d/e", nil),
            ("a://b/c/*", "a://b/c/", .emptySegment), ("a://b/c/**", "a://b/c/d//e", .emptySegment),
            ("a://b/c/*", "a://b/c/..", .dotSegment), ("a://b/c/**", "a://b/c/./d", .dotSegment),
            ("a://b/c/*", "a://b/c/%2e%2e", .escape), ("a://b/c/**", "a://b/c/d/%41", .escape),
            ("a://b", "a://b/", .differs), ("a://b/", "a://b", .differs), ("a://b/", "a://b/", nil),
            ("a://b/*", "a://b/*", nil), ("a://b/**", "a://b/**", nil),
        ] as [(String, String, URIPattern.Mismatch?)])
    func mismatches(pattern: String, uri: String, expected: URIPattern.Mismatch?) throws {
        let octets = Array(uri.utf8)
        let mismatch = try URIPattern(pattern).mismatch(octets.span)
        #expect(mismatch == expected)
    }

    private static func problem(_ kind: URIText.Problem.Kind, _ place: Int) -> URIText.Problem {
        URIText.Problem(kind: kind, range: place..<place + 1)
    }
}
