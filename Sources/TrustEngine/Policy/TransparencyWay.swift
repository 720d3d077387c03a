/// A way of meeting a demand for timestamps.
package enum TransparencyWay: Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// By those inside a certificate of at most 180 days.
    case embeddedShortLived
    /// By those inside a certificate of more.
    case embeddedLongLived
    /// With those that come by TLS or OCSP.
    case beside
}

extension TransparencyPreset {
    /// Of how many distinct logs, and of how many of their operators, timestamps are wanted. `none` counts as
    /// `chrome`: what it wants is never asked.
    package func needs(_ way: TransparencyWay) -> (logs: Int, operators: Int) {
        switch (way, self) {
        case (.embeddedShortLived, _): return (2, 2)
        case (.embeddedLongLived, _): return (3, 2)
        case (.beside, .apple): return (2, 1)
        case (.beside, .chrome), (.beside, .none): return (2, 2)
        }
    }
}
