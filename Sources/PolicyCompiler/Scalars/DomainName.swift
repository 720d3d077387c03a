/// A name of labels as a policy holds it, for host patterns, exact names and e-mail domains.
///
/// LANGUAGE section 11: a label has letters, digits, hyphens (not at its ends) and underscores, or
/// is a U-label. A label has at most 63 octets and a name at most 253, counted as A-labels. The
/// last label is neither all digits nor `0x` and hex digits, so that no name looks like an address.
/// ASCII letters become lower case, and one dot at the end is removed.
struct DomainName: Hashable {
    /// The most octets of a name (RFC 1035 section 2.3.4, without the octets of length and root).
    static let limit = 253
    private static let labelLimit = 63

    /// The most octets of a name, or of a name behind a wildcard: a wildcard stands for a label of
    /// at least one octet and a dot.
    static func limit(behindWildcard isBehind: Bool) -> Int { isBehind ? limit - 2 : limit }

    /// A-labels in lower case, no dot at the end.
    let canonical: String
    /// The canonical name with U-labels; nil if it has none.
    let unicode: String?

    /// Reads a slice of the bytes of `text`. The ranges of problems are offsets into `text`.
    ///
    /// - Parameters:
    ///   - limit: the most octets; less than 253 after a wildcard.
    ///   - takesWildcards: whether a wildcard may stand before the name, for help texts.
    /// - Throws: HW201.
    static func scan(
        _ slice: Range<Int>, of text: String, limit: Int = limit, takesWildcards: Bool = false
    ) throws(ScalarProblem) -> DomainName {
        let bytes = Array(text.utf8)[slice]
        let written = String(decoding: bytes, as: UTF8.self)
        if isCanonical(bytes.span), bytes.count <= limit {
            return DomainName(canonical: written, unicode: nil)
        }
        let name: DomainName
        if bytes.allSatisfy({ $0 < 0x80 }) {
            name = try scanASCII(bytes, written, takesWildcards)
        } else {
            name = try scanUnicode(bytes, written, takesWildcards)
        }
        let quoted = ScalarProblem.quote(written)
        guard name.canonical.utf8.count <= limit else {
            throw ScalarProblem(
                .badHost,
                "\(quoted) has \(name.canonical.utf8.count) octets; a name has at most \(limit) here",
                range: slice)
        }
        let last =
            name.canonical.utf8.split(separator: UInt8(ascii: ".")).last.map(Array.init) ?? []
        guard !looksLikeNumber(last) else {
            throw ScalarProblem(
                .badHost,
                "\(quoted) is not a name: its last label "
                    + "\(ScalarProblem.quote(String(decoding: last, as: UTF8.self))) is a number, as "
                    + "in an address",
                range: slice, help: ["an IPv4 address is four numbers from 0 to 255"])
        }
        return name
    }

    /// Whether a name is certainly canonical and has no A-label. Most names are, and this test does
    /// not split them into labels. False decides nothing.
    static func isCanonical(_ bytes: Span<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        var length = 0
        var last: UInt8 = 0
        var hasLetter = false
        for index in 0..<bytes.count {
            let byte = bytes[index]
            switch byte {
            // A label that begins with `x` may be an A-label, and one that begins with `0` may be
            // hex, so these are left to the full test.
            case UInt8(ascii: "x") where length == 0, UInt8(ascii: "0") where length == 0:
                return false
            case 0x61...0x7A, UInt8(ascii: "_"): hasLetter = true
            case 0x30...0x39: break
            case hyphen where length > 0: break
            case UInt8(ascii: ".") where length > 0 && last != hyphen:
                length = -1
                hasLetter = false
            default: return false
            }
            length += 1
            guard length <= labelLimit else { return false }
            last = byte
        }
        return length > 0 && last != hyphen && hasLetter
    }

