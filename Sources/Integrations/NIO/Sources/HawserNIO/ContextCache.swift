#if NIO

import Hawser
import NIOSSL
import Synchronization
import TrustEngine

/// The TLS contexts of one epoch. A context belongs to one rule of one table. When the table's
/// meaning changes, all contexts are dropped, together with the sessions and ticket keys that they
/// hold. So no session is resumed across epochs.
final class ContextCache: Sendable {
    private struct Key: Hashable {
        let ruleID: String
        /// The versions are part of the key because they depend on the time: waivers end.
        let versions: ClosedRange<TrustEngine.TLSVersion>
    }

    private struct Contents {
        var epoch: UInt64 = 0
        var contexts: [Key: NIOSSLContext] = [:]
    }

    private let contents = Mutex(Contents())

    /// A context takes some ten kilobytes, and a table may have a million rules.
    private static let limit = 1_024

    /// The context of a rule under an epoch. It is made if there is none.
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
        // The context is made without holding the lock. Two threads may both make one; the later
        // one is kept.
        let made = try make()
        contents.withLock { contents in
            guard epoch == contents.epoch else { return }
            if contents.contexts.count >= ContextCache.limit { contents.contexts = [:] }
            contents.contexts[key] = made
        }
        return made
    }
}

#endif
