/// The answer of all filters that cover a certificate.
///
/// Every covering filter is asked. If one says `revoked`, the certificate is revoked. Otherwise it
/// is good if one says `good`, not enrolled if every filter knows nothing of the issuer, and not
/// covered if no filter covers it.
package struct GatheredAnswer<Name: Hashable & Sendable>: Hashable, Sendable {
    /// What one filter said.
    package struct Voice: Hashable, Sendable {
        /// The filter.
        package let filter: Name
        /// Its answer.
        package let answer: FilterAnswer
    }

    /// What all filters together say.
    package private(set) var status = FilterStatus.notCovered
    /// Of the filters whose answer is `status` the one that covers the newest time; nil if no
    /// filter covers the certificate. An old filter that says `good` too does not make the answer
    /// old.
    package private(set) var deciding: Voice?
    private var decidingNewest: UInt64 = 0
    /// The number of filters that cover the certificate. All were asked.
    package private(set) var asked = 0
    /// The sum of the answers' work.
    package private(set) var work = 0

    /// The answer of no filter.
    package init() {}

    /// Adds the answer of a filter, with the newest millisecond that the filter covers. The status
    /// does not depend on the order of the filters.
    package mutating func add(_ answer: FilterAnswer, of filter: Name, newest: UInt64 = 0) {
        work += answer.work
        guard answer.status != .notCovered else { return }
        asked += 1
        let (own, known) = (
            GatheredAnswer.weight(answer.status), GatheredAnswer.weight(status)
        )
        guard own > known || own == known && newest > decidingNewest else { return }
        status = answer.status
        deciding = Voice(filter: filter, answer: answer)
        decidingNewest = newest
    }

    private static func weight(_ status: FilterStatus) -> Int {
        switch status {
        case .notCovered: return 0
        case .notEnrolled: return 1
        case .good: return 2
        case .revoked: return 3
        }
    }
}
