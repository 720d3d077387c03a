import PolicyCompiler
package import TrustEngine

/// The certificates of a key store that holds no key.
package struct StoreFile: Hashable, Sendable {
    /// One entry.
    package struct Entry: Hashable, Sendable {
        /// The alias, safe in one line of text.
        let name: String
        /// Its line in the listing.
        let line: Range<Int>
        let content: Content
    }

    /// The content of an entry.
    package enum Content: Hashable, Sendable {
        /// The DER of a certificate, and whether the store marks it as trusted.
        case certificate([UInt8], isTrusted: Bool)
        /// An entry that is not an X.509 certificate, in words: `a CRL`.
        case other(String)
    }

    /// Whether the digest over the whole store was compared.
    package enum Integrity: Hashable, Sendable {
        case checked
        /// A password is needed for it.
        case withoutPassword
        /// The store has no digest.
        case absent
    }

    package let format: KeyStoreFile.Format
    package let entries: [Entry]
    package let integrity: Integrity
}

/// The reason why a store is refused.
struct StoreProblem: Error {
    let code: DiagnosticCode
    /// The fault and the remedy. Lower case, no full stop. Not escaped.
    let message: String
    /// The octet of the file, or of a decrypted part.
    let offset: Int
    let help: [String]

    init(_ code: DiagnosticCode, _ message: String, at offset: Int, help: [String] = []) {
        self.code = code
        self.message = message
        self.offset = offset
        self.help = help
    }

    /// The refusal of an entry with a private or secret key.
    static func key(_ name: String, at offset: Int) -> StoreProblem {
        StoreProblem(
            .storeWithKey,
            "the entry \(name.isEmpty ? "without a name" : "`\(name)`") is a private or secret key",
            at: offset,
            help: [
                "give a store of certificates only; a copy without the entry is made by "
                    + "`keytool -delete -alias ALIAS -keystore COPY`"
            ])
    }
}
