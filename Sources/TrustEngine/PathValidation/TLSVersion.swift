/// TLS protocol versions by their code points.
public enum TLSVersion: UInt16, Hashable, Sendable, Comparable, CaseIterable, BitwiseCopyable {
    case tls10 = 0x0301
    case tls11 = 0x0302
    case tls12 = 0x0303
    case tls13 = 0x0304

    /// Orders versions by age, older versions first.
    public static func < (left: TLSVersion, right: TLSVersion) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The word in a policy: `tls1.2`.
    public var name: String {
        switch self {
        case .tls10: return "tls1.0"
        case .tls11: return "tls1.1"
        case .tls12: return "tls1.2"
        case .tls13: return "tls1.3"
        }
    }
}
