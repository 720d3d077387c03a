import CRLite
import Foundation
import TestPKI

/// Filters that Mozilla's builder made, with its answers. They may lie beside the checkout.
struct ClubcardPack {
    static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "../../../shared/packs/clubcard")
        .standardizedFileURL
    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// One question with its answer.
    struct Row: Decodable {
        struct Timestamp: Decodable {
            let log: String
            let ms: UInt64
        }

        let issuer: String
        let serial: String
        let timestamps: [Timestamp]
        let expected: String
        let expected_before: String?

        func question() -> FilterQuestion {
            FilterQuestion(
                issuer: digest(hexadecimal(issuer)), serial: hexadecimal(serial),
                timestamps: timestamps.map {
                    LogTime(log: digest(hexadecimal($0.log)), milliseconds: $0.ms)
                }, sha256: sha256)
        }
    }

    /// A file that must be refused.
    struct Damaged: Decodable {
        let file: String
    }

    static func octets(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    static func rows<Row: Decodable>(_ name: String, of row: Row.Type) throws -> [Row] {
        try Data(contentsOf: folder.appending(path: name)).split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(row, from: $0) }
    }
}

/// SHA-256 for questions.
func sha256(_ octets: [UInt8]) -> Digest256 { digest(TestHash.sha256.digest(octets)) }

/// A digest of 32 octets.
func digest(_ octets: [UInt8]) -> Digest256 {
    guard let digest = Digest256(octets) else { preconditionFailure("\(octets.count) octets") }
    return digest
}

private func hexadecimal(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8).map { $0 < 0x60 ? $0 & 0xF : $0 - 0x57 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
