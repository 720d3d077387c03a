import LibCrypto
import TestPKI
import TrustEngine

/// Lists of signed certificate timestamps and of logs.
enum TransparencyBody {
    private static let crypto = LibCryptoBackend()
    static let larch = TestLog("Larch", of: "Larch")
    static let maple = TestLog("Maple", of: "Maple", key: .rsa2048("fuzz log maple"))

    private static let logs: LogList = {
        do {
            return try LogList(
                json: Array(TestLogList.json([larch, maple]).utf8), crypto: crypto)
        } catch {
            fatalError("the fuzzing log list does not read: \(error)")
        }
    }()

    private static let leaf: Certificate = {
        do {
            return try Seeds.leaf.parsed()
        } catch {
            fatalError("the fuzzing leaf does not parse: \(error)")
        }
    }()

    /// The octets as the list of the TLS extension. Only what a log signed counts: no timestamp of
    /// a log and an instant that are not of a seed does.
    static func runTimestamps(_ bytes: [UInt8]) {
        let list = TimestampList(bytes)
        require(list.octets == bytes, "a list keeps its octets")
        require(list.entries.count <= TimestampList.maximumEntries, "no more are read than may be")
        for case .timestamp(let timestamp) in list.entries {
            require(
                timestamp.signature.indices.upperBound <= bytes.count
                    && timestamp.extensions.indices.upperBound <= bytes.count,
                "a timestamp lies inside its list")
            _ = LogEntry.certificate(leaf.der).signedOctets(timestamp, of: list)
        }
        var judge = TransparencyJudge(
            list: logs, endEntity: leaf, besides: [(.tls, bytes)], time: Scenario.judgedAt,
            clockSkew: 0, crypto: crypto)
        var budget = WorkBudget(limit: 1_000_000)
        guard let judgements = try? judge.judgements(issuer: nil, budget: &budget) else { return }
        require(judgements.count == list.entries.count, "every timestamp is told")
        for judgement in judgements where judgement.isValid {
            require(judgement.time == .at("2026-05-01"), "nobody but its log vouches")
        }
    }

    /// The octets as log_list.json: what reads has the digests of its keys for names.
    static func runLogList(_ bytes: [UInt8]) {
        guard let list = try? LogList(json: bytes, crypto: crypto) else { return }
        for (id, log) in list.logs {
            require(crypto.digest(.sha256, of: log.keyBytes.span) == id, "a log is its key")
        }
    }
}
