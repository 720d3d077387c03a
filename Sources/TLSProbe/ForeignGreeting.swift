/// Names the protocol of octets that a server sent where TLS was expected.
enum ForeignGreeting {
    /// A protocol that was recognised.
    enum Kind: Hashable {
        /// One that begins TLS when it is asked to.
        case startTLS(StartTLSProtocol)
        /// The greeting that SMTP and FTP have in common, without a word that tells them apart.
        case smtpOrFTP
        /// One that has no TLS on this port, by its name in a sentence.
        case other(String)
    }

    /// The most octets that are looked at.
    static let limit = 512

    /// The protocol of the first octets of a server, which may end anywhere; nil if they fit none.
    static func kind(of octets: [UInt8]) -> Kind? {
        let line = octets.prefix { $0 != 0x0A && $0 != 0x0D }
        func begins(_ text: String) -> Bool { octets.starts(with: text.utf8) }
        if begins("* OK") || begins("* PREAUTH") || begins("* BYE") { return .startTLS(.imap) }
        if begins("+OK") || begins("-ERR") { return .startTLS(.pop3) }
        if begins("SSH-") { return .other("SSH") }
        if begins("HTTP/") { return .other("plain HTTP") }
        if begins("RFB ") { return .other("VNC") }
        if isMySQL(octets) { return .startTLS(.mysql) }
        if isLDAP(octets) { return .startTLS(.ldap) }
        if isPostgres(octets) { return .startTLS(.postgres) }
        guard isReply(octets) else { return nil }
        if contains(line, "ftp") { return .startTLS(.ftp) }
        // RFC 5321 section 4.2: 554 and 421 instead of a greeting are replies of SMTP.
        if contains(line, "smtp") || begins("554") || begins("421") { return .startTLS(.smtp) }
        return begins("220") ? .smtpOrFTP : nil
    }

    /// The error for octets of another protocol than TLS; nil if they fit none that is known.
    static func error(_ octets: [UInt8]) -> ProbeError? {
        guard let kind = kind(of: octets) else { return nil }
        let line = Array(octets.prefix { $0 != 0x0A && $0 != 0x0D })
        let isText = line.allSatisfy { (0x20...0x7E).contains($0) }
        let greeting = isText && !line.isEmpty ? ": \(ClearText.quote(line))" : ""
        switch kind {
        case .startTLS(let known):
            return ProbeError(
                code: .notTLS,
                context: "the server speaks \(known.title), and TLS only when it is asked to"
                    + greeting, startTLS: [known])
        case .smtpOrFTP:
            return ProbeError(
                code: .notTLS,
                context:
                    "the server greets as SMTP and FTP do, and speaks TLS only when it is asked "
                    + "to" + greeting, startTLS: [.smtp, .ftp])
        case .other(let name):
            return ProbeError(
                code: .notTLS, context: "the server speaks \(name) on this port, not TLS" + greeting
            )
        }
    }

    /// Whether octets begin with a code of three digits, as replies of SMTP and FTP do.
    private static func isReply(_ octets: [UInt8]) -> Bool {
        octets.count > 3 && octets.prefix(3).allSatisfy { (0x30...0x39).contains($0) }
            && (octets[3] == UInt8(ascii: " ") || octets[3] == UInt8(ascii: "-"))
    }

    /// Protocol::HandshakeV10: a length of three octets, the number 0, and the version 10; or an
    /// error packet, 255.
    private static func isMySQL(_ octets: [UInt8]) -> Bool {
        guard octets.count > 5, octets[3] == 0, octets[0] > 8 || octets[1] > 0, octets[2] == 0
        else { return false }
        let isVersion = octets[5] == UInt8(ascii: "5") || (0x31...0x39).contains(octets[5])
        return octets[4] == 10 && isVersion || octets[4] == 0xFF
    }

    /// LDAPMessage with the number 0: the notice of disconnection (RFC 4511 section 4.4.1).
    private static func isLDAP(_ octets: [UInt8]) -> Bool {
        guard octets.first == 0x30, octets.count > 6 else { return false }
        let header = octets[1] < 0x80 ? 2 : 2 + Int(octets[1] & 0x7F)
        return octets.dropFirst(header).starts(with: [0x02, 0x01, 0x00, 0x78])
    }

    /// ErrorResponse of PostgreSQL: `E`, a length, and the field `S` with a severity; before
    /// protocol 3, `E` and a text.
    private static func isPostgres(_ octets: [UInt8]) -> Bool {
        guard octets.first == UInt8(ascii: "E"), octets.count > 6 else { return false }
        return octets[1] == 0 && octets[2] == 0 && octets[5] == UInt8(ascii: "S")
    }

    /// Whether a line has a word, in letters of either case.
    private static func contains(_ line: ArraySlice<UInt8>, _ word: String) -> Bool {
        let text = line.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let word = Array(word.utf8)
        guard text.count >= word.count else { return false }
        return (0...text.count - word.count).contains { start in
            text[start..<start + word.count].elementsEqual(word)
        }
    }
}
