import PolicyCompiler
import TrustEngine

/// Reads a Java key store, JKS or JCEKS: a magic number, a version, the number of entries, the
/// entries, and a digest of 20 octets. The source of the format is OpenJDK,
/// `sun.security.provider.JavaKeyStore` and `com.sun.crypto.provider.JceKeyStore`.
///
/// The reader stops at the first key. No octet of a key is copied.
struct JavaStoreReader {
    private let bytes: [UInt8]
    private let format: KeyStoreFile.Format
    private let password: StorePassword?
    private let crypto: any CryptoBackend
    private var at = 0
    private(set) var listing = StoreListing()
    private var entries: [StoreFile.Entry] = []

    /// The text before the store in its digest.
    private static let whitener = Array("Mighty Aphrodite".utf8)
    private static let digestOctets = 20
    /// The most entries. Stores of public CAs have 150.
    private static let mostEntries = 10_000

    init(
        _ bytes: [UInt8], format: KeyStoreFile.Format, password: StorePassword?,
        crypto: any CryptoBackend
    ) {
        self.bytes = bytes
        self.format = format
        self.password = password
        self.crypto = crypto
    }

    mutating func read() throws(StoreProblem) -> StoreFile {
        at = 4
        let version = try number(4, "version")
        guard version == 1 || version == 2 else {
            throw fault("version \(version); versions 1 and 2 are read", 4)
        }
        let count = try number(4, "number of entries")
        guard count <= Self.mostEntries else {
            throw fault("\(count) entries; at most \(Self.mostEntries) are read", 8)
        }
        for _ in 0..<count { try readEntry(version) }
        guard bytes.count - at == Self.digestOctets else {
            throw fault(
                "\(bytes.count - at) octets follow the entries; the digest has "
                    + "\(Self.digestOctets)", at)
        }
        return StoreFile(format: format, entries: entries, integrity: try checkDigest())
    }

    private mutating func readEntry(_ version: Int) throws(StoreProblem) {
        let start = at
        let tag = try number(4, "kind of an entry")
        let aliasPlace = try field(2, "alias")
        let alias = StoreListing.safe(String(decoding: bytes[aliasPlace], as: UTF8.self))
        guard tag == 2 else {
            guard tag == 1 || tag == 3 else {
                throw fault("an entry of kind \(tag); kinds 1 to 3 exist", start)
            }
            throw StoreProblem.key(alias, at: start)
        }
        _ = try number(8, "date of an entry")
        var type = "X.509"
        if version == 2 {
            let place = try field(2, "certificate type")
            type = StoreListing.safe(String(decoding: bytes[place], as: UTF8.self))
        }
        let der = try field(4, "certificate")
        let isX509 = type == "X.509" || type == "X509"
        let what = isX509 ? "trusted certificate" : "certificate of type \(type)"
        let line = listing.add("octet \(start): \(what) `\(alias)`, \(der.count) octets")
        entries.append(
            StoreFile.Entry(
                name: alias, line: line,
                content: isX509
                    ? .certificate(Array(bytes[der]), isTrusted: true)
                    : .other("a certificate of type `\(type)`")))
    }

    private func checkDigest() throws(StoreProblem) -> StoreFile.Integrity {
        guard let password else { return .withoutPassword }
        let digested = password.utf16 + Self.whitener + bytes[..<at]
        guard let digest = crypto.identifierSHA1(of: digested.span) else { return .withoutPassword }
        guard digest.octets.elementsEqual(bytes[at...]) else {
            throw StoreProblem(
                .storePassword,
                "the digest of the store does not fit: the password is wrong, or the file was "
                    + "changed", at: at)
        }
        return .checked
    }

    // MARK: Fields

    private func fault(_ message: String, _ offset: Int) -> StoreProblem {
        StoreProblem(.storeUnreadable, "the store in \(format.name): \(message)", at: offset)
    }

    /// A number in network order.
    private mutating func number(_ octets: Int, _ what: String) throws(StoreProblem) -> Int {
        guard bytes.count - at >= octets else { throw fault("it ends inside the \(what)", at) }
        let value = bytes[at..<at + octets].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        at += octets
        return Int(truncatingIfNeeded: value)
    }

    /// The place of a field that begins with its length.
    private mutating func field(
        _ lengthOctets: Int, _ what: String
    ) throws(StoreProblem) -> Range<Int> {
        let start = at
        let length = try number(lengthOctets, what)
        guard length <= bytes.count - at else {
            throw fault("the \(what) has \(length) octets, and the file ends before", start)
        }
        defer { at += length }
        return at..<at + length
    }
}
