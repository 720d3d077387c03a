import Foundation
import Testing
import TrustEngine

/// Parses certificates of the conformance suites that may lie beside the repository. Where they are
/// absent these tests are skipped, and the run says so.
@Suite("certificates of the conformance suites")
struct ConformanceParsingTests {
    private static let cases = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../../shared/conformance/cases")
        .standardizedFileURL

    private static var isPresent: Bool {
        FileManager.default.fileExists(atPath: cases.appending(path: "pkits.ndjson").path)
    }

    private struct Case: Decodable {
        let id: String
        let trusted_certs: [String]
        let untrusted_intermediates: [String]
        let peer_certificate: String
    }

    private func suite(_ name: String) throws -> [Case] {
        let data = try Data(
            contentsOf: ConformanceParsingTests.cases.appending(path: "\(name).ndjson"))
        return try data.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Case.self, from: $0)
        }
    }

    /// Cases whose point is a certificate that does not parse.
    private static let unparsable: Set<String> = [
        // The DSA signature that was spoilt ends in unused bits.
        "pkits::4.1.6"
    ]

    @Test(
        "every certificate parses, and its text and names can be read",
        .enabled(if: isPresent, "../shared/conformance is absent"),
        arguments: [("pkits", "pkits::"), ("limbo", "online::")])
    func parses(suiteName: String, prefix: String) throws {
        var seen = 0
        for row in try suite(suiteName) where row.id.hasPrefix(prefix) {
            guard !ConformanceParsingTests.unparsable.contains(row.id) else { continue }
            for text in row.trusted_certs + row.untrusted_intermediates + [row.peer_certificate] {
                let der = try [UInt8](#require(Data(base64Encoded: text)))
                do throws(CertificateError) {
                    let certificate = try Certificate(der: der)
                    #expect(!certificate.subjectText.isEmpty, "\(row.id)")
                    #expect(!certificate.spkiBytes.isEmpty, "\(row.id)")
                    seen += 1
                } catch {
                    Issue.record("\(row.id): \(error.field): \(error.reason) at \(error.offset)")
                }
            }
        }
        #expect(seen > 20)
    }
}
