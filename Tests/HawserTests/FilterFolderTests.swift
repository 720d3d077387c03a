import CRLite
import EvidenceServer
import Foundation
import Hawser
import TestPKI
import Testing
import TrustEngine

/// Directories of CRLite filters that change while they are asked, and files that others may write.
@Suite("directories of CRLite filters")
struct FilterFolderTests {
    private static let log = TestHash.sha256.digest(Array("log".utf8))
    private static let issuer = TestHash.sha256.digest(Array("issuer".utf8))
    private static let serial: [UInt8] = [7, 7]

    /// A filter of one issuer that covers 1 to `high`.
    private static func recipe(
        _ issuer: [UInt8] = issuer, isRevoked: Bool, high: UInt64 = 9
    ) -> FilterRecipe {
        let others = (0..<20).map { [1, UInt8($0)] }
        return FilterRecipe(
            [
                .init(
                    issuer, revoked: isRevoked ? [serial] : [],
                    good: isRevoked ? others : others + [serial])
            ], coverage: [.init(log: log, low: 1, high: high)])
    }

    private static func digest(_ octets: [UInt8]) -> Digest256 {
        guard let digest = Digest256(octets) else { preconditionFailure("\(octets.count) octets") }
        return digest
    }

    private static func question(at milliseconds: UInt64 = 5) -> FilterQuestion {
        FilterQuestion(
            issuer: digest(issuer), serial: serial,
            timestamps: [LogTime(log: digest(log), milliseconds: milliseconds)],
            sha256: { digest(TestHash.sha256.digest($0)) })
    }

    private func failure(_ body: () throws -> Void) -> FilterFileError? {
        do {
            try body()
            return nil
        } catch {
            return error as? FilterFileError
        }
    }

