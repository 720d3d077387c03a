import Rendering
import Testing
import TrustEngine

/// The clause of a violation of name constraints about a name that no subtree can hold.
@Suite("faults of names under name constraints") struct NameFaultsTests {
    private static let certificate = TraceSamples.leaf

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
