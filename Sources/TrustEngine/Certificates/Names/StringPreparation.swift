/// String preparation (RFC 4518) of attribute values, as RFC 5280 section 7.1 has names compared: two
/// values match when their prepared forms are equal.
///
/// Two names that are the same to somebody else must not be two names where a CA is kept from one of
/// them. So what a comparison has to find is every match that the RFCs make, and what cannot be
/// prepared must be known as such (RFC 4518 section 2: Undefined). The steps:
///
/// 1. *Transcode.* Octets that are no character of their string type cannot be prepared. Of a
///    TeletexString only what T.61 and ASCII have in common is read: the RFC leaves the rest to each
///    reader, some of whom see T.61 and some Latin-1, and control octets change its alphabet.
/// 2. *Map.* The lists of section 2.2, and case folding by table B.2 of RFC 3454.
/// 3. *Normalise.* The RFC compares in Form KC. Forms KC are equal exactly where Forms KD are
///    (UAX #15), so values stay decomposed and nothing is composed.
/// 4. *Prohibit.* Section 2.4: what Unicode 3.2 has not assigned, private use, what is no character,
///    U+FFFD.
/// 5. *Check bidi.* Nothing is done (section 2.5).
/// 6. *Insignificant characters.* Section 2.6 by the attribute's rule. *Deviation*, finding more
///    matches: a space or a hyphen does not become significant by a combining mark behind it.
///
/// The data is that of Unicode 3.2, which the RFC names, in 17 kB of tables of our own
/// (`grammar/generate-string-preparation.py`). The standard library has newer data, which differs from
/// one system to the next and has no compatibility decompositions: a verdict would depend on where it
/// is made, and every name with a full-width letter would have to be taken for every other. Letters
/// that are younger than Unicode 3.2 cannot be prepared by the RFC either.
package enum StringPreparation {
    /// What an attribute's equality rule adds to steps 1 and 6.
    package enum Rule: Hashable, Sendable {
        /// caseIgnoreMatch (RFC 4517 section 4.2.11), for every attribute without a rule below. One
        /// whose rule heeds case matches no more than that.
        case caseIgnore
        /// caseIgnoreIA5Match of domainComponent, whose labels are A-labels (RFC 5280 section 7.3):
        /// a value beyond ASCII may be any of them.
        case ia5
        /// numericStringMatch: no space counts.
        case numericString
        /// telephoneNumberMatch: neither spaces nor hyphens count.
        case telephoneNumber

        /// The rule of an attribute type, by its identifier's code: RFC 4519 section 2.
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

    /// A value prepared, or nil where it cannot be. Cost: less than a microsecond for each four content
    /// octets, of which the longest decomposition makes 36 code points.
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

    /// Section 2.2 for ASCII; nil for what is mapped to nothing.
    private static func mappedASCII(_ character: UInt32) -> UInt32? {
        switch character {
        case 0x09...0x0D: return 0x20
        case 0x00...0x1F, 0x7F: return nil
        case 0x41...0x5A: return character + 0x20
        default: return character
        }
    }

    /// Whether T.61 has a character of ASCII at the same place: it has other signs, or none, for
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

    /// Section 2.6. Hyphens as normalisation leaves them.
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
