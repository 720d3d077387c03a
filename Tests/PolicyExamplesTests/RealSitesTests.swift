import Foundation
import Hawser
import LibCrypto
import PolicyCompiler
import Testing
import TrustEngine

/// Chains that real sites presented, out of the public vectors: a policy with the anchor of each,
/// written as a user would write it, accepts at the vector's time and rejects a year after the end
/// entity's end. Skipped, with a word, where the vectors are absent.
@Suite struct RealSitesTests {
    private struct Site: Decodable {
        struct Name: Decodable {
            let kind: String
            let value: String
        }
        let id: String
        let trusted_certs: [String]
        let untrusted_intermediates: [String]
        let peer_certificate: String
        let validation_time: String?
        let expected_peer_name: Name?
    }

    private static let vectors = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/conformance/cases/limbo.ndjson")

    private static func sites() throws -> [Site] {
        let text = try String(contentsOf: vectors, encoding: .utf8)
        return try text.split(separator: "\n").filter { $0.contains("\"id\":\"online::") }
            .map { try JSONDecoder().decode(Site.self, from: Data($0.utf8)) }
    }

    /// The policy a user would write for one site.
    private static func policy(for site: Site, host: String) -> String {
        var text = "hawser: 1\ndefault: deny\nanchors:\n  site:\n    pem: |\n"
        for certificate in site.trusted_certs {
            var lines = "-----BEGIN CERTIFICATE-----\n"
            var rest = Substring(certificate)
            while !rest.isEmpty {
                lines += "\(rest.prefix(64))\n"
                rest = rest.dropFirst(64)
            }
            text += InlinePolicy.literal(lines + "-----END CERTIFICATE-----\n")
        }
        return text + "rules:\n  site:\n    hosts: [\"\(host)\"]\n    anchors: [site]\n"
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: vectors.path), "no vectors here"))
    func acceptedAtTheirTimeAndRejectedAYearAfterTheirEnd() throws {
        let sites = try RealSitesTests.sites()
        #expect(sites.count >= 8)
        for site in sites {
            let host = try #require(site.expected_peer_name?.value)
            let crypto = LibCryptoBackend()
            let compilation = InlinePolicy.compile(
                RealSitesTests.policy(for: site, host: host))
            #expect(compilation.diagnostics.map(\.message) == [], "\(site.id)")
            let engine = try Engine(table: #require(compilation.table), crypto: crypto)
            let chain = try ([site.peer_certificate] + site.untrusted_intermediates).map {
                try #require(Data(base64Encoded: $0).map { [UInt8]($0) })
            }
            let time = try #require(site.validation_time.flatMap { UTCInstant(text: $0) })
            var request = TrustRequest(
                host: host, port: 443, presentedChain: chain, time: time,
                tls: .assumed(TLSParameters(version: .tls13)))
            let accepted = engine.explain(request)
            #expect(accepted.verdict.isAccept, "\(site.id): \(accepted.verdict.violations)")
            #expect(accepted.verdict == engine.evaluate(request), "\(site.id)")
            #expect(accepted.verdict == accepted.trace.replayedVerdict(), "\(site.id)")

            let end = try Certificate(der: chain[0]).notAfter
            request.time = end.advanced(bySeconds: 365 * 86_400)
            let rejected = engine.explain(request)
            #expect(
                rejected.verdict.violations.contains { violation in
                    violation.id == "expired" && violation.certificate?.position == 0
                        && violation["notAfter"]?.instant == end
                        && violation["time"]?.instant == request.time
                }, "\(site.id): \(rejected.verdict.violations)")
            #expect(rejected.verdict == engine.evaluate(request), "\(site.id)")
            #expect(rejected.verdict == rejected.trace.replayedVerdict(), "\(site.id)")
        }
    }
}
