import PolicyReading
package import TrustEngine

/// Writes pins as a policy writes them, ready to paste. A comment at each pin says whose key it is.
package enum PinText {
    /// The key that a pin is made from.
    package struct Item: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case endEntity = "end-entity"
            case authority
            case key
            case request
        }

        package let kind: Kind
        /// The file or server that the key was read from.
        package let source: String
        package let subject: String?
        package let notAfter: UTCInstant?
        /// SHA-256 of the SubjectPublicKeyInfo.
        package let spki: Digest
        /// SHA-256 of the certificate; nil where the key has no certificate.
        package let certificate: Digest?

        package init(
            kind: Kind, source: String, subject: String?, notAfter: UTCInstant?, spki: Digest,
            certificate: Digest?
        ) {
            self.kind = kind
            self.source = source
            self.subject = subject
            self.notAfter = notAfter
            self.spki = spki
            self.certificate = certificate
        }
    }

    /// The map of a pin set that the lines belong into.
    package enum Section: String, Hashable, Sendable {
        case keys, backups
    }

    /// YAML lines for a pin set, each ended by a line feed. Subjects stand in comments, escaped so
    /// that no comment can end early.
    package static func render(_ items: [Item], section: Section) -> String {
        var text = "\(section.rawValue):\n"
        var taken: Set<String> = []
        for item in items {
            let id = id(of: item, besides: &taken)
            text += "  # " + TerminalEscape.escape(words(item)) + "\n"
            text += "  \(id): { spki: \(spki(item))\(position(item)) }\n"
            if let certificate = item.certificate {
                text += "  # this very certificate alone: "
                text += "\(id): { certificate: \(certificate.text)\(position(item)) }\n"
            }
        }
        return text
    }

    /// The same pins as JSON, ended by a line feed.
    package static func renderJSON(_ items: [Item], section: Section) -> String {
        var taken: Set<String> = []
        let pins = items.map { item -> JSONValue in
            .object([
                "id": id(of: item, besides: &taken), "kind": item.kind.rawValue,
                "source": item.source, "subject": item.subject?.json ?? .null,
                "notAfter": item.notAfter?.description.json ?? .null, "spki": spki(item),
                "spkiHex": item.spki.hex, "certificate": item.certificate?.text.json ?? .null,
            ])
        }
        return JSONValue.object([
            "schema": "hawser/pin/1", "section": section.rawValue, "pins": pins,
        ]).render(pretty: true) + "\n"
    }

    private static func spki(_ item: Item) -> String {
        KeyMatch(kind: .spki, digest: item.spki).text
    }

    private static func words(_ item: Item) -> String {
        let subject =
            item.subject.map {
                " \(Words.shortened($0.isEmpty ? "(no subject)" : $0, to: 120))"
            } ?? ""
        let until = item.notAfter.map { ", until \($0)" } ?? ""
        switch item.kind {
        case .endEntity: return "certificate\(subject)\(until), from \(item.source)"
        case .authority: return "authority\(subject)\(until), from \(item.source)"
        case .key: return "public key from \(item.source)"
        case .request: return "certification request from \(item.source)"
        }
    }

    private static func position(_ item: Item) -> String {
        switch item.kind {
        case .endEntity: return ", at: leaf"
        case .authority: return ", at: ca"
        case .key, .request: return ""
        }
    }

    /// Makes an id of the language (section 3) from the first name of the subject or from the
    /// file's name.
    private static func id(of item: Item, besides taken: inout Set<String>) -> String {
        let name =
            item.subject.map { Words.shortSubject($0) }
            ?? String(item.source.split(separator: "/").last ?? "")
        var id = ""
        for byte in name.utf8.drop(while: { $0 != UInt8(ascii: "=") }).dropFirst().prefix(48) {
            append(byte, to: &id)
        }
        if id.isEmpty { for byte in name.utf8.prefix(48) { append(byte, to: &id) } }
        while id.last == "-" { id.removeLast() }
        if id.isEmpty || id.first?.isNumber == true { id = id.isEmpty ? "key" : "key-\(id)" }
        var unique = id
        var number = 2
        while !taken.insert(unique).inserted {
            unique = "\(id)-\(number)"
            number += 1
        }
        return unique
    }

    private static func append(_ byte: UInt8, to id: inout String) {
        switch byte {
        case 0x61...0x7A, 0x30...0x39: id.unicodeScalars.append(Unicode.Scalar(byte))
        case 0x41...0x5A: id.unicodeScalars.append(Unicode.Scalar(byte + 0x20))
        default: if !id.isEmpty, id.last != "-" { id += "-" }
        }
    }
}
