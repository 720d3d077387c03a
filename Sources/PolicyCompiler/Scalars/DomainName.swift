/// A name of labels as policies hold it: what host patterns, exact names and e-mail domains share.
///
/// LANGUAGE section 11: letters, digits, hyphen (not at an end of a label), underscore or a U-label;
/// 63 octets a label and 253 a name, counted as A-labels; the last label neither all digits nor
/// `0x` and hex digits, so that no name looks like an address; ASCII case folded and one trailing
/// dot dropped.
struct DomainName: Hashable {
    /// Octets of the longest name (RFC 1035 section 2.3.4 without the length and root octets).
    static let limit = 253
    private static let labelLimit = 63

    /// A-labels in lower case, no trailing dot.
    let canonical: String
    /// The same with U-labels, when there is one.
    let unicode: String?

    /// Reads a slice of the bytes of `text`, in whose offsets the ranges of problems count.
    ///
    /// - Parameter limit: octets allowed; less than 253 behind a wildcard.
    /// - Throws: HW201.
    static func scan(
        _ slice: Range<Int>, of text: String, limit: Int = limit
    ) throws(ScalarProblem) -> DomainName {
        let bytes = Array(text.utf8)[slice]
        let written = String(decoding: bytes, as: UTF8.self)
        if isCanonical(bytes), bytes.count <= limit {
            return DomainName(canonical: written, unicode: nil)
        }
        let name: DomainName
        if bytes.allSatisfy({ $0 < 0x80 }) {
            name = try scanASCII(bytes, written)
        } else {
            name = try scanUnicode(bytes, written)
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
                "\(quoted) is no name: its last label "
                    + "\(ScalarProblem.quote(String(decoding: last, as: UTF8.self))) is a number, as "
                    + "in an address",
                range: slice, help: ["an IPv4 address is four numbers from 0 to 255"])
        }
        return name
    }

    /// Whether a name is written in the one way there is and no U-label stands behind any of its labels: what
    /// most names are, seen without taking them apart. False decides nothing.
    private static func isCanonical(_ bytes: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        var length = 0
        var last: UInt8 = 0
        var hasLetter = false
        for byte in bytes {
            switch byte {
            // No label begins with x here, since it may be an A-label, nor with 0, which may be hex.
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

    /// Whether a label is all digits, or `0x` and hex digits, which some readers take for the end
    /// of an IPv4 address.
    static func looksLikeNumber(_ label: [UInt8]) -> Bool {
        if label.starts(with: "0x".utf8) {
            return label.dropFirst(2).allSatisfy { DigestText.hexValue($0) != nil }
        }
        return !label.isEmpty && label.allSatisfy { DecimalNumber.isDigit($0) }
    }

    private static func scanASCII(
        _ bytes: ArraySlice<UInt8>, _ written: String
    ) throws(ScalarProblem) -> DomainName {
        var names: [(ascii: String, unicode: String)] = []
        for label in try labels(bytes, written) {
            let ascii = String(decoding: try fold(label, written), as: UTF8.self)
            let range = label.startIndex..<label.endIndex
            names.append((ascii, try unicodeForm(of: ascii, written, range)))
        }
        return try joined(names, written, bytes.startIndex..<bytes.endIndex)
    }

    private static func scanUnicode(
        _ bytes: ArraySlice<UInt8>, _ written: String
    ) throws(ScalarProblem) -> DomainName {
        let whole = bytes.startIndex..<bytes.endIndex
        try refuseQuotes(in: written, written, whole)
        // A mapping can make dots and ASCII, so labels are parted and checked after it.
        let mapped = try explaining(written, whole) { () throws(IDNAProblem) in
            Array(try IDNA.mapped(written).utf8)
        }
        var names: [(ascii: String, unicode: String)] = []
        for label in try labels(mapped[...], written, at: whole) {
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

    /// The U-label of an A-label; any other label as it is.
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

    /// UTS #46 lets typographic quotes pass; no registry does (RFC 5892), and who writes them means quotes.
    private static func refuseQuotes(
        in text: String, _ written: String, _ range: Range<Int>
    ) throws(ScalarProblem) {
        guard let mark = TypographicQuotes.mark(in: text) else { return }
        let shown = text == written ? "" : ", which stands for \(ScalarProblem.quote(text))"
        throw ScalarProblem(
            .badHost,
            "\(ScalarProblem.quote(written))\(shown) is no host name: `\(mark)` is a typographic quote",
            range: range, help: ["quote a host with `\"` alone"])
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

    /// The labels between the dots, one trailing dot dropped, none empty.
    ///
    /// - Parameter range: where problems point when the bytes are not those of the text.
    private static func labels(
        _ bytes: ArraySlice<UInt8>, _ written: String, at range: Range<Int>? = nil
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
                    "`*.\(rest)` (one label) or `**.\(rest)` (one or more); `\(rest)` for itself"
                ])
        }
        throw ScalarProblem(
            .badHost, "\(quoted) has an empty label: labels have one dot between them",
            range: range ?? max(at - 1, bytes.startIndex)..<min(at + 1, bytes.endIndex))
    }

    /// An ASCII label in lower case, its characters and length checked.
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
                    "\(quoted) is no host name: \(ScalarProblem.quote(character)) is not a letter, "
                        + "a digit, a hyphen or an underscore",
                    range: range ?? index..<index + 1)
            }
        }
        let hyphen = UInt8(ascii: "-")
        guard folded.first != hyphen, folded.last != hyphen else {
            throw ScalarProblem(
                .badHost,
                "\(quoted) has the label "
                    + "\(ScalarProblem.quote(String(decoding: folded, as: UTF8.self))), which "
                    + "\(folded.first == hyphen ? "begins" : "ends") with a hyphen",
                range: range ?? whole)
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

    /// Runs a step of IDNA and turns its problem into one of the name.
    private static func explaining<Value>(
        _ written: String, _ range: Range<Int>, _ step: () throws(IDNAProblem) -> Value
    ) throws(ScalarProblem) -> Value {
        do {
            return try step()
        } catch {
            throw ScalarProblem(
                .badHost,
                "\(ScalarProblem.quote(written)) is no host name: \(error.message)",
                range: range, help: error.help)
        }
    }
}
