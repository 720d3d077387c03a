public import TrustEngine

/// Which addresses evidence may be fetched from. Certificates say where their evidence is, and
/// anybody can write a certificate: without this a peer could have us ask our own machines.
struct AddressVetting: Hashable, Sendable {
    /// Networks that are asked whatever they are: those the caller vouches for.
    var allowed: [AddressRange] = []

    /// Why an address is not asked; nil when it may be.
    func problem(_ address: IPAddress) -> String? {
        // A mapped address reaches its IPv4 address, and a range that allows that allows this.
        let address = address.unmapped
        if allowed.contains(where: { $0.contains(address) }) { return nil }
        if let inner = AddressVetting.translated(address) {
            // NAT64 (RFC 6052): the translator connects to the address inside.
            if allowed.contains(where: { $0.contains(inner) }) { return nil }
            return AddressVetting.reserved(inner).map { "\($0), through NAT64" }
        }
        return AddressVetting.reserved(address)
    }

    /// The IPv4 address inside one of the well-known NAT64 prefix.
    private static func translated(_ address: IPAddress) -> IPAddress? {
        guard !address.isIPv4, address.high == 0x0064_FF9B_0000_0000, address.low >> 32 == 0 else {
            return nil
        }
        return IPAddress(high: 0, low: address.low, isIPv4: true)
    }

    private static func reserved(_ address: IPAddress) -> String? {
        let ranges = address.isIPv4 ? AddressVetting.ipv4 : AddressVetting.ipv6
        if let found = ranges.first(where: { $0.range.contains(address) }) { return found.kind }
        // Of IPv6 only 2000::/3 is given out; everything else is special, or not given out yet.
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

    /// What the IANA IPv6 special-purpose registry takes out of 2000::/3, and names for what is
    /// outside. 6to4 and Teredo carry an IPv4 address each; both are history, and refused whatever
    /// that is.
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

    /// Entries of the tables that are read, for the test that none is lost to a slip of the pen.
    static var rangeCount: Int { ipv4.count + ipv6.count }
}

/// A network: an address and how many of its first bits count.
public struct AddressRange: Hashable, Sendable {
    /// The first address.
    public let network: IPAddress
    /// Bits that count.
    public let prefix: Int

    /// A network from `10.0.0.0/8`, `2001:db8::/32`, or one address; nil for anything else, and
    /// where bits are set past the prefix, since that is one thing written and another meant.
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

    /// Whether an address is in it.
    public func contains(_ address: IPAddress) -> Bool {
        network.contains(address, prefix: prefix)
    }
}
