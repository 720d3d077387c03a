/// The password of a store.
package struct StorePassword: Sendable {
    private let text: String

    /// The longest password, in octets of UTF-8. Longer ones do not occur, and each octet costs
    /// time in each derivation of PKCS#12.
    private static let longest = 1024

    /// Nil for a text that is too long.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        self.text = text
    }

    /// The password of Java's own trust stores, which is public.
    package static let javaDefault = StorePassword(known: "changeit")

    private init(known text: String) { self.text = text }

    /// UTF-8, as PBES2 takes it in PKCS#12.
    var utf8: [UInt8] { Array(text.utf8) }

    /// UTF-16 in network order, as Java's digest takes it.
    var utf16: [UInt8] { text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }

    /// UTF-16 in network order with two zero octets at the end (RFC 7292 appendix B.1).
    var terminated: [UInt8] { utf16 + [0, 0] }
}
