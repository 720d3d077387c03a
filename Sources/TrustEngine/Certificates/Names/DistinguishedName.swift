/// Distinguished names (RFC 5280 section 4.1.2.4). The engine handles them as the octets of their
/// DER encoding, tag and length included: a SEQUENCE of SETs of attribute type and value.
package enum DistinguishedName {
    /// The most attributes of one relative distinguished name. Names in use have one or two. The
    /// limit keeps the comparison of sets short.
    package static let maximumAttributes = 32
    /// Content octets of the longest name that is compared: no certificate has a longer one.
    package static let maximumSize = 65_536

    /// Checks the structure of a name. The order of elements in a SET is not checked.
    package static func check(_ name: DERElement, in bytes: Span<UInt8>) throws(DERError) {
        guard name.tag == .sequence else { throw DERError(.unexpectedTag, at: name.start) }
        var names = name.reader
        while !names.isAtEnd { try checkRelative(names.next(.set, in: bytes), in: bytes) }
    }

    /// Checks the structure of one relative distinguished name, which has at least one attribute.
    package static func checkRelative(
        _ set: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) {
        try forEachAttribute(of: set, in: bytes) { _, _ in }
    }

    /// Checks the structure of a name, and gives the hash of its comparison form in the same walk.
    /// Equal names have equal hashes. The hash has no key, so anybody can make two names collide:
    /// it may skip a comparison and must not replace one. `work` grows by the cost of the texts.
    package static func checkedHash(
        _ name: DERElement, in bytes: Span<UInt8>, work: inout ReadingWork
    ) throws(DERError) -> UInt64 {
        guard name.tag == .sequence else { throw DERError(.unexpectedTag, at: name.start) }
        guard name.count <= maximumSize else { throw DERError(.nameTooLong, at: name.start) }
        var hash = NameHash()
        var names = name.reader
        while !names.isAtEnd {
            // The hashes of the attributes are added, so that their order does not matter.
            var sum: UInt64 = 0
            let set = try names.next(.set, in: bytes)
            try forEachAttribute(of: set, in: bytes) { type, value in
                sum &+= NameHash.of(type, value, in: bytes, work: &work)
            }
            hash.mix(sum)
        }
        return hash.value
    }

    /// Walks the attributes of one relative distinguished name, of which there is at least one, and
    /// checks their structure. `body` gets the code of the type (`ObjectIdentifier.code`) and the
    /// value.
    @inline(__always)
    private static func forEachAttribute(
        of set: DERElement, in bytes: Span<UInt8>, _ body: (UInt128, DERElement) -> Void
    ) throws(DERError) {
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
            body(type, value)
        }
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
    ///
    /// Cost: linear in the names; the attributes of a set of several are sorted. Names that others
    /// chose are compared by the function of the same name that takes a budget.
    package static func isEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        var work = ReadingWork()
        return isEqual(left, right, work: &work)
    }

    /// Whether two names are equal. `work` grows by the cost of the comparison.
    package static func isEqual(
        _ left: Span<UInt8>, _ right: Span<UInt8>, work: inout ReadingWork
    ) -> Bool {
        if left.octetsEqual(right) { return true }
        guard let common = commonPrefix(left, right, &work) else { return false }
        return common.leftIsAtEnd && common.rightIsAtEnd
    }

    /// Whether `name` lies in the subtree of `base`: it begins with all relative names of `base`
    /// (RFC 5280 section 7.1).
    package static func isInside(_ name: Span<UInt8>, base: Span<UInt8>) -> Bool {
        var work = ReadingWork()
        return isInside(name, base: base, work: &work)
    }

    /// Whether `name` lies in the subtree of `base`. `work` grows by the cost of the comparison.
    package static func isInside(
        _ name: Span<UInt8>, base: Span<UInt8>, work: inout ReadingWork
    ) -> Bool {
        guard let common = commonPrefix(name, base, &work) else { return false }
        return common.rightIsAtEnd
    }

    // MARK: - Comparing

    /// Walks both names while their relative names are equal. Returns the name that ended; nil at
    /// the first difference.
    private static func commonPrefix(
        _ left: Span<UInt8>, _ right: Span<UInt8>, _ work: inout ReadingWork
    ) -> (leftIsAtEnd: Bool, rightIsAtEnd: Bool)? {
        var leftOuter = DERReader(left)
        var rightOuter = DERReader(right)
        guard var leftNames = (try? leftOuter.next(.sequence, in: left))?.reader,
            var rightNames = (try? rightOuter.next(.sequence, in: right))?.reader
        else { return nil }
        while !leftNames.isAtEnd && !rightNames.isAtEnd {
            guard let leftSet = try? leftNames.next(.set, in: left),
                let rightSet = try? rightNames.next(.set, in: right),
                isEqualSet(leftSet, left, rightSet, right, &work)
            else { return nil }
        }
        return (leftNames.isAtEnd, rightNames.isAtEnd)
    }

    /// Compares two sets of attributes. Most have one attribute; others are sorted, so that the
    /// cost of a long set does not grow with the square of its attributes.
    private static func isEqualSet(
        _ leftSet: DERElement, _ left: Span<UInt8>, _ rightSet: DERElement, _ right: Span<UInt8>,
        _ work: inout ReadingWork
    ) -> Bool {
        work.octets += leftSet.count + rightSet.count
        var leftReader = leftSet.reader
        var rightReader = rightSet.reader
        guard let first = Attribute(next: &leftReader, in: left),
            let other = Attribute(next: &rightReader, in: right)
        else { return false }
        if leftReader.isAtEnd && rightReader.isAtEnd {
            return first.order(other, left, right) == 0
        }
        guard let mine = sorted(leftSet, in: left, &work),
            let theirs = sorted(rightSet, in: right, &work), mine.count == theirs.count
        else { return false }
        return zip(mine, theirs).allSatisfy { $0.order($1, left, right) == 0 }
    }

    /// The attributes of a set in the order of `Attribute.order`; nil where the set is malformed or
    /// has too many.
    private static func sorted(
        _ set: DERElement, in bytes: Span<UInt8>, _ work: inout ReadingWork
    ) -> [Attribute]? {
        var attributes: [Attribute] = []
        var reader = set.reader
        while !reader.isAtEnd {
            guard attributes.count < maximumAttributes,
                let attribute = Attribute(next: &reader, in: bytes)
            else { return nil }
            // Sorted insertion by halves: at most six comparisons an attribute, as there are 32.
            var low = 0
            var high = attributes.count
            while low < high {
                let middle = (low + high) / 2
                work.octets += attribute.octetCount
                if attributes[middle].order(attribute, bytes, bytes) < 0 {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            attributes.insert(attribute, at: low)
        }
        return attributes
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

        /// Octets of type and value.
        var octetCount: Int { type.count + value.count }

        /// Orders attributes by their type and by the comparison form of their value: 0 for equal
        /// ones, below 0 where this one comes first. The two lie in two buffers.
        func order(_ other: Attribute, _ bytes: Span<UInt8>, _ otherBytes: Span<UInt8>) -> Int {
            let types = Attribute.order(
                type.content, bytes, other.type.content, otherBytes)
            guard types == 0 else { return types }
            guard var mine = AttributeText(value), var theirs = AttributeText(other.value) else {
                return Attribute.order(value.whole, bytes, other.value.whole, otherBytes)
            }
            var isFirst = true
            while true {
                let left = mine.nextFolded(in: bytes, isFirst: isFirst)
                let right = theirs.nextFolded(in: otherBytes, isFirst: isFirst)
                guard let left, let right else {
                    return (left == nil ? 0 : 1) - (right == nil ? 0 : 1)
                }
                guard left == right else { return left < right ? -1 : 1 }
                isFirst = false
            }
        }

        /// Orders runs of octets, the shorter one first.
        private static func order(
            _ left: ByteRange, _ bytes: Span<UInt8>, _ right: ByteRange, _ otherBytes: Span<UInt8>
        ) -> Int {
            guard left.count == right.count else { return left.count < right.count ? -1 : 1 }
            let mine = bytes.extracting(left.indices)
            let theirs = otherBytes.extracting(right.indices)
            for index in mine.indices where mine[index] != theirs[index] {
                return mine[index] < theirs[index] ? -1 : 1
            }
            return 0
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
