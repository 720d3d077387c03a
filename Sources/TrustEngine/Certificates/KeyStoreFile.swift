/// A container of certificates and keys: a Java key store (JKS, JCEKS), or PKCS#12 (RFC 7292). None
/// is read as a file of certificates. What stands unencrypted in it shows whether a key is inside.
package struct KeyStoreFile: Hashable, Sendable {
    package enum Format: Hashable, Sendable {
        case jks
        case jceks
        case pkcs12

        /// The name that keytool takes.
        package var name: String {
            switch self {
            case .jks: return "JKS"
            case .jceks: return "JCEKS"
            case .pkcs12: return "PKCS#12"
            }
        }
    }

    /// Whether a key is inside, as far as the octets prove it.
    package enum Keys: Hashable, Sendable {
        /// An entry of a private or secret key. The key itself is encrypted in most of them.
        case present
        /// Every entry was read: so many certificates, and nothing else.
        case absent(certificates: Int)
        /// Entries are encrypted, or of a form that is not read.
        case unknown
    }

    package let format: Format
    package let keys: Keys

    /// Nil for a file of another kind. Cost: linear in the octets.
    package init?(_ bytes: [UInt8]) {
        if let format = KeyStoreFile.javaFormat(bytes) {
            self.format = format
            keys = KeyStoreFile.javaKeys(bytes)
        } else if let safes = KeyStoreFile.safes(bytes) {
            format = .pkcs12
            keys = KeyStoreFile.keys(safes: safes)
        } else {
            return nil
        }
    }

    // MARK: Java

    private static func javaFormat(_ bytes: [UInt8]) -> Format? {
        guard bytes.count >= 12, let version = number(bytes, at: 4, octets: 4),
            (1...2).contains(version)
        else { return nil }
        switch number(bytes, at: 0, octets: 4) {
        case 0xFEED_FEED: return .jks
        case 0xCECE_CECE: return .jceks
        default: return nil
        }
    }

    /// Reads the entries of a Java key store: a tag, an alias and a date, then a key with its
    /// chain, or one certificate (`sun.security.provider.JavaKeyStore`). A digest of 20 octets ends
    /// the file.
    private static func javaKeys(_ bytes: [UInt8]) -> Keys {
        guard let version = number(bytes, at: 4, octets: 4),
            let count = number(bytes, at: 8, octets: 4)
        else { return .unknown }
        var at = 12
        /// Passes over a field that begins with its length.
        func skip(lengthOctets: Int) -> Bool {
            guard let length = number(bytes, at: at, octets: lengthOctets),
                length <= bytes.count - at - lengthOctets
            else { return false }
            at += lengthOctets + length
            return true
        }
        // Each entry takes octets, so a false count ends at the end of the file.
        for _ in 0..<count {
            guard let tag = number(bytes, at: at, octets: 4) else { return .unknown }
            at += 4
            guard tag == 2 else { return tag == 1 || tag == 3 ? .present : .unknown }
            guard skip(lengthOctets: 2), bytes.count - at >= 8 else { return .unknown }
            at += 8
            if version == 2, !skip(lengthOctets: 2) { return .unknown }
            guard skip(lengthOctets: 4) else { return .unknown }
        }
        return bytes.count - at == 20 ? .absent(certificates: count) : .unknown
    }

    /// A number in network order; nil past the end of the octets.
    private static func number(_ bytes: [UInt8], at start: Int, octets: Int) -> Int? {
        guard start >= 0, bytes.count - start >= octets else { return nil }
        return bytes[start..<start + octets].reduce(0) { $0 << 8 | Int($1) }
    }

    // MARK: PKCS#12

    /// The octets of the AuthenticatedSafe of a PFX (RFC 7292 section 4). Empty when they are in
    /// BER of indefinite lengths or cannot be read; nil for a file that is not a PFX.
    private static func safes(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.count > 6, bytes[0] == 0x30 else { return nil }
        let length = bytes[1] > 0x80 ? Int(bytes[1] - 0x80) : 0
        // The version 3, then a ContentInfo.
        guard bytes.dropFirst(2 + length).starts(with: [0x02, 1, 3, 0x30]) else { return nil }
        guard let pfx = element(bytes[...]), let version = element(pfx.content),
            let info = element(version.rest), let type = element(info.content),
            type.content.elementsEqual(data), let tagged = element(type.rest),
            let octets = element(tagged.content), octets.tag == 0x04,
            let safes = element(octets.content), safes.tag == 0x30
        else { return [] }
        return safes.content
    }

    /// The contents of the bags that are not encrypted.
    private static func keys(safes: ArraySlice<UInt8>) -> Keys {
        var rest = safes
        var certificates = 0
        var isWhole = !safes.isEmpty
        while !rest.isEmpty {
            guard let info = element(rest), let type = element(info.content) else {
                return .unknown
            }
            rest = info.rest
            guard type.content.elementsEqual(data), let tagged = element(type.rest),
                let octets = element(tagged.content), octets.tag == 0x04,
                let bags = element(octets.content), bags.tag == 0x30
            else {
                isWhole = false
                continue
            }
            var open = bags.content
            while !open.isEmpty {
                guard let bag = element(open), let kind = element(bag.content),
                    kind.content.dropLast().elementsEqual(bagTypes), let number = kind.content.last
                else {
                    isWhole = false
                    break
                }
                open = bag.rest
                switch number {
                // A key, an encrypted key, a secret.
                case 1, 2, 5: return .present
                case 3: certificates += 1
                // A CRL.
                case 4: break
                default: isWhole = false
                }
            }
        }
        return isWhole ? .absent(certificates: certificates) : .unknown
    }

    /// The content of the identifier of PKCS#7 data, 1.2.840.113549.1.7.1.
    private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
    /// The identifier of the types of bags without its last arc, 1.2.840.113549.1.12.10.1.
    private static let bagTypes: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 12, 10, 1]

    /// The first element of some octets, by its definite length; nil if they do not hold one.
    private static func element(
        _ bytes: ArraySlice<UInt8>
    ) -> (tag: UInt8, content: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        guard bytes.count >= 2 else { return nil }
        let start = bytes.startIndex
        var content = bytes.dropFirst(2)
        var length = Int(bytes[start + 1])
        if length >= 0x80 {
            let octets = length - 0x80
            guard (1...4).contains(octets), content.count >= octets else { return nil }
            length = content.prefix(octets).reduce(0) { $0 << 8 | Int($1) }
            content = content.dropFirst(octets)
        }
        guard length <= content.count else { return nil }
        return (bytes[start], content.prefix(length), content.dropFirst(length))
    }
}

