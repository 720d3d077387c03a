/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, BitwiseCopyable {
    /// Upper and lower half; an IPv4 address occupies the lowest 32 bits of `low`.
    package let high: UInt64
    package let low: UInt64
    /// Whether this is an IPv4 address.
    public let isIPv4: Bool

    package init(high: UInt64, low: UInt64, isIPv4: Bool) {
        self.high = high
        self.low = low
        self.isIPv4 = isIPv4
    }
}
