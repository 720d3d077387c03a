import TestPKI
import Testing
import TrustEngine

/// Bytes that are not a table, or a hostile table. Offsets are as in `grammar/table-format.md`,
/// written here a second time so that the description is tested too.
@Suite("Table decoder")
struct TableDecoderTests {
    static let table = TableSamples.table.bytes

    static func code(_ bytes: [UInt8]) -> TableDecodingError.Code? {
        do {
            _ = try PolicyTable(decoding: bytes, crypto: TableDigests())
            return nil
        } catch {
            return error.code
        }
    }

    @Test("cut off at every length")
    func truncation() {
        for length in 0..<TableDecoderTests.table.count {
            #expect(TableDecoderTests.code(Array(TableDecoderTests.table[..<length])) == .truncated)
        }
    }

    @Test("one bit flipped in every byte")
    func flips() {
        for position in TableDecoderTests.table.indices {
            var bytes = TableDecoderTests.table
            bytes[position] ^= 1 << UInt8(position % 8)
            let expected: [TableDecodingError.Code]
            switch position {
            case 0..<8: expected = [.notATable]
            case 8..<12: expected = [.unsupportedVersion]
            case 16..<24: expected = [.truncated, .altered]
            default: expected = [.altered]
            }
            let code = TableDecoderTests.code(bytes)
            #expect(
                code.map { expected.contains($0) } == true,
                "byte \(position): \(String(describing: code))")
        }
    }

    @Test("bytes behind the seal, and other files")
    func others() {
        #expect(TableDecoderTests.code(TableDecoderTests.table + [0]) == .altered)
        #expect(TableDecoderTests.code(Array("hawser: 1\ndefault: deny\n".utf8)) == .notATable)
        #expect(TableDecoderTests.code([UInt8](repeating: 0, count: 4096)) == .notATable)
        #expect(TableDecoderTests.code([]) == .truncated)
    }

    // MARK: Hostile tables with a right seal

    /// The end of the meaning's last section, as the head says.
    static func meaningEnd(_ bytes: [UInt8]) -> Int { number(bytes, 24) }

    static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        (0..<8).reduce(0) {
            $0 | Int(truncatingIfNeeded: UInt64(bytes[offset + $1]) << UInt64(8 * $1))
        }
    }

    /// Where a section of the meaning begins, and its length; `kind` is 16 to 32.
    static func extent(_ kind: Int, _ bytes: [UInt8]) -> Range<Int> {
        let entry = 176 + (kind - 16) * 24
        return number(bytes, entry + 8)..<number(bytes, entry + 8) + number(bytes, entry + 16)
    }

    /// The bytes with a policy digest and a seal that fit them, as anyone can make.
    static func resealed(_ bytes: [UInt8], withDigest: Bool = true) -> [UInt8] {
        var bytes = bytes
        let end = meaningEnd(bytes)
        if withDigest, (160...bytes.count).contains(end) {
            let meaning = Array(bytes[160..<end])
            let digest = TableDigests().digest(.sha256, of: meaning.span).bytes
            bytes.replaceSubrange(32..<64, with: digest)
        }
        bytes.removeLast(32)
        guard (160...bytes.count).contains(end) else {
            return bytes + [UInt8](repeating: 0, count: 32)
        }
        let behind = Array(bytes[end...])
        let sealed = bytes[..<160] + TableDigests().digest(.sha256, of: behind.span).bytes
        return bytes + TableDigests().digest(.sha256, of: Array(sealed).span).bytes
    }

    /// Reads everything there is to read, so that a check the decoder forgot becomes a trap here.
    static func readEverything(_ table: PolicyTable) -> Int {
        let contents = table.contents()
        _ = table.provenance()
        var work = 0
        for rule in contents.rules {
            for pattern in rule.hosts {
                let hosts: [CanonicalHost]
                switch pattern.host {
                case .name(let name): hosts = [.name(name), .name("x." + name)]
                case .oneLabel(let base), .anyLabels(let base):
                    hosts = [.name(base), .name("x." + base), .name("x.y." + base)]
                case .address(let address), .network(let address, _): hosts = [.address(address)]
                }
                for host in hosts {
                    for match in table.candidates(host, port: pattern.port ?? 443) {
                        work += table.pattern(at: Int(match.pattern)).canonicalText.utf8.count
                        work += table.text(table.rule(at: Int(match.rule)).id).utf8.count
                    }
                    let found = table.lookUp(host, port: pattern.port ?? 443)
                    if let found { work += table.pattern(at: Int(found.pattern)).hashValue & 1 }
                }
            }
        }
        for index in 0..<table.requirementCount { work += table.requirements(at: index).rsaMinimum }
        for index in 0..<table.pinSetCount {
            let set = table.pinSet(at: index)
            for position in 0..<Int(set.keyCount) + Int(set.backupCount) {
                let pin = table.pin(set, position)
                for match in 0..<Int(pin.matchCount) {
                    let keyMatch = table.keyMatch(pin, match)
                    work += table.pin(pin, matches: keyMatch.digest, kind: keyMatch.kind) ? 1 : 0
                }
            }
            work += set.warnFrom?.description.utf8.count ?? 0
            work += set.enforceUntil?.description.utf8.count ?? 0
        }
        return work
    }

    @Test("every byte changed under a right seal: a named refusal or a table that can be read")
    func resealedBytes() throws {
        var refused: [TableDecodingError.Code: Int] = [:]
        var accepted = 0
        let all = 12..<TableDecoderTests.table.count - 32
        let positions = Sample.of(all, atMost: 1_000, "octets of a table")
        for position in positions {
            for change in [0x01, 0xFF] as [UInt8] {
                var bytes = TableDecoderTests.table
                bytes[position] ^= change
                do {
                    let table = try PolicyTable(
                        decoding: TableDecoderTests.resealed(bytes), crypto: TableDigests())
                    accepted += 1
                    #expect(TableDecoderTests.readEverything(table) > 0)
                    let again = PolicyTable.encode(
                        table.contents(), provenance: table.provenance(), crypto: TableDigests())
                    #expect(again.contents() == table.contents(), "byte \(position)")
                } catch {
                    refused[error.code, default: 0] += 1
                }
            }
        }
        // Digits of a date, an owner's letters and the like may change; structure may not.
        let (few, many) = (300 * positions.count / all.count, 1_000 * positions.count / all.count)
        #expect(accepted > few && refused[.malformed, default: 0] > many)
        #expect(refused[.unknownRequirement, default: 0] > 0)
    }

    @Test("seeded heavier damage under a right seal")
    func resealedDamage() throws {
        var random = RandomPolicies(seed: 99)
        var outcomes: [Bool: Int] = [:]
        let tables = Sample.isWhole ? 60 : 20
        for _ in 0..<tables {
            let original = PolicyTable.encode(
                random.contents(), provenance: random.provenance(), crypto: TableDigests()
            ).bytes
            for _ in 0..<25 {
                var bytes = original
                for _ in 0..<random.number(1...4) {
                    let position = random.number(64...bytes.count - 33)
                    if random.flip() {
                        bytes[position] = UInt8(random.below(256))
                    } else {
                        // A whole word: small, huge, or another word of the table.
                        let word = position & ~3
                        let other = random.number(64...bytes.count - 36) & ~3
                        let source: [UInt8] = random.pick([
                            [0, 0, 0, 0], [255, 255, 255, 255], [1, 0, 0, 0], [0, 0, 0, 128],
                            Array(bytes[other..<other + 4]),
                        ])
                        bytes.replaceSubrange(word..<word + 4, with: source)
                    }
                }
                let sealed = TableDecoderTests.resealed(bytes)
                do {
                    let table = try PolicyTable(decoding: sealed, crypto: TableDigests())
                    _ = TableDecoderTests.readEverything(table)
                    outcomes[true, default: 0] += 1
                } catch {
                    #expect(error.code != .altered && error.code != .truncated)
                    outcomes[false, default: 0] += 1
                }
            }
        }
        #expect(outcomes[true, default: 0] > 20 * tables / 60)
        #expect(outcomes[false, default: 0] > 500 * tables / 60)
    }

    @Test("a policy digest that is not the policy's")
    func wrongDigest() {
        var bytes = TableDecoderTests.table
        bytes[40] ^= 1
        let sealed = TableDecoderTests.resealed(bytes, withDigest: false)
        #expect(TableDecoderTests.code(sealed) == .altered)
    }

    @Test("a meaning that ends elsewhere than its sections do")
    func wrongMeaningEnd() {
        var bytes = TableDecoderTests.table
        let end = TableDecoderTests.meaningEnd(bytes) - 8
        for index in 0..<8 { bytes[24 + index] = UInt8(truncatingIfNeeded: end >> (8 * index)) }
        #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == .malformed)
        for index in 0..<8 { bytes[24 + index] = 0xFF }
        #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == .altered)
    }

    @Test("a section that its directory puts elsewhere than it is", arguments: 16...32)
    func misplacedSection(kind: Int) {
        for octet in [UInt8(0x08), 0x80] {
            var bytes = TableDecoderTests.table
            bytes[176 + (kind - 16) * 24 + 8] ^= octet
            #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == .malformed)
        }
    }

    /// The table with more octets at the end of a section, as many as keep every section aligned,
    /// and with a head and directories that count them.
    private static func growing(_ kind: Int, by added: Int) -> [UInt8] {
        var bytes = table
        let end = extent(kind, bytes).upperBound
        func add(at offset: Int) {
            let sum = number(bytes, offset) + added
            for index in 0..<8 {
                bytes[offset + index] = UInt8(truncatingIfNeeded: sum >> (8 * index))
            }
        }
        for entry in (0..<4).map({ 64 + $0 * 24 }) + (0..<17).map({ 176 + $0 * 24 })
        where number(bytes, entry + 8) >= end {
            add(at: entry + 8)
        }
        add(at: 176 + (kind - 16) * 24 + 16)
        add(at: 16)
        add(at: 24)
        bytes.insert(contentsOf: [UInt8](repeating: 0, count: added), at: end)
        return bytes
    }

    @Test(
        "records that nothing uses",
        arguments: [(18, 8), (21, 24), (25, 24), (26, 72), (31, 16)])
    func unused(kind: Int, octets: Int) {
        let bytes = TableDecoderTests.growing(kind, by: octets)
        #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == .malformed)
    }

    @Test("octets between two sections that are not zero")
    func padding() {
        let table = TableDecoderTests.table
        let ends = (16...32).map { TableDecoderTests.extent($0, table).upperBound }
        let padded = ends.filter { $0 % 8 != 0 }
        #expect(!padded.isEmpty)
        for end in padded {
            var bytes = table
            bytes[end] = 1
            #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == .malformed)
        }
    }

    @Test("octets between the last section and the seal")
    func behindTheLastSection() {
        var bytes = TableDecoderTests.table
        bytes.insert(contentsOf: [UInt8](repeating: 0, count: 8), at: bytes.count - 32)
        for index in 0..<8 {
            bytes[16 + index] = UInt8(truncatingIfNeeded: bytes.count >> (8 * index))
        }
        #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == .malformed)
    }

    @Test("a slot whose fingerprint is near that of its name, and another")
    func otherFingerprints() {
        let slots = TableDecoderTests.extent(27, TableDecoderTests.table).dropFirst(40)
        var changed = 0
        for slot in stride(from: slots.lowerBound, to: slots.upperBound, by: 8) {
            var bytes = TableDecoderTests.table
            guard bytes[slot + 4..<slot + 8] != [0xFF, 0xFF, 0xFF, 0xFF] else { continue }
            bytes[slot] ^= 1
            changed += 1
            #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == .malformed)
        }
        #expect(changed > 0)
    }

    /// A load compares four names of one length at a time, and those that are left at the end.
    @Test("a slot with another's fingerprint, among one to nine names of each length")
    func otherFingerprintsOfManyNames() {
        var names: [String] = []
        for (length, count) in [(2, 1), (9, 2), (12, 3), (16, 4), (17, 5), (33, 9), (70, 6)] {
            for index in 0..<count {
                let label = String(repeating: "abcdefghi.", count: length / 10 + 1)
                names.append("\(index)" + label.prefix(length - 2) + "z")
            }
        }
        var contents = TableSamples.small
        contents.rules[0].hosts = names.map { HostPattern(host: .name($0), port: nil) }
        let table = PolicyTable.encode(contents, provenance: nil, crypto: TableDigests()).bytes
        #expect(TableDecoderTests.code(table) == nil)
        let slots = TableDecoderTests.extent(27, table).dropFirst(40)
        var changed = 0
        for slot in stride(from: slots.lowerBound, to: slots.upperBound, by: 8) {
            var bytes = table
            guard bytes[slot + 4..<slot + 8] != [0xFF, 0xFF, 0xFF, 0xFF] else { continue }
            bytes[slot] ^= 1
            changed += 1
            #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == .malformed)
        }
        #expect(changed >= names.count)
    }

    @Test("a text that is not UTF-8")
    func brokenText() throws {
        var bytes = TableDecoderTests.table
        let word = Array("strict".utf8)
        let texts = TableDecoderTests.extent(16, bytes)
        let start = try #require(
            texts.dropLast(word.count).first { Array(bytes[$0..<$0 + word.count]) == word })
        bytes[start + word.count - 1] = 0xFF
        #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == .malformed)
    }

    /// What each section's checks are there for: an edit at an offset within a section of the
    /// sample, and the code it is refused with.
    struct Edit: Sendable, CustomStringConvertible {
        let description: String
        let section: Int
        let offset: Int
        let bytes: [UInt8]
        var code: TableDecodingError.Code = .malformed
    }

    static let edits: [Edit] = [
        Edit(
            description: "texts: more than fit", section: 16, offset: 0,
            bytes: [255, 255, 255, 255]),
        Edit(description: "rules: more than fit", section: 17, offset: 0, bytes: [2]),
        Edit(description: "rule: id out of range", section: 17, offset: 8, bytes: [200]),
        Edit(description: "rule: no anchors", section: 17, offset: 8 + 12, bytes: [0]),
        Edit(
            description: "rule: requirements out of range", section: 17, offset: 8 + 24, bytes: [9]),
        Edit(description: "rule: identity out of range", section: 17, offset: 8 + 28, bytes: [9]),
        Edit(description: "list: index out of range", section: 18, offset: 0, bytes: [7]),
        Edit(
            description: "requirements: unknown field", section: 19, offset: 12 + 4 + 14,
            bytes: [99], code: .unknownRequirement),
        Edit(description: "identity: unknown reference", section: 20, offset: 12, bytes: [3]),
        Edit(description: "waiver: unknown", section: 21, offset: 0, bytes: [99]),
        Edit(
            description: "anchor set: a number that is not zero", section: 22, offset: 4, bytes: [3]
        ),
        Edit(description: "anchor set: no group", section: 22, offset: 12, bytes: [0]),
        Edit(description: "anchor group: unknown kind", section: 30, offset: 12 + 1, bytes: [3]),
        Edit(description: "anchor group: unknown limit", section: 30, offset: 12 + 3, bytes: [16]),
        Edit(description: "report mode: unknown", section: 31, offset: 0, bytes: [9]),
        Edit(description: "report mode: a text it has not", section: 31, offset: 4, bytes: [0]),
        Edit(description: "log list: other bytes", section: 32, offset: 12 + 33, bytes: [0]),
        Edit(description: "rule: unknown flags", section: 17, offset: 8 + 48, bytes: [2]),
        Edit(description: "pin set: no match demanded", section: 24, offset: 16, bytes: [0]),
        Edit(description: "pin set: more matches than pins", section: 24, offset: 16, bytes: [3]),
        Edit(description: "pin set: no backups", section: 24, offset: 12, bytes: [0]),
        Edit(description: "pin: unknown position", section: 25, offset: 4, bytes: [5]),
        Edit(description: "digest: unknown algorithm", section: 26, offset: 1, bytes: [3]),
        Edit(description: "slots: another number of homes", section: 27, offset: 0, bytes: [1]),
        Edit(description: "slots: patterns miscounted", section: 27, offset: 12, bytes: [9]),
        Edit(description: "slots: a label count hidden", section: 27, offset: 16, bytes: [0]),
        Edit(description: "names: upper case", section: 28, offset: 1, bytes: [0x41]),
        Edit(description: "names: empty", section: 28, offset: 0, bytes: [0]),
        Edit(description: "addresses: unknown family", section: 29, offset: 8, bytes: [5]),
        Edit(description: "addresses: prefix too long", section: 29, offset: 9, bytes: [33]),
    ]

    @Test("a section with one thing wrong", arguments: edits)
    func wrongSection(edit: Edit) {
        var bytes = TableDecoderTests.table
        let start = TableDecoderTests.extent(edit.section, bytes).lowerBound + edit.offset
        #expect(Array(bytes[start..<start + edit.bytes.count]) != edit.bytes)
        bytes.replaceSubrange(start..<start + edit.bytes.count, with: edit.bytes)
        #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == edit.code)
    }

    @Test(
        "URI patterns that no policy compiles to",
        arguments: [
            #"https://evil.example\@ok.example/"#, "https://ok.example/a b",
            "https://ok.example/%zz",
            "https://ok.example/%2", "https://ok.example/*/a", "https://ok.example/a*",
            "https://ok.example/***", "https://*.example/", "https://ok.example/?q",
            "https://ok.example/#f", "https://ok.example//a", "https://ok.example/../a",
            "https://ok.example/%2E./a", "https:///a", "https://:443/a", "https://u@/a",
            "https://a@b@ok.example/", "https://ok.example:44x/", "https://[::1/", "https://[1]/",
            "HTTPS://ok.example/", "https://OK.example/", "urn:a", "ok.example", "",
            "https://ok.example/é", "https://ok.example/a\u{0}",
        ])
    func hostileURIPatterns(uri: String) throws {
        var contents = TableSamples.small
        contents.rules[0].body.identity.reference = .listed
        contents.rules[0].body.identity.uri = [uri]
        let listed = PolicyTable.encode(contents, provenance: nil, crypto: TableDigests())
        #expect(TableDecoderTests.code(listed.bytes) == .malformed)
        contents = TableSamples.small
        var constraints = AnchorConstraints()
        constraints.permittedURIs = [uri]
        contents.anchorSets[0].groups[0].constraints = [constraints]
        let permitted = PolicyTable.encode(contents, provenance: nil, crypto: TableDigests())
        #expect(TableDecoderTests.code(permitted.bytes) == .malformed)
        contents.anchorSets[0].groups[0].constraints[0].permittedURIs = [
            "https://u@ok.example/a/**"
        ]
        let fine = PolicyTable.encode(contents, provenance: nil, crypto: TableDigests())
        #expect(TableDecoderTests.code(fine.bytes) == nil)
    }

    @Test("a rule below the baseline cannot be smuggled in: RSA 1024")
    func belowTheBaseline() throws {
        var contents = TableSamples.small
        contents.rules[0].body.requirements.rsaMinimum = 1024
        let table = PolicyTable.encode(contents, provenance: nil, crypto: TableDigests())
        #expect(TableDecoderTests.code(table.bytes) == .malformed)
    }
}
