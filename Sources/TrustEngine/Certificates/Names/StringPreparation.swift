/// String preparation (RFC 4518) of attribute values, by which RFC 5280 section 7.1 compares names:
/// two values match when their prepared forms are equal.
///
/// A CA may be forbidden one spelling of a name. Then every spelling that another reader takes for
/// the same name must be found too. So this comparison finds every match that the RFCs make, and it
/// reports a value that cannot be prepared (RFC 4518 section 2: Undefined). The steps:
///
/// 1. *Transcode.* A value with octets that are not characters of its string type cannot be
///   prepared. Of a TeletexString only the characters that T.61 and ASCII have in common are read.
///   The RFC leaves the other octets to each reader: some read T.61, some read Latin-1, and control
///   octets change the alphabet.
/// 2. *Map.* The lists of section 2.2, and case folding by table B.2 of RFC 3454.
/// 3. *Normalise.* The RFC compares in Form KC. Two forms KC are equal exactly where the forms KD
///   are equal (UAX #15), so values stay decomposed and nothing is composed.
/// 4. *Prohibit.* Section 2.4: code points that Unicode 3.2 does not assign, private use,
///   noncharacters, U+FFFD.
/// 5. *Check bidi.* The RFC does nothing here (section 2.5).
/// 6. *Insignificant characters.* Section 2.6 by the attribute's rule. *Deviation*, which finds
///   more matches: a combining mark after a space or a hyphen does not make it significant.
///
/// The data is from Unicode 3.2, which the RFC names: 17 kB of tables
/// (`grammar/generate-string-preparation.py`). The data of the standard library is not used. It is
/// newer and differs between systems, so a verdict would depend on the machine. And it has no
/// compatibility decompositions, so a name with a full-width letter would have to match every other
/// name. The RFC cannot prepare letters that are younger than Unicode 3.2 either.
package enum StringPreparation {
    /// The addition of an attribute's equality rule to steps 1 and 6.
    package enum Rule: Hashable, Sendable {
        /// caseIgnoreMatch (RFC 4517 section 4.2.11), for every attribute without a rule below. A
        /// rule that heeds case would match fewer values.
        case caseIgnore
        /// caseIgnoreIA5Match of domainComponent. Its labels are A-labels (RFC 5280 section 7.3),
        /// so a value outside ASCII may equal any of them.
        case ia5
        /// numericStringMatch: spaces do not count.
        case numericString
        /// telephoneNumberMatch: spaces and hyphens do not count.
        case telephoneNumber

        /// The rule of an attribute type (RFC 4519 section 2), given by its identifier's code.
        init(ofType code: UInt128) {
            switch code {
            case ObjectIdentifier.domainComponent: self = .ia5
            case ObjectIdentifier.x121Address, ObjectIdentifier.internationalISDNNumber:
                self = .numericString
            case ObjectIdentifier.telephoneNumber: self = .telephoneNumber
            default: self = .caseIgnore
            }
        }
    }

    /// Prepares a value; nil where the value cannot be prepared. Cost: less than a microsecond for
    /// each four content octets. The longest decomposition makes 36 code points of four octets.
    package static func prepared(
        _ value: DERElement, in bytes: Span<UInt8>, by rule: Rule
    ) -> [UInt32]? {
        guard var characters = AttributeText(value) else { return nil }
        var text: [UInt32] = []
        text.reserveCapacity(value.count)
        var isOrdered = true
        while let character = characters.next(in: bytes) {
            if character < 0x80 {
                guard value.tag != .teletexString || isCommon(character) else { return nil }
                if let mapped = mappedASCII(character) { text.append(mapped) }
                continue
            }
            guard value.tag != .teletexString, rule != .ia5,
                character < AttributeText.rawOctet,
                StringPreparationTables.shared.append(character, to: &text)
            else { return nil }
            isOrdered = false
        }
        if !isOrdered { order(&text) }
        removeInsignificant(&text, rule)
        return text
    }

    /// Maps an ASCII character by section 2.2; nil for a character that is mapped to nothing.
    private static func mappedASCII(_ character: UInt32) -> UInt32? {
        switch character {
        case 0x09...0x0D: return 0x20
        case 0x00...0x1F, 0x7F: return nil
        case 0x41...0x5A: return character + 0x20
        default: return character
        }
    }

    /// Whether T.61 has this ASCII character at the same code. T.61 has other signs, or none, for
    /// `# $ \ ^ { } ~` and the grave accent.
    private static func isCommon(_ character: UInt32) -> Bool {
        switch character {
        case 0x23, 0x24, 0x5C, 0x5E, 0x60, 0x7B, 0x7D, 0x7E: return false
        default: return (0x20...0x7E).contains(character)
        }
    }

    private static func order(_ text: inout [UInt32]) {
        let tables = StringPreparationTables.shared
        var marked = text.map { code in
            (code: code, combiningClass: tables.combiningClass(of: code))
        }
        CanonicalOrder.sort(&marked)
        text = marked.map(\.code)
    }

    /// Removes insignificant characters (section 2.6). Hyphens are already normalised.
    private static func removeInsignificant(_ text: inout [UInt32], _ rule: Rule) {
        switch rule {
        case .caseIgnore, .ia5:
            var kept: [UInt32] = []
            kept.reserveCapacity(text.count)
            for character in text where character != 0x20 || (kept.last ?? 0x20) != 0x20 {
                kept.append(character)
            }
            if kept.last == 0x20 { kept.removeLast() }
            text = kept
        case .numericString:
            text.removeAll { $0 == 0x20 }
        case .telephoneNumber:
            text.removeAll { [0x20, 0x2D, 0x58A, 0x2010, 0x2212].contains($0) }
        }
    }
}
