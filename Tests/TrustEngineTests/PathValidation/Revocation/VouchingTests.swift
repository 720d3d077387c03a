import Foundation
import TestPKI
import Testing
import TrustEngine

/// Who may vouch for a certificate by a CRL or an OCSP response, and who may only revoke it
/// (LANGUAGE section 12.5). `PathValidation/Deviations.md` has the same table in words.
@Suite("who may vouch, who may revoke") struct VouchingTests {
    @Test("not revoked, by each kind of signer", arguments: VouchingRows.all)
    func vouch(row: VouchingRow) throws {
        #expect(try row.world(isRevoked: false).judge().words == [row.vouch])
    }

    @Test("revoked, by each kind of signer", arguments: VouchingRows.all)
    func revoke(row: VouchingRow) throws {
        #expect(try row.world(isRevoked: true).judge().words == [row.revoke])
    }

    /// Where the intermediate's key stands on the path twice, there are further intermediates,
    /// without evidence about them.
    private static let judged = VouchingRows.all.filter {
        !$0.testDescription.contains("the intermediate's key")
    }

    @Test("a rule that requires a status accepts where a signer vouches", arguments: judged)
    func verdicts(row: VouchingRow) throws {
        #expect(
            try Self.verdict(row, isRevoked: false)
                == [row.vouch == "good" ? "accept" : "revocation-undetermined"])
        #expect(
            try Self.verdict(row, isRevoked: true)
                == [row.revoke.hasPrefix("revoked") ? "revoked" : "revocation-undetermined"])
    }

    private static func verdict(_ row: VouchingRow, isRevoked: Bool) throws -> [String] {
        let judged = row.world(isRevoked: isRevoked)
        var world = World(judged.chain, roots: judged.roots)
        world.requirements.revocation.causes = .require
        world.requirements.revocation.scope =
            judged.position == 0 ? .leaf : .leafAndIntermediates
        world.evidence.crls = judged.lists + (row.listBelow.map { [$0] } ?? [])
        world.evidence.ocspResponses = judged.responses
        return try world.judge().outcome
    }

    @Test("a CRL that vouches hides no CRL that revokes, whatever their order", arguments: ownWays)
    func together(row: VouchingRow) throws {
        let good = VouchingRows.all[0].evidence(false)
        for lists in [[good, row.evidence(true)], [row.evidence(true), good]] {
            let words = try row.world.with { $0.lists = lists }.judge().words
            #expect(words.sorted() == ["good", "revoked unspecified"])
        }
    }

    /// CRLs in the name of the issuer of the end entity, by another signer that may revoke.
    private static let ownWays = VouchingRows.all.dropFirst().filter {
        $0.revoke.hasPrefix("revoked") && $0.source == .crl && $0.world.position == 0
            && !$0.testDescription.contains("certificate's key")
            && !$0.testDescription.contains("own key")
            && !$0.testDescription.hasPrefix("named by a point")
    }

    /// Writes the rows for `Tests/Integration/vouching.sh`, which asks OpenSSL, where a folder is
    /// named. A row is a folder with the certificate in question, its issuer, all
    /// certificates that are sent, the anchors, both pieces of evidence and OpenSSL's answers.
    @Test(
        "the rows as files",
        .enabled(if: ProcessInfo.processInfo.environment["VOUCHING_FILES"] != nil))
    func files() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["VOUCHING_FILES"])
        for (number, row) in VouchingRows.all.enumerated() {
            let path = "\(folder)/\(number + 100)"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            func write(_ name: String, _ text: String) throws {
                try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
            }
            func pem(_ label: String, _ ders: [[UInt8]]) -> String {
                ders.map { PEMWriter.block(label, $0) }.joined()
            }
            let world = row.world
            try write("name", row.testDescription + "\n")
            try write("source", row.source.name + "\n")
            try write("openssl", "\(row.openSSL.vouch)\n\(row.openSSL.revoke)\n")
            try write("target.pem", pem("CERTIFICATE", [world.chain[world.position]]))
            try write("others.pem", pem("CERTIFICATE", world.chain))
            if let issuer = row.issuer { try write("issuer.pem", pem("CERTIFICATE", [issuer])) }
            try write("roots.pem", pem("CERTIFICATE", world.roots))
            for (name, isRevoked) in [("vouch", false), ("revoke", true)] {
                let evidence = row.evidence(isRevoked)
                if row.source == .crl {
                    try write(
                        "\(name).pem", pem("X509 CRL", row.world.lists + [evidence]))
                } else {
                    try Data(evidence).write(to: URL(fileURLWithPath: "\(path)/\(name).der"))
                }
            }
        }
    }
}
