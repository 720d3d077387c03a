import Foundation
import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

/// The proposal for a misspelt word of a closed list: never a word that demands less than another
/// word that the author may have meant.
@Suite("words that are proposed")
struct WordProposalTests {
    /// Of each list of the schema the pairs in which the first word demands less than the second;
    /// written here by hand, apart from what the schema says of it.
    static let weaker: [String: [(String, String)]] = [
        "anchor-kind": [("root", "leaf"), ("intermediate", "leaf")],
        "standard-word": [("rfc5280", "web-pki")],
        "anchor-limit": [],
        "pin-position": [
            ("any", "leaf"), ("any", "ca"), ("any", "intermediate"), ("any", "anchor"),
            ("ca", "intermediate"), ("ca", "anchor"),
        ],
        "pin-expiry": chain("unpinned", "report", "fail"),
        "identity-reference": [("host", "host-and-listed"), ("listed", "host-and-listed")],
        "key-type": [],
        "signature-hash": chain("sha256", "sha384", "sha512"),
        "signature-scheme": [],
        "key-purpose-word": [],
        "tls-version": chain("tls1.2", "tls1.3"),
        "old-tls-version": chain("tls1.0", "tls1.1"),
        "action": chain("pass", "report", "fail"),
        "demand": chain("not-required", "required"),
        "permission": chain("allowed", "inhibited"),
        "issuance-word": chain("report", "enforce"),
        "issuance-demand": [],
        "pin-match": chain("any", "all"),
        "revocation-preset": chain("best-effort", "require"),
        "revocation-source": [],
        "revocation-scope": chain("leaf", "leaf-and-intermediates", "chain"),
        "revocation-network": [],
        "transparency-preset": [("none", "chrome"), ("none", "apple")],
        "tls-cipher-suite": [],
        "tls-group": [],
        "tls-signature-scheme": [],
    ]

    /// Lists whose words let something through that is refused without them: none is ever proposed.
    static let exceptions: Set<String> = ["anchor-limit", "old-tls-version"]

    private static func chain(_ words: String...) -> [(String, String)] {
        words.indices.flatMap { low in
            words[(low + 1)...].map { (words[low], $0) }
        }
    }

    @Test("every list is judged here")
    func complete() {
        #expect(Set(PolicyWords.all.keys) == Set(Self.weaker.keys))
        for (name, pairs) in Self.weaker {
            let words = PolicyWords.all[name]?.words ?? []
            #expect(pairs.allSatisfy { words.contains($0.0) && words.contains($0.1) }, "\(name)")
        }
    }

