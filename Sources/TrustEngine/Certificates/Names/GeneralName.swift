/// One GeneralName (RFC 5280 section 4.2.1.6): its kind and the range of its content.
package struct GeneralName: Hashable, Sendable, BitwiseCopyable {
    /// The alternatives of a GeneralName.
    package enum Kind: UInt8, Hashable, Sendable, BitwiseCopyable {
        case otherName = 0
        case email = 1
        case dns = 2
        case x400Address = 3
        case directory = 4
        case ediPartyName = 5
        case uri = 6
        case ip = 7
        case registeredID = 8

        /// The alternative's name in RFC 5280's ASN.1 module.
        package var name: String {
            switch self {
            case .otherName: return "otherName"
            case .email: return "rfc822Name"
            case .dns: return "dNSName"
            case .x400Address: return "x400Address"
            case .directory: return "directoryName"
            case .ediPartyName: return "ediPartyName"
            case .uri: return "uniformResourceIdentifier"
            case .ip: return "iPAddress"
            case .registeredID: return "registeredID"
            }
        }
    }

    /// The alternative that the name has.
    package let kind: Kind
    /// The content octets. For a directory name: the Name itself, tag and length included.
    package let content: ByteRange

    /// Makes a name from its parts, for a name that does not stand in a GeneralNames.
    init(kind: Kind, content: ByteRange) {
        self.kind = kind
        self.content = content
    }

    /// Reads an element. The structure is checked as far as later code reads it: a Name in a
    /// directoryName, an identifier in a registeredID, identifier and value in an otherName. The
    /// code that matches a dNSName or an iPAddress checks its content.
    package init(_ element: DERElement, in bytes: Span<UInt8>) throws(DERError) {
        switch element.tag {
        case .primitive(1): kind = .email
        case .primitive(2): kind = .dns
        case .primitive(6): kind = .uri
        case .primitive(7): kind = .ip
        case .primitive(8):
            try ObjectIdentifier.check(element, in: bytes)
            kind = .registeredID
        case .constructed(0):
            var reader = element.reader
            try ObjectIdentifier.check(reader.next(.objectIdentifier, in: bytes), in: bytes)
            _ = try reader.next(.constructed(0), in: bytes)
            try reader.finish()
            kind = .otherName
        case .constructed(3): kind = .x400Address
        case .constructed(4):
            var reader = element.reader
            let name = try reader.next(.sequence, in: bytes)
            try reader.finish()
            try DistinguishedName.check(name, in: bytes)
            kind = .directory
            content = name.whole
            return
        case .constructed(5): kind = .ediPartyName
        default: throw DERError(.badNameForm, at: element.start)
        }
        content = element.content
    }
}

/// Walks the GeneralNames of an extension in their order.
package struct GeneralNameReader: Sendable, BitwiseCopyable {
    /// The tag of a dNSName, of which certificates have most.
    static let dnsName = DERTag.primitive(2)

    private var reader: DERReader

    /// Begins a walk over the content of a GeneralNames SEQUENCE.
    package init(_ content: ByteRange) { reader = DERReader(content) }

    /// The next name; nil at the end. Throws only for octets that no parsed certificate contains.
    package mutating func next(in bytes: Span<UInt8>) throws(DERError) -> GeneralName? {
        guard !reader.isAtEnd else { return nil }
        return try GeneralName(reader.next(in: bytes), in: bytes)
    }

    /// Checks each name up to the end. A GeneralNames has at least one name (RFC 5280: SIZE 1 to
    /// MAX). Returns whether each is a dNSName in the preferred syntax, without a wildcard.
    @discardableResult
    package static func check(
        _ sequence: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> Bool {
        guard sequence.count > 0 else { throw DERError(.emptySequence, at: sequence.start) }
        var names = sequence.reader
        var arePlainHosts = true
        while !names.isAtEnd {
            let element = try names.next(in: bytes)
            guard element.tag == dnsName else {
                arePlainHosts = false
                _ = try GeneralName(element, in: bytes)
                continue
            }
            guard arePlainHosts else { continue }
            let content = bytes.extracting(element.contentStart..<element.end)
            arePlainHosts =
                DNSName.isPlain(content)
                || content.count > 0 && content[0] != UInt8(ascii: "*")
                    && DNSName.isInPreferredSyntax(content)
        }
        return arePlainHosts
    }
}
