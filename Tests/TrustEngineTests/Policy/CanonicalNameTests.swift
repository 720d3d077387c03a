import LibCrypto
import Testing
import TrustEngine

/// Names in a table whose digests and index are right: those that no canonical host could equal do
/// not load. The encoder writes whatever name it is given, which is how they come here.
@Suite("Names in a table")
struct CanonicalNameTests {
    private static func loads(_ names: Set<String>) -> Bool {
        let hosts = names.map { HostPattern(host: .name($0), port: nil) }
        let contents = PolicyContents(
            defaultRule: .deny,
            rules: [
                RuleContents(
                    id: "r", hosts: hosts,
                    body: RuleBody(
                        anchors: ["system"], pins: [], profile: "baseline",
                        requirements: Requirements(), identity: IdentityRequirement(), waivers: [],
                        owner: nil, note: nil))
            ], anchorSets: [.system], pinSets: [])
        let crypto = LibCryptoBackend()
        let table = PolicyTable.encode(contents, provenance: nil, crypto: crypto)
        return (try? PolicyTable(decoding: table.bytes, crypto: crypto)) != nil
    }

    /// A name of so many octets in labels of at most `label` octets.
    private static func name(_ count: Int, label: Int = 20) -> String {
        var octets = (0..<count).map { index in
            index % (label + 1) == label ? UInt8(ascii: ".") : UInt8(ascii: "a") + UInt8(index % 26)
        }
        if octets.last == UInt8(ascii: ".") { octets[count - 1] = UInt8(ascii: "z") }
        return String(decoding: octets, as: UTF8.self)
    }

    /// A name with one octet replaced.
    private static func name(_ count: Int, with octet: Character, at position: Int) -> String {
        var characters = Array(name(count))
        characters[position] = octet
        return String(characters)
    }

    static let counts = [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 62, 63, 64, 65, 127, 252, 253]

    @Test("canonical names of every length load, alone and together")
    func canonical() {
        let names = (1...253).map { CanonicalNameTests.name($0) }
        #expect(CanonicalNameTests.loads(Set(names)))
        for count in CanonicalNameTests.counts {
            #expect(CanonicalNameTests.loads([CanonicalNameTests.name(count)]), "\(count) octets")
        }
        for octet in "-_09az" {
            let names = CanonicalNameTests.counts.map {
                CanonicalNameTests.name($0, with: octet, at: $0 - 1)
            }
            #expect(CanonicalNameTests.loads(Set(names)), "\(octet)")
        }
    }

    @Test("an octet outside the set does not load, wherever it stands", arguments: counts)
    func octets(_ count: Int) {
        let positions = Set([0, 1, 6, 7, 8, count - 9, count - 8, count - 7, count - 1])
        for position in positions where (0..<count).contains(position) {
            for octet in "\0 ,/:@AZ[^`{\u{7F}" {
                let name = CanonicalNameTests.name(count, with: octet, at: position)
                #expect(!CanonicalNameTests.loads([name]), "\(octet) at \(position) of \(count)")
            }
            // Two octets from 0x80 on in the place of one.
            let name = CanonicalNameTests.name(count, with: "é", at: position)
            guard name.utf8.count <= 253 else { continue }
            #expect(!CanonicalNameTests.loads([name]), "é at \(position) of \(count)")
        }
    }

    @Test("an empty label or one of 64 octets does not load, wherever it stands")
    func labels() {
        for count in CanonicalNameTests.counts {
            for position in [0, count - 1] {
                let name = CanonicalNameTests.name(count, with: ".", at: position)
                #expect(!CanonicalNameTests.loads([name]), "a dot at \(position) of \(count)")
            }
            for position in 1..<max(1, count - 2) {
                var characters = Array(CanonicalNameTests.name(count))
                characters[position] = "."
                characters[position + 1] = "."
                #expect(
                    !CanonicalNameTests.loads([String(characters)]),
                    "two dots at \(position) of \(count)")
            }
        }
        let long = String(repeating: "a", count: 63)
        for name in [long, "x." + long, long + ".x", "x." + long + ".x"] {
            #expect(CanonicalNameTests.loads([name]))
            let longer = name.replacing(long, with: long + "a")
            #expect(!CanonicalNameTests.loads([longer]), "\(longer)")
        }
    }
}
