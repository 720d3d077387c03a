import TrustEngine

/// A range of addresses: the octets of its first address, and the length of its prefix.
struct AddressRange: Equatable {
    let first: [UInt8]
    let prefix: Int

    var isIPv4: Bool { first.count == 4 }

    func contains(_ other: AddressRange) -> Bool {
        guard let own = IPAddress(bytes: first.span), let inner = IPAddress(bytes: other.first.span)
        else { return false }
        return prefix <= other.prefix && own.contains(inner, prefix: prefix)
    }

    /// The first address after the range; nil where the range ends with the last address.
    var after: [UInt8]? {
        var address = first
        var bit = prefix - 1
        while bit >= 0 {
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            if address[bit / 8] & mask == 0 {
                address[bit / 8] |= mask
                return address
            }
            address[bit / 8] &= ~mask
            bit -= 1
        }
        return nil
    }
}

extension HostPattern {
    /// The addresses of a pattern on addresses; an empty range for a pattern on names.
    var addresses: AddressRange {
        switch host {
        case .address(let address):
            return AddressRange(first: address.bytes, prefix: address.bitCount)
        case .network(let address, let prefix):
            return AddressRange(first: address.bytes, prefix: prefix)
        case .name, .oneLabel, .anyLabels: return AddressRange(first: [], prefix: 0)
        }
    }
}
