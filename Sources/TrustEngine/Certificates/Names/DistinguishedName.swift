/// Distinguished names (RFC 5280 section 4.1.2.4). The engine handles them as the octets of their
/// DER encoding, tag and length included: a SEQUENCE of SETs of attribute type and value.
package enum DistinguishedName {
    /// The most attributes of one relative distinguished name. Names in use have one or two. The
    /// limit keeps the comparison of sets short.
    package static let maximumAttributes = 32

    /// Checks the structure of a name. The order of elements in a SET is not checked. Gives the
    /// hash of the name's comparison form (`comparisonHash`), which the same walk finds.
    @discardableResult
    package static func check(
        _ name: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> UInt64 {
        guard name.tag == .sequence else { throw DERError(.unexpectedTag, at: name.start) }
        var hash = NameHash()
        var names = name.reader
        while !names.isAtEnd {
            let set = try names.next(.set, in: bytes)
            hash.mix(try checkRelative(set, in: bytes))
        }
        return hash.value
    }

    /// Checks one relative distinguished name, which has at least one attribute. Gives the hash of
    /// its comparison form: the hashes of the attributes are added, so that their order does not
    /// matter.
    @discardableResult
    package static func checkRelative(
        _ set: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> UInt64 {
        var sum: UInt64 = 0
        var attributes = set.reader
        guard !attributes.isAtEnd else { throw DERError(.emptySequence, at: set.start) }
        var count = 0
        while !attributes.isAtEnd {
            var attribute = try attributes.next(.sequence, in: bytes).reader
            let type = try ObjectIdentifier.checkedCode(
                attribute.next(.objectIdentifier, in: bytes), in: bytes)
            let value = try attribute.next(in: bytes)
            try attribute.finish()
            count += 1
            guard count <= maximumAttributes else {
                throw DERError(.tooManyAttributes, at: set.start)
            }
            sum &+= NameHash.of(type, value, in: bytes)
        }
        return sum
    }

    /// Whether the name has no relative distinguished name.
    package static func isEmpty(_ name: Span<UInt8>) -> Bool {
        var outer = DERReader(name)
        guard let element = try? outer.next(.sequence, in: name) else { return true }
        return element.count == 0
    }

    /// Whether two names are equal (RFC 5280 section 7.1).
    ///
    /// Equal octets are equal names. Other names are compared relative name by relative name, in
    /// order, and the attributes of a relative name as sets. A text value is compared with ASCII
    /// letters folded and white space collapsed, in any string type. Any other value is compared
    /// octet by octet. *Deviation*: RFC 4518's string preparation is not done beyond this. So
    /// letters outside ASCII compare exactly, and names that differ in the case of such letters are
    /// different.
    package static func isEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        if left.octetsEqual(right) { return true }
        guard let common = commonPrefix(left, right) else { return false }
        return common.leftIsAtEnd && common.rightIsAtEnd
    }

    /// Whether `name` lies in the subtree of `base`: it begins with all relative names of `base`
    /// (RFC 5280 section 7.1).
    package static func isInside(_ name: Span<UInt8>, base: Span<UInt8>) -> Bool {
        guard let common = commonPrefix(name, base) else { return false }
        return common.rightIsAtEnd
    }

    /// The hash of the comparison form; 0 for octets that are no name. Equal names have equal
    /// hashes. The hash has no key, so anybody can make two names collide: it may skip a comparison
    /// and must not replace one.
    package static func comparisonHash(_ name: Span<UInt8>) -> UInt64 {
        var outer = DERReader(name)
        guard let element = try? outer.next(.sequence, in: name),
            let hash = try? check(element, in: name)
        else { return 0 }
        return hash
    }

    // MARK: - Comparing

    /// Walks both names while their relative names are equal. Says which of them ended; nil at the
    /// first difference.
    private static func commonPrefix(
        _ left: Span<UInt8>, _ right: Span<UInt8>
    ) -> (leftIsAtEnd: Bool, rightIsAtEnd: Bool)? {
        var leftOuter = DERReader(left)
        var rightOuter = DERReader(right)
        guard var leftNames = (try? leftOuter.next(.sequence, in: left))?.reader,
            var rightNames = (try? rightOuter.next(.sequence, in: right))?.reader
        else { return nil }
        while !leftNames.isAtEnd && !rightNames.isAtEnd {
            guard let leftSet = try? leftNames.next(.set, in: left),
                let rightSet = try? rightNames.next(.set, in: right),
                isEqualSet(leftSet, left, rightSet, right)
            else { return nil }
        }
        return (leftNames.isAtEnd, rightNames.isAtEnd)
    }

    /// Compares two sets of attributes. Equality is an equivalence relation, so it is enough to
    /// pair each attribute with the first equal one that is free.
    private static func isEqualSet(
        _ leftSet: DERElement, _ left: Span<UInt8>, _ rightSet: DERElement, _ right: Span<UInt8>
    ) -> Bool {
        var taken: UInt32 = 0
        var leftCount = 0
        var leftReader = leftSet.reader
        while let wanted = Attribute(next: &leftReader, in: left) {
            leftCount += 1
            guard leftCount <= maximumAttributes else { return false }
            var rightReader = rightSet.reader
            var index: UInt32 = 0
            var isFound = false
            while !isFound, index < 32, let found = Attribute(next: &rightReader, in: right) {
                if taken & (1 << index) == 0, wanted.isEqual(found, left, right) {
                    taken |= 1 << index
                    isFound = true
                }
                index += 1
            }
            guard isFound else { return false }
        }
        guard leftReader.isAtEnd else { return false }
        var rightCount = 0
        var rightReader = rightSet.reader
        while rightCount <= leftCount, Attribute(next: &rightReader, in: right) != nil {
            rightCount += 1
        }
        return rightCount == leftCount && rightReader.isAtEnd
    }

    /// One attribute: its type and its value.
    struct Attribute: BitwiseCopyable {
        let type: DERElement
        let value: DERElement

        /// The next attribute of a set; nil at the end of the set or where the set is malformed.
        init?(next reader: inout DERReader, in bytes: Span<UInt8>) {
            guard !reader.isAtEnd, let sequence = try? reader.next(.sequence, in: bytes) else {
                return nil
            }
            var inner = sequence.reader
            guard let type = try? inner.next(.objectIdentifier, in: bytes),
                let value = try? inner.next(in: bytes)
            else { return nil }
            self.type = type
            self.value = value
        }

        /// Whether the attribute has a type, given by its identifier's code.
        func isOf(_ code: UInt128, in bytes: Span<UInt8>) -> Bool {
            ObjectIdentifier.code(type.content, in: bytes) == code
        }

        func isEqual(_ other: Attribute, _ bytes: Span<UInt8>, _ otherBytes: Span<UInt8>) -> Bool {
            guard
                bytes.extracting(type.content.indices)
                    .octetsEqual(otherBytes.extracting(other.type.content.indices))
            else { return false }
            guard var mine = AttributeText(value), var theirs = AttributeText(other.value) else {
                return bytes.extracting(value.whole.indices)
                    .octetsEqual(otherBytes.extracting(other.value.whole.indices))
            }
            var isFirst = true
            while true {
                let left = mine.nextFolded(in: bytes, isFirst: isFirst)
                let right = theirs.nextFolded(in: otherBytes, isFirst: isFirst)
                guard left == right else { return false }
                if left == nil { return true }
                isFirst = false
            }
        }
    }

    /// Walks the attributes of a name in the order in which they are written, across relative
    /// names.
    struct AttributeReader: BitwiseCopyable {
        private var names: DERReader
        private var attributes = DERReader(ByteRange(start: 0, count: 0))

        /// Begins a walk over a Name, tag and length included.
        init(_ name: ByteRange, in bytes: Span<UInt8>) {
            var outer = DERReader(name)
            names = (try? outer.next(.sequence, in: bytes))?.reader ?? attributes
        }

        /// The next attribute; nil at the end of the name or where the name is malformed.
        mutating func next(in bytes: Span<UInt8>) -> Attribute? {
            while true {
                if let attribute = Attribute(next: &attributes, in: bytes) { return attribute }
                guard !names.isAtEnd, let set = try? names.next(.set, in: bytes) else { return nil }
                attributes = set.reader
            }
        }
    }
}
