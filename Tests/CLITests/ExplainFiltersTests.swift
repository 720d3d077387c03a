import Foundation
import TestPKI
import Testing
import TrustEngine

/// `hawser explain` with a folder of CRLite filters: its words about the filter that decides, and
/// about a certificate that no filter covers.
@Suite("hawser explain with CRLite filters")
struct ExplainFiltersTests {
    static let host = "api.acme.example"
    static let larch = TestLog("Larch 2026", of: "Larch")
    static let maple = TestLog("Maple 2026", of: "Maple")
    /// Requests are judged on 2026-06-01; the filters reach to ten in the evening before.
    static let reach = UTCInstant.at("2026-05-31T22:00:00Z")

    /// A certificate with timestamps.
    static func leaf(
        _ timestamps: [TestTimestamp], notBefore: UTCInstant = .at("2026-05-10")
    ) -> Minted {
        Workshop.issuing.issueLeaf(dns: [host]) { recipe in
            recipe.notBefore = notBefore
            recipe.notAfter = notBefore.advanced(by: .seconds(90 * 86_400))
            if !timestamps.isEmpty {
                recipe.embed(timestamps, issuedBy: Workshop.issuing.key)
            }
        }
    }

    static let plain = leaf([larch.timestamp(at: .at("2026-05-10T01:00:00Z"))])
    /// Issued three hours before it is judged.
    static let new = leaf(
        [maple.timestamp(at: .at("2026-05-31T23:00:00Z"))], notBefore: .at("2026-05-31T21:00:00Z"))

    /// A filter of the issuer that covers both logs.
    static func filter(
        _ leaf: Minted, isRevoked: Bool = false, of issuer: TestKey = Workshop.issuing.key,
        until: UTCInstant = reach
    ) throws -> FilterRecipe {
        let serial = try leaf.parsed().serialBytes
        let others: [[UInt8]] = (0..<40).map { [1, UInt8($0)] }
        return FilterRecipe(
            [
                FilterRecipe.Issuer(
                    issuer.spkiSHA256, revoked: isRevoked ? [serial] : [],
                    good: isRevoked ? others : others + [serial])
            ],
            coverage: [larch, maple].map {
                FilterRecipe.Coverage(
                    log: $0.key.spkiSHA256,
                    low: UInt64(UTCInstant.at("2026-01-01").secondsSinceEpoch) * 1_000,
                    high: UInt64(until.secondsSinceEpoch) * 1_000)
            })
    }

    /// A workshop with a rule that demands a good answer of filters, and with filters.
    static func workshop(
        _ filters: [(name: String, recipe: FilterRecipe)], crlite: String = "{ grace: 10d }",
        sources: String = "[crlite]"
    ) throws -> Workshop {
        let workshop = try Workshop(
            rule: """
                    revocation:
                      preset: require
                      sources: \(sources)
                      scope: leaf
                \(crlite.isEmpty ? "" : "      crlite: \(crlite)\n")\
                    transparency:
                      log-list: log_list.json
                """, host: host)
        try workshop.write("unit/log_list.json", TestLogList.json([larch, maple]))
        for filter in filters {
            try write(filter.recipe.octets(version: 4), "filters/\(filter.name)", workshop)
        }
        try write(FilterIndexRecipe(of: filters).octets, "filters/index.bin", workshop)
        return workshop
    }

    static func write(
        _ octets: [UInt8], _ name: String, _ workshop: Workshop
    ) throws {
        let file = workshop.folder.appending(path: name)
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try Data(octets).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    }

    static func explain(
        _ workshop: Workshop, _ leaf: Minted, at time: String = "2026-06-01", _ more: [String] = []
    ) throws -> CommandRun {
        try workshop.write("chain.pem", leaf.pem + Workshop.issuing.pem)
        return try workshop.run(
            [
                "explain", host, "--policy", "unit", "--chain", "chain.pem", "--at", time,
                "--evidence", "filters",
            ] + more)
    }

    @Test("revoked")
    func revoked() throws {
        let workshop = try Self.workshop([
            ("full.filter", Self.filter(Self.plain, until: .at("2026-05-20"))),
            ("delta.filter", Self.filter(Self.plain, isRevoked: true)),
        ])
        let run = try Self.explain(workshop, Self.plain)
        #expect(run.status == 1)
        try expectGolden("explain-crlite-revoked", run)
    }

    @Test("good, with what covers the certificate")
    func good() throws {
        let workshop = try Self.workshop([
            ("full.filter", Self.filter(Self.plain, until: .at("2026-05-20"))),
            ("delta.filter", Self.filter(Self.plain)),
        ])
        let run = try Self.explain(workshop, Self.plain, ["--trace"])
        #expect(run.status == 0)
        try expectGolden("explain-crlite-good", run)
    }

