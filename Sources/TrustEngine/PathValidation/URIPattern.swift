/// A URI pattern (LANGUAGE section 11, `uri-pattern`): a URI with an authority and without query or
/// fragment. Its path may end in `/*` for one segment or `/**` for one or more segments.
///
/// Scheme and host are compared in lower case (RFC 3986 section 6.2.2.1). All other octets must be
/// equal. A wildcard covers only segments that every reader takes as they are written: they are not
/// empty, not dot segments, and have no escapes. Otherwise a server that decodes `%2f` or `%2e%2e`
/// before it reads the path would find a path that nobody has permitted.
package struct URIPattern: Hashable, Sendable {
    /// The wildcard at the end of a pattern.
    private enum Wildcard {
        case none, segment, segments
    }

    /// Why a text is not a pattern. Ranges are offsets of its octets.
    package enum Problem: Error, Hashable, Sendable {
        /// The text has no `://`.
        case noAuthority
        case notURI(URIText.Problem)
        case emptyAuthority(Range<Int>)
        /// The authority has no host: only a user name or a port.
        case emptyHost(Range<Int>)
        case wildcardInAuthority(Range<Int>)
        case queryOrFragment(Range<Int>)
        /// A segment holds an asterisk that is not a wildcard.
        case partialWildcard(Range<Int>)
        case wildcardNotLast(Range<Int>)
        case emptySegment(Range<Int>)
        /// A segment is `.` or `..`, with dots as they are or escaped.
        case dotSegment(Range<Int>)
    }

    /// Why a URI does not match a pattern: the first difference.
    package enum Mismatch: Hashable, Sendable {
        /// The text is not a URI.
        case notURI(URIText.Problem)
        /// Scheme, authority or path is different.
        case differs
        case queryOrFragment
        // Segments that a wildcard does not cover.
        case severalSegments
        case emptySegment
        case dotSegment
        case escape
    }

    private let octets: [UInt8]
    private let uri: URIText
    private let authority: URIText.Authority
    private let wildcard: Wildcard
    /// Offset behind the octets that must be equal.
    private let fixedEnd: Int

    /// Reads a pattern. Its scheme and host may be in upper or lower case.
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

    /// Whether a text is a pattern in canonical form. Every table holds patterns in this form.
    package static func isCanonical(_ text: String) -> Bool {
        (try? URIPattern(text))?.canonicalText.utf8.elementsEqual(text.utf8) ?? false
    }

    /// The pattern with its scheme and host in lower case.
    package var canonicalText: String {
        var folded = octets
        for range in [uri.scheme, authority.host] {
            for index in range { folded[index] = DNSName.folded(octets[index]) }
        }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Why a presented URI does not match; nil when it matches. Cost: each octet of both is looked
    /// at once.
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

    /// Whether this pattern matches every URI that another pattern matches. Several patterns match
    /// all URIs of a pattern only if one of them does: a wildcard stands for more URIs than
    /// patterns can list. Cost: each octet of both is looked at once.
    package func covers(_ other: URIPattern) -> Bool {
        let theirs = other.octets.span
        if other.wildcard == .none { return mismatch(theirs) == nil }
        guard wildcard == .segments || wildcard == other.wildcard,
            isAuthority(other.authority, of: other.uri, in: theirs)
        else { return false }
        let fixed = octets.span.extracting(uri.path.lowerBound..<fixedEnd)
        let inner = theirs.extracting(other.uri.path.lowerBound..<other.fixedEnd)
        guard inner.count >= fixed.count, inner.extracting(0..<fixed.count).octetsEqual(fixed)
        else { return false }
        // The segments that the other pattern has before its wildcard, and that this pattern's
        // wildcard must cover.
        let between = inner.extracting(fixed.count..<inner.count)
        return between.isEmpty
            || (wildcard == .segments && between[0] == UInt8(ascii: "/")
                && mismatch(ofSegments: between) == nil)
    }

    // MARK: - Matching

    /// Whether a URI has the pattern's scheme and authority. Scheme and host are compared in lower
    /// case, user information, port and the marks around them exactly.
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

    /// Why a wildcard does not cover segments, each of which begins with a slash; nil when it
    /// covers them.
    private func mismatch(ofSegments path: Span<UInt8>) -> Mismatch? {
        var position = 0
        var count = 0
        while position < path.count {
            let start = position + 1
            position = start
            while position < path.count, path[position] != UInt8(ascii: "/") {
                // Every octet of a path other than `%` and `/` is a `pchar` that stands for itself.
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

    /// Checks the segments. A wildcard is a whole segment and stands last. Only the last segment
    /// may be empty.
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

    /// Whether a segment is `.` or `..`, with dots as they are or escaped.
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
