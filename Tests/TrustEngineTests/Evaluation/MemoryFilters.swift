import CRLite
import Synchronization
import TestPKI
import TrustEngine

/// Filters in memory, as a program hands them over. Counts the questions.
final class MemoryFilters: RevocationFilters {
    private let filters: [(name: String, octets: [UInt8])]
    private let index: Digest?
    private let change: @Sendable (RevocationFilterReply) -> RevocationFilterReply
    private let questions = Mutex<[RevocationFilterQuestion]>([])

    /// Filters of recipes, in formats 4 and 3 by turns. `change` alters each reply.
    init(
        _ recipes: [FilterRecipe],
        _ change: @escaping @Sendable (RevocationFilterReply) -> RevocationFilterReply = { $0 }
    ) {
        filters = recipes.enumerated().map { index, recipe in
            ("\(index + 1).filter", recipe.octets(version: index % 2 == 0 ? 4 : 3))
        }
        index = Digest(.sha256, bytes: TestHash.sha256.digest(Array("index".utf8)))
        self.change = change
    }

    /// Filters that cannot be asked.
    static func failing(_ status: RevocationFilterReply.Status) -> MemoryFilters {
        MemoryFilters([]) { _ in
            RevocationFilterReply(
                status: status, deciding: nil, asked: 0, newest: nil, index: nil, work: 0)
        }
    }

    /// Every question that was asked.
    var asked: [RevocationFilterQuestion] { questions.withLock { $0 } }

    func reply(to question: RevocationFilterQuestion) -> RevocationFilterReply {
        questions.withLock { $0.append(question) }
        do {
            return change(try answer(question))
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private func answer(
        _ asked: RevocationFilterQuestion
    ) throws -> RevocationFilterReply {
        let question = FilterQuestion(
            issuer: digest(asked.issuerKey.bytes), serial: asked.serial,
            timestamps: asked.timestamps.map {
                LogTime(log: digest($0.log.bytes), milliseconds: $0.milliseconds)
            }, sha256: { digest(TestHash.sha256.digest($0)) })
        var gathered = GatheredAnswer<Int>()
        var read: [ClubcardFilter] = []
        for (number, filter) in filters.enumerated() {
            let bytes = filter.octets.span
            let opened = try ClubcardFilter(reading: bytes)
            read.append(opened)
            gathered.add(
                try opened.answer(question, in: bytes), of: number, newest: opened.newest ?? 0)
        }
        let status: RevocationFilterReply.Status
        switch gathered.status {
        case .revoked: status = .revoked
        case .good: status = .good
        case .notEnrolled: status = .notEnrolled
        case .notCovered: status = .notCovered
        }
        return RevocationFilterReply(
            status: status,
            deciding: gathered.deciding.flatMap { voice in
                guard let cover = voice.answer.cover, let newest = read[voice.filter].newest else {
                    return nil
                }
                let octets = filters[voice.filter].octets
                guard let log = Digest(.sha256, bytes: cover.time.log.octets),
                    let digest = Digest(.sha256, bytes: TestHash.sha256.digest(octets))
                else { return nil }
                return RevocationFilterReply.Deciding(
                    file: filters[voice.filter].name, digest: digest,
                    newest: UTCInstant(milliseconds: newest),
                    timestamp: LoggedTime(log: log, milliseconds: cover.time.milliseconds),
                    covered: UTCInstant(
                        milliseconds: cover.interval.low)...UTCInstant(
                            milliseconds: cover.interval.high))
            }, asked: gathered.asked,
            newest: read.compactMap(\.newest).max().map { UTCInstant(milliseconds: $0) },
            index: index, work: gathered.work)
    }

    private func digest(_ octets: [UInt8]) -> Digest256 {
        guard let digest = Digest256(octets) else { preconditionFailure("\(octets.count) octets") }
        return digest
    }
}

extension FilterRecipe {
    /// A filter of one issuer, which covers a time of some logs. Of each certificate it knows
    /// whether it is revoked; others are there too.
    init(
        of issuer: TestKey, revoked: [Minted] = [], good: [Minted] = [], logs: [TestLog],
        from: UTCInstant = .at("2026-01-01"), until: UTCInstant
    ) {
        let others: [[UInt8]] = (0..<40).map { [1, UInt8($0)] }
        self.init(
            [
                Issuer(
                    issuer.spkiSHA256, revoked: revoked.map(\.serialContents),
                    good: others + good.map(\.serialContents))
            ],
            coverage: logs.map {
                Coverage(
                    log: $0.key.spkiSHA256, low: UInt64(from.secondsSinceEpoch) * 1_000,
                    high: UInt64(until.secondsSinceEpoch) * 1_000)
            })
    }
}

extension Minted {
    /// The contents of the serial number's INTEGER, with a leading `00` where it has one.
    var serialContents: [UInt8] {
        do {
            return try parsed().serialBytes
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
