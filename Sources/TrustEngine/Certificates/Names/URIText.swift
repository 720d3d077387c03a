/// A URI (RFC 3986) divided into its parts. All URIs that stand as names in certificates and in
/// policies are read here.
///
/// A text that the grammar of the RFC (appendix A) does not produce has no parts, and so it meets
/// no constraint. It has an octet that no URI holds (a backslash, a space, a control, anything
/// outside ASCII), an octet in a part that does not hold it (a bracket in a path, a second `@`), or
/// a `%` without two hexadecimal digits after it. Readers disagree about such texts:
/// `https://evil.example\@ok.example/` names `evil.example` to a browser and `ok.example` to other
/// readers.
///
/// Nothing is decoded or normalised. *Deviation*, stricter: only an IPv6 address is read in
/// brackets, because no later version of IP literals is defined (section 3.2.2).
package struct URIText: Hashable, Sendable {
    /// Why a text is not a URI.
    package struct Problem: Error, Hashable, Sendable {
        /// The kinds of problems.
        package enum Kind: Hashable, Sendable {
            /// No colon ends a scheme.
            case noScheme
            /// The octets before the first colon are not a scheme.
            case badScheme
            /// An octet that no URI holds, or that this part of a URI does not hold.
            case badOctet(UInt8)
            /// A `%` without two hexadecimal digits after it.
            case badEscape
            /// A port with an octet that is not a digit.
            case badPort
            /// Brackets that do not close, or that hold something else than an IPv6 address.
            case badAddress
        }

        /// The kind of problem.
        package let kind: Kind
        /// Offsets of the octets that are wrong.
        package let range: Range<Int>

        /// Makes a problem of a kind at a range of octets.
        package init(kind: Kind, range: Range<Int>) {
            self.kind = kind
            self.range = range
        }
    }

    /// The part between `//` and the path (section 3.2).
    package struct Authority: Hashable, Sendable {
        /// Offsets of the authority.
        package let range: Range<Int>
        /// Offsets of the host, brackets included; empty where the authority has no host.
        package let host: Range<Int>
        /// Whether the host is an address in brackets.
        package let isLiteral: Bool
    }

    /// Offsets of the scheme, without its colon.
    package let scheme: Range<Int>
    /// The authority; nil where no `//` follows the scheme.
    package let authority: Authority?
    /// Offsets of the path.
    package let path: Range<Int>
    /// Offsets of the query and the fragment, the marks before them included; empty where there is
    /// neither.
    package let tail: Range<Int>

    /// Reads a URI. Cost: each octet is looked at once, each octet of the authority twice.
    ///
    /// - Throws: the first problem, in the order of the parts.
    package init(_ uri: Span<UInt8>) throws(Problem) {
        scheme = try URIText.readScheme(uri)
        var start = scheme.upperBound + 1
        if uri.count - start >= 2, uri[start] == UInt8(ascii: "/"),
            uri[start + 1] == UInt8(ascii: "/")
        {
            let end = URIText.end(of: start + 2..<uri.count, uri) {
                $0 == UInt8(ascii: "/") || Part.endsPath($0)
            }
            authority = try URIText.readAuthority(uri, start + 2..<end)
            start = end
        } else {
            authority = nil
        }
        path = start..<URIText.end(of: start..<uri.count, uri, where: Part.endsPath)
        try URIText.check(uri, path, .path)
        tail = path.upperBound..<uri.count
        let fragment = URIText.end(of: tail, uri) { $0 == UInt8(ascii: "#") }
        try URIText.check(uri, tail.lowerBound..<fragment, .tail)
        if fragment < uri.count { try URIText.check(uri, fragment + 1..<uri.count, .tail) }
    }

    /// Offsets of the host when the host is a DNS name; nil for an absent host, an address, and a
    /// name with escapes.
    package func hostName(in uri: Span<UInt8>) -> Range<Int>? {
        guard let authority, !authority.isLiteral,
            DNSName.problem(uri.extracting(authority.host)) == nil
        else { return nil }
        return authority.host
    }

    // MARK: - Reading

    /// Reads the scheme (section 3.1).
    private static func readScheme(_ uri: Span<UInt8>) throws(Problem) -> Range<Int> {
        let colon = end(of: 0..<uri.count, uri) { $0 == UInt8(ascii: ":") }
        guard colon < uri.count else { throw Problem(kind: .noScheme, range: 0..<uri.count) }
        for index in 0..<colon {
            let octet = uri[index]
            let isOther =
                isDigit(octet) || octet == UInt8(ascii: "+") || octet == UInt8(ascii: "-")
                || octet == UInt8(ascii: ".")
            guard isLetter(octet) || (isOther && index > 0) else {
                throw Problem(kind: .badScheme, range: 0..<colon)
            }
        }
        guard colon > 0 else { throw Problem(kind: .badScheme, range: 0..<1) }
        return 0..<colon
    }

    private static func readAuthority(
        _ uri: Span<UInt8>, _ range: Range<Int>
    ) throws(Problem) -> Authority {
        var start = range.lowerBound
        let sign = end(of: range, uri) { $0 == UInt8(ascii: "@") }
        if sign < range.upperBound {
            try check(uri, start..<sign, .userInformation)
            start = sign + 1
        }
        let isLiteral = start < range.upperBound && uri[start] == UInt8(ascii: "[")
        let hostEnd: Int
        if isLiteral {
            let bracket = end(of: start..<range.upperBound, uri) { $0 == UInt8(ascii: "]") }
            guard bracket < range.upperBound, isIPv6(uri, start + 1..<bracket) else {
                let end = min(bracket + 1, range.upperBound)
                throw Problem(kind: .badAddress, range: start..<end)
            }
            hostEnd = bracket + 1
            if hostEnd < range.upperBound, uri[hostEnd] != UInt8(ascii: ":") {
                throw Problem(kind: .badAddress, range: start..<range.upperBound)
            }
        } else {
            hostEnd = end(of: start..<range.upperBound, uri) { $0 == UInt8(ascii: ":") }
            try check(uri, start..<hostEnd, .name)
        }
        let port = min(hostEnd + 1, range.upperBound)..<range.upperBound
        for index in port where !isDigit(uri[index]) { throw Problem(kind: .badPort, range: port) }
        return Authority(range: range, host: start..<hostEnd, isLiteral: isLiteral)
    }

    private static func isIPv6(_ uri: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let text = uri.copied(ByteRange(start: range.lowerBound, count: range.count))
        guard text.allSatisfy({ $0 < 0x80 }) else { return false }
        return IPAddress(text: String(decoding: text, as: UTF8.self))?.isIPv4 == false
    }

    /// The first offset in a range whose octet is wanted; the range's end when there is none.
    private static func end(
        of range: Range<Int>, _ uri: Span<UInt8>, where isWanted: (UInt8) -> Bool
    ) -> Int {
        for index in range where isWanted(uri[index]) { return index }
        return range.upperBound
    }

    // MARK: - Octets (section 2 and appendix A)

    /// Parts of a URI that hold different octets.
    private enum Part {
        case userInformation, name, path, tail

        static func endsPath(_ octet: UInt8) -> Bool {
            octet == UInt8(ascii: "?") || octet == UInt8(ascii: "#")
        }

        /// Whether an octet stands for itself in this part.
        func holds(_ octet: UInt8) -> Bool {
            switch octet {
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
                UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
                UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
                return true
            case UInt8(ascii: ":"): return self != .name
            case UInt8(ascii: "@"), UInt8(ascii: "/"): return self == .path || self == .tail
            case UInt8(ascii: "?"): return self == .tail
            default: return isLetter(octet) || isDigit(octet)
            }
        }
    }

    private static func check(
        _ uri: Span<UInt8>, _ range: Range<Int>, _ part: Part
    ) throws(Problem) {
        for index in range where !part.holds(uri[index]) {
            guard uri[index] == UInt8(ascii: "%") else {
                throw Problem(kind: .badOctet(uri[index]), range: index..<index + 1)
            }
            guard range.upperBound - index > 2, isHexadecimal(uri[index + 1]),
                isHexadecimal(uri[index + 2])
            else { throw Problem(kind: .badEscape, range: index..<index + 1) }
        }
    }

    private static func isLetter(_ octet: UInt8) -> Bool { DNSName.folded(octet) &- 0x61 <= 25 }

    private static func isDigit(_ octet: UInt8) -> Bool { octet &- 0x30 <= 9 }

    private static func isHexadecimal(_ octet: UInt8) -> Bool {
        isDigit(octet) || DNSName.folded(octet) &- 0x61 <= 5
    }
}
