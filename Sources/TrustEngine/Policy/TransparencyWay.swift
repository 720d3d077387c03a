/// A way to meet a demand for timestamps.
package enum TransparencyWay: Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// Timestamps inside a certificate whose lifetime is at most 180 days.
    case embeddedShortLived
    /// Timestamps inside a certificate whose lifetime is more than 180 days.
    case embeddedLongLived
    /// Timestamps that come by TLS or OCSP.
    case beside
}

extension TransparencyPreset {
    /// The number of distinct logs, and of distinct operators of these logs, that a way needs.
    /// `none` gives the numbers of `chrome`, which nothing then asks for.
    package func needs(_ way: TransparencyWay) -> (logs: Int, operators: Int) {
        switch (way, self) {
        case (.embeddedShortLived, _): return (2, 2)
        case (.embeddedLongLived, _): return (3, 2)
        case (.beside, .apple): return (2, 1)
        case (.beside, .chrome), (.beside, .none): return (2, 2)
        }
    }
}