    @Test("every covering filter is asked, and one revoked decides")
    func gathered() throws {
        let cache = try FilterCache()
        let revoking = Self.recipe(isRevoked: true)
        try cache.write([
            ("good.filter", Self.recipe(isRevoked: false)), ("revoked.filter", revoking),
            ("foreign.filter", Self.recipe(Self.log, isRevoked: true)),
            ("later.filter", Self.recipe(isRevoked: false, high: 20)),
        ])
        let folder = try cache.open()
        let answer = try folder.answer(Self.question())
        #expect(answer.gathered.status == .revoked)
        #expect(answer.gathered.asked == 4)
        #expect(answer.gathered.deciding?.filter == "revoked.filter")
        #expect(
            answer.deciding?.digest.bytes == TestHash.sha256.digest(revoking.octets(version: 4)))
        #expect(answer.newest == 20)
        let later = try folder.answer(Self.question(at: 15))
        #expect((later.gathered.status, later.gathered.asked) == (.good, 1))
        let uncovered = try folder.answer(Self.question(at: 21))
        #expect((uncovered.gathered.status, uncovered.gathered.asked) == (.notCovered, 0))
        #expect(uncovered.deciding == nil)
    }

    @Test("a new index is read at the next question, and its filters are opened again")
    func replaced() throws {
        let cache = try FilterCache()
        try cache.write([("a.filter", Self.recipe(isRevoked: false))])
        let folder = try cache.open()
        #expect(try folder.answer(Self.question()).gathered.status == .good)
        try cache.write([("a.filter", Self.recipe(isRevoked: true, high: 10))])
        #expect(try folder.answer(Self.question()).gathered.status == .revoked)
    }

    @Test("a filter that is not there: the index is read again, once")
    func missing() throws {
        let cache = try FilterCache()
        try cache.write([("a.filter", Self.recipe(isRevoked: false))])
        let folder = try cache.open()
        try cache.remove("a.filter")
        #expect(failure { _ = try folder.answer(Self.question()) }?.code == "not-found")
        try cache.write([("b.filter", Self.recipe(isRevoked: true))])
        #expect(try folder.answer(Self.question()).gathered.status == .revoked)
    }

    @Test("only regular files beneath the directory")
    func irregular() throws {
        let cache = try FilterCache()
        let recipe = Self.recipe(isRevoked: false)
        try cache.write([("a.filter", recipe)])
        let file = URL(filePath: cache.at("a.filter"))
        let folder = try cache.open()
        func code() -> String? { failure { _ = try folder.answer(Self.question()) }?.code }
        try FileManager.default.removeItem(at: file)
        #expect(mkfifo(file.path, 0o644) == 0)
        #expect(code() == "not-regular")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(code() == "not-regular")
        try FileManager.default.removeItem(at: file)
        let outside = FileManager.default.temporaryDirectory
            .appending(path: "filter-\(UUID().uuidString)")
        try Data(recipe.octets(version: 4)).write(to: outside)
        defer { try? FileManager.default.removeItem(at: outside) }
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: outside)
        #expect(code() == "leaves-root")
    }

    @Test("files and folders that others may write are not asked")
    func foreign() throws {
        let cache = try FilterCache()
        let recipe = Self.recipe(isRevoked: false)
        try cache.write([("a.filter", recipe)])
        try cache.write("a.filter", recipe.octets(version: 4), mode: 0o664)
        #expect(failure { _ = try cache.open().answer(Self.question()) }?.code == "foreign")
        #expect(try cache.open(.any).answer(Self.question()).gathered.status == .good)
        try cache.write("a.filter", recipe.octets(version: 4), mode: 0o646)
        let error = failure { _ = try cache.open().answer(Self.question()) }
        #expect(error?.context.hasPrefix("every user may write `") == true)
        try cache.write("a.filter", recipe.octets(version: 4), mode: 0o444)
        #expect(try cache.open().answer(Self.question()).gathered.status == .good)
        let index = FilterIndexRecipe(of: [("a.filter", recipe)]).octets
        try cache.write("index.bin", index, mode: 0o666)
        #expect(failure { _ = try cache.open() }?.code == "foreign")
        try cache.write("index.bin", index)
        try cache.setMode(0o777)
        #expect(failure { _ = try cache.open() }?.code == "foreign")
    }

    @Test("a file that is cut in place while it is in use is refused, and ends no process")
    func cutInPlace() throws {
        let cache = try FilterCache()
        try cache.write([("a.filter", Self.recipe(isRevoked: false))])
        let folder = try cache.open()
        #expect(try folder.answer(Self.question()).gathered.status == .good)
        #expect(truncate(cache.at("a.filter"), 0) == 0)
        let error = failure { _ = try folder.answer(Self.question()) }
        #expect(error?.context.contains("was written while it was in use") == true)
    }

    @Test("damaged files, and an index that says more than its filter")
    func damaged() throws {
        let cache = try FilterCache()
        let recipe = Self.recipe(isRevoked: false)
        try cache.write([("a.filter", recipe)])
        try cache.write("a.filter", Array(recipe.octets(version: 4).dropLast()))
        #expect(failure { _ = try cache.open().answer(Self.question()) }?.code == "truncated")
        try cache.write("a.filter", [])
        #expect(failure { _ = try cache.open().answer(Self.question()) }?.code == "truncated")
        try cache.write("a.filter", Self.recipe(isRevoked: false, high: 3).octets(version: 4))
        #expect(failure { _ = try cache.open().answer(Self.question()) }?.code == "disagrees")
        try cache.write("index.bin", Array("upkiidx1".utf8))
        let error = failure { _ = try cache.open() }
        #expect(error?.code == "truncated")
        #expect(error?.context.contains("index.bin") == true)
        try cache.remove("index.bin")
        #expect(failure { _ = try cache.open() }?.code == "not-found")
    }

    @Test("one file without an index, in both formats", arguments: [3, 4] as [UInt8])
    func file(version: UInt8) throws {
        let cache = try FilterCache()
        let octets = Self.recipe(isRevoked: true).octets(version: version)
        try cache.write("one", octets)
        let file = try FilterFile(path: cache.at("one"), ownership: .own)
        #expect(try file.answer(Self.question()).status == .revoked)
        #expect(try file.issuers() == [Self.digest(Self.issuer)])
        #expect(try file.digest().bytes == TestHash.sha256.digest(octets))
    }

    @Test(
        "the directory of the pack",
        .enabled(
            if: FileManager.default.fileExists(atPath: FilterPack.folder.path),
            "../shared/packs/clubcard is absent"))
    func pack() throws {
        let folder = try FilterFolder(path: FilterPack.folder.path, ownership: .own)
        #expect(folder.index.names.count == 3)
        struct Row: Decodable {
            struct Timestamp: Decodable {
                let log: String
                let ms: UInt64
            }
            let issuer, serial, expected: String
            let timestamps: [Timestamp]
        }
        let rows = try Data(
            contentsOf: FilterPack.folder.appending(path: "../revoked-sites.ndjson")
        )
        .split(separator: UInt8(ascii: "\n"))
        .map { try JSONDecoder().decode(Row.self, from: $0) }
        #expect(rows.count == 76)
        for row in rows {
            let question = FilterQuestion(
                issuer: Self.digest(Self.octets(row.issuer)), serial: Self.octets(row.serial),
                timestamps: row.timestamps.map {
                    LogTime(log: Self.digest(Self.octets($0.log)), milliseconds: $0.ms)
                }, sha256: { Self.digest(TestHash.sha256.digest($0)) })
            let answer = try folder.answer(question).gathered
            #expect(answer.status.rawValue == row.expected)
            // The filters of before and after both cover the 74.
            #expect(answer.asked == (row.expected == "revoked" ? 2 : 0))
        }
    }

    private static func octets(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8).map { $0 < 0x60 ? $0 & 0xF : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

/// The directory of filters of Mozilla's builder, which may lie beside the checkout.
private enum FilterPack {
    static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "../../../shared/packs/clubcard/cache")
        .standardizedFileURL
}

extension FilterCache {
    /// Opens the folder.
    fileprivate func open(
        _ ownership: FilterOwnership = .own
    ) throws(FilterFileError) -> FilterFolder {
        try FilterFolder(path: path, ownership: ownership)
    }
}
