public import TrustEngine

/// Decides which addresses evidence may be fetched from. A certificate says where its evidence is,
/// and anybody can write a certificate. Without this check a peer could make us ask our own
/// machines.
struct AddressVetting: Hashable, Sendable {
    /// Networks that may be asked whatever their kind, because the caller vouches for them.
    var allowed: [AddressRange] = []

    /// Why an address may not be asked; nil when it may.
    func problem(_ address: IPAddress) -> String? {
        // A mapped address reaches the IPv4 address in it. A range that allows the IPv4 address
        // allows the mapped address.
        let address = address.unmapped
        if allowed.contains(where: { $0.contains(address) }) { return nil }
        if let inner = AddressVetting.translated(address) {
            // NAT64 (RFC 6052): the translator connects to the IPv4 address inside.
            if allowed.contains(where: { $0.contains(inner) }) { return nil }
            return AddressVetting.reserved(inner).map { "\($0), through NAT64" }
        }
        return AddressVetting.reserved(address)
    }

    /// The IPv4 address inside an address of the well-known NAT64 prefix; nil for other addresses.
    private static func translated(_ address: IPAddress) -> IPAddress? {
        guard !address.isIPv4, address.high == 0x0064_FF9B_0000_0000, address.low >> 32 == 0 else {
            return nil
        }
        return IPAddress(high: 0, low: address.low, isIPv4: true)
    }

    private static func reserved(_ address: IPAddress) -> String? {
        let ranges = address.isIPv4 ? AddressVetting.ipv4 : AddressVetting.ipv6
        if let found = ranges.first(where: { $0.range.contains(address) }) { return found.kind }
        // Of IPv6 only 2000::/3 is assigned. Every other address is special or not assigned yet.
        guard address.isIPv4 || address.high >> 61 == 1 else { return "not a global address" }
        return nil
    }

    /// The IANA IPv4 special-purpose registry (RFC 6890), and multicast.
    private static let ipv4 = ranges([
        ("0.0.0.0/8", "this network"), ("10.0.0.0/8", "private"), ("100.64.0.0/10", "shared"),
        ("127.0.0.0/8", "loopback"), ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"), ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"), ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"), ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"), ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"), ("240.0.0.0/4", "reserved or broadcast"),
    ])

    /// The blocks of 2000::/3 in the IANA IPv6 special-purpose registry, and names for blocks
    /// outside 2000::/3. 6to4 and Teredo addresses carry an IPv4 address each. Both are out of use,
    /// and are refused whatever the IPv4 address is.
    private static let ipv6 = ranges([
        ("::/128", "unspecified"), ("::1/128", "loopback"), ("::/96", "IPv4-compatible"),
        ("64:ff9b:1::/48", "local NAT64"), ("100::/64", "discarded"), ("2001::/32", "Teredo"),
        ("2001::/23", "protocol assignments"), ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"), ("3fff::/20", "documentation"), ("fc00::/7", "private"),
        ("fe80::/10", "link-local"), ("fec0::/10", "site-local"), ("ff00::/8", "multicast"),
    ])

    private static func ranges(
        _ table: [(String, String)]
    ) -> [(range: AddressRange, kind: String)] {
        table.compactMap { text, kind in AddressRange(text).map { ($0, kind) } }
    }

    /// Number of table entries that parse. A test uses it to find an entry with a writing error.
    static var rangeCount: Int { ipv4.count + ipv6.count }
}

/// A network: an address, and the number of its first bits that count.
public struct AddressRange: Hashable, Sendable {
    /// The first address of the network.
    public let network: IPAddress
    /// The number of bits that count.
    public let prefix: Int

    /// Reads a network: `10.0.0.0/8`, `2001:db8::/32`, or one address. Nil for any other text, and
    /// when bits behind the prefix are set, because the text is then a mistake.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first,
            let network = IPAddress(text: String(first))
        else { return nil }
        var prefix = network.bitCount
        if parts.count == 2 {
            let digits = parts[1]
            guard (1...3).contains(digits.utf8.count),
                digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(digits), number <= network.bitCount
            else { return nil }
            prefix = number
        }
        guard network.masked(prefix: prefix) == network else { return nil }
        self.network = network
        self.prefix = prefix
    }

    /// Whether an address is in the network.
    public func contains(_ address: IPAddress) -> Bool {
        network.contains(address, prefix: prefix)
    }
}
