import Rendering
import Testing
import TrustEngine

/// What sentences say of a URI that its text does not show.
@Suite("sentences about URIs") struct URISentencesTests {
    /// What stands behind the presented names of a mismatch.
    private static func mismatch(_ wanted: [String], _ presented: [String]) -> String {
        let sentence = Violation.nameMismatch(wanted: wanted, presented: presented).headline
        let start = "wanted \(Words.list(wanted)), the certificate presents "
        #expect(sentence.hasPrefix(start + Words.list(presented)))
        return String(sentence.dropFirst((start + Words.list(presented)).count))
    }

    @Test(
        "why a presented URI is none of those wanted",
        arguments: [
            (
                "a://b/*", ["a://b/%41"],
                "; the name has percent-encoding, for which no wildcard stands"
            ),
            ("a://b/*", ["a://b/.."], "; the name has a dot segment, for which no wildcard stands"),
            (
                "a://b/*", ["a://b/"],
                "; the name has an empty segment, for which no wildcard stands"
            ),
            ("a://b/*", ["a://b/c/d"], "; the name has several segments where `*` stands for one"),
            (
                "a://b/*", ["a://b/c?d"],
                "; the name has a query or a fragment, which no pattern holds"
            ),
            ("a://b/*", [#"a://b/\"#], #"; the name is not a URI (`\` at octet 6)"#),
            ("a://b/*", ["a://b/`"], "; the name is not a URI (0x60 at octet 6)"),
            ("a://b/*", ["a://b/\u{1B}"], "; the name is not a URI (0x1b at octet 6)"),
            ("a://b/*", ["a://b/é"], "; the name is not a URI (0xc3 at octet 6)"),
            (
                "a://b/*", ["a://b/%4"],
                "; the name is not a URI (a `%` without two hexadecimal digits at octet 6)"
            ),
            ("a://b/*", ["a://b:c/"], "; the name is not a URI (its port is not a number)"),
            (
                "a://b/*", ["a://[1]/"],
                "; the name is not a URI (its brackets hold no IPv6 address)"
            ),
            (
                "a://b/*", ["x.example", "a://b/%41"],
                "; `a://b/%41` has percent-encoding, for which no wildcard stands"
            ),
            // The texts show it, or are not URIs.
            ("a://b/*", ["a://c/d"], ""), ("a://b/c", ["a://b/d"], ""),
            ("a://b/*", ["x.example"], ""),
            ("a://b/*", ["CN=a://b c"], ""), ("x.example", ["a://b c"], ""),
            // Cut off: what stands behind is not known.
            ("a://b/*", ["a://b/…"], ""),
        ])
    func mismatches(pattern: String, presented: [String], clause: String) {
        #expect(Self.mismatch([pattern], presented) == clause)
    }
}
