/// Which octets are a DNS name here: letters, digits, hyphens (RFC 1123 section 2.1) and also
/// underscores, in labels of 1 to 63 octets, at most 253 octets in all.
package enum DNSName {
    /// Why octets are not a DNS name.
    package enum Problem: Hashable, Sendable {
        case empty
        case tooLong
        case emptyLabel
        case labelTooLong
        case hyphenAtEnd
        case notASCII
        case badCharacter(UInt8)
        case numericLastLabel
    }

    /// Octets of the longest name.
    package static let maximumLength = 253
    /// Octets of the longest label.
    package static let maximumLabelLength = 63
    private static let asterisk = UInt8(ascii: "*")

    /// The fault of a name in ASCII; nil when the octets are a DNS name. Upper and lower case are
    /// allowed. A dot at the end, a wildcard and an address are refused. So is a name whose last
    /// label has only digits, or `0x` and hexadecimal digits: resolvers would read it as an IPv4
    /// address.
    package static func problem(_ name: Span<UInt8>) -> Problem? {
        guard name.count > 0 else { return .empty }
        guard name.count <= maximumLength else { return .tooLong }
        var labelStart = 0
        for index in 0...name.count {
            guard index == name.count || name[index] == UInt8(ascii: ".") else {
                let octet = name[index]
                guard octet < 0x80 else { return .notASCII }
                guard isLabelCharacter(octet) else { return .badCharacter(octet) }
                continue
            }
            guard index > labelStart else { return .emptyLabel }
            guard index - labelStart <= maximumLabelLength else { return .labelTooLong }
            guard name[labelStart] != UInt8(ascii: "-"), name[index - 1] != UInt8(ascii: "-")
            else { return .hyphenAtEnd }
            if index == name.count, isNumber(name.extracting(labelStart..<index)) {
                return .numericLastLabel
            }
            labelStart = index + 1
        }
        return nil
    }

    /// An ASCII letter in lower case; any other octet unchanged.
    package static func folded(_ octet: UInt8) -> UInt8 {
        octet &- 0x41 <= 25 ? octet | 0x20 : octet
    }

    /// Whether two runs of octets are equal, with ASCII letters compared in lower case.
    package static func foldedEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        var offset = 0
        while offset &+ 8 <= left.count {
            guard OctetWord.foldedEqual(left.number64(at: offset), right.number64(at: offset))
            else { return false }
            offset &+= 8
        }
        for index in offset..<left.count where folded(left[index]) != folded(right[index]) {
            return false
        }
        return true
    }

    /// Whether a name is in the preferred syntax of RFC 1034 section 3.5 with RFC 1123 section 2.1:
    /// labels of letters, digits and hyphens, with no hyphen at an end. An asterisk is allowed; the
    /// code that matches wildcards judges it.
    package static func isInPreferredSyntax(_ name: Span<UInt8>) -> Bool {
        guard OctetWord.lengths.contains(name.count) else {
            return isInPreferredSyntaxByOctet(name)
        }
        return isPlain(name) || isInPreferredSyntaxByWord(name)
    }

    /// Whether a name of 8 to 63 octets has only lower-case letters, digits, hyphens and dots,
    /// without two hyphens or dots side by side or one at an end. Nearly every name of a
    /// certificate is one. Each of them is in the preferred syntax and has no asterisk. False for
    /// shorter and longer names.
    @inline(__always)
    package static func isPlain(_ name: Span<UInt8>) -> Bool {
        guard OctetWord.lengths.contains(name.count) else { return false }
        var octets: UInt64 = 0
        var known = UInt64.max
        var touching: UInt64 = 0
        // The place before the first octet counts as a dot.
        var edgeBefore: UInt64 = 0x80
        var rest = name
        while rest.count >= 8 {
            let word = rest.number64(at: 0)
            let (isOfName, edges) = OctetWord.plain(word)
            octets |= word
            known &= isOfName
            touching |= edges & (edges << 8 | edgeBefore)
            edgeBefore = edges >> 56
            rest = rest.extracting(droppingFirst: 8)
        }
        // The last eight octets, of which some were read before. The first of them was compared
        // with the octet before it above.
        let word = name.extracting(last: 8).number64(at: 0)
        let (isOfName, edges) = OctetWord.plain(word)
        octets |= word
        known &= isOfName
        touching |= edges & edges << 8 | edges & 1 << 63
        return (octets | ~known | touching) & OctetWord.highBits == 0
    }

    private static func isInPreferredSyntaxByWord(_ name: Span<UInt8>) -> Bool {
        // A dot or hyphen may not stand beside a dot, nor at an end of the name. The octet before
        // the first word counts as a dot.
        var bad: UInt64 = 0
        var dotBefore: UInt64 = 0x80
        var edgeBefore: UInt64 = 0x80
        var position = 0
        while position < name.count {
            var word: UInt64
            if name.count &- position >= 8 {
                word = name.number64(at: position)
            } else {
                // The last octets, and letters behind them.
                let unused = UInt64(truncatingIfNeeded: 8 &* (8 &- (name.count &- position)))
                word = name.number64(at: name.count &- 8) &>> unused
                word |= OctetWord.ones &* UInt64(UInt8(ascii: "a")) &<< (64 &- unused)
            }
            let edges = OctetWord.within(word, UInt8(ascii: "-"), UInt8(ascii: "."))
            // Of the two the dot is the even number.
            let dots = edges & ~(word << 7)
            var known = OctetWord.isLetterOrDigit(word) | edges
            if known & OctetWord.highBits != OctetWord.highBits {
                known |= OctetWord.equal(word, asterisk)
            }
            bad |= ~known | word
            bad |= edges & (dots << 8 | dotBefore) | dots & (edges << 8 | edgeBefore)
            dotBefore = dots >> 56
            edgeBefore = edges >> 56
            position &+= 8
        }
        return bad & OctetWord.highBits == 0 && name[name.count &- 1] != UInt8(ascii: "-")
            && name[name.count &- 1] != UInt8(ascii: ".")
    }

    private static func isInPreferredSyntaxByOctet(_ name: Span<UInt8>) -> Bool {
        var labelLength = 0
        var previous = UInt8(ascii: ".")
        for index in name.indices {
            let octet = name[index]
            switch octet {
            case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, asterisk:
                labelLength += 1
            case UInt8(ascii: "-"):
                guard labelLength > 0 else { return false }
                labelLength += 1
            case UInt8(ascii: "."):
                guard 1...maximumLabelLength ~= labelLength, previous != UInt8(ascii: "-") else {
                    return false
                }
                labelLength = 0
            default: return false
            }
            previous = octet
        }
        return 1...maximumLabelLength ~= labelLength && previous != UInt8(ascii: "-")
            && name.count <= maximumLength
    }

    /// Reads a dNSName of a certificate: a DNS name, or `*.` before a DNS name. `base` is the name
    /// behind the wildcard, or the whole name. Nil for other octets, a name with a dot at its end
    /// included.
    package static func presented(
        _ name: Span<UInt8>
    ) -> (isWildcard: Bool, base: Range<Int>)? {
        let isWildcard =
            name.count > 2 && name[0] == UInt8(ascii: "*") && name[1] == UInt8(ascii: ".")
        let base = (isWildcard ? 2 : 0)..<name.count
        // A text is the form of a host where it is a DNS name or one with a dot at its end.
        guard 1...maximumLength ~= name.count, name[name.count - 1] != UInt8(ascii: "."),
            HostTextForm(name.extracting(base)) != .other
        else { return nil }
        return (isWildcard, base)
    }

    /// Whether `name` equals `base` or ends in a dot and `base`, with letters compared in lower
    /// case.
    package static func isInside(_ name: Span<UInt8>, base: Span<UInt8>) -> Bool {
        let start = name.count - base.count
        guard start >= 0, start == 0 || name[start - 1] == UInt8(ascii: ".") else { return false }
        return foldedEqual(name.extracting(start..<name.count), base)
    }

    private static func isLabelCharacter(_ octet: UInt8) -> Bool {
        let letter = folded(octet)
        return letter &- 0x61 <= 25 || octet &- 0x30 <= 9 || octet == UInt8(ascii: "-")
            || octet == UInt8(ascii: "_")
    }

    private static func isNumber(_ label: Span<UInt8>) -> Bool {
        var isDecimal = true
        for index in label.indices where label[index] &- 0x30 > 9 { isDecimal = false }
        if isDecimal { return true }
        guard label.count >= 2, label[0] == UInt8(ascii: "0"), folded(label[1]) == UInt8(ascii: "x")
        else { return false }
        for index in 2..<label.count {
            let octet = folded(label[index])
            guard octet &- 0x30 <= 9 || octet &- 0x61 <= 5 else { return false }
        }
        return true
    }
}