    @Test("not covered, within grace and after it")
    func grace() throws {
        let workshop = try Self.workshop([("full.filter", Self.filter(Self.plain))])
        let within = try Self.explain(workshop, Self.new)
        #expect(within.status == 0)
        try expectGolden("explain-crlite-within-grace", within)
        let current = try Self.workshop([
            ("full.filter", Self.filter(Self.plain, until: .at("2026-05-31T22:30:00Z")))
        ])
        let later = try Self.explain(
            current, Self.new, at: "2026-06-02", ["--format", "json"])
        #expect(later.status == 0)
        #expect(later.output.contains("2026-06-10T21:00:00Z"), "\(later.output)")
        let short = try Self.workshop(
            [("full.filter", Self.filter(Self.plain))], crlite: "{ grace: 2h }")
        let after = try Self.explain(short, Self.new)
        #expect(after.status == 1)
        try expectGolden("explain-crlite-after-grace", after)
    }

    @Test("an old certificate whose old timestamps are left out has no grace")
    func leftOut() throws {
        let old = Self.leaf([])
        let workshop = try Self.workshop([("full.filter", Self.filter(Self.plain))])
        let list = TestTimestamp.list(
            [Self.maple.timestamp(at: .at("2026-05-31T23:00:00Z"))], over: old)
        try Self.write(list, "scts", workshop)
        let run = try Self.explain(workshop, old, ["--sct-list", "scts"])
        #expect(run.status == 1)
        try expectGolden("explain-crlite-timestamps-left-out", run)
    }

    @Test("no timestamp that counts")
    func noTimestamps() throws {
        let workshop = try Self.workshop([("full.filter", Self.filter(Self.plain))])
        let run = try Self.explain(workshop, Self.leaf([]))
        #expect(run.status == 1)
        try expectGolden("explain-crlite-no-timestamps", run)
    }

    @Test("not enrolled")
    func notEnrolled() throws {
        let workshop = try Self.workshop([
            ("full.filter", Self.filter(Self.plain, of: .p256("an issuer of the public web")))
        ])
        let run = try Self.explain(workshop, Self.plain)
        #expect(run.status == 1)
        try expectGolden("explain-crlite-not-enrolled", run)
    }

    @Test("stale, also where nobody wrote a maximum age")
    func stale() throws {
        let old = UTCInstant.at("2026-05-24T00:00:00Z").advanced(by: .seconds(-86_400))
        for (name, crlite) in [("stale", ""), ("stale-by-rule", "{ maximum-age: 3d }")] {
            let workshop = try Self.workshop(
                [("full.filter", Self.filter(Self.plain, until: old))], crlite: crlite)
            let run = try Self.explain(workshop, Self.plain)
            #expect(run.status == 1)
            try expectGolden("explain-crlite-\(name)", run)
        }
    }

    @Test("damaged: of several filters one cannot be read, and none says revoked")
    func damaged() throws {
        let workshop = try Self.workshop([
            ("full.filter", Self.filter(Self.plain)), ("delta.filter", Self.filter(Self.plain)),
        ])
        try Self.write(
            Array(Self.filter(Self.plain).octets(version: 4).dropLast()), "filters/delta.filter",
            workshop)
        let run = try Self.explain(workshop, Self.plain)
        #expect(run.status == 1)
        try expectGolden("explain-crlite-damaged", run)
        // The other one says revoked, and that decides.
        let revoking = try Self.workshop([
            ("full.filter", Self.filter(Self.plain, isRevoked: true)),
            ("delta.filter", Self.filter(Self.plain)),
        ])
        try Self.write([4, 0], "filters/delta.filter", revoking)
        let revoked = try Self.explain(revoking, Self.plain)
        #expect(revoked.status == 1)
        #expect(revoked.output.contains(": revoked"), "\(revoked.output)")
    }

    @Test("a folder without an index, an empty index, and a second folder")
    func folders() throws {
        let workshop = try Self.workshop([("full.filter", Self.filter(Self.plain))])
        try FileManager.default.removeItem(
            at: workshop.folder.appending(path: "filters/index.bin"))
        let missing = try Self.explain(workshop, Self.plain)
        #expect(missing.status == 1)
        try expectGolden("explain-crlite-no-index", missing)
        let empty = try Self.workshop([])
        let none = try Self.explain(empty, Self.plain)
        #expect(none.status == 1)
        #expect(none.output.contains("`stale`"), "\(none.output)")
        try Self.write(FilterIndexRecipe([]).octets, "more/index.bin", workshop)
        let second = try Self.explain(workshop, Self.plain, ["--evidence", "more"])
        #expect(second.status == 2)
        #expect(second.error.contains("`more` is the second folder with CRLite filters"))
    }

    @Test("a CRL that says good is enough, and a filter that says revoked is too")
    func besideLists() throws {
        let good = try Self.workshop(
            [("full.filter", Self.filter(Self.plain))], sources: "[crl, crlite]")
        try Self.write(Workshop.issuing.revocationList(), "list", good)
        #expect(try Self.explain(good, Self.new, ["--crl", "list"]).status == 0)
        let revoking = try Self.workshop(
            [("full.filter", Self.filter(Self.plain, isRevoked: true))], sources: "[crl]")
        try Self.write(Workshop.issuing.revocationList(), "list", revoking)
        let run = try Self.explain(revoking, Self.plain, ["--crl", "list"])
        #expect(run.status == 1)
        #expect(run.output.contains(": revoked"), "\(run.output)")
    }
}
