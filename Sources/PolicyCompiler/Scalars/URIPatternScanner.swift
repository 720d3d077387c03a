/// URI patterns: `scheme://authority/segments`, whose last segment may be `*` (one segment) or `**`
/// (one or more), for example `spiffe://mesh.example/ns/pay/*`.
package enum URIPatternScanner {
    /// The pattern with scheme and authority in lower case, as RFC 3986 section 6.2.2.1 compares
    /// them; the path as written.
    ///
    /// - Throws: HW103 naming the part at fault; HW014, HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> String {
        try ScalarProblem.requireText(text, of: "the URI pattern")
        let quoted = ScalarProblem.quote(text)
        let bytes = Array(text.utf8)
        guard let schemeEnd = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes.count > schemeEnd + 2, bytes[schemeEnd + 1] == UInt8(ascii: "/"),
            bytes[schemeEnd + 2] == UInt8(ascii: "/")
        else {
            throw ScalarProblem(
                .unknownValue, "\(quoted) is not a URI pattern: it has no `scheme://`",
                help: ["write for example `spiffe://mesh.example/ns/pay/*`"])
        }
        try requireScheme(bytes[..<schemeEnd], quoted)
        let authorityStart = schemeEnd + 3
        let authorityEnd =
            bytes[authorityStart...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
        try requireCharacters(bytes, authorityStart..<bytes.count, quoted)
        guard authorityEnd > authorityStart else {
            throw ScalarProblem(
                .unknownValue, "\(quoted) has no authority between `://` and the path",
                range: 0..<authorityStart)
        }
        if let star = bytes[authorityStart..<authorityEnd].firstIndex(of: UInt8(ascii: "*")) {
            throw ScalarProblem(
                .unknownValue, "\(quoted) has `*` in its authority, which is always exact",
                range: star..<star + 1,
                help: ["write one pattern for each authority"])
        }
        if authorityEnd < bytes.count {
            try requirePath(bytes, from: authorityEnd, quoted)
        }
        let folded = bytes[..<authorityEnd].map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        return String(decoding: folded + bytes[authorityEnd...], as: UTF8.self)
    }

    /// RFC 3986 section 3.1: a letter, then letters, digits, `+`, `-`, `.`.
    private static func requireScheme(
        _ scheme: ArraySlice<UInt8>, _ quoted: String
    ) throws(ScalarProblem) {
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        let isGood =
            scheme.first.map(isLetter) == true
            && scheme.allSatisfy {
                isLetter($0) || DecimalNumber.isDigit($0) || "+-.".utf8.contains($0)
            }
        guard isGood else {
            throw ScalarProblem(
                .unknownValue,
                "\(quoted) has a scheme that is not a letter and then letters, digits, `+`, `-` "
                    + "or `.`",
                range: scheme.startIndex..<max(scheme.endIndex, 1))
        }
    }

    /// RFC 3986 appendix A: what may stand in an authority or a path; `%` only with two hex digits.
    private static func requireCharacters(
        _ bytes: [UInt8], _ range: Range<Int>, _ quoted: String
    ) throws(ScalarProblem) {
        for index in range {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"):
                throw ScalarProblem(
                    .unknownValue,
                    "\(quoted) has a query or a fragment; a URI pattern ends with its path",
                    range: index..<bytes.count)
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.count, isHex(bytes[index + 1]), isHex(bytes[index + 2])
                else {
                    throw ScalarProblem(
                        .unknownValue, "\(quoted) has a `%` without two hex digits after it",
                        range: index..<index + 1, help: ["write `%25` for the sign itself"])
                }
            case 0x80...:
                var end = index + 1
                while end < bytes.count && bytes[end] >= 0x80 { end += 1 }
                throw ScalarProblem(
                    .unknownValue,
                    "\(quoted) has characters outside ASCII, which a URI writes as `%` and two hex "
                        + "digits for each octet",
                    range: index..<end)
            default:
                guard isURIByte(byte) else {
                    throw ScalarProblem(
                        .unknownValue,
                        "\(quoted) has a character that a URI does not hold",
                        range: index..<index + 1,
                        help: ["write it as `%` and two hex digits"])
                }
            }
        }
    }

    /// Segments are whole: `*` and `**` stand alone and last; none is empty but a last one.
    private static func requirePath(
        _ bytes: [UInt8], from start: Int, _ quoted: String
    ) throws(ScalarProblem) {
        let segments = bytes[(start + 1)...].split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            let range = segment.startIndex..<segment.endIndex
            let name = String(decoding: segment, as: UTF8.self)
            if name.utf8.contains(UInt8(ascii: "*")) {
                guard name == "*" || name == "**" else {
                    throw ScalarProblem(
                        .unknownValue, "\(quoted) is not a pattern: `*` stands for a whole segment",
                        range: range, help: ["write `/*` for one segment or `/**` for one or more"])
                }
                guard isLast else {
                    throw ScalarProblem(
                        .unknownValue,
                        "\(quoted) is not a pattern: `\(name)` stands last or not "
                            + "at all", range: range)
                }
            } else if name.isEmpty && !isLast {
                throw ScalarProblem(
                    .unknownValue, "\(quoted) has an empty segment", range: start..<start + 1)
            } else if name == "." || name == ".." {
                throw ScalarProblem(
                    .unknownValue,
                    "\(quoted) has the segment `\(name)`, which no two readers resolve alike",
                    range: range)
            }
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        DecimalNumber.isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    /// Unreserved, sub-delims, `:`, `@`, `/` and the brackets of an IPv6 literal.
    private static func isURIByte(_ byte: UInt8) -> Bool {
        DecimalNumber.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20)
            || "-._~!$&'()*+,;=:@/[]".utf8.contains(byte)
    }
}