    @Test(
        "no slip of a word proposes a weaker one than it may have been meant for",
        arguments: PolicyWords.all.keys.sorted())
    func slips(_ name: String) throws {
        let list = try #require(PolicyWords.all[name])
        let pairs = try #require(Self.weaker[name])
        func isWeaker(_ word: String, _ other: String) -> Bool {
            pairs.contains { $0 == (word, other) }
        }
        // Of the long registries some: their words differ in no strength that is known here.
        let isLong = list.words.count > 20
        let meant = list.words.enumerated().filter { !isLong || $0.offset % 20 == 0 }
        var proposed = 0
        for (_, word) in meant {
            let slips = Self.slips(of: word).sorted().enumerated()
                .filter { !isLong || $0.offset % 16 == 0 }.map(\.element)
            for slip in Sample.of(slips, atMost: 300, "slips of \(word)")
            where !list.words.contains(slip) {
                guard let proposal = list.proposal(for: slip) else { continue }
                proposed += 1
                #expect(
                    !isWeaker(proposal.word, word), "\(name): `\(slip)`, meant as \(word)")
                // Whatever the field is held to by a farther layer.
                #expect(
                    !list.words.contains { isWeaker(proposal.word, $0) },
                    "\(name): `\(slip)` proposes \(proposal.word)")
                let strictest = list.words.allSatisfy {
                    $0 == proposal.word || isWeaker($0, proposal.word)
                }
                #expect(proposal.isStrictest == strictest, "\(name): \(proposal.word)")
                // Words of which neither demands more: only where no other is near.
                let near = DidYouMean.near(slip, among: list.words)
                #expect(
                    near.allSatisfy { $0 == proposal.word || isWeaker($0, proposal.word) },
                    "\(name): `\(slip)` is near \(near)")
            }
        }
        #expect((proposed == 0) == Self.exceptions.contains(name), "\(name): \(proposed)")
    }

    /// Slips of one key, swaps of neighbours, and of words that are long enough two slips.
    static func slips(of word: String) -> Set<String> {
        let once = oneSlip(of: word)
        guard word.utf8.count <= 12 else { return once }
        // Two slips: some of them, the same ones in each run.
        let twice = once.sorted().enumerated().filter { $0.offset % 24 == 0 }
            .flatMap { oneSlip(of: $0.element).sorted().enumerated() }
            .filter { $0.offset % 16 == 0 }.map(\.element)
        return once.union(twice)
    }

    private static func oneSlip(of word: String) -> Set<String> {
        let letters = Array(word)
        let keys = Array("abcdefghijklmnopqrstuvwxyz0123456789-._ ")
        var slips: Set<String> = [
            word.uppercased(), word.replacing("-", with: "_"), word.replacing(".", with: ""),
            word.replacing("-", with: ""), word + "s", "v" + word,
        ]
        for place in 0...letters.count {
            for key in keys { slips.insert(String(letters[..<place] + [key] + letters[place...])) }
            guard place < letters.count else { continue }
            slips.insert(String(letters[..<place] + letters[(place + 1)...]))
            for key in keys {
                slips.insert(String(letters[..<place] + [key] + letters[(place + 1)...]))
            }
            guard place + 1 < letters.count else { continue }
            var swapped = letters
            swapped.swapAt(place, place + 1)
            slips.insert(String(swapped))
        }
        slips.remove(word)
        slips.remove("")
        return slips
    }

    @Test(
        "what is proposed, and what is not",
        arguments: [
            ("tls-version", "tls13", "tls1.3"), ("tls-version", "TLSv1.3", "tls1.3"),
            ("tls-version", "tls12", nil), ("tls-version", "TLSv1.2", nil),
            ("tls-version", "tls1", nil), ("old-tls-version", "tls1.2", nil),
            ("old-tls-version", "tls10", nil), ("signature-hash", "SHA-512", "sha512"),
            ("signature-hash", "sha356", nil), ("signature-hash", "sha-256", nil),
            ("action", "fial", "fail"), ("action", "repot", nil), ("action", "fass", nil),
            ("revocation-preset", "requires", "require"), ("revocation-preset", "besteffort", nil),
            ("revocation-scope", "chian", "chain"),
            ("revocation-scope", "leaf-and-intermediate", nil),
            ("transparency-preset", "chrom", "chrome"), ("transparency-preset", "non", nil),
            ("pin-position", "achor", "anchor"), ("pin-position", "ayn", nil),
            ("key-type", "P-384", "p384"), ("signature-scheme", "rsa-pks", nil),
            ("demand", "not_requird", nil), ("permission", "alowed", nil),
        ] as [(String, String, String?)])
    func examples(_ list: String, _ text: String, _ word: String?) {
        #expect(PolicyWords.all[list]?.proposal(for: text)?.word == word)
    }

    @Test("what the schema says of each list")
    func schema() throws {
        let text = try String(
            contentsOf: InvalidPoliciesTests.folder.deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "grammar/policy.schema.json"),
            encoding: .utf8)
        let root = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let definitions = try #require(root["definitions"] as? [String: [String: Any]])
        for (name, words) in PolicyWords.all {
            let written = definitions[name]?["x-hawser-weaker"] as? [String]
            #expect(written == nil || ordered(name) == nil, "\(name)")
            #expect(words.weaker == ordered(name) ?? written ?? [], "\(name)")
            #expect(Set(words.weaker).isSubset(of: words.words), "\(name)")
        }
    }

    /// All but the strictest word, where the fields that take a list agree on which way is
    /// stricter.
    private func ordered(_ name: String) -> [String]? {
        var found: Set<[String]> = []
        for field in ProfileField.allCases {
            guard case .word(let words) = field.descriptor.kind, words.definition == name else {
                continue
            }
            let numbers = words.words.map(\.number)
            func all(but number: Int?) -> [String] {
                words.words.filter { $0.number != number }.map(\.name)
            }
            switch field.descriptor.stricter {
            case .smaller: found.insert(all(but: numbers.min()))
            case .larger: found.insert(all(but: numbers.max()))
            case .none: found.insert([])
            case .together, .subset, .superset: break
            }
        }
        let only = found.count == 1 ? found.first : nil
        return only?.isEmpty == false ? only : nil
    }

    /// The examples that messages print after "for example": no field of a profile demands less by
    /// its example than by the baseline, except the fields whose values all do.
    @Test("an example of a waiver is not the weakest that there is")
    func examplesOfWaivers() {
        let tls = PolicyFields.waiverTls.key("minimum-version")?.example
        #expect(tls == "minimum-version: tls1.1")
        #expect(PolicyFields.waiverKeys.key("rsa-minimum")?.example == "rsa-minimum: 1536")
    }
}
