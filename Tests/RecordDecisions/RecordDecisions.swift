import Foundation
import Hawser
import HawserYAML
import Synchronization
import TestPKI
import TrustEngine

/// A service that writes every kind of record of its decisions, the same octets in every run.
///
/// `record-decisions FOLDER` writes `receipts.jsonl`, `reports.jsonl` and `disagreements.jsonl`
/// into the folder, with a line for each decision: accepts, rejects and reported failures, of a
/// store and of a policy without one, some with a redacted host.
/// `Tests/Integration/one-index.sh` reads them.
@main struct RecordDecisions {
    private static let root = Scenario().root("Index Root", key: .p256("index root"))
    private static let issuing = root.issueCA("Index Issuing", key: .p256("index issuing"))
    private static let names = ["api", "pinned", "watched", "proved", "denied"]
    /// Names the place of its revocation list, which is never fetched.
    private static let leaf = issuing.issueLeaf(
        dns: names.map { "\($0).index.example" }
    ) {
        $0.extensions.append(.crlDistributionPoints(["http://crl.index.example/1.crl"]))
    }

    static func main() throws {
        guard CommandLine.arguments.count == 2 else { exit(2) }
        let folder = URL(filePath: CommandLine.arguments[1])
        let strict = try engine(in: folder.appending(path: "strict"), pinned: "pins: [nobody]")
        let lax = try engine(in: folder.appending(path: "lax"), pinned: "note: no pins")
        var configuration = PolicyStore.Configuration()
        configuration.name = "outbound"
        configuration.service = "checkout"
        configuration.clock = { Scenario.judgedAt }
        let store = try PolicyStore(table: strict.table.bytes, configuration: configuration)

        let lines = Mutex<[String: String]>([:])
        func add(_ line: String, to file: String) {
            lines.withLock { $0[file, default: ""] += line + "\n" }
        }
        let secret = RedactionKey([UInt8](repeating: 7, count: 16))
        let redactions = [
            Redaction(), Redaction(host: secret.map { .keyed($0) } ?? .dropped, port: .dropped),
        ]
        let shadow = ShadowComparison(candidate: PolicySnapshot(lax)) { disagreement in
            lines.withLock { $0["disagreements", default: ""] += disagreement.json + "\n" }
        }
        for second in 0..<3 as Range<Int64> {
            for name in names {
                let request = request(name, second)
                let decision = store.judge(
                    request, recording: DecisionRecording(shadow: shadow))
                let ofEngine = PolicySnapshot(strict).judge(request)
                for redaction in redactions {
                    let records: [(String, DecisionRecord)] = [
                        ("receipts", .receipt(.digests)),
                        ("receipts", .receipt(.selfContained(atMost: 1 << 20))),
                        ("reports", .report(.counted)), ("reports", .report(.reported)),
                    ]
                    for (file, kind) in records {
                        for line in [
                            decision.record(kind, redaction: redaction),
                            ofEngine.record(kind, redaction: redaction),
                        ].compactMap(\.self) { add(line, to: file) }
                    }
                }
            }
        }
        for (name, text) in lines.withLock({ $0 }) {
            try text.write(
                to: folder.appending(path: "\(name).jsonl"), atomically: true, encoding: .utf8)
        }
    }

    private static func request(_ name: String, _ second: Int64) -> TrustRequest {
        TrustRequest(
            host: "\(name).index.example", port: 443, presentedChain: [leaf.der, issuing.der],
            time: Scenario.judgedAt.advanced(bySeconds: second * 3_600),
            tls: .observed(TLSParameters(version: .tls13, alpn: "h2")))
    }

    private static func engine(in folder: URL, pinned field: String) throws -> Engine {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try root.pem.write(
            to: folder.appending(path: "root.pem"), atomically: true, encoding: .utf8)
        let policy = """
            hawser: 1
            default: deny
            anchors:
              root: { files: [root.pem] }
            pins:
              nobody:
                keys:
                  gone: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }
                backups:
                  offline: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }
                enforce-until: 2027-06-30
            rules:
              api:
                hosts: ["api.index.example"]
                anchors: [root]
              pinned:
                hosts: ["pinned.index.example"]
                anchors: [root]
                \(field)
              proved:
                hosts: ["proved.index.example"]
                anchors: [root]
                revocation: { preset: require, scope: leaf, sources: [crl] }
              watched:
                hosts: ["watched.index.example"]
                anchors: [root]
                pins: [nobody]
                report-only: { pins: { until: 2026-12-31 } }

            """
        try policy.write(
            to: folder.appending(path: "policy.yaml"), atomically: true, encoding: .utf8)
        return try TrustPolicy.load(folder.path).engine
    }
}
