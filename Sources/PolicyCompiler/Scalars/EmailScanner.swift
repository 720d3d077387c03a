/// Reads e-mail addresses for `identity.email`. The local part stays as written; the domain becomes
/// canonical.
package enum EmailScanner {
    /// The most octets of the local part (RFC 5321 section 4.5.3.1.1).
    private static let localLimit = 64

    /// Reads an address. The local part is a dot-string of RFC 5321 section 4.1.2. Quoted local
    /// parts, address literals and local parts outside ASCII are refused.
    ///
    /// - Throws: HW103 for the local part and for the form, HW201 for the domain; HW014, HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> ScannedName {
        try ScalarProblem.requireText(text, of: "the e-mail address")
        let quoted = ScalarProblem.quote(text)
        let bytes = Array(text.utf8)
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else {
            throw ScalarProblem(
                .unknownValue, "\(quoted) is not an e-mail address: it has no `@`",
                help: ["write for example `ca@corp.example`"])
        }
        guard at > 0, at < bytes.count - 1 else {
            throw ScalarProblem(
                .unknownValue,
                "\(quoted) is not an e-mail address: nothing stands \(at == 0 ? "before" : "after") "
                    + "its `@`", range: at..<at + 1)
        }
        try requireLocalPart(bytes[..<at], quoted)
        if bytes[at + 1] == UInt8(ascii: "[") {
            throw ScalarProblem(
                .badHost, "\(quoted) has an address after its `@`, where a name is wanted",
                range: at + 1..<bytes.count)
        }
        let domain = try DomainName.scan(at + 1..<bytes.count, of: text)
        let local = String(decoding: bytes[..<at], as: UTF8.self)
        let canonical = "\(local)@\(domain.canonical)"
        return ScannedName(
            canonicalText: canonical, isCanonical: canonical == text,
            unicodeText: domain.unicode.map { "\(local)@\($0)" })
    }

    private static func requireLocalPart(
        _ local: ArraySlice<UInt8>, _ quoted: String
    ) throws(ScalarProblem) {
        if let at = local.firstIndex(where: { !isLocalByte($0) }) {
            throw ScalarProblem(
                .unknownValue,
                "\(quoted) has a local part with a character that is not a letter, a digit, a dot "
                    + "or one of ``!#$%&'*+-/=?^_`{|}~``",
                range: at..<at + 1)
        }
        let dot = UInt8(ascii: ".")
        let atoms = local.split(separator: dot, omittingEmptySubsequences: false)
        if let empty = atoms.first(where: \.isEmpty) {
            throw ScalarProblem(
                .unknownValue,
                "\(quoted) has a dot in its local part that does not stand between two characters",
                range: max(empty.startIndex - 1, 0)..<max(empty.startIndex, 1))
        }
        guard local.count <= localLimit else {
            throw ScalarProblem(
                .unknownValue,
                "\(quoted) has a local part of \(local.count) octets; it has at most \(localLimit)",
                range: 0..<local.count)
        }
    }

    /// A byte of `atext` (RFC 5322 section 3.2.3), or the dot between atoms.
    private static func isLocalByte(_ byte: UInt8) -> Bool {
        DecimalNumber.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) && byte < 0x80
            || ".!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }
}
