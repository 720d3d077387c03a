import PolicyTools
import Rendering
import TrustEngine

/// Replies of CRLite filters that were recorded, in place of filters. Nobody signs a reply, so each
/// answer that rests on one says so.
enum RecordedReplies {
    /// Leaves the recorded replies of a request out where it has filters too. Returns the sentences
    /// for the reader.
    static func settle(_ evidence: inout Evidence) -> [String] {
        guard evidence.filters != nil, !evidence.filterReplies.isEmpty else {
            return sentences(evidence.filterReplies, of: "`--evidence`", against: nil)
        }
        let count = evidence.filterReplies.count
        evidence.filterReplies = [:]
        return [
            "\(Words.count(count, "recorded reply", "recorded replies")) of CRLite filters in "
                + "`--evidence` \(count == 1 ? "is" : "are") not used: the filters themselves were given"
        ]
    }

    /// The sentences about recorded replies; none without replies.
    ///
    /// - Parameters:
    ///   - source: where the replies are from, such as "the receipt".
    ///   - filters: the filters of this machine that were given too; nil where none were given.
    static func sentences(
        _ replies: [RevocationFilterQuestion: RevocationFilterReply], of source: String,
        against filters: SuppliedFilters?
    ) -> [String] {
        guard !replies.isEmpty else { return [] }
        let (subject, verb, object, end) =
            replies.count == 1
            ? ("the reply", "is", "it", "it is not signed")
            : ("the replies", "are", "them", "they are not signed")
        let told = Set(replies.values.map(word)).sorted().map { "`\($0)`" }.joined(separator: ", ")
        let recorded = "\(subject) of CRLite filters, \(told), \(verb) as \(source) has \(object)"
        let trust = "\(recorded): no filter was asked now, and \(end)"
        guard let filters else { return [trust] }
        let others = replies.compactMap { question, reply -> String? in
            let now = filters.filters.reply(to: question)
            if now.status == reply.status, now.deciding?.digest == reply.deciding?.digest {
                return nil
            }
            return "`\(word(now))`\(file(now)), where \(source) has `\(word(reply))`\(file(reply))"
        }.sorted()
        guard !others.isEmpty else {
            return ["\(recorded), and the filters of `--evidence` give the same"]
        }
        return [trust]
            + others.map { "the filters of `--evidence` reply otherwise now: \($0)" }
    }

    private static func file(_ reply: RevocationFilterReply) -> String {
        guard let deciding = reply.deciding else { return "" }
        let name = Words.shortened(deciding.file, to: 100).replacing("`", with: "'")
        return
            " by `\(name)` (\(deciding.digest.algorithm.name) \(deciding.digest.hex.prefix(16))…)"
    }

    private static func word(_ reply: RevocationFilterReply) -> String {
        switch reply.status {
        case .revoked: "revoked"
        case .good: "good"
        case .notEnrolled: "not-enrolled"
        case .notCovered: "not-covered"
        case .refused: "refused"
        case .missing: "missing"
        }
    }
}
