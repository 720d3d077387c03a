/// The identifier octet of a DER element (X.690 section 8.1.2). Certificates need no tag number
/// above 30, so a tag is always one octet.
package struct DERTag: Hashable, Sendable, BitwiseCopyable {
    /// Class, constructed bit and number, as encoded.
    package let rawValue: UInt8

    /// A tag from its octet.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A context-specific primitive tag, `[number] IMPLICIT` over a primitive type.
    package static func primitive(_ number: UInt8) -> DERTag {
        DERTag(rawValue: 0x80 | (number & 0x1F))
    }

    /// A context-specific constructed tag, `[number] EXPLICIT`, or IMPLICIT over a constructed
    /// type.
    package static func constructed(_ number: UInt8) -> DERTag {
        DERTag(rawValue: 0xA0 | (number & 0x1F))
    }

    package static let boolean = DERTag(rawValue: 0x01)
    package static let integer = DERTag(rawValue: 0x02)
    package static let bitString = DERTag(rawValue: 0x03)
    package static let octetString = DERTag(rawValue: 0x04)
    package static let null = DERTag(rawValue: 0x05)
    package static let objectIdentifier = DERTag(rawValue: 0x06)
    package static let enumerated = DERTag(rawValue: 0x0A)
    package static let utf8String = DERTag(rawValue: 0x0C)
    package static let numericString = DERTag(rawValue: 0x12)
    package static let printableString = DERTag(rawValue: 0x13)
    package static let teletexString = DERTag(rawValue: 0x14)
    package static let ia5String = DERTag(rawValue: 0x16)
    package static let utcTime = DERTag(rawValue: 0x17)
    package static let generalizedTime = DERTag(rawValue: 0x18)
    package static let visibleString = DERTag(rawValue: 0x1A)
    package static let universalString = DERTag(rawValue: 0x1C)
    package static let bmpString = DERTag(rawValue: 0x1E)
    package static let sequence = DERTag(rawValue: 0x30)
    package static let set = DERTag(rawValue: 0x31)
}