    /// Whether a label is all digits, or `0x` and hex digits. Some readers take the label for the
    /// end of an IPv4 address.
    static func looksLikeNumber(_ label: [UInt8]) -> Bool {
        if label.starts(with: "0x".utf8) {
            return label.dropFirst(2).allSatisfy { DigestText.hexValue($0) != nil }
        }
        return !label.isEmpty && label.allSatisfy { DecimalNumber.isDigit($0) }
    }

    private static func scanASCII(
        _ bytes: ArraySlice<UInt8>, _ written: String, _ takesWildcards: Bool
    ) throws(ScalarProblem) -> DomainName {
        var names: [(ascii: String, unicode: String)] = []
        for label in try labels(bytes, written, takesWildcards) {
            let ascii = String(decoding: try fold(label, written), as: UTF8.self)
            let range = label.startIndex..<label.endIndex
            names.append((ascii, try unicodeForm(of: ascii, written, range)))
        }
        return try joined(names, written, bytes.startIndex..<bytes.endIndex)
    }

    private static func scanUnicode(
        _ bytes: ArraySlice<UInt8>, _ written: String, _ takesWildcards: Bool
    ) throws(ScalarProblem) -> DomainName {
        let whole = bytes.startIndex..<bytes.endIndex
        try refuseQuotes(in: written, written, whole)
        // Mapping can produce dots and ASCII, so labels are split and checked after it.
        let mapped = try explaining(written, whole) { () throws(IDNAProblem) in
            Array(try IDNA.mapped(written).utf8)
        }
        var names: [(ascii: String, unicode: String)] = []
        for label in try labels(mapped[...], written, takesWildcards, at: whole) {
            let text = String(decoding: label, as: UTF8.self)
            let isASCII = label.allSatisfy { $0 < 0x80 }
            let candidate = try explaining(written, whole) { () throws(IDNAProblem) in
                isASCII ? text : try IDNA.asciiLabel(text)
            }
            let folded = try fold(Array(candidate.utf8)[...], written, at: whole, showing: text)
            let ascii = String(decoding: folded, as: UTF8.self)
            names.append((ascii, try unicodeForm(of: ascii, written, whole)))
        }
        return try joined(names, written, whole)
    }

    /// The U-label of an A-label; any other label unchanged.
    private static func unicodeForm(
        of label: String, _ written: String, _ range: Range<Int>
    ) throws(ScalarProblem) -> String {
        guard label.hasPrefix("xn--") else { return label }
        let unicode = try explaining(written, range) { () throws(IDNAProblem) in
            try IDNA.unicodeLabel(label)
        }
        try refuseQuotes(in: unicode, written, range)
        return unicode
    }

    /// Refuses typographic quotes. UTS #46 allows them, but no registry does (RFC 5892), and an
    /// author who writes them means quotes.
    private static func refuseQuotes(
        in text: String, _ written: String, _ range: Range<Int>
    ) throws(ScalarProblem) {
        guard let mark = TypographicQuotes.mark(in: text) else { return }
        let shown = text == written ? "" : ", which stands for \(ScalarProblem.quote(text))"
        throw ScalarProblem(
            .badHost,
            "\(ScalarProblem.quote(written))\(shown) is not a host name: `\(mark)` is a typographic quote",
            range: range, help: ["quote a host only with `\"`"])
    }

    private static func joined(
        _ names: [(ascii: String, unicode: String)], _ written: String, _ range: Range<Int>
    ) throws(ScalarProblem) -> DomainName {
        try explaining(written, range) { () throws(IDNAProblem) in
            try IDNA.requireBidi(names.map(\.unicode))
        }
        let canonical = names.map(\.ascii).joined(separator: ".")
        let display = names.map(\.unicode).joined(separator: ".")
        return DomainName(canonical: canonical, unicode: display == canonical ? nil : display)
    }

