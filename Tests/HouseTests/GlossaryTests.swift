import Foundation
import Testing

/// One word, one meaning: the words of the glossary that code is tempted to use for other things.
@Suite struct GlossaryTests {
    /// A word of identifiers, in the singular and in lower case.
    struct Word {
        let text: String
        /// The one meaning that the word has.
        let meaning: String
        /// Folders in which nothing has that meaning, so that no identifier may contain the word.
        let refused: [String]
        /// Identifiers that contain the word all the same: names that a program or a policy uses.
        var kept: Set<String> = []
    }

    private static let engine = ["Sources/TrustEngine", "Sources/LibCrypto", "Sources/TLSProbe"]

    static let words = [
        Word(
            text: "place",
            meaning: "file, line and column as shown to people; a certificate has a position on "
                + "its path, a certificate's role is what it is there",
            refused: engine),
        Word(
            text: "finding",
            meaning: "a diagnostic from a rule of the linter; the engine has judgements, answers "
                + "and standings",
            refused: engine,
            kept: [
                // Public, and the key `finding` of a trace.
                "TimestampFinding", "Finding", "finding",
            ]),
        Word(
            text: "outcome",
            meaning: "what one check, one signature, one pattern or the whole evaluation came to",
            refused: [
                "Sources/TrustEngine/Certificates", "Sources/TrustEngine/Policy",
                "Sources/TLSProbe",
            ]),
        Word(
            text: "entry",
            meaning: "one element of a list or map that a policy or a data format defines: of "
                + "`pins`, a CRL, a timestamp list, the index of a table",
            refused: [
                "Sources/TrustEngine/Certificates/Names", "Sources/TrustEngine/Certificates/Points",
                "Sources/TrustEngine/Certificates/Unicode", "Sources/LibCrypto",
                "Sources/TLSProbe",
            ]),
        Word(
            text: "leaf",
            meaning: "a word of the language (`kind: leaf`, `leaf-types`) and of the static CT "
                + "API; the certificate is the end entity",
            refused: engine,
            kept: [
                "leaf", "leafAndIntermediates", "leafKeyTypes", "hasLeafIndex", "noLeafIndex",
                // The violation `self-signed-leaf`.
                "selfSignedLeaf",
            ]),
        Word(text: "ruleset", meaning: "a policy table", refused: engine),
        Word(text: "bytecode", meaning: "a policy table", refused: engine),
        Word(text: "hostname", meaning: "a host, or service identity", refused: engine),
        Word(text: "bundle", meaning: "an anchor set", refused: engine),
        Word(
            text: "chain",
            meaning: "what the peer presented (and a word of the language, `scope: chain`); an "
                + "ordered way to an anchor is a path",
            refused: [
                "Sources/TrustEngine/Certificates", "Sources/TrustEngine/PathValidation",
                "Sources/LibCrypto",
            ]),
    ]

    @Test(arguments: words) func eachWordHasOneMeaning(_ word: Word) {
        var seen = 0
        for folder in word.refused {
            for file in Tree.swift(below: folder) {
                seen += 1
                let identifiers = Set(
                    file.code.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
                for identifier in identifiers.sorted() where !word.kept.contains(String(identifier))
                {
                    #expect(
                        !GlossaryTests.parts(of: identifier).contains(word.text),
                        "\(file.path) names \(identifier); `\(word.text)` is \(word.meaning)")
                }
            }
        }
        #expect(seen > 5)
    }

    @Test func identifiersAreTakenApart() {
        #expect(GlossaryTests.parts(of: "PlaceNames") == ["place", "name"])
        #expect(GlossaryTests.parts(of: "hasCRLEntries") == ["ha", "crl", "entry"])
        #expect(GlossaryTests.parts(of: "replacing") == ["replacing"])
        #expect(GlossaryTests.parts(of: "key_outcomes2") == ["key", "outcome", "2"])
    }

    /// The words of an identifier, in the singular as far as the glossary's words need it.
    static func parts(of identifier: Substring) -> [String] {
        var parts: [String] = []
        var previous: Character = "_"
        let letters = Array(identifier)
        for (index, letter) in letters.enumerated() {
            let next = index + 1 < letters.count ? letters[index + 1] : "_"
            let begins =
                (letter.isUppercase && (!previous.isUppercase || next.isLowercase))
                || previous == "_" || letter.isNumber != previous.isNumber
            if letter != "_" {
                if begins || parts.isEmpty { parts.append("") }
                parts[parts.count - 1].append(letter.lowercased())
            }
            previous = letter
        }
        return parts.map { part in
            switch part {
            case "leaves": return "leaf"
            case _ where part.hasSuffix("ies"): return part.dropLast(3) + "y"
            case _ where part.hasSuffix("s"): return String(part.dropLast())
            default: return part
            }
        }
    }
}
