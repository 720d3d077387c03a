import Testing
import TrustEngine

@testable import Rendering

/// Why a presented name does not count for a host, where the two texts do not show it.
@Suite("sentences about names") struct NameSentencesTests {
    @Test(
        "a form that never counts is told, and whose mistake it is",
        arguments: [
            ("api.acme.example", "api.acme.example.", "ends with a dot", true),
            ("api.acme.example", "api.acme.example ", "has a blank", true),
            ("api.acme.example", "api.acme. example", "has a blank", true),
            ("api.acme.example", "\tapi.acme.example", "has a blank", true),
            ("api.acme.example", "api.acme.example:443", "has a port", true),
            ("api.acme.example", "https://api.acme.example/x", "is a URL", true),
            ("api.acme.example", "https://API.acme.example:443", "is a URL", true),
            ("api.acme.example", "a*.acme.example", "has a wildcard inside a label", true),
            ("api.acme.example", "*pi.acme.example", "has a wildcard inside a label", true),
            ("api.acme.example", "api.*.example", nil, false),
            ("a.b.acme.example", "*.*.acme.example", "has several wildcards", true),
            ("a.b.acme.example", "a.*.acme.example", "behind its first label", true),
            (
                "a.b.acme.example", "*.acme.example", "stands for one label, and the host has 2",
                false
            ),
            ("acme.example", "*.acme.example", "not for the host itself", false),
            ("acme.example", "*.example", "before a single label", false),
            ("api.acme.example", ".acme.example", "begins with a dot", false),
            ("api.acme.example", ".api.acme.example", "begins with a dot", true),
            ("xn--bcher-kva.acme.example", "bücher.acme.example", "is not in ASCII", true),
            ("api.acme.example", "api.acme.example", "another kind of name", true),
            ("192.168.34.5", "192.168.34.5", "only as an iPAddress", true),
            ("::1", "0:0:0:0:0:0:0:1", "only as an iPAddress", true),
            ("192.168.34.5", "192.168.34.5:443", "only as an iPAddress", true),
            // Names of others, whatever is wrong with them.
            ("api.acme.example", "www.acme.example", nil, false),
            ("api.acme.example", "www.other.example.", nil, false),
            ("api.acme.example", "www.other.example:443", nil, false),
            ("api.acme.example", "https://www.other.example/", nil, false),
            ("api.acme.example", "*.*.other.example", nil, false),
            ("api.acme.example", "*.other.example", nil, false),
            ("api.acme.example", "bücher.other.example", nil, false),
            ("api.acme.example", "bücher.acme.example", nil, false),
            ("192.168.34.5", "192.168.34.6", nil, false),
            ("192.168.34.5", "api.acme.example", nil, false),
            // A wildcard for a whole domain is nobody's slip.
            ("acme.example", "*.*", nil, false), ("acme.example", "a*.example", nil, false),
            // Other kinds of wishes, and a name that is cut off.
            ("spiffe://acme.example/a", "spiffe://acme.example/a.", nil, false),
            ("it@acme.example", "it@acme.example.", nil, false),
        ] as [(String, String, String?, Bool)])
    func flaws(wanted: String, presented: String, words: String?, isMistake: Bool) {
        let clause = NameSentences.mismatch(presented: [presented], wanted: [wanted])
        if let words {
            #expect(clause.hasPrefix("; the name ") && clause.contains(words), "\(clause)")
        } else {
            #expect(clause == "")
        }
        let mistake = NameSentences.mistake(presented: [presented], wanted: [wanted])
        #expect((mistake != nil) == isMistake)
        let violation = Violation.nameMismatch(wanted: [wanted], presented: [presented])
        let sides = violation.readings(Situation(host: wanted)).map(\.side)
        #expect(sides == (isMistake ? [.server] : [.inBetween, .server]))
    }

    @Test("of several names the one that explains most is told, by its text")
    func several() {
        let clause = NameSentences.mismatch(
            presented: ["www.acme.example", "*.acme.example", "a.b.acme.example."],
            wanted: ["a.b.acme.example"])
        #expect(
            clause == "; `a.b.acme.example.` ends with a dot, which no name in a certificate may")
        #expect(
            NameSentences.mismatch(presented: ["api.acme.example.…"], wanted: ["api.acme.example"])
                == "")
        #expect(
            NameSentences.mismatch(
                presented: ["a`b.acme.example.", "x"], wanted: ["a.acme.example"])
                == "")
    }
}
