/// A request's host after folding (LANGUAGE section 12.9). Rules are looked up only by this form.
package enum CanonicalHost: Hashable, Sendable {
    /// A name: ASCII in lower case, no trailing dot, every label valid.
    case name(String)
    /// An address. An IPv4-mapped IPv6 address has become its IPv4 address.
    case address(IPAddress)

    /// Makes the canonical form of a host that a caller gives: a name in ASCII, or an address
    /// without brackets (LANGUAGE sections 11 and 12.9).
    ///
    /// Letters become lower case, one dot at the end of a name is removed, and any spelling of an
    /// IPv6 address is read.
    ///
    /// - Throws: `HostProblem` for any other text. That includes IPv4 in odd notation (`127.1`,
    ///   `0x7f.1`, `0177.0.0.1`), an address with a dot at its end, and U-labels.
    package init(text: String) throws(HostProblem) {
        // Nearly every host is a name in canonical form. Then the text itself is kept, and nothing
        // is allocated.
        switch HostTextForm(text.utf8.span) {
        case .canonicalName:
            self = .name(text)
            return
        case .name(let count):
            let folded = text.utf8.prefix(count).map(DNSName.folded)
            self = .name(String(decoding: folded, as: UTF8.self))
            return
        case .other: break
        }
        var octets = Array(text.utf8)
        if let address = IPAddress(text: text) {
            self = .address(address.unmapped)
            return
        }
        guard !octets.contains(UInt8(ascii: ":")) else { throw HostProblem(.notAnIPv6Address) }
        if octets.last == UInt8(ascii: ".") { octets.removeLast() }
        throw HostProblem(.name(DNSName.problem(octets.span) ?? .empty))
    }

    /// The canonical text: the name, or the address without brackets.
    package var text: String {
        switch self {
        case .name(let name): return name
        case .address(let address): return address.description
        }
    }
}

/// Why a text is not a host.
package struct HostProblem: Error, Hashable, Sendable {
    fileprivate enum Kind: Hashable {
        case notAnIPv6Address
        case name(DNSName.Problem)
    }

    private let kind: Kind

    fileprivate init(_ kind: Kind) { self.kind = kind }

    /// The fault of the text; lower case, no full stop. The sentence repeats no part of the text.
    package var reason: String {
        switch kind {
        case .notAnIPv6Address:
            return "a colon means an IPv6 address, without brackets, zone or port, and this is none"
        case .name(.empty): return "it is empty"
        case .name(.tooLong): return "a name has at most 253 octets"
        case .name(.emptyLabel): return "a label is empty"
        case .name(.labelTooLong): return "a label has at most 63 octets"
        case .name(.hyphenAtEnd): return "a label neither begins nor ends with a hyphen"
        case .name(.notASCII):
            return "a name is in ASCII here; labels beyond it are written as A-labels, xn--"
        case .name(.badCharacter):
            return "a name has letters, digits, hyphens, underscores and dots only"
        case .name(.numericLastLabel):
            return "an IPv4 address is four decimal numbers without leading zeros, and no name"
                + " ends in a number"
        }
    }
}
