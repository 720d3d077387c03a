// Identity requirements in a table: the reference, then four lists, each with its count. Names,
// mail addresses and URI patterns are numbers of texts. An address is a family octet (4 or 6) and
// 16 octets in network order; an IPv4 address stands in the last four.

extension IdentityRequirement {
    /// The record's bytes.
    func encoded(texts: BlobPool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append32(Int(reference.rawValue))
        for list in [dns, email, uri] {
            let numbers = Set(list.map { texts.number(of: $0) }).sorted()
            bytes.append32(numbers.count)
            for number in numbers { bytes.append32(number) }
        }
        let addresses = Set(ip).sorted(by: IdentityRequirement.precedes)
        bytes.append32(addresses.count)
        for address in addresses {
            bytes.append(address.isIPv4 ? 4 : 6)
            bytes += [UInt8](repeating: 0, count: address.isIPv4 ? 12 : 0) + address.bytes
        }
        return bytes
    }

    /// The order of addresses in a record: IPv4 first, then by number.
    private static func precedes(_ left: IPAddress, _ right: IPAddress) -> Bool {
        left.isIPv4 != right.isIPv4 ? left.isIPv4 : AddressIndex.precedes(left, right)
    }

    /// Reads the requirement in a record.
    ///
    /// - Throws: `malformed` for a record that is cut off or out of order; for a record that names
    ///   a text that does not exist or is not a URI pattern; and for lists that the reference does
    ///   not allow (LANGUAGE section 7).
    init(
        decoding bytes: Span<UInt8>, texts: BlobList, table: [UInt8]
    ) throws(TableDecodingError) {
        guard bytes.count >= 4, let raw = UInt8(exactly: bytes.number32(at: 0)),
            let reference = Reference(rawValue: raw)
        else { throw .malformed("identity: unknown reference") }
        self.init(reference: reference)
        var position = 4
        dns = try IdentityRequirement.texts(bytes, &position, texts, table)
        email = try IdentityRequirement.texts(bytes, &position, texts, table)
        uri = try IdentityRequirement.texts(bytes, &position, texts, table)
        guard uri.allSatisfy(URIPattern.isCanonical) else {
            throw .malformed("identity: a URI pattern that is none, or not in its one form")
        }
        guard bytes.count - position >= 4,
            Int(bytes.number32(at: position)) == (bytes.count - position - 4) / 17,
            (bytes.count - position - 4) % 17 == 0
        else { throw .malformed("identity: a list is cut off") }
        position += 4
        while position < bytes.count {
            let address = try IdentityRequirement.address(bytes, position)
            if let last = ip.last, !IdentityRequirement.precedes(last, address) {
                throw .malformed("identity: an address is out of order")
            }
            ip.append(address)
            position += 17
        }
        let isEmpty = dns.isEmpty && ip.isEmpty && email.isEmpty && uri.isEmpty
        guard isEmpty == (reference == .host) else {
            throw .malformed("identity: names beside `host`, or none to be presented")
        }
        // A table sorts addresses by number; the lists of a policy are sorted by text.
        ip.sort { $0.description.utf8.lexicographicallyPrecedes($1.description.utf8) }
    }

    private static func texts(
        _ bytes: Span<UInt8>, _ position: inout Int, _ texts: BlobList, _ table: [UInt8]
    ) throws(TableDecodingError) -> [String] {
        guard bytes.count - position >= 4,
            Int(bytes.number32(at: position)) <= (bytes.count - position - 4) / 4
        else { throw .malformed("identity: a list is cut off") }
        let count = Int(bytes.number32(at: position))
        var list: [String] = []
        var previous = -1
        for index in 0..<count {
            let number = Int(bytes.number32(at: position + 4 + 4 * index))
            guard number > previous, number < texts.count else {
                throw .malformed("identity: a text is out of range or out of order")
            }
            previous = number
            list.append(texts.text(number, table))
        }
        position += 4 + 4 * count
        return list
    }

    private static func address(
        _ bytes: Span<UInt8>, _ position: Int
    ) throws(TableDecodingError) -> IPAddress {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 1...8 {
            high = high << 8 | UInt64(bytes[position + index])
            low = low << 8 | UInt64(bytes[position + 8 + index])
        }
        switch bytes[position] {
        case 4 where high == 0 && low <= 0xFFFF_FFFF:
            return IPAddress(high: 0, low: low, isIPv4: true)
        case 6:
            return IPAddress(high: high, low: low, isIPv4: false)
        default:
            throw .malformed("identity: an address of unknown family")
        }
    }
}
