import PolicyCompiler
import TrustEngine

/// CRLite filters whose reply a case states. They cover each timestamp up to their newest time, as
/// a set of filters of the public web does: a certificate without one is not covered,
/// whatever the case states.
final class StatedFilters: RevocationFilters {
    private let stated: TestCase.FilterReply
    private let newest: UTCInstant

    init(_ stated: TestCase.FilterReply, newest: UTCInstant) {
        self.stated = stated
        self.newest = newest
    }

    func reply(to question: RevocationFilterQuestion) -> RevocationFilterReply {
        let status: RevocationFilterReply.Status
        switch stated {
        case .good: status = .good
        case .revoked: status = .revoked
        case .notEnrolled: status = .notEnrolled
        case .notCovered: return reply(.notCovered, nil)
        }
        guard let covered = question.timestamps.first(where: { $0.instant <= newest }) else {
            return reply(.notCovered, nil)
        }
        return reply(
            status,
            RevocationFilterReply.Deciding(
                file: StatedFilters.name, digest: question.issuerKey, newest: newest,
                timestamp: covered, covered: covered.instant...newest))
    }

    private func reply(
        _ status: RevocationFilterReply.Status, _ deciding: RevocationFilterReply.Deciding?
    ) -> RevocationFilterReply {
        RevocationFilterReply(
            status: status, deciding: deciding, asked: deciding == nil ? 0 : 1, newest: newest,
            index: nil, work: 0)
    }

    /// What stands in the place of a file's name.
    private static let name = "stated in the test"
}
