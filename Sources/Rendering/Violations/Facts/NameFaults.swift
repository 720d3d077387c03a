import TrustEngine

/// Why no subtree of name constraints can hold a presented name. Violations hold a name as text
/// without its form, so that a text which is valid in any form has no fault here.
enum NameFaults {
    /// The fault of a URI, a mailbox, an address or the name of a host; nil for a name without
    /// fault and for names of other forms.
    static func fault(of name: String) -> String? {
        if name.contains("://") { return URISentences.fault(of: name) }
        // A text that is cut off, or a directory name.
        if name.hasSuffix("…") || name.contains("=") { return nil }
        if name.hasPrefix("an iPAddress of ") { return "is not an address" }
        let octets = Array(name.utf8)
        if name.contains("@") {
            return Mailbox.separator(octets.span) == nil ? "cannot be compared as a mailbox" : nil
        }
        if DNSName.presented(octets.span) != nil || IPAddress(text: name) != nil { return nil }
        return "is not the name of a host"
    }
}
