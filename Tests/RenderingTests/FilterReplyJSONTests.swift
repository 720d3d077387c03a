import Rendering
import TestPKI
import Testing
import TrustEngine

/// Recorded replies of CRLite filters: written replies are read, and nothing else.
@Suite struct FilterReplyJSONTests {
    private static func digest(_ name: String) -> Digest {
        guard let digest = Digest(.sha256, bytes: TestHash.sha256.digest(Array(name.utf8))) else {
            preconditionFailure("SHA-256 has 32 octets")
        }
        return digest
    }

    private static let times = [
        LoggedTime(log: digest("larch"), milliseconds: 1_779_317_259_031),
        LoggedTime(log: digest("maple"), milliseconds: .max),
    ]

    private static let question = RevocationFilterQuestion(
        issuerKey: digest("issuer"), serial: [0, 0x8A, 0xFF], timestamps: times)

    private static func deciding(
        built: UTCInstant? = nil
    ) -> RevocationFilterReply.Deciding {
        RevocationFilterReply.Deciding(
            file: "a \"quoted\"\n.filter", digest: digest("file"), newest: .at("2026-05-31"),
            built: built, timestamp: times[0], covered: .at("2026-01-01")...(.at("2026-05-31")))
    }

    private static let fault = FilterFault(code: "truncated", context: "`/var/x.filter`: \u{1B}[2J")

    static let replies: [RevocationFilterReply] = [
        .init(
            status: .revoked, deciding: deciding(), asked: 2, newest: .at("2026-05-31"),
            index: digest("index"), work: 41),
        .init(
            status: .good, deciding: deciding(built: .at("2026-06-01T01:02:03Z")), asked: 1,
            newest: .at("2026-05-31"), index: nil, work: 0),
        .init(
            status: .notEnrolled, deciding: deciding(), asked: 1, newest: nil, index: nil, work: 7),
        .init(
            status: .notCovered, deciding: nil, asked: 0, newest: .at("2026-05-31"),
            index: digest("index"), work: 0),
        .init(status: .refused(fault), deciding: nil, asked: 0, newest: nil, index: nil, work: 0),
        .init(status: .missing(fault), deciding: nil, asked: 0, newest: nil, index: nil, work: 0),
    ]

    @Test("a reply is read as it was written, and written as it was read", arguments: replies)
    func roundTrip(_ reply: RevocationFilterReply) throws {
        let octets = FilterReplyJSON.octets(of: reply, to: Self.question)
        let read = try FilterReplyJSON.read(octets)
        #expect(read.question == Self.question)
        #expect(read.reply == reply)
        #expect(FilterReplyJSON.octets(of: read.reply, to: read.question) == octets)
        #expect(try FilterReplyJSON.read(octets + [0x0A]).reply == reply)
    }

    @Test("a changed reply is refused")
    func refusals() {
        let good = String(
            decoding: FilterReplyJSON.octets(of: Self.replies[0], to: Self.question), as: UTF8.self)
        let changes = [
            ("filter-reply/1", "filter-reply/2"), (#""revoked""#, #""fine""#),
            (#""revoked""#, #""refused""#), (#""serial":"008aff""#, #""serial":"008aFF""#),
            (#""serial":"008aff""#, #""serial":"008af""#), (#""asked":2"#, #""asked":-2"#),
            (#""work":41"#, #""work":4294967296"#), (#""fault":null"#, #""fault":{"code":"x"}"#),
            (#""milliseconds":"1779317259031""#, #""milliseconds":"01779317259031""#),
            (#""milliseconds":"1779317259031""#, #""milliseconds":1779317259031"#),
            (#""until":"2026-05-31T00:00:00Z""#, #""until":"2025-05-31T00:00:00Z""#),
            (#""newest":"2026-05-31T00:00:00Z""#, #""newest":"2026-05-31""#),
            (#""asked":2"#, #""asked":2,"more":1"#), (#""asked":2"#, #""asked":2,"asked":2"#),
            (#","index""#, #","other":1,"index""#),
        ]
        for (from, to) in changes {
            let changed = good.replacing(from, with: to)
            #expect(changed != good, "\(from)")
            #expect(throws: StrictJSON.Problem.self, "\(to)") {
                try FilterReplyJSON.read(Array(changed.utf8))
            }
        }
        for end in [0, 1, 40, good.utf8.count - 1] {
            #expect(throws: StrictJSON.Problem.self) {
                try FilterReplyJSON.read(Array(good.utf8.prefix(end)))
            }
        }
    }

    @Test("numbers and instants that cannot be written are written as the nearest that can")
    func clamps() throws {
        let odd = RevocationFilterReply(
            status: .notCovered, deciding: nil, asked: -1,
            newest: UTCInstant(secondsSinceEpoch: .max), index: nil, work: .max)
        let read = try FilterReplyJSON.read(FilterReplyJSON.octets(of: odd, to: Self.question))
        #expect(read.reply.newest == .at("9999-12-31T23:59:59Z"))
        #expect(read.reply.asked == 0 && read.reply.work == Int(UInt32.max))
    }

    @Test("of two replies to one question the one that says revoked stays, then the newer one")
    func kept() {
        var evidence = Evidence()
        let newer = RevocationFilterReply(
            status: .good, deciding: Self.deciding(), asked: 1, newest: .at("2026-06-01"),
            index: nil, work: 0)
        evidence.add(Self.replies[1], to: Self.question)
        evidence.add(newer, to: Self.question)
        #expect(evidence.filterReplies == [Self.question: newer])
        evidence.add(Self.replies[1], to: Self.question)
        #expect(evidence.filterReplies == [Self.question: newer])
        evidence.add(Self.replies[0], to: Self.question)
        evidence.add(newer, to: Self.question)
        #expect(evidence.filterReplies == [Self.question: Self.replies[0]])
    }
}
