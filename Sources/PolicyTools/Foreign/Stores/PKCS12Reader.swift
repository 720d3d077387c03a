import PolicyCompiler
import TrustEngine

/// Reads the certificates of a PKCS#12 file (RFC 7292). Bags with keys are found by their type, and
/// their content is not decrypted and not copied.
struct PKCS12Reader {
    private let password: StorePassword?
    private let crypto: any PasswordCryptography
    private let file: PKCS12Cursor
    private(set) var listing = StoreListing()
    private var entries: [StoreFile.Entry] = []
    /// Bags that have been read, of all parts.
    private var bags = 0

    /// The most bags of a file.
    private static let mostBags = 10_000
    /// The most parts of a file. Programs write one to three.
    private static let mostParts = 64
    /// The most bags of bags inside each other. Programs write none.
    private static let deepest = 4
    /// The most attributes of a bag that are read.
    private static let mostAttributes = 64

    init(_ bytes: [UInt8], password: StorePassword?, crypto: any PasswordCryptography) {
        self.password = password
        self.crypto = crypto
        file = PKCS12Cursor(bytes)
    }

    /// A part of the file that a password encrypts.
    private struct Locked {
        let offset: Int
        let algorithm: PKCS12Cursor
        let message: [UInt8]
    }

    mutating func read() throws(StoreProblem) -> StoreFile {
        var outer = file
        var pfx = try outer.enter(.sequence, "the file")
        try outer.finish("the file")
        let start = pfx.position
        guard try pfx.number("the version") == 3 else {
            throw file.fault("a version that is not 3", at: start)
        }
        var info = try pfx.enter(.sequence, "the contents")
        guard try info.identifier("the type of the contents") == PKCS12Identifier.data else {
            throw file.fault(
                "contents that are signed and not protected by a password", at: start)
        }
        var tagged = try info.enter(.constructed(0), "the contents")
        let octets = try tagged.next(.octetString, "the contents")
        let mac = try pfx.nextIfPresent(.sequence, "the MAC").map { pfx.inside($0) }
        try pfx.finish("the MAC")

        var (plain, locked) = try parts(octets)
        // A key that stands open is refused before a password is asked for.
        while let part = plain.popLast() { try readBags(part) }
        var keys = password.map { PKCS12Keys($0, crypto) }
        let integrity = try check(file.content(octets), mac, &keys)
        locked.reverse()
        while let part = locked.popLast() {
            guard let plain = try keys?.decrypt(part.message, part.algorithm) else {
                throw StoreProblem(
                    .storeLocked,
                    "a part of the PKCS#12 file is encrypted; no password was given",
                    at: part.offset,
                    help: [
                        "give the password with `--password-file` or `--password-env`; "
                            + "`--changeit` takes the password of Java's own stores"
                    ])
            }
            try readBags(
                PKCS12Cursor(plain, part: "of the encrypted part at octet \(part.offset)"))
        }
        return StoreFile(format: .pkcs12, entries: entries, integrity: integrity)
    }

    /// The parts of the file: those that stand open, the last first, and those that are encrypted.
    private func parts(
        _ octets: DERElement
    ) throws(StoreProblem) -> (plain: [PKCS12Cursor], locked: [Locked]) {
        var content = file.inside(octets)
        var list = try content.enter(.sequence, "the list of parts")
        try content.finish("the list of parts")
        var plain: [PKCS12Cursor] = []
        var locked: [Locked] = []
        while !list.isAtEnd {
            let start = list.position
            guard plain.count + locked.count < Self.mostParts else {
                throw file.fault("more than \(Self.mostParts) parts", at: start)
            }
            var info = try list.enter(.sequence, "a part")
            let type = try info.identifier("the type of a part")
            var tagged = try info.enter(.constructed(0), "a part")
            switch type {
            case PKCS12Identifier.data:
                plain.append(try tagged.enter(.octetString, "a part"))
            case PKCS12Identifier.encrypted:
                locked.append(try self.locked(&tagged, at: start))
            case PKCS12Identifier.enveloped:
                throw file.fault("a part that is encrypted for a key", at: start)
            default: throw file.fault("a part of an unknown type", at: start)
            }
        }
        return (plain.reversed(), locked)
    }

    private func locked(
        _ tagged: inout PKCS12Cursor, at start: Int
    ) throws(StoreProblem) -> Locked {
        var data = try tagged.enter(.sequence, "an encrypted part")
        _ = try data.number("the version of an encrypted part")
        var content = try data.enter(.sequence, "an encrypted part")
        guard try content.identifier("the type of an encrypted part") == PKCS12Identifier.data
        else { throw file.fault("an encrypted part of an unknown type", at: start) }
        let algorithm = try content.enter(.sequence, "the encryption")
        let message = try content.next(.primitive(0), "the encrypted octets")
        return Locked(offset: start, algorithm: algorithm, message: file.content(message))
    }

