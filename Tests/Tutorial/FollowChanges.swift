import Hawser

/// Connections that were verified under one policy do not outlive it: the epoch is a part of their
/// key.
struct PoolKey: Hashable {
    let host: String
    let port: UInt16
    let epoch: UInt64
}

/// Notifies a pool of every policy that is put in force, until the observation is cancelled.
func follow(
    _ store: PolicyStore, closing closeOlder: @escaping @Sendable (_ than: UInt64) -> Void
) -> PolicyStore.Observation {
    store.onChange { snapshot in closeOlder(snapshot.epoch) }
}
