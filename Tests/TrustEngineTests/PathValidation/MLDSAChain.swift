import Foundation
import TestPKI
import TrustEngine

/// What `Tests/MLDSAChains/mint.py` made, by the names that it gives.
enum MLDSAChain {
    private struct Row: Decodable {
        let name: String
        let kind: String
        let der: String
    }

    private static let octets: [String: [UInt8]] = {
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../MLDSAChains/chains.ndjson")
        do {
            let rows = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Row.self, from: $0)
            }
            return Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    (row.name, Data(base64Encoded: row.der).map { [UInt8]($0) } ?? [])
                })
        } catch {
            fatalError("\(file.path): \(error)")
        }
    }()

    /// The octets of one row, DER.
    static func der(_ name: String) -> [UInt8] {
        guard let der = octets[name], !der.isEmpty else { fatalError("no row `\(name)`") }
        return der
    }

    /// A request with certificates of the file, the end entity first, for a rule that trusts one of
    /// them.
    static func world(_ chain: [String], root: String = "root-87") -> World {
        var world = World(chain.map(der), roots: [der(root)])
        world.time = .at("2026-06-01T00:00:00Z")
        return world
    }

    /// The chain of an end entity below the authority of ML-DSA-65.
    static func below65(_ leaf: String) -> World { world([leaf, "issuing-65"]) }

    /// The chain of an end entity below the authority of ML-DSA-44.
    static func below44(_ leaf: String) -> World { world([leaf, "issuing-44"]) }

    /// A key match of the key of a certificate, or of the whole certificate.
    static func match(_ kind: KeyMatch.Kind, _ name: String) throws -> KeyMatch {
        let certificate = try Certificate(der: der(name))
        let bytes = kind == .spki ? certificate.spkiBytes : certificate.der
        let digest = TestHash.sha256.digest(bytes)
        guard let digest = Digest(.sha256, bytes: digest[...]) else {
            preconditionFailure("SHA-256 has 32 octets")
        }
        return KeyMatch(kind: kind, digest: digest)
    }
}
