import Foundation
import LibCrypto
import Testing
import TrustEngine

/// Embedded timestamps of real certificates under a real log list: what the logs signed is made
/// again from the octets, and nothing of it can be changed. Skipped, with a word, where the data
/// are absent.
@Suite("timestamps of real sites") struct RealTimestampsTests {
    private struct Site: Decodable {
        let id: String
        let untrusted_intermediates: [String]
        let trusted_certs: [String]
        let peer_certificate: String
    }

    private static let shared = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared")
    private static let vectors = shared.appending(path: "conformance/cases/limbo.ndjson")
    private static let logList = shared.appending(path: "data/log_list.json")
    private static let isPresent =
        FileManager.default.fileExists(atPath: vectors.path)
        && FileManager.default.fileExists(atPath: logList.path)

    private static func sites() throws -> [Site] {
        try String(contentsOf: vectors, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("\"id\":\"online::") }
            .map { try JSONDecoder().decode(Site.self, from: Data($0.utf8)) }
    }

    private func findings(
        _ leaf: Certificate, _ issuer: Certificate, at time: UTCInstant, _ list: LogList
    ) throws -> [TimestampFinding] {
        var judge = TransparencyJudge(
            list: list, endEntity: leaf, besides: [], time: time, clockSkew: 0,
            crypto: LibCryptoBackend())
        var budget = WorkBudget(limit: 100_000)
        return try judge.judgements(issuer: issuer, budget: &budget)
    }

    @Test(
        "each counts, and none after a change of one octet", .enabled(if: isPresent, "no data here")
    )
    func real() throws {
        let list = try LogList(
            json: [UInt8](Data(contentsOf: RealTimestampsTests.logList)),
            crypto: LibCryptoBackend())
        var counted = 0
        let sites = try RealTimestampsTests.sites()
        for site in sites {
            func certificate(_ text: String) throws -> Certificate {
                try Certificate(der: [UInt8](#require(Data(base64Encoded: text))))
            }
            let leaf = try certificate(site.peer_certificate)
            // The vectors are judged at the begin of validity, which authorities put before they
            // ask logs.
            let time = leaf.notBefore.advanced(bySeconds: 2 * 86_400)
            let issuer = try #require(
                (site.untrusted_intermediates + site.trusted_certs).map(certificate)
                    .first { leaf.isIssued(byNameOf: $0) })
            let found = try findings(leaf, issuer, at: time, list)
            #expect(found.count >= 2, "\(site.id)")
            for finding in found where finding.standing != .unusable(.unknownLog) {
                #expect(finding.standing == .approved, "\(site.id): \(finding)")
                counted += 1
            }
            try tamper(leaf, issuer, at: time, list, found, site.id)
        }
        #expect(sites.count >= 8 && counted >= 16, "\(sites.count) sites, \(counted) timestamps")
    }

    /// Changes an octet of each timestamp in turn, its instant's or its signature's, and one of the
    /// certificate: the log is named, and why it does not count.
    private func tamper(
        _ leaf: Certificate, _ issuer: Certificate, at time: UTCInstant, _ list: LogList,
        _ found: [TimestampFinding], _ site: String
    ) throws {
        let place = Int(leaf.layout.extensions.signedCertificateTimestamps.start)
        let own = TimestampList(
            leaf.der.span.copied(leaf.layout.extensions.signedCertificateTimestamps))
        for (index, entry) in own.entries.enumerated() {
            guard case .timestamp(let timestamp) = entry, found[index].isValid else { continue }
            // The instant stands eight octets before the length of the extensions.
            let instant = Int(timestamp.extensions.start) - 3
            for offset in [instant, timestamp.signature.indices.upperBound - 1] {
                var der = leaf.der
                der[place + offset] ^= 1
                let changed = try findings(Certificate(der: der), issuer, at: time, list)
                #expect(changed[index].standing == .unusable(.badSignature), "\(site)")
                #expect(changed[index].log == found[index].log, "\(site)")
                for (other, finding) in changed.enumerated() where other != index {
                    #expect(finding == found[other], "\(site)")
                }
            }
        }
        var der = leaf.der
        der[Int(leaf.layout.serial.start) + Int(leaf.layout.serial.count) - 1] ^= 1
        for finding in try findings(Certificate(der: der), issuer, at: time, list)
        where finding.standing != .unusable(.unknownLog) {
            #expect(finding.standing == .unusable(.badSignature), "\(site)")
        }
    }
}
