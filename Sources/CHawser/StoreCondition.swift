import CHawserABI
import Hawser
import TrustEngine

// The condition of a store, as C asks for it.

extension ServedPolicy {
    /// The condition of the store, in numbers.
    func condition() -> hawser_state {
        let state = policy.state
        var numbers = hawser_state()
        switch state.watching {
        case .unwatched: numbers.watching = UInt32(HAWSER_WATCHING_NOTHING)
        case .notified: numbers.watching = UInt32(HAWSER_WATCHING_NOTIFIED)
        case .polled(let interval, reason: _):
            numbers.watching = UInt32(HAWSER_WATCHING_POLLED)
            let (seconds, attoseconds) = interval.components
            numbers.poll_interval = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        }
        let hasDirectory = state.stateDirectory != nil
        let isUsed = state.stateDirectoryFailure == nil
        numbers.directory = UInt32(
            !hasDirectory
                ? HAWSER_DIRECTORY_NONE : isUsed ? HAWSER_DIRECTORY_USED : HAWSER_DIRECTORY_FAILED)
        numbers.damage_count = UInt32(clamping: state.stateDirectoryDamage.count)
        if let last = LastFailure(state) {
            numbers.failure = UInt32(
                last.isOfTable ? HAWSER_FAILURE_TABLE : HAWSER_FAILURE_SOURCE)
            numbers.failed_at = last.at.secondsSinceEpoch
        }
        numbers.is_stale = state.isStale ? 1 : 0
        if let end = state.staleAfter {
            numbers.has_stale_after = 1
            numbers.stale_after = end.secondsSinceEpoch
        }
        if let issued = state.issuedAt {
            numbers.has_issued = 1
            numbers.issued = issued.secondsSinceEpoch
        }
        if let end = state.expiresAt {
            numbers.has_expires = 1
            numbers.expires = end.secondsSinceEpoch
        }
        numbers.installed = state.counts.installed
        numbers.confirmed = state.counts.confirmed
        numbers.refused = state.counts.refused
        numbers.source_failed = state.counts.sourceFailed
        numbers.accepted = verdicts.accepted
        numbers.rejected = verdicts.rejected
        return numbers
    }

    /// A text about the store, not escaped.
    func text(_ which: UInt32, _ index: Int) throws(CallFailure) -> String {
        let state = policy.state
        let items: [String?]
        switch Int(which) {
        case HAWSER_TEXT_REFUSAL_REASON: items = [LastFailure(state)?.reason]
        case HAWSER_TEXT_REFUSAL_MESSAGE: items = [LastFailure(state)?.message]
        case HAWSER_TEXT_REFUSAL_ORIGIN: items = [LastFailure(state)?.origin]
        case HAWSER_TEXT_STRICTER_HOST: items = policy.snapshot.stricter.patterns
        case HAWSER_TEXT_ROLLBACK_REASON: items = [state.rollbackProtection.reason?.code.rawValue]
        case HAWSER_TEXT_ROLLBACK_MESSAGE: items = [state.rollbackProtection.reason?.context]
        case HAWSER_TEXT_WATCHING_REASON: items = [state.watching.reason?.code.rawValue]
        case HAWSER_TEXT_WATCHING_MESSAGE: items = [state.watching.reason?.context]
        case HAWSER_TEXT_DIRECTORY: items = [state.stateDirectory]
        case HAWSER_TEXT_DIRECTORY_REASON: items = [state.stateDirectoryFailure?.code.rawValue]
        case HAWSER_TEXT_DIRECTORY_MESSAGE: items = [state.stateDirectoryFailure?.context]
        case HAWSER_TEXT_DAMAGE_REASON: items = state.stateDirectoryDamage.map(\.code.rawValue)
        case HAWSER_TEXT_DAMAGE_MESSAGE: items = state.stateDirectoryDamage.map(\.context)
        case HAWSER_TEXT_NAME: items = [state.name]
        case HAWSER_TEXT_ORIGIN: items = [state.origin]
        case HAWSER_TEXT_CRLITE_DIRECTORY: items = [filterFolder]
        case HAWSER_TEXT_CRLITE_REASON: items = [state.crliteFailure?.code]
        case HAWSER_TEXT_CRLITE_MESSAGE: items = [state.crliteFailure?.context]
        default: throw .value("which", which, allowed: "the HAWSER_TEXT_* of stores")
        }
        guard items.indices.contains(index), let text = items[index] else {
            throw CallFailure(
                HAWSER_E_RANGE, "no-such-text", "there is no text \(which) at \(index)")
        }
        return text
    }
}

/// The later of two events: a table was refused, or the source had no table.
private struct LastFailure {
    let isOfTable: Bool
    let at: UTCInstant
    let reason: String
    let message: String
    let origin: String

    init?(_ state: PolicyStoreState) {
        if let refused = state.lastRefused, refused.at >= state.lastFailed?.at ?? refused.at {
            isOfTable = true
            at = refused.at
            reason = refused.refusal.code.rawValue
            message = refused.refusal.context
            origin = refused.origin
        } else if let failed = state.lastFailed {
            isOfTable = false
            at = failed.at
            reason = failed.failure.code.rawValue
            message = failed.failure.context
            origin = failed.origin
        } else {
            return nil
        }
    }
}
