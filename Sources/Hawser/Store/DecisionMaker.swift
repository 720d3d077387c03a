/// The maker of a decision, as receipts, reports and disagreements name it. All of them have these
/// names in the same places, so that one index holds the records of many services.
public struct DecisionMaker: Hashable, Sendable {
    /// The service's name, as `PolicyStore.Configuration.service` says it; nil when the program
    /// states none.
    public var service: String?
    /// The store's name; nil for a policy without a store.
    public var store: String?
    /// The epoch in force (`PolicySnapshot.epoch`); nil for a policy without a store.
    public var epoch: UInt64?

    /// Makes a value from its names.
    public init(service: String? = nil, store: String? = nil, epoch: UInt64? = nil) {
        self.service = service
        self.store = store
        self.epoch = epoch
    }
}
