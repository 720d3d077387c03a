// How all DER code here works: every call gets a `Span` and returns offsets. Nothing holds a span,
// so no lifetime annotations are needed. A nested structure is another reader over a part of the
// same buffer, so nothing recurses and nothing is copied.

/// A cursor over a run of DER elements (X.690) in a buffer.
///
/// The reader is strict: lengths are definite and in their shortest form, tags have one octet, and
/// `finish` refuses octets that are left over. Every call must get the same buffer. INVARIANT
/// (inside the buffer): `position <= end <=` the buffer's count, so no subscript below can trap.
package struct DERReader: Sendable, BitwiseCopyable {
    /// Offset of the next element.
    package private(set) var position: Int
    /// Offset behind the last octet that belongs to this run.
    package let end: Int

    /// A reader over a whole buffer.
    package init(_ bytes: Span<UInt8>) {
        self.position = 0
        self.end = bytes.count
    }

    /// A reader over a part of a buffer that an earlier parse has delimited.
    package init(_ range: ByteRange) {
        self.position = Int(range.start)
        self.end = Int(range.start) + Int(range.count)
    }

    /// Whether all elements have been read.
    package var isAtEnd: Bool { position >= end }

    /// The tag of the next element, or nil at the end.
    package func peek(in bytes: Span<UInt8>) -> DERTag? {
        position < end ? DERTag(rawValue: bytes[position]) : nil
    }

    /// A reader over the content of an element.
    fileprivate init(contentOf element: DERElement) {
        self.position = element.contentStart
        self.end = element.end
    }

    /// Reads the next element, of any tag. Most elements have less than 128 octets of content and
    /// are read in place.
    @inline(__always)
    package mutating func next(in bytes: Span<UInt8>) throws(DERError) -> DERElement {
        let start = position
        if end &- start >= 2 {
            let tag = bytes[start]
            let length = bytes[start &+ 1]
            let content = start &+ 2
            let stop = content &+ Int(length)
            if length < 0x80, tag & 0x1F != 0x1F, stop <= end {
                position = stop
                return DERElement(
                    tag: DERTag(rawValue: tag), start: start, contentStart: content, end: stop)
            }
        }
        return try nextOfAnyLength(in: bytes)
    }

    @inline(never)
    private mutating func nextOfAnyLength(
        in bytes: Span<UInt8>
    ) throws(DERError) -> DERElement {
        let start = position
        guard start < end else { throw DERError(.missingElement, at: start) }
        guard end - start >= 2 else { throw DERError(.truncated, at: start) }
        let tag = bytes[start]
        guard tag & 0x1F != 0x1F else { throw DERError(.multipleOctetTag, at: start) }
        let first = bytes[start + 1]
        let (content, length) =
            first < 0x80 ? (start + 2, Int(first)) : try longLength(in: bytes, at: start)
        guard length <= end - content else { throw DERError(.truncated, at: start) }
        position = content + length
        return DERElement(
            tag: DERTag(rawValue: tag), start: start, contentStart: content, end: content + length)
    }

    /// Reads the length of the element at `start` in its long form (X.690 section 8.1.3.5): where
    /// the content begins, and how many octets it has.
    @inline(never)
    private func longLength(
        in bytes: Span<UInt8>, at start: Int
    ) throws(DERError) -> (content: Int, length: Int) {
        let octets = Int(bytes[start + 1] & 0x7F)
        let content = start + 2 + octets
        guard octets != 0 else { throw DERError(.indefiniteLength, at: start) }
        guard octets <= 4 else { throw DERError(.lengthTooLong, at: start) }
        guard content <= end else { throw DERError(.truncated, at: start) }
        var length = 0
        for index in start + 2..<content { length = length << 8 | Int(bytes[index]) }
        guard length >= 0x80, length >> ((octets - 1) * 8) != 0 else {
            throw DERError(.lengthNotMinimal, at: start)
        }
        return (content, length)
    }

    /// Reads the next element and refuses it when it has another tag.
    @inline(__always)
    package mutating func next(
        _ tag: DERTag, in bytes: Span<UInt8>
    ) throws(DERError) -> DERElement {
        guard position < end, bytes[position] == tag.rawValue else {
            throw DERError(position < end ? .unexpectedTag : .missingElement, at: position)
        }
        return try next(in: bytes)
    }

    /// Reads the next element when it has this tag. Otherwise returns nil and does not move.
    @inline(__always)
    package mutating func nextIfPresent(
        _ tag: DERTag, in bytes: Span<UInt8>
    ) throws(DERError) -> DERElement? {
        guard position < end, bytes[position] == tag.rawValue else { return nil }
        return try next(in: bytes)
    }

    /// Refuses octets that are left over.
    package func finish() throws(DERError) {
        guard position >= end else { throw DERError(.trailingOctets, at: position) }
    }
}

