import Foundation
import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Logs read from log_list.json, version 3.
@Suite("log lists") struct LogListTests {
    private static let larch = TestLog("Larch 1", of: "Larch")
    private static let maple = TestLog("Maple 1", of: "Maple", key: .rsa2048("log Maple 1"))

    private func read(_ text: String) throws(LogListError) -> LogList {
        try LogList(json: Array(text.utf8), crypto: LibCryptoBackend())
    }

    @Test("every member that is judged by") func whole() throws {
        let list = try read(
            TestLogList.json([
                LogListTests.larch.with {
                    $0.name = "L\\u00e4rch \\\"1\\\" \\ud83c\\udf32"
                    $0.interval = .at("2026-01-01")..<(.at("2026-07-01"))
                    $0.previousOperators = [
                        .init(name: "Second", until: .at("2025-06-01")),
                        .init(name: "First", until: .at("2025-03-01")),
                    ]
                },
                LogListTests.maple.with {
                    $0.isTiled = true
                    $0.state = .retired
                    $0.since = .at("2026-02-01")
                }, TestLog("Larch 2", of: "Larch").with { $0.state = nil },
            ]))
        #expect(list.issued == .at("2026-05-15"))
        #expect(list.logs.count == 3)
        let id = try #require(Digest(.sha256, bytes: LogListTests.larch.key.spkiSHA256))
        let larch = try #require(list.logs[id])
        #expect(larch.name == "Lärch \"1\" 🌲")
        #expect(larch.state == .usable)
        #expect(larch.since == .at("2025-01-01"))
        #expect(larch.interval?.from == .at("2026-01-01"))
        #expect(larch.interval?.until == .at("2026-07-01"))
        #expect(!larch.isTiled)
        #expect(larch.key.type == .p256)
        #expect(larch.operatorName(at: .at("2025-03-01")) == "First")
        #expect(larch.operatorName(at: .at("2025-03-01T00:00:01Z")) == "Second")
        #expect(larch.operatorName(at: .at("2025-06-01T00:00:01Z")) == "Larch")
        let maple = try #require(list.logs.values.first { $0.operatorName == "Maple" })
        #expect(maple.isTiled && maple.state == .retired && maple.key.type == .rsa)
        #expect(list.logs.values.first { $0.name == "Larch 2" }?.state == .pending)
    }

    @Test(
        "what would leave a log in doubt is no list",
        arguments: [
            (
                [larch.with { $0.rawID = [UInt8](repeating: 0, count: 32) }],
                "has a `log_id` that is not the SHA-256 of the key in `logs` 1 of operator 1"
            ), ([larch, maple, larch], "has the log of `logs` 2 of operator 1 twice"),
        ] as [([TestLog], String)])
    func doubts(_ logs: [TestLog], _ reason: String) {
        do throws(LogListError) {
            _ = try read(TestLogList.json(logs))
            Issue.record("read")
        } catch {
            #expect(error.reason == reason)
        }
    }

    @Test(
        "faults of one log, each put into a list that reads",
        arguments: [
            ("\"usable\":", "\"frozen\":", "has a `state` that is not one of `pending`"),
            (
                "\"timestamp\": \"2025-01-01T00:00:00Z\"", "\"timestamp\": 7",
                "has a `state` that is not one of `pending`"
            ), ("\"key\": \"", "\"key\": \"!", "has no `key` that can be read"),
            ("\"log_id\"", "\"log\\u005fid\": \"\", \"log_id\"", "has `log_id` twice"),
            ("\"name\"", "\"nom\"", "has no `name` in operator 1"),
            ("\"logs\": [", "\"logs\": [7, ", "has `logs` 1 of operator 1 that is no object"),
            (
                "\"mmd\": 86400", "\"temporal_interval\": {}",
                "has a `temporal_interval` without `start_inclusive`"
            ),
            (
                "\"mmd\": 86400", "\"previous_operators\": [{}]",
                "has `previous_operators` without `name`"
            ),
            (
                "\"tiled_logs\": []", "\"tiled_logs\": {}",
                "has `tiled_logs` that are no list in operator 1"
            ),
        ])
    func faults(_ part: String, _ change: String, _ reason: String) throws {
        let text = TestLogList.json([LogListTests.larch])
        _ = try read(text)
        let changed = text.replacingOccurrences(of: part, with: change)
        #expect(changed != text)
        do throws(LogListError) {
            _ = try read(changed)
            Issue.record("read")
        } catch {
            #expect(error.reason.hasPrefix(reason), "\(error.reason)")
        }
    }

    @Test("a list of 2026 as it is published") func published() throws {
        guard let bytes = SharedData.octets("log_list.json") else { return }
        let list = try LogList(json: bytes, crypto: LibCryptoBackend())
        #expect(list.issued == .at("2026-01-02T12:57:01Z"))
        #expect(list.logs.count == 75)
        #expect(Set(list.logs.values.map(\.operatorName)).count == 8)
        #expect(list.logs.values.count(where: \.isTiled) == 26)
        #expect(list.logs.values.allSatisfy { $0.key.type == .p256 && $0.interval != nil })
        let states = Dictionary(grouping: list.logs.values, by: \.state).mapValues(\.count)
        let expected: [TransparencyLogState: Int] = [
            .usable: 57, .readonly: 9, .qualified: 5, .retired: 4,
        ]
        #expect(states == expected)
    }
}
