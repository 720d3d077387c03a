import Foundation
import Hawser
import LibCrypto
import TrustEngine

/// Rows for `hawser audit`, and what the library says of them. Everything follows from the seed.
///
/// - `audit-rows make FOLDER ROWS SERVERS SEED [VECTORS...]` writes `fleet.table`, `ca.pem` and
///   `rows.ndjson`.
/// - `audit-rows twins FOLDER COUNT` writes a unit, rows and CRLs: chains as revoked sites serve
///   them, each leaf revoked by a CRL of its issuer.
/// - `audit-rows check ROWS-OUT FOLDER ROWS SERVERS SEED [VECTORS...]` makes each request again,
///   without reading its row, asks the library for its verdict, and compares verdict, violations,
///   path and digest with the row that came out. It prints how many were equal, and ends with 1
///   where one is not.
@main struct AuditRows {
    static let crypto = LibCryptoBackend()

    static func digest(_ octets: [UInt8]) -> Digest { crypto.digest(.sha256, of: octets.span) }

    static func main() throws {
        var words = CommandLine.arguments.dropFirst()
        let task = words.popFirst()
        if task == "twins", let folder = words.popFirst(),
            let count = words.popFirst().flatMap({ Int($0) })
        {
            return try RevokedTwins.make(count, in: folder)
        }
        let out = task == "check" ? words.popFirst() : nil
        guard let folder = words.popFirst(), let rows = words.popFirst().flatMap({ Int($0) }),
            let servers = words.popFirst().flatMap({ Int($0) }),
            let seed = words.popFirst().flatMap({ UInt64($0) })
        else {
            print("audit-rows make FOLDER ROWS SERVERS SEED [VECTORS...]")
            exit(2)
        }
        let fleet = try AuditFleet(servers: servers, seed: seed, vectors: Array(words))
        switch (task, out) {
        case ("make", nil): try make(fleet, rows, in: folder)
        case ("check", let out?): try check(fleet, rows, table: "\(folder)/fleet.table", out)
        default: exit(2)
        }
    }

    private static func make(_ fleet: AuditFleet, _ rows: Int, in folder: String) throws {
        let table = PolicyTable.encode(fleet.contents, provenance: nil, crypto: crypto)
        try Data(table.bytes).write(to: URL(filePath: "\(folder)/fleet.table"))
        try Data(fleet.dictionary.utf8).write(to: URL(filePath: "\(folder)/ca.pem"))
        let path = "\(folder)/rows.ndjson"
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        var text = Data()
        for number in 0..<rows {
            text += Data(fleet.row(number).text.utf8)
            text.append(0x0A)
            guard text.count > 1 << 22 || number == rows - 1 else { continue }
            try file.write(contentsOf: text)
            text.removeAll(keepingCapacity: true)
        }
        try file.close()
    }

    /// What a row that came out says, read by Foundation and not by our own reader.
    private struct Row: Decodable {
        struct Violation: Decodable { let id: String }
        let row: Int
        let id: String?
        let verdict: String
        let violations: [Violation]
        let reported: [Reported]
        let path: [String]
        let policyDigest: String
        struct Reported: Decodable { let violation: Violation }
    }

    private static func check(
        _ fleet: AuditFleet, _ rows: Int, table: String, _ out: String
    ) throws {
        let engine = try EngineLoader.load(tableFile: table)
        var number = 0
        var accepts = 0
        var different = 0
        let decoder = JSONDecoder()
        try lines(of: out) { line in
            let found = try decoder.decode(Row.self, from: line)
            let verdict = engine.evaluate(fleet.row(number).request)
            var path: [String] = []
            var reported: [String] = []
            if case .accept(let acceptance) = verdict.outcome {
                path = acceptance.path.map(\.fingerprint.text)
                reported = acceptance.reported.map(\.violation.id)
                accepts += 1
            }
            let isEqual =
                found.row == number + 1 && found.id == String(number)
                && found.verdict == (verdict.isAccept ? "accept" : "reject")
                && found.violations.map(\.id) == verdict.violations.map(\.id)
                && found.reported.map(\.violation.id) == reported && found.path == path
                && found.policyDigest == verdict.policyDigest.text
            if !isEqual {
                different += 1
                if different <= 5 { print("row \(number + 1): \(verdict), and out came \(found)") }
            }
            number += 1
        }
        if number != rows { print("\(number) rows came out, and \(rows) were made") }
        print("\(number) rows, \(accepts) accepted, \(different) other than the library's verdict")
        exit(different == 0 && number == rows && accepts > 0 && accepts < rows ? 0 : 1)
    }

    private static func lines(of path: String, _ body: (Data) throws -> Void) throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        var rest = Data()
        while let part = try file.read(upToCount: 1 << 22), !part.isEmpty {
            rest += part
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: 0x0A) {
                try body(rest[start..<end])
                start = rest.index(after: end)
            }
            rest = Data(rest[start...])
        }
        if !rest.isEmpty { try body(rest) }
    }
}
