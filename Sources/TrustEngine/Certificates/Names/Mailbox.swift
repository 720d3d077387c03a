/// A mailbox in a certificate, `local@domain` (RFC 5280 section 4.2.1.6, which takes it from RFC
/// 2821 section 4.1.2).
package enum Mailbox {
    /// Offset of the `@`; nil when the octets are not a mailbox. A mailbox has exactly one `@`,
    /// printable ASCII before it, and a DNS name after it. *Deviation*: a quoted local part that
    /// contains another `@`, and an address literal as domain, are refused here, because readers
    /// disagree about where they end.
    package static func separator(_ mailbox: Span<UInt8>) -> Int? {
        var separator: Int?
        for index in mailbox.indices {
            guard (0x21...0x7E).contains(mailbox[index]) else { return nil }
            guard mailbox[index] == UInt8(ascii: "@") else { continue }
            guard separator == nil else { return nil }
            separator = index
        }
        guard let separator, separator > 0,
            DNSName.problem(mailbox.extracting(separator + 1..<mailbox.count)) == nil
        else { return nil }
        return separator
    }
}
