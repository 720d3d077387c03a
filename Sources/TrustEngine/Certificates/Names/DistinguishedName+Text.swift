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
        guard var names = (try? outer.next(.sequence, in: name))?.reader else {
            return "(malformed)"
        }
        var sets: [DERElement] = []
        while !names.isAtEnd {
            guard let set = try? names.next(.set, in: name) else { return "(malformed)" }
            sets.append(set)
        }
        var text = ""
        for set in sets.reversed() {
            if !text.isEmpty { text += "," }
            var attributes = set.reader
            var isFirst = true
            while let attribute = Attribute(next: &attributes, in: name) {
                if !isFirst { text += "+" }
                isFirst = false
                append(attribute, name, to: &text)
                guard text.unicodeScalars.count <= textLimit else {
                    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(textLimit)))
                        + "…"
                }
            }
        }
        return text
    }

    /// Characters of a name's text before `…`.
    package static let textLimit = 1_024

    private static func append(
        _ attribute: Attribute, _ bytes: Span<UInt8>, to text: inout String
    ) {
        let identifier = ObjectIdentifier.text(of: bytes.extracting(attribute.type.content.indices))
        guard let keyword = keywords[identifier], var characters = AttributeText(attribute.value)
        else {
            // RFC 4514 section 2.4: an attribute type without a name is followed by its value's
            // encoding in hexadecimal.
            text += identifier + "=#"
            for index in attribute.value.whole.indices.prefix(textLimit) {
                text += Hexadecimal.encode([bytes[index]])
            }
            return
        }
        text += keyword + "="
        var value: [UInt32] = []
        while value.count <= textLimit, let character = characters.next(in: bytes) {
            value.append(character)
        }
        for (index, character) in value.enumerated() {
            let isAtEdge = index == 0 || index == value.count - 1
            guard let scalar = Unicode.Scalar(character) else {
                text += "\\" + Hexadecimal.encode([UInt8(truncatingIfNeeded: character)])
                continue
            }
            switch scalar {
            case "\"", "+", ",", ";", "<", ">", "\\": text += "\\"
            case "#" where index == 0: text += "\\"
            case " " where isAtEdge: text += "\\"
            case "\0":
                text += "\\00"
                continue
            default: break
            }
            text.unicodeScalars.append(scalar)
        }
    }

    /// The attribute names of RFC 4514 section 3, then names of RFC 4519, RFC 2985 and ETSI EN 319
    /// 412-1.
    private static let keywords = [
        "2.5.4.3": "CN", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.10": "O", "2.5.4.11": "OU",
        "2.5.4.6": "C", "2.5.4.9": "STREET", "0.9.2342.19200300.100.1.25": "DC",
        "0.9.2342.19200300.100.1.1": "UID",
        "2.5.4.4": "SN", "2.5.4.5": "serialNumber", "2.5.4.12": "title",
        "2.5.4.15": "businessCategory", "2.5.4.17": "postalCode", "2.5.4.42": "givenName",
        "2.5.4.46": "dnQualifier", "2.5.4.97": "organizationIdentifier",
        "1.2.840.113549.1.9.1": "emailAddress",
    ]
}
