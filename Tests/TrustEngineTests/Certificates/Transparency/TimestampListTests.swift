import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Lists of signed certificate timestamps, as RFC 6962 sections 3.2 and 3.3 write them.
@Suite("timestamp lists") struct TimestampListTests {
    private static let log = TestLog("Larch 1", of: "Larch")
    /// A timestamp over nothing in particular.
    private static let good = log.timestamp().serialized(over: [0, 0])

    private func words(_ octets: [UInt8]) -> [String] {
        TimestampList(octets).entries.map { entry in
            switch entry {
            case .timestamp(let timestamp): return "read \(timestamp.time)"
            case .unreadable(.malformed): return "malformed"
            case .unreadable(.unknownVersion(let version)): return "version \(version)"
            }
        }
    }

    @Test("a timestamp's fields") func fields() throws {
        let octets = TLSWriter.list([
            TimestampListTests.log.timestamp {
                $0.milliseconds += 999
                $0.extensions = [0, 0, 5, 0, 0, 0, 1, 2]
            }.serialized(over: [0, 0])
        ])
        let list = TimestampList(octets)
        guard case .timestamp(let timestamp)? = list.entries.first else {
            Issue.record("\(list.entries)")
            return
        }
        #expect(timestamp.logID.bytes == TimestampListTests.log.key.spkiSHA256)
        #expect(timestamp.time == .at("2026-05-01"))
        #expect(timestamp.timestamp % 1_000 == 999)
        #expect(timestamp.algorithm.known == .ecdsa(.sha256))
        #expect(timestamp.hasLeafIndex)
        #expect(list.octets == octets)
    }

    @Test(
        "lists and their faults",
        arguments: [
            ("one", TLSWriter.list([good]), ["read 2026-05-01T00:00:00Z"]),
            (
                "two", TLSWriter.list([good, good]),
                ["read 2026-05-01T00:00:00Z", "read 2026-05-01T00:00:00Z"]
            ),
            ("nothing at all", [], ["malformed"]),
            ("an empty list", [0, 0], ["malformed"]),
            ("an empty timestamp", [0, 2, 0, 0], ["malformed"]),
            ("octets behind the list", TLSWriter.list([good]) + [0], ["malformed"]),
            ("a list cut short", Array(TLSWriter.list([good]).dropLast()), ["malformed"]),
            (
                "a good one before one that runs out",
                TLSWriter.vector(TLSWriter.vector(good) + [0, 9, 0]), ["malformed"]
            ),
            (
                "octets behind a signature, and a good one",
                TLSWriter.list([good + [7], good]), ["malformed", "read 2026-05-01T00:00:00Z"]
            ),
            (
                "a timestamp cut short, and a good one",
                TLSWriter.list([Array(good.prefix(40)), good]),
                ["malformed", "read 2026-05-01T00:00:00Z"]
            ),
            (
                "version 2", TLSWriter.list([[1] + good.dropFirst()]), ["version 1"]
            ),
            (
                "a year that no calendar has",
                TLSWriter.list([
                    log.timestamp { $0.milliseconds = .max }.serialized(over: [0, 0])
                ]), ["read 9999-12-31T23:59:59Z"]
            ),
        ] as [(String, [UInt8], [String])])
    func lists(_ name: String, _ octets: [UInt8], _ expected: [String]) {
        #expect(words(octets) == expected, "\(name)")
    }

    @Test("no more than 32 are read, and how many are not is known") func many() {
        let list = TimestampList(
            TLSWriter.list([[UInt8]](repeating: TimestampListTests.good, count: 40)))
        #expect(list.entries.count == 32)
        #expect(list.unread == 8)
    }

    @Test(
        "the leaf index of logs that are read in tiles",
        arguments: [
            ([], false), ([0, 0, 5, 0, 0, 0, 0, 7], true), ([0, 0, 4, 0, 0, 0, 0], false),
            ([9, 0, 1, 1, 0, 0, 5, 0, 0, 0, 0, 7], true), ([0, 0, 5, 0, 0, 0, 0], false),
            ([0, 0, 5, 0, 0, 0, 0, 7, 0, 0, 5, 0, 0, 0, 0, 7], false), ([9, 0, 1, 1], false),
        ] as [([UInt8], Bool)])
    func leafIndex(_ extensions: [UInt8], _ expected: Bool) {
        let list = TimestampList(
            TLSWriter.list([
                TimestampListTests.log.timestamp { $0.extensions = extensions }
                    .serialized(over: [0, 0])
            ]))
        guard case .timestamp(let timestamp)? = list.entries.first else {
            Issue.record("\(list.entries)")
            return
        }
        #expect(timestamp.hasLeafIndex == expected)
    }

    @Test("the algorithms that a log may sign with", arguments: 0..<8 as Range<UInt8>)
    func algorithms(_ hash: UInt8) {
        for signature in 0..<5 as Range<UInt8> {
            let algorithm = SignedCertificateTimestamp.Algorithm(hash: hash, signature: signature)
            let expected: SignatureAlgorithm?
            switch (hash, signature) {
            case (4, 1): expected = .rsaPKCS1(.sha256)
            case (4, 3): expected = .ecdsa(.sha256)
            default: expected = nil
            }
            #expect(algorithm.known == expected)
        }
    }
}
