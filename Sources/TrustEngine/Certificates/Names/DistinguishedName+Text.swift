extension DistinguishedName {
    /// The name as a string (RFC 4514): the last relative name first, `CN=api.example,O=Example`.
    ///
    /// Characters that RFC 4514 reserves are escaped. Control characters stay raw, because
    /// renderers escape for their own output. Octets that are not text become `\xx`. Besides RFC
    /// 4514's attribute names, a few attributes that are common in certificates are written by
    /// name. The text has at most `textLimit` characters and then `…`. A malformed name gives
    /// `(malformed)`.
    package static func text(_ name: Span<UInt8>) -> String {
        var outer = DERReader(name)
        guard let names = (try? outer.next(.sequence, in: name))?.reader else {
            return "(malformed)"
        }
        var counted = names
        var count = 0
        while !counted.isAtEnd {
            guard (try? counted.next(.set, in: name)) != nil else { return "(malformed)" }
            count += 1
        }
        var sets: [DERElement] = []
        sets.reserveCapacity(count)
        var reader = names
        while let set = try? reader.next(.set, in: name) { sets.append(set) }
        var text: [UInt8] = []
        text.reserveCapacity(min(name.count, textLimit))
        for set in sets.reversed() {
            if !text.isEmpty { text.append(UInt8(ascii: ",")) }
            var attributes = set.reader
            var isFirst = true
            while let attribute = Attribute(next: &attributes, in: name) {
                if !isFirst { text.append(UInt8(ascii: "+")) }
                isFirst = false
                append(attribute, name, to: &text)
                if let end = UTF8Text.end(ofScalars: textLimit, in: text) {
                    return String(decoding: text[..<end], as: UTF8.self) + "…"
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Characters of a name's text before `…`.
    package static let textLimit = 1_024

    private static func append(
        _ attribute: Attribute, _ bytes: Span<UInt8>, to text: inout [UInt8]
    ) {
        guard let keyword = keyword(of: attribute, in: bytes),
            var characters = AttributeText(attribute.value)
        else {
            // RFC 4514 section 2.4: an attribute type without a name is followed by its value's
            // encoding in hexadecimal.
            let type = bytes.extracting(attribute.type.content.indices)
            ObjectIdentifier.append(textOf: type, to: &text)
            text.append(contentsOf: "=#".utf8)
            for index in attribute.value.whole.indices.prefix(textLimit) {
                Hexadecimal.append(bytes[index], to: &text)
            }
            return
        }
        text.append(contentsOf: keyword.utf8)
        text.append(UInt8(ascii: "="))
        var index = 0
        var next = characters.next(in: bytes)
        while let character = next {
            next = index < textLimit ? characters.next(in: bytes) : nil
            append(character, isFirst: index == 0, isLast: next == nil, to: &text)
            index += 1
        }
    }

    /// Appends one character of a value, escaped by RFC 4514 section 2.4.
    private static func append(
        _ character: UInt32, isFirst: Bool, isLast: Bool, to text: inout [UInt8]
    ) {
        guard let scalar = Unicode.Scalar(character) else {
            text.append(UInt8(ascii: "\\"))
            Hexadecimal.append(UInt8(truncatingIfNeeded: character), to: &text)
            return
        }
        switch scalar {
        case "\"", "+", ",", ";", "<", ">", "\\": text.append(UInt8(ascii: "\\"))
        case "#" where isFirst: text.append(UInt8(ascii: "\\"))
        case " " where isFirst || isLast: text.append(UInt8(ascii: "\\"))
        case "\0":
            text.append(contentsOf: "\\00".utf8)
            return
        default: break
        }
        UTF8Text.append(scalar, to: &text)
    }

    /// The name of an attribute's type; nil where it has none here.
    private static func keyword(of attribute: Attribute, in bytes: Span<UInt8>) -> String? {
        let code = ObjectIdentifier.code(attribute.type.content, in: bytes)
        return keywords.first { $0.code == code }?.name
    }

    /// The attribute names of RFC 4514 section 3, then names of RFC 4519, RFC 2985 and ETSI EN 319
    /// 412-1, each with the code of its identifier. Most of them stand under 2.5.4; the arc is the
    /// last octet.
    private static let keywords: [(code: UInt128, name: String)] = [
        (ObjectIdentifier.commonName, "CN"), (0x01_55_04_07, "L"), (0x01_55_04_08, "ST"),
        (0x01_55_04_0A, "O"), (0x01_55_04_0B, "OU"), (0x01_55_04_06, "C"),
        (0x01_55_04_09, "STREET"), (ObjectIdentifier.domainComponent, "DC"),
        // 0.9.2342.19200300.100.1.1
        (0x01_0992_2689_93F2_2C64_0101, "UID"),
        (0x01_55_04_04, "SN"), (0x01_55_04_05, "serialNumber"), (0x01_55_04_0C, "title"),
        (0x01_55_04_0F, "businessCategory"), (0x01_55_04_11, "postalCode"),
        (0x01_55_04_2A, "givenName"), (0x01_55_04_2E, "dnQualifier"),
        (0x01_55_04_61, "organizationIdentifier"), (ObjectIdentifier.emailAddress, "emailAddress"),
    ]
}
