import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

/// Files with a key in either of its encodings (LANGUAGE section 6): a pin is of the octets, every
/// other entry of the key, and two encodings of one key are one key.
@Suite("files of keys in either encoding") struct KeyEncodingTests {
    static let canonical = TestKey.p256("encodings").spki
    static let other = PublicKey.encodings(of: canonical).other ?? []

    static let resources: [String: [UInt8]] = [
        "canonical.der": canonical, "other.der": other,
        "root.der": Scenario().root("Root", key: .p256("encodings")) { $0.spki = other }.der,
        "third.der": TestKey.p256("encodings, a third").spki,
    ]

    private static func digest(_ octets: [UInt8]) -> KeyMatch {
        KeyMatch(kind: .spki, digest: ToyDigests().digest(.sha256, of: octets.span))
    }

    private static func contents(_ policy: String) throws -> PolicyContents {
        let found = MemoryUnit.check(
            MemoryUnit.unit(["policy.yaml": Array(policy.utf8)], resources: resources))
        #expect(found.diagnostics.filter { $0.severity == .error } == [])
        return MemoryUnit.contents(of: try #require(found.policy))
    }

    @Test("a pin is of the encoding in the file", arguments: ["canonical.der", "other.der"])
    func pins(file: String) throws {
        let contents = try Self.contents(
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api: { keys: { a: { spki-file: \(file) } }, backups: { b: { spki-file: third.der } } }
            """)
        let octets = try #require(Self.resources[file])
        #expect(contents.pinSets.flatMap(\.keys).flatMap(\.matches) == [Self.digest(octets)])
    }

    @Test(
        "what is forbidden, kept or removed is the key",
        arguments: ["canonical.der", "other.der", "root.der"])
    func others(file: String) throws {
        let contents = try Self.contents(
            """
            hawser: 1
            default:
              anchors: [system]
              forbidden-keys: { stolen: { spki-file: \(file) } }
            rules:
              a: { hosts: ["a.example"], anchors: [some] }
            anchors:
              some: { include: [system], exclude: { x: { spki-file: \(file) } } }
            """)
        guard case .body(let body) = contents.defaultRule else {
            Issue.record("no default")
            return
        }
        #expect(
            body.requirements.forbiddenKeys.flatMap(\.matches) == [Self.digest(Self.canonical)])
        let filters = contents.anchorSets.flatMap(\.groups).flatMap(\.filters)
        #expect(filters.flatMap(\.exclude) == [Self.digest(Self.canonical)])
    }

    static let rows: [MarkedRow] = [
        row(
            "a backup is another key, whatever its encoding",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { a: { spki-file: «label:canonical.der» } }
                backups: { b: { spki-file: «HW402:other.der» } }
            """),
        row(
            "two encodings are one key to `match`",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { a: { spki-file: canonical.der }, b: { spki-file: other.der } }
                backups: { c: { spki-file: third.der } }
                match: «HW103:3»
            """, says: ["`match` asks for 3 keys and `api` holds 2"]),
        row(
            "`exclude` finds a member in another encoding",
            """
            hawser: 1
            default: { anchors: [corp] }
            anchors:
              corp: { files: [root.der], «HW507:exclude»: { x: { spki-file: canonical.der } } }
            """),
    ]

    private static func row(_ name: String, _ text: String, says: [String] = []) -> MarkedRow {
        MarkedRow(name, text, says: says, resources: resources)
    }

    @Test("what is said of them", arguments: rows) func said(row: MarkedRow) { row.verify() }
}