    /// The labels between the dots. One dot at the end is removed; no label may be empty.
    ///
    /// - Parameter range: the range of problems, when the bytes are not the text's.
    private static func labels(
        _ bytes: ArraySlice<UInt8>, _ written: String, _ takesWildcards: Bool,
        at range: Range<Int>? = nil
    ) throws(ScalarProblem) -> [ArraySlice<UInt8>] {
        let dot = UInt8(ascii: ".")
        let body = bytes.count > 1 && bytes.last == dot ? bytes.dropLast() : bytes
        let labels = body.split(separator: dot, omittingEmptySubsequences: false)
        guard let empty = labels.first(where: \.isEmpty) else { return labels }
        let at = empty.startIndex
        let quoted = ScalarProblem.quote(written)
        if at == body.startIndex && body.count > 1 {
            let rest = String(decoding: body.dropFirst(), as: UTF8.self)
            throw ScalarProblem(
                .badHost, "\(quoted) begins with a dot", range: range ?? at..<at + 1,
                help: [
                    takesWildcards
                        ? "`*.\(rest)` (one label) or `**.\(rest)` (one or more); `\(rest)` for itself"
                        : "write `\(rest)` for this name; names below it are written one by one"
                ])
        }
        throw ScalarProblem(
            .badHost, "\(quoted) has an empty label: labels have one dot between them",
            range: range ?? max(at - 1, bytes.startIndex)..<min(at + 1, bytes.endIndex),
            help: emptyLabelHelp(labels))
    }

    /// The name with one dot between its labels. Nothing is proposed for a name that has only dots.
    private static func emptyLabelHelp(_ labels: [ArraySlice<UInt8>]) -> [String] {
        let name = labels.filter { !$0.isEmpty }
            .map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
        return [
            name.isEmpty
                ? "write a name such as `api.acme.example`"
                : "write `\(name)` if nothing is missing between the dots"
        ]
    }

    /// An ASCII label in lower case, after checking its characters and its length.
    private static func fold(
        _ label: ArraySlice<UInt8>, _ written: String, at range: Range<Int>? = nil,
        showing shown: String? = nil
    ) throws(ScalarProblem) -> [UInt8] {
        let quoted = ScalarProblem.quote(written)
        let whole = label.startIndex..<label.endIndex
        var folded: [UInt8] = []
        for index in label.indices {
            let byte = label[index]
            switch byte {
            case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"):
                folded.append(byte)
            case 0x41...0x5A:
                folded.append(byte + 0x20)
            default:
                let character = String(Unicode.Scalar(byte))
                throw ScalarProblem(
                    .badHost,
                    "\(quoted) is not a host name: \(ScalarProblem.quote(character)) is not a letter, "
                        + "a digit, a hyphen or an underscore",
                    range: range ?? index..<index + 1,
                    help: [characterHelp(byte)])
            }
        }
        let hyphen = UInt8(ascii: "-")
        guard folded.first != hyphen, folded.last != hyphen else {
            throw ScalarProblem(
                .badHost,
                "\(quoted) has the label "
                    + "\(ScalarProblem.quote(String(decoding: folded, as: UTF8.self))), which "
                    + "\(folded.first == hyphen ? "begins" : "ends") with a hyphen",
                range: range ?? whole,
                help: [
                    "write the label without that hyphen, or add the characters that are missing"
                ])
        }
        guard folded.count <= labelLimit else {
            let text = shown ?? String(decoding: label, as: UTF8.self)
            throw ScalarProblem(
                .badHost,
                "the label \(ScalarProblem.quote(text)) has \(folded.count) octets"
                    + "\(shown == nil ? "" : " as an A-label"); a label has at most \(labelLimit)",
                range: range ?? whole)
        }
        return folded
    }

    /// The help about a character that no name has.
    private static func characterHelp(_ byte: UInt8) -> String {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            return "write the whole pattern between two quotes"
        }
        return "write the name without it"
    }

    /// Runs a step of IDNA and turns its problem into a problem of the name.
    private static func explaining<Value>(
        _ written: String, _ range: Range<Int>, _ step: () throws(IDNAProblem) -> Value
    ) throws(ScalarProblem) -> Value {
        do {
            return try step()
        } catch {
            throw ScalarProblem(
                .badHost,
                "\(ScalarProblem.quote(written)) is not a host name: \(error.message)",
                range: range, help: error.help)
        }
    }
}