extension KeyStoreFile {
    /// The kind of the file, in words that follow its name.
    package var words: String {
        switch keys {
        case .present:
            return "is a \(kind) with a private key in it"
        case .absent(let count):
            return
                "is a trust store in \(format == .pkcs12 ? "" : "Java's form ")\(format.name), with "
                + "\(count == 1 ? "1 certificate" : "\(count) certificates") and no key"
        case .unknown:
            return "is a \(kind), and its encryption hides whether a private key is in it"
        }
    }

    private var kind: String {
        switch format {
        case .jks, .jceks: return "Java key store (\(format.name))"
        case .pkcs12: return "PKCS#12 file"
        }
    }

    /// The commands that write the certificates as PEM and leave keys out.
    ///
    /// - Parameters:
    ///   - file: the file's path as a word of a shell.
    ///   - stem: a path without its ending, as the commands' files are named.
    func help(_ file: String, stem: (String) -> String) -> String {
        let new = stem(".plain.pem")
        switch format {
        case .jks, .jceks:
            let copy = stem(".plain.p12")
            return importHelp(file)
                + "`keytool -importkeystore -srckeystore \(file) -srcstoretype \(format.name) "
                + "-destkeystore \(copy) -deststoretype PKCS12`, then `openssl pkcs12 -in \(copy) "
                + "-nokeys -out \(new)` write its certificates as PEM; Java's own stores have the "
                + "password `changeit`"
        case .pkcs12:
            // keytool lists no certificate that OpenSSL has put into a PKCS#12 file.
            return importHelp(file)
                + "`openssl pkcs12 -in \(file) -nokeys -out \(new)` writes its certificates as PEM; with "
                + "`-legacy`, OpenSSL 3 also reads files of older programs"
        }
    }

    /// The command that makes a policy of a trust store; empty for a store with a key.
    private func importHelp(_ file: String) -> String {
        keys == .present
            ? "" : "`hawser import trust-store \(file) -o NEW` makes a policy of a trust store; "
    }
}
