/// A URI pattern (LANGUAGE section 11, `uri-pattern`): a URI of an authority, without query or fragment,
/// whose path may end in `/*` for one segment or `/**` for one or more.
///
/// Scheme and host fold, as RFC 3986 section 6.2.2.1 compares them; everything else matches octet for
/// octet. What a wildcard stands for is segments that every reader takes for themselves: neither empty
/// nor a dot segment, and of unescaped octets alone. A server that decodes `%2f` or `%2e%2e` before it
/// looks at the path would otherwise find a path that nobody has permitted.
package struct URIPattern: Hashable, Sendable {
    /// What the end of a pattern stands for.
    private enum Wildcard {
        case none, segment, segments
    }

    /// Why a text is no pattern. Ranges are offsets of its octets.
    package enum Problem: Error, Hashable, Sendable {
        /// No `://`.
        case noAuthority
        case notURI(URIText.Problem)
        case emptyAuthority(Range<Int>)
        /// An authority without a host: a user name or a port alone.
        case emptyHost(Range<Int>)
        case wildcardInAuthority(Range<Int>)
        case queryOrFragment(Range<Int>)
        /// A segment with an asterisk that is no wildcard.
        case partialWildcard(Range<Int>)
        case wildcardNotLast(Range<Int>)
        case emptySegment(Range<Int>)
        /// `.` or `..`, in either spelling of the dot.
        case dotSegment(Range<Int>)
    }

    /// Why a URI does not match a pattern: the first difference.
    package enum Mismatch: Hashable, Sendable {
        /// The text is no URI.
        case notURI(URIText.Problem)
        /// Scheme, authority or path is another.
        case differs
        case queryOrFragment
        // What a wildcard does not stand for.
        case severalSegments
        case emptySegment
        case dotSegment
        case escape
    }

    private let octets: [UInt8]
    private let uri: URIText
    private let authority: URIText.Authority
    private let wildcard: Wildcard
    /// Offset behind what matches octet for octet.
    private let fixedEnd: Int

    /// Reads a pattern in any spelling of its scheme and host.
    ///
    /// - Throws: the first problem.
    package init(_ text: String) throws(Problem) {
        let octets = Array(text.utf8)
        guard URIPattern.hasAuthority(octets) else { throw .noAuthority }
        let uri = try URIPattern.uri(octets)
        guard let authority = uri.authority else { throw .noAuthority }
        guard !authority.range.isEmpty else {
            throw .emptyAuthority(0..<authority.range.lowerBound)
        }
        guard !authority.host.isEmpty else { throw .emptyHost(authority.range) }
        for index in authority.range where octets[index] == UInt8(ascii: "*") {
            throw .wildcardInAuthority(index..<index + 1)
        }
        guard uri.tail.isEmpty else { throw .queryOrFragment(uri.tail) }
        wildcard = try URIPattern.readSegments(octets, uri.path)
        switch wildcard {
        case .none: fixedEnd = octets.count
        case .segment: fixedEnd = octets.count - 2
        case .segments: fixedEnd = octets.count - 3
        }
        self.octets = octets
        self.uri = uri
        self.authority = authority
    }

    /// Whether a text is a pattern in canonical form, as every table has them.
    package static func isCanonical(_ text: String) -> Bool {
        (try? URIPattern(text))?.canonicalText.utf8.elementsEqual(text.utf8) ?? false
    }

    /// The pattern with scheme and host in lower case.
    package var canonicalText: String {
        var folded = octets
        for range in [uri.scheme, authority.host] {
            for index in range { folded[index] = DNSName.folded(octets[index]) }
        }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Why a presented URI does not match; nil where it does. Cost: one look at each octet of both.
    package func mismatch(_ presented: Span<UInt8>) -> Mismatch? {
        let found: URIText
        do throws(URIText.Problem) {
            found = try URIText(presented)
        } catch {
            return .notURI(error)
        }
        guard found.tail.isEmpty else { return .queryOrFragment }
        guard let own = found.authority, isAuthority(own, of: found, in: presented) else {
            return .differs
        }
        let pattern = octets.span
        let fixed = pattern.extracting(uri.path.lowerBound..<fixedEnd)
        let path = presented.extracting(found.path)
        guard wildcard != .none else { return path.octetsEqual(fixed) ? nil : .differs }
        guard path.count > fixed.count, path.extracting(0..<fixed.count).octetsEqual(fixed),
            path[fixed.count] == UInt8(ascii: "/")
        else { return .differs }
        return mismatch(ofSegments: path.extracting(fixed.count..<path.count))
    }

    // MARK: - Matching

    /// Whether scheme and authority are the pattern's: scheme and host fold, and the user information,
    /// the port and the marks around them are exact.
    private func isAuthority(
        _ found: URIText.Authority, of uri: URIText, in presented: Span<UInt8>
    ) -> Bool {
        let pattern = octets.span
        let pairs = [(self.uri.scheme, uri.scheme), (authority.host, found.host)]
        for (mine, theirs) in pairs
        where !DNSName.foldedEqual(pattern.extracting(mine), presented.extracting(theirs)) {
            return false
        }
        let before = authority.range.lowerBound..<authority.host.lowerBound
        let behind = authority.host.upperBound..<authority.range.upperBound
        return pattern.extracting(before).octetsEqual(
            presented.extracting(found.range.lowerBound..<found.host.lowerBound))
            && pattern.extracting(behind).octetsEqual(
                presented.extracting(found.host.upperBound..<found.range.upperBound))
    }

    /// What a wildcard does not stand for, among segments that each begin with a slash.
    private func mismatch(ofSegments path: Span<UInt8>) -> Mismatch? {
        var position = 0
        var count = 0
        while position < path.count {
            let start = position + 1
            position = start
            while position < path.count, path[position] != UInt8(ascii: "/") {
                // An octet that stands in a path and is no `%` is a `pchar` that stands for itself.
                if path[position] == UInt8(ascii: "%") { return .escape }
                position += 1
            }
            guard position > start else { return .emptySegment }
            if URIPattern.isDots(path.extracting(start..<position)) { return .dotSegment }
            count += 1
        }
        return wildcard == .segment && count > 1 ? .severalSegments : nil
    }

    // MARK: - Reading

    private static func uri(_ octets: [UInt8]) throws(Problem) -> URIText {
        do throws(URIText.Problem) {
            return try URIText(octets.span)
        } catch {
            throw .notURI(error)
        }
    }

    private static func hasAuthority(_ octets: [UInt8]) -> Bool {
        guard let colon = octets.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return octets[(colon + 1)...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")])
    }

    /// Segments are whole: a wildcard stands alone and last; none is empty but a last one.
    private static func readSegments(
        _ octets: [UInt8], _ path: Range<Int>
    ) throws(Problem) -> Wildcard {
        var position = path.lowerBound
        while position < path.upperBound {
            let start = position + 1
            position = start
            var hasAsterisk = false
            while position < path.upperBound, octets[position] != UInt8(ascii: "/") {
                if octets[position] == UInt8(ascii: "*") { hasAsterisk = true }
                position += 1
            }
            let isLast = position == path.upperBound
            let segment = octets[start..<position]
            if hasAsterisk {
                let isWhole = segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: "*") }
                guard isWhole else { throw .partialWildcard(start..<position) }
                guard isLast else { throw .wildcardNotLast(start..<position) }
                return segment.count == 1 ? .segment : .segments
            }
            if segment.isEmpty, !isLast { throw .emptySegment(start - 1..<start + 1) }
            if isDots(octets.span.extracting(start..<position)) {
                throw .dotSegment(start..<position)
            }
        }
        return .none
    }

    /// Whether a segment is `.` or `..`, in either spelling of the dot.
    private static func isDots(_ segment: Span<UInt8>) -> Bool {
        var position = 0
        var dots = 0
        while position < segment.count {
            if segment[position] == UInt8(ascii: ".") {
                position += 1
            } else if segment.count - position >= 3, segment[position] == UInt8(ascii: "%"),
                segment[position + 1] == UInt8(ascii: "2"),
                DNSName.folded(segment[position + 2]) == UInt8(ascii: "e")
            {
                position += 3
            } else {
                return false
            }
            dots += 1
        }
        return dots == 1 || dots == 2
    }
}
