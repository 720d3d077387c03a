import Foundation
import TestPKI
import TrustEngine

/// Servers whose certificates are revoked, with the CRLs that say so: what public test sites are,
/// and with evidence at hand.
enum RevokedTwins {
    static func make(_ count: Int, in folder: String) throws {
        let root = Scenario().root("Twin Root", key: .p384("twin root"))
        let issuing = root.issueCA("Twin Issuing", key: .p256("twin issuing"), pathLength: 0)
        let leaves = (0..<count).map { number in
            issuing.issueLeaf(dns: ["revoked\(number).twin.example"]) {
                $0.serial = [UInt8(1 + number / 128), UInt8(number % 128)]
                $0.extensions.append(.crlDistributionPoints(["http://crl.twin.example/1.crl"]))
            }
        }
        let files = FileManager.default
        for path in ["unit", "lists"] {
            try files.createDirectory(
                atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
        }
        func write(_ path: String, _ octets: some Sequence<UInt8>) throws {
            try Data(octets).write(to: URL(filePath: "\(folder)/\(path)"))
        }
        try write("unit/root.pem", root.pem.utf8)
        try write("ca.pem", issuing.pem.utf8)
        try write("lists/issuing.crl", issuing.revocationList(leaves))
        try write("lists/root.crl", root.revocationList())
        var rows = ""
        for (number, leaf) in leaves.enumerated() {
            rows +=
                #"{"id":"\#(number)","host":"revoked\#(number).twin.example","#
                + #""time":"\#(Scenario.judgedAt)","tls":{"version":"tls1.3"},"#
                + #""chain":["\#(Base64.encode(leaf.der))","\#(Base64.encode(issuing.der))"]}"#
                + "\n"
        }
        try write("rows.ndjson", rows.utf8)
    }
}
