import TrustEngine

/// Why a presented name cannot be compared with name constraints. Violations hold a name as text
/// without its form. A text that is a right name of one form is not explained.
enum NameFaults {
    /// The fault of a mailbox, an address or the name of a host; nil where the name has none, and
    /// for names of other forms.
    static func fault(of name: String) -> String? {
        // Cut off, a URI, or a directory name.
        if name.hasSuffix("…") || name.contains("://") || name.contains("=") { return nil }
        if name.hasPrefix("an iPAddress of ") { return "is not an address" }
        let octets = Array(name.utf8)
        if name.contains("@") {
            return Mailbox.separator(octets.span) == nil ? "cannot be compared as a mailbox" : nil
        }
        if DNSName.presented(octets.span) != nil || IPAddress(text: name) != nil { return nil }
        return "is not the name of a host"
    }
}
