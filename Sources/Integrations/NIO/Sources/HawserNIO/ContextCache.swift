import Hawser
import NIOSSL
import Synchronization
import TrustEngine

/// The library's contexts of one epoch. A context belongs to one rule of one table: when the
/// table's meaning changes all of them go, and with them every session and ticket key that they
/// held, so nothing is resumed across epochs.
final class ContextCache: Sendable {
    private struct Key: Hashable {
        let ruleID: String
        /// They follow the clock too: waivers end.
        let versions: ClosedRange<TrustEngine.TLSVersion>
    }

    private struct Contents {
        var epoch: UInt64 = 0
        var contexts: [Key: NIOSSLContext] = [:]
    }

    private let contents = Mutex(Contents())

    /// A context takes some ten kilobytes; a table may have a million rules.
    private static let limit = 1_024

    /// The context of a rule under an epoch, made if there is none.
    func context(
        of demands: ConnectionDemands, epoch: UInt64, make: () throws -> NIOSSLContext
    ) throws -> NIOSSLContext {
        let key = Key(ruleID: demands.ruleID, versions: demands.versions)
        let kept = contents.withLock { contents -> NIOSSLContext? in
            if epoch > contents.epoch {
                contents.epoch = epoch
                contents.contexts = [:]
            }
            return epoch == contents.epoch ? contents.contexts[key] : nil
        }
        if let kept { return kept }
        // Made without the lock: two threads may both make one, and the later one is kept.
        let made = try make()
        contents.withLock { contents in
            guard epoch == contents.epoch else { return }
            if contents.contexts.count >= ContextCache.limit { contents.contexts = [:] }
            contents.contexts[key] = made
        }
        return made
    }
}
