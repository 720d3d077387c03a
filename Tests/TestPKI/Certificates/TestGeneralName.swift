import TrustEngine

/// A GeneralName (RFC 5280 section 4.2.1.6), or in name constraints the base of a subtree.
public enum TestGeneralName: Hashable, Sendable {
    case dns(String)
    /// A numeric address, IPv4 or IPv6 without brackets.
    case ip(String)
    /// A subtree of addresses for name constraints, `10.0.0.0/8` or `2001:db8::/32`.
    case ipRange(String)
    case email(String)
    case uri(String)
    case directory(TestName)
    case registeredID(String)
    /// otherName with a type and a finished value.
    case other(type: String, value: [UInt8])
    /// Any octets under a context-specific tag: 2 is dNSName, 7 iPAddress.
    case raw(tag: UInt8, [UInt8])

    /// The element, DER.
    public var der: [UInt8] {
        switch self {
        case .dns(let name): return DER.contextPrimitive(2, Array(name.utf8))
        case .ip(let text): return DER.contextPrimitive(7, TestGeneralName.address(text))
        case .ipRange(let text):
            let parts = text.split(separator: "/").map(String.init)
            guard parts.count == 2, let prefix = Int(parts[1]) else {
                preconditionFailure("not an address range: \(text)")
            }
            let address = TestGeneralName.address(parts[0])
            let mask = address.indices.map { index -> UInt8 in
                let bits = min(max(prefix - index * 8, 0), 8)
                return UInt8(truncatingIfNeeded: 0xff00 >> bits)
            }
            return DER.contextPrimitive(7, address + mask)
        case .email(let text): return DER.contextPrimitive(1, Array(text.utf8))
        case .uri(let text): return DER.contextPrimitive(6, Array(text.utf8))
        case .directory(let name): return DER.context(4, name.der)
        case .registeredID(let oid): return DER.contextPrimitive(8, DER.oidContent(oid))
        case .other(let type, let value):
            return DER.context(0, DER.oid(type) + DER.context(0, value))
        case .raw(let tag, let octets): return DER.contextPrimitive(tag, octets)
        }
    }

    private static func address(_ text: String) -> [UInt8] {
        guard let address = IPAddress(text: text) else {
            preconditionFailure("not an address: \(text)")
        }
        let halves = address.isIPv4 ? [address.low << 32] : [address.high, address.low]
        return halves.flatMap { half in
            (0..<(address.isIPv4 ? 4 : 8)).map {
                UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0))
            }
        }
    }
}
