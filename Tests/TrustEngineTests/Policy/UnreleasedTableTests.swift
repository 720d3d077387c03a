import Foundation
import TestPKI
import Testing
import TrustEngine

/// Tables and envelopes of builds before 0.1, which no release reads. The files are kept as those
/// builds wrote them.
@Suite("Files of unreleased builds")
struct UnreleasedTableTests {
    private static func octets(_ name: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try Array(
            Data(contentsOf: tests.appending(path: "CLITests/Goldens/unreleased/\(name)")))
    }

    private static func refusal(
        _ body: () throws(TableDecodingError) -> Void
    ) -> TableDecodingError? {
        do throws(TableDecodingError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private static let words = "it was written by an unreleased build of Hawser; "
    private static let compile = words + "compile the policy again"
    private static let sign = words + "compile the policy again and sign the new table"

    @Test("a table of each of their versions is refused in words", arguments: [1, 2, 3] as [UInt8])
    func table(_ version: UInt8) throws {
        var bytes = try Self.octets("table-3.hwt")
        bytes[8] = version
        bytes[168] = version
        bytes = TableDecoderTests.resealed(bytes)
        let decoded = try #require(
            Self.refusal { () throws(TableDecodingError) in
                _ = try PolicyTable(decoding: bytes, crypto: TableDigests())
            })
        #expect(decoded.code == .unsupportedVersion)
        #expect(decoded.context == Self.compile)
        let opened = Self.refusal { () throws(TableDecodingError) in
            _ = try SignedTable(decoding: bytes)
        }
        #expect(opened?.code == .unsupportedVersion)
        #expect(opened?.context == Self.compile)
        #expect(SignedTable.begins(bytes))
    }

    @Test(
        "an envelope of each of their versions is refused in words",
        arguments: ["envelope-1.hwt", "envelope-2.hwt"])
    func envelope(_ name: String) throws {
        let bytes = try Self.octets(name)
        let opened = Self.refusal { () throws(TableDecodingError) in
            _ = try SignedTable(decoding: bytes)
        }
        #expect(opened?.code == .unsupportedVersion)
        #expect(opened?.context == Self.sign)
        let header = Self.refusal { () throws(TableDecodingError) in
            _ = try SignedTableHeader(decoding: bytes, fileSize: bytes.count)
        }
        #expect(header?.context == Self.sign)
        #expect(SignedTable.begins(bytes))
        // Nobody's table of today is in it.
        let inner = Self.refusal { () throws(TableDecodingError) in
            _ = try PolicyTable(
                decoding: Array(bytes.suffix(800)), crypto: TableDigests())
        }
        #expect(inner?.context == Self.compile)
    }

    /// The beginning of their files is not taken for the beginning of a table that is cut off.
    @Test("a few octets of each", arguments: ["table-3.hwt", "envelope-1.hwt"])
    func beginning(_ name: String) throws {
        let bytes = try Self.octets(name)
        for count in 4..<12 {
            let opened = Self.refusal { () throws(TableDecodingError) in
                _ = try SignedTable(decoding: Array(bytes.prefix(count)))
            }
            #expect(opened?.code == .unsupportedVersion, "\(count) octets")
        }
        #expect(SignedTable.Unreleased(Array(bytes.prefix(3))) == nil)
        #expect(SignedTable.Unreleased(TableSamples.table.bytes) == nil)
        #expect(SignedTable.Unreleased(SignedTableTests.signed([1])) == nil)
    }
}
