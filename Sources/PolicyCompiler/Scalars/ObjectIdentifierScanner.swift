/// Reads object identifiers: at least two arcs, separated by dots, such as `2.5.29.37`.
package enum ObjectIdentifierScanner {
    /// The content octets of the DER form (X.690 section 8.19). An arc has at most 128 bits, which
    /// the arcs under `2.25` need (X.667).
    ///
    /// - Throws: HW103 for another form or an arc that the encoding cannot hold; HW014, HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> [UInt8] {
        try ScalarProblem.requireText(text, of: "the object identifier")
        let quoted = ScalarProblem.quote(text)
        for prefix in ["urn:oid:", "OID.", "oid:"] where text.hasPrefix(prefix) {
            throw ScalarProblem(
                .unknownValue,
                "\(quoted) begins with `\(prefix)`; an object identifier is its "
                    + "arcs alone", range: 0..<prefix.utf8.count,
                write: String(text.dropFirst(prefix.count)))
        }
        let bytes = Array(text.utf8)
        var arcs: [UInt128] = []
        for part in bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            arcs.append(try arc(part, of: quoted))
        }
        guard arcs.count >= 2 else {
            throw ScalarProblem(
                .unknownValue, "\(quoted) has one arc; an object identifier has two or more",
                help: ["write for example `1.3.6.1.5.5.7.3.1`"])
        }
        guard arcs[0] <= 2 else {
            throw ScalarProblem(
                .unknownValue,
                "\(quoted) begins with the arc \(arcs[0]); the first arc is 0, 1 or "
                    + "2", range: 0..<(bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.count))
        }
        guard arcs[0] == 2 || arcs[1] <= 39 else {
            throw ScalarProblem(
                .unknownValue,
                "\(quoted) has the second arc \(arcs[1]); under \(arcs[0]) it is 0 to 39")
        }
        let (first, overflow) = arcs[1].addingReportingOverflow(arcs[0] * 40)
        guard !overflow else { throw tooLarge(quoted, range: nil) }
        return base128(first) + arcs.dropFirst(2).flatMap { base128($0) }
    }

    private static func arc(
        _ part: ArraySlice<UInt8>, of quoted: String
    ) throws(ScalarProblem) -> UInt128 {
        let range = part.startIndex..<part.endIndex
        guard let first = part.first else {
            throw ScalarProblem(
                .unknownValue, "\(quoted) has an empty arc; arcs are numbers with one dot between",
                range: max(range.lowerBound - 1, 0)..<max(range.upperBound, 1))
        }
        if let at = part.firstIndex(where: { !DecimalNumber.isDigit($0) }) {
            throw ScalarProblem(
                .unknownValue,
                "\(quoted) is not an object identifier: its arcs are decimal "
                    + "numbers with dots between", range: at..<part.endIndex,
                help: ["write for example `1.3.6.1.5.5.7.3.1`"])
        }
        guard first != 0x30 || part.count == 1 else {
            throw ScalarProblem(
                .unknownValue, "\(quoted) has an arc that begins with a zero", range: range,
                help: ["write the arc as `\(DecimalNumber.withoutLeadingZeros(part))`"])
        }
        guard let value = UInt128(String(decoding: part, as: UTF8.self)) else {
            throw tooLarge(quoted, range: range)
        }
        return value
    }

    private static func tooLarge(_ quoted: String, range: Range<Int>?) -> ScalarProblem {
        ScalarProblem(.unknownValue, "\(quoted) has an arc of more than 128 bits", range: range)
    }

    /// Seven bits in each octet, the highest first. All octets but the last have the top bit set.
    private static func base128(_ value: UInt128) -> [UInt8] {
        var octets = [UInt8(truncatingIfNeeded: value) & 0x7F]
        var rest = value >> 7
        while rest > 0 {
            octets.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return octets.reversed()
    }
}
