/// Writes DER (X.690), and whatever a test wants in its place: nothing here checks that the octets
/// make sense together, so that a recipe can be wrong on purpose.
public enum DER {
    /// One element: tag, shortest length, content.
    public static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [tag]
        if content.count < 0x80 {
            out.append(UInt8(content.count))
        } else {
            var length: [UInt8] = []
            var left = content.count
            while left > 0 {
                length.insert(UInt8(left & 0xff), at: 0)
                left >>= 8
            }
            out.append(0x80 | UInt8(length.count))
            out += length
        }
        return out + content
    }

    /// A SEQUENCE of finished elements.
    public static func sequence(_ parts: [UInt8]...) -> [UInt8] {
        element(0x30, parts.flatMap { $0 })
    }

    /// A SEQUENCE of a list of finished elements.
    public static func sequence(of parts: [[UInt8]]) -> [UInt8] {
        element(0x30, parts.flatMap { $0 })
    }

    /// A SET OF finished elements, sorted as DER asks.
    public static func set(of parts: [[UInt8]]) -> [UInt8] {
        element(0x31, parts.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
    }

    /// A number that is not negative.
    public static func integer(_ value: Int) -> [UInt8] {
        var octets: [UInt8] = []
        var left = value
        repeat {
            octets.insert(UInt8(left & 0xff), at: 0)
            left >>= 8
        } while left > 0
        return integer(unsigned: octets)
    }

    /// A number from unsigned big-endian octets, in its shortest form.
    public static func integer(unsigned octets: [UInt8]) -> [UInt8] {
        var content = Array(octets.drop { $0 == 0 })
        if content.isEmpty || content[0] >= 0x80 { content.insert(0, at: 0) }
        return element(0x02, content)
    }

    /// A BOOLEAN.
    public static func boolean(_ value: Bool) -> [UInt8] { element(0x01, [value ? 0xff : 0]) }

    /// NULL.
    public static let null: [UInt8] = [0x05, 0x00]

    /// An OCTET STRING.
    public static func octetString(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }

    /// A BIT STRING of whole octets.
    public static func bitString(_ octets: [UInt8]) -> [UInt8] { element(0x03, [0] + octets) }

    /// A BIT STRING of named bits: bit 0 is the least significant of `bits`, and trailing zeros go
    /// (X.690 section 11.2.2).
    public static func namedBits(_ bits: UInt16) -> [UInt8] {
        guard bits != 0 else { return element(0x03, [0]) }
        let last = 15 - bits.leadingZeroBitCount
        var octets = [UInt8](repeating: 0, count: last / 8 + 1)
        for bit in 0...last where bits >> UInt16(bit) & 1 == 1 {
            octets[bit / 8] |= 0x80 >> UInt8(bit % 8)
        }
        return element(0x03, [UInt8(7 - last % 8)] + octets)
    }

    /// An OBJECT IDENTIFIER from its dotted text.
    public static func oid(_ text: String) -> [UInt8] { element(0x06, oidContent(text)) }

    /// The content octets of an OBJECT IDENTIFIER.
    public static func oidContent(_ text: String) -> [UInt8] {
        let arcs = text.split(separator: ".").compactMap { UInt64($0) }
        precondition(arcs.count >= 2 && arcs.count == text.split(separator: ".").count, text)
        var content: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
            var group = [UInt8(arc & 0x7f)]
            var left = arc >> 7
            while left > 0 {
                group.insert(UInt8(left & 0x7f) | 0x80, at: 0)
                left >>= 7
            }
            content += group
        }
        return content
    }

    /// A context-specific constructed element: EXPLICIT, or IMPLICIT of something constructed.
    public static func context(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        element(0xa0 | number, content)
    }

    /// A context-specific primitive element: IMPLICIT of something primitive.
    public static func contextPrimitive(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        element(0x80 | number, content)
    }

    /// A UTF8String.
    public static func utf8String(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }
}