    private func check(
        _ message: [UInt8], _ mac: PKCS12Cursor?, _ keys: inout PKCS12Keys?
    ) throws(StoreProblem) -> StoreFile.Integrity {
        guard let mac else { return .absent }
        guard keys != nil else { return .withoutPassword }
        try keys?.check(message, mac)
        return .checked
    }

    // MARK: Bags

    /// Reads the bags of a part. Bags of bags are put off, so nothing recurses.
    private mutating func readBags(_ part: PKCS12Cursor) throws(StoreProblem) {
        var pending = [(cursor: part, depth: 0)]
        while let next = pending.popLast() {
            var cursor = next.cursor
            var list = try cursor.enter(.sequence, "a list of bags")
            try cursor.finish("a list of bags")
            while !list.isAtEnd {
                bags += 1
                guard bags <= Self.mostBags else {
                    throw list.fault("more than \(Self.mostBags) bags", at: list.position)
                }
                guard let inner = try readBag(&list) else { continue }
                guard next.depth < Self.deepest else {
                    throw list.fault(
                        "more than \(Self.deepest) bags of bags inside each other",
                        at: list.position)
                }
                pending.append((inner, next.depth + 1))
            }
        }
    }

    /// Reads a bag; returns the content of a bag of bags.
    private mutating func readBag(
        _ list: inout PKCS12Cursor
    ) throws(StoreProblem) -> PKCS12Cursor? {
        let start = list.position
        var bag = try list.enter(.sequence, "a bag")
        let type = try bag.identifier("the type of a bag")
        let value = try bag.next(.constructed(0), "the content of a bag")
        let attributes = try self.attributes(&bag)
        guard type.dropLast().elementsEqual(PKCS12Identifier.bags) else {
            add(attributes, .other("a bag of an unknown type"), list, start)
            return nil
        }
        switch type.last {
        // A key, an encrypted key, a secret.
        case 1, 2, 5: throw StoreProblem.key(attributes.name, at: start)
        case 3:
            var content = bag.inside(value)
            var certificate = bag.inside(try content.next(.sequence, "a bag of a certificate"))
            guard
                try certificate.identifier("the type of a certificate")
                    == PKCS12Identifier.x509Certificate
            else {
                add(attributes, .other("a certificate that is not X.509"), list, start)
                return nil
            }
            var tagged = try certificate.enter(.constructed(0), "a certificate")
            let der = tagged.content(try tagged.next(.octetString, "a certificate"))
            add(attributes, .certificate(der, isTrusted: attributes.isTrusted), list, start)
            return nil
        case 4:
            add(attributes, .other("a CRL"), list, start)
            return nil
        case 6: return bag.inside(value)
        default:
            add(attributes, .other("a bag of an unknown type"), list, start)
            return nil
        }
    }

    private mutating func add(
        _ attributes: Attributes, _ content: StoreFile.Content, _ list: PKCS12Cursor, _ start: Int
    ) {
        let what: String
        switch content {
        case .certificate(let der, let isTrusted):
            what = "\(isTrusted ? "trusted certificate" : "certificate"), \(der.count) octets"
        case .other(let words): what = words
        }
        let name = attributes.name.isEmpty ? "" : " `\(attributes.name)`"
        let line = listing.add("\(list.place(start)):\(name) \(what)")
        entries.append(StoreFile.Entry(name: attributes.name, line: line, content: content))
    }

    private struct Attributes {
        var name = ""
        /// Whether Java's mark of a trusted certificate is there.
        var isTrusted = false
    }

    private func attributes(_ bag: inout PKCS12Cursor) throws(StoreProblem) -> Attributes {
        var found = Attributes()
        guard let element = try bag.nextIfPresent(.set, "the attributes of a bag") else {
            return found
        }
        var list = bag.inside(element)
        for _ in 0..<Self.mostAttributes where !list.isAtEnd {
            var attribute = try list.enter(.sequence, "an attribute")
            let identifier = try attribute.identifier("the type of an attribute")
            var values = try attribute.enter(.set, "the values of an attribute")
            switch identifier {
            case PKCS12Identifier.trustedKeyUsage: found.isTrusted = true
            case PKCS12Identifier.friendlyName:
                guard let text = try values.nextIfPresent(.bmpString, "a name") else { continue }
                found.name = Self.name(values.content(text))
            default: break
            }
        }
        return found
    }

    /// A name in UTF-16.
    private static func name(_ octets: [UInt8]) -> String {
        let units = stride(from: 0, to: min(octets.count, 1024) - 1, by: 2).map {
            UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
        }
        return StoreListing.safe(String(decoding: units, as: UTF16.self))
    }
}
