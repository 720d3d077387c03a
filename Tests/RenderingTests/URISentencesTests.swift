import Rendering
import Testing
import TrustEngine

/// What sentences say of a URI that its text does not show.
@Suite("sentences about URIs") struct URISentencesTests {
    private static let certificate = TraceSamples.leaf

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

    @Test(
        "why a name is in no subtree of name constraints",
        arguments: [
            (
                #"a://evil.example\@ok.example"#, false,
                #"; the name is not a URI (`\` at octet 16), so it is in no subtree"#
            ),
            (
                #"a://ok.example/ "#, true,
                "; the name is not a URI (0x20 at octet 15), so it counts as excluded"
            ),
            ("a://192.0.2.1/", false, "; the name has no host name, so it is in no subtree"),
            (
                "ok.example:8443", false,
                "; the name is not the name of a host, so it is in no subtree"
            ),
            (
                "a*.ok.example", true,
                "; the name is not the name of a host, so it counts as excluded"
            ),
            (
                "a@b@ok.example", false,
                "; the name cannot be compared as a mailbox, so it is in no subtree"
            ),
            (
                "an iPAddress of 5 octets", true,
                "; the name is not an address, so it counts as excluded"
            ),
            ("a://evil.example/", false, ""), ("evil.example", true, ""),
            ("*.evil.example", true, ""), ("a@evil.example", false, ""), ("192.0.2.1", false, ""),
            ("2001:db8::1", true, ""), ("CN=a b,O=c", false, ""), ("a b…", false, ""),
        ])
    func constraints(name: String, isExcluded: Bool, clause: String) {
        let sentence = Violation.nameNotPermitted(
            Self.certificate, name: name, by: Self.certificate, subtree: "ok.example",
            isExcluded: isExcluded
        ).headline
        #expect(sentence.hasSuffix("`ok.example`" + clause))
    }
}
