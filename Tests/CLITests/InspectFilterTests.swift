import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

/// `hawser inspect` of filters of CRLite, of indexes and of directories.
@Suite("hawser inspect of CRLite filters")
struct InspectFilterTests {
    private static func name(_ text: String) -> [UInt8] { TestHash.sha256.digest(Array(text.utf8)) }

    private static let recipe = FilterRecipe(
        [
            .init(name("issuer 1"), revoked: [[1]], good: (0..<60).map { [2, $0] }),
            .init(name("issuer 2"), revoked: [], good: [[1]]),
        ],
        coverage: [
            .init(log: name("larch"), low: 1_779_317_259_031, high: 1_783_413_600_000),
            .init(log: name("maple"), low: 0, high: 1_783_413_600_999),
        ])

    /// A log without a time, and one that ends after the year 9999.
    private static let odd = FilterRecipe(
        [],
        coverage: [
            .init(log: name("larch"), low: 9, high: 8),
            .init(log: name("maple"), low: 0, high: .max),
        ])

    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        let cache = workshop.folder.appending(path: "cache")
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        func write(_ octets: [UInt8], _ path: String) throws {
            try Data(octets).write(to: workshop.folder.appending(path: path))
        }
        try write(recipe.octets(version: 4), "cache/new.filter")
        try write(odd.octets(version: 3), "cache/odd.filter")
        try write(
            FilterIndexRecipe(of: [("new.filter", recipe), ("odd.filter", odd)]).octets,
            "cache/index.bin")
        try write(Array(recipe.octets(version: 4).dropLast()), "cut.filter")
        return workshop
    }

    @Test(
        "text and JSON of a filter, an index and a directory",
        arguments: [
            ("filter", "cache/new.filter", 0, 1), ("odd", "cache/odd.filter", 0, 1),
            ("index", "cache/index.bin", 2, 0), ("folder", "cache", 2, 2),
        ])
    func answers(_ name: String, _ path: String, indexed: Int, opened: Int) throws {
        let workshop = try Self.workshop()
        let text = try workshop.run("inspect", path)
        #expect(text.status == 0)
        try expectGolden("inspect-crlite-\(name)", text)
        let json = try workshop.run("inspect", path, "--format", "json")
        let document = try JSONDocument(text: json.output)
        let schema = try JSONSchema(text: workshop.run("schema", "filter").output)
        #expect(schema.violations(of: document) == [])
        #expect(document["index"]?["filters"]?.items.count ?? 0 == indexed)
        #expect(document["filters"]?.items.count == opened)
    }

    @Test("damaged filters are refused with the reason, and signatures are not of filters")
    func refusals() throws {
        let workshop = try Self.workshop()
        let cut = try workshop.run("inspect", "cut.filter")
        #expect(cut.status == 2)
        #expect(cut.output == "")
        #expect(cut.error.contains("refused, truncated: `cut.filter`: "))
        try FileManager.default.removeItem(
            at: workshop.folder.appending(path: "cache/odd.filter"))
        let missing = try workshop.run("inspect", "cache")
        #expect(missing.status == 2)
        #expect(missing.error.contains("`cache/odd.filter` is not there"))
        let keys = try workshop.run("inspect", "cache/new.filter", "--trusted-key", "key.pem")
        #expect(keys.status == 2)
    }
}