/// One DER element: the offsets of its tag, its content and its end in the buffer.
package struct DERElement: Sendable, BitwiseCopyable {
    /// The element's tag.
    package let tag: DERTag
    /// Offset of the element's tag.
    package let start: Int
    /// Offset of the first content octet.
    package let contentStart: Int
    /// Offset behind the last content octet.
    package let end: Int

    /// Number of content octets.
    package var count: Int { end - contentStart }

    /// The whole element, tag and length included.
    package var whole: ByteRange { ByteRange(start: start, count: end - start) }

    /// The content without tag and length.
    package var content: ByteRange { ByteRange(start: contentStart, count: end - contentStart) }

    /// A reader over the content.
    package var reader: DERReader { DERReader(contentOf: self) }

    /// Reads the content as a BOOLEAN, which is exactly 00 or FF.
    package func boolean(in bytes: Span<UInt8>) throws(DERError) -> Bool {
        guard count == 1 else { throw DERError(.badBoolean, at: contentStart) }
        switch bytes[contentStart] {
        case 0x00: return false
        case 0xFF: return true
        default: throw DERError(.badBoolean, at: contentStart)
        }
    }

    /// Checks that the content is an INTEGER in its shortest form, of any sign and size.
    package func checkInteger(in bytes: Span<UInt8>) throws(DERError) {
        guard count >= 1 else { throw DERError(.badInteger, at: contentStart) }
        guard count >= 2 else { return }
        let first = bytes[contentStart]
        let sign = bytes[contentStart + 1] & 0x80
        if (first == 0x00 && sign == 0) || (first == 0xFF && sign != 0) {
            throw DERError(.badInteger, at: contentStart)
        }
    }

    /// Reads the content as an INTEGER of zero or more. A value above `Int32.max` becomes
    /// `Int32.max`: these numbers are limits that no path reaches.
    package func nonNegativeInteger(in bytes: Span<UInt8>) throws(DERError) -> Int32 {
        try checkInteger(in: bytes)
        guard bytes[contentStart] & 0x80 == 0 else {
            throw DERError(.negativeInteger, at: contentStart)
        }
        guard count <= 5 else { return Int32.max }
        var value: Int64 = 0
        for index in contentStart..<end {
            value = value << 8 | Int64(bytes[index])
        }
        return Int32(clamping: value)
    }

    /// The magnitude of a positive INTEGER: the content without the leading zero octet that keeps
    /// the sign.
    package func positiveInteger(in bytes: Span<UInt8>) throws(DERError) -> ByteRange {
        try checkInteger(in: bytes)
        guard bytes[contentStart] & 0x80 == 0 else {
            throw DERError(.negativeInteger, at: contentStart)
        }
        guard bytes[contentStart] == 0 else { return content }
        guard count > 1 else { throw DERError(.badKey, at: contentStart) }
        return ByteRange(start: contentStart + 1, count: count - 1)
    }

    /// The octets of a BIT STRING that has no unused bits.
    package func wholeOctets(in bytes: Span<UInt8>) throws(DERError) -> ByteRange {
        guard count >= 1 else { throw DERError(.badBitString, at: contentStart) }
        guard bytes[contentStart] == 0 else { throw DERError(.unusedBits, at: contentStart) }
        return ByteRange(start: contentStart + 1, count: count - 1)
    }

    /// The first sixteen bits of a BIT STRING of named bits, bit 0 least significant.
    ///
    /// Unused bits must be zero. *Deviation*: trailing zero bits, which DER would remove (X.690
    /// section 11.2.2), are allowed, because certificates in use have them.
    package func namedBits(in bytes: Span<UInt8>) throws(DERError) -> UInt16 {
        guard count >= 1 else { throw DERError(.badBitString, at: contentStart) }
        let unused = bytes[contentStart]
        guard unused <= 7, count > 1 || unused == 0 else {
            throw DERError(.badBitString, at: contentStart)
        }
        guard count > 1 else { return 0 }
        guard bytes[end - 1] & ((1 << unused) &- 1) == 0 else {
            throw DERError(.badBitString, at: contentStart)
        }
        let second = count > 2 ? bytes[contentStart + 2] : 0
        return UInt16(DERElement.mirrored(bytes[contentStart + 1]))
            | UInt16(DERElement.mirrored(second)) << 8
    }

    /// An octet with its bits in the other order.
    private static func mirrored(_ octet: UInt8) -> UInt8 {
        var bits = octet << 4 | octet >> 4
        bits = (bits & 0x33) << 2 | (bits >> 2) & 0x33
        return (bits & 0x55) << 1 | (bits >> 1) & 0x55
    }

    /// Checks that the element is a NULL without content.
    package func checkNull() throws(DERError) {
        guard tag == .null else { throw DERError(.unexpectedTag, at: start) }
        guard count == 0 else { throw DERError(.badNull, at: start) }
    }
}

extension Span<UInt8> {
    /// Whether two runs of octets are equal.
    package func octetsEqual(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            for index in indices where self[index] != other[index] { return false }
            return true
        }
        // Eight octets at a time; the last eight may overlap those before.
        let last = count &- 8
        var position = 0
        while position < last {
            guard number64(at: position) == other.number64(at: position) else { return false }
            position &+= 8
        }
        return number64(at: last) == other.number64(at: last)
    }

    /// Whether a run of octets equals an array.
    package func octetsEqual(_ other: [UInt8]) -> Bool { octetsEqual(other.span) }

    /// A part of the buffer copied out.
    package func copied(_ range: ByteRange) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(Int(range.count))
        for index in range.indices { copy.append(self[index]) }
        return copy
    }
}
