import TrustEngine

/// Asks a server to begin TLS, in the words of a protocol. When `begin` returns, the server waits
/// for the first octet of TLS, and has sent nothing beyond its consent.
enum StartTLS {
    static func begin(
        _ kind: StartTLSProtocol, on descriptor: Int32, deadline: Deadline
    ) throws(ProbeError) {
        var text = ClearText(descriptor: descriptor, deadline: deadline)
        switch kind {
        case .smtp: try smtp(&text)
        case .imap: try imap(&text)
        case .pop3: try pop3(&text)
        case .ldap: try ldap(&text)
        case .ftp: try ftp(&text)
        case .postgres: try postgres(&text)
        case .mysql: try mysql(&text)
        }
        try text.end()
    }

    // MARK: SMTP

    /// RFC 5321 section 3.1: the server's greeting. Section 3.2: EHLO, and the extensions that the
    /// server has. RFC 3207 section 4: STARTTLS, which is answered by 220. The name that EHLO wants
    /// never resolves (RFC 2606 section 2).
    private static func smtp(_ text: inout ClearText) throws(ProbeError) {
        _ = try reply(&text, wanted: "220", "the server does not greet")
        try text.send(line: "EHLO hawser.invalid")
        let extensions = try reply(&text, wanted: "250", "the server refuses EHLO")
        guard
            extensions.dropFirst().contains(where: {
                isWord("STARTTLS", Array($0.prefix { $0 != UInt8(ascii: " ") }))
            })
        else {
            throw ClearText.refused("the server does not offer STARTTLS")
        }
        try text.send(line: "STARTTLS")
        _ = try reply(&text, wanted: "220", "the server refuses STARTTLS")
    }

    /// The texts of a reply of one or more lines (RFC 5321 section 4.2.1): all have the same code,
    /// and `-` behind the code says that another line follows.
    private static func reply(
        _ text: inout ClearText, wanted: String, _ refusal: String
    ) throws(ProbeError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var code: [UInt8]?
        while true {
            let line = try text.line()
            let start = Array(line.prefix(3))
            let follows = line.count > 3 && line[3] == UInt8(ascii: "-")
            guard start.count == 3, start.allSatisfy({ (0x30...0x39).contains($0) }),
                line.count == 3 || follows || line[3] == UInt8(ascii: " "),
                code == nil || code == start
            else { throw ClearText.broken("\(ClearText.quote(line)), which is no reply of SMTP") }
            code = start
            lines.append(Array(line.dropFirst(4)))
            guard !follows else { continue }
            guard start.elementsEqual(wanted.utf8) else { throw ClearText.refused(refusal, line) }
            return lines
        }
    }

    // MARK: FTP

    /// RFC 959 section 5.4: the server's greeting, 220. RFC 4217 section 4: AUTH TLS, which is
    /// answered by 234. A reply of several lines may have lines without a code between its first
    /// and its last line (RFC 959 section 4.2).
    private static func ftp(_ text: inout ClearText) throws(ProbeError) {
        try replyOfFTP(&text, wanted: "220", "the server does not greet")
        try text.send(line: "AUTH TLS")
        try replyOfFTP(&text, wanted: "234", "the server refuses AUTH TLS")
    }

    private static func replyOfFTP(
        _ text: inout ClearText, wanted: String, _ refusal: String
    ) throws(ProbeError) {
        let first = try text.line()
        let code = Array(first.prefix(3))
        guard code.count == 3, code.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw ClearText.broken("\(ClearText.quote(first)), which is not a reply of FTP")
        }
        if first.count > 3, first[3] == UInt8(ascii: "-") {
            let end = code + [UInt8(ascii: " ")]
            // `ClearText` bounds the octets of all lines.
            while !(try text.line().starts(with: end)) {}
        }
        guard code.elementsEqual(wanted.utf8) else { throw ClearText.refused(refusal, first) }
    }

    // MARK: IMAP

    /// RFC 9051 section 7.1: the greeting `* OK`; after `* PREAUTH` STARTTLS is not allowed, and
    /// `* BYE` ends the connection. Section 6.2.1: STARTTLS, answered by a tagged OK. Untagged
    /// responses may come at any time (section 7).
    private static func imap(_ text: inout ClearText) throws(ProbeError) {
        let greeting = try text.line()
        guard hasPrefix("* OK", greeting) else {
            guard hasPrefix("* ", greeting) else {
                throw ClearText.broken("\(ClearText.quote(greeting)), which is no greeting of IMAP")
            }
            throw ClearText.refused("the server does not let a client begin TLS", greeting)
        }
        try text.skipLines { hasPrefix("* ", $0) }
        try text.send(line: "hawser1 STARTTLS")
        while true {
            let line = try text.line()
            if hasPrefix("* ", line) { continue }
            guard hasPrefix("hawser1 ", line) else {
                throw ClearText.broken("\(ClearText.quote(line)), which is no response of IMAP")
            }
            guard hasPrefix("hawser1 OK ", line) || isWord("hawser1 OK", line) else {
                throw ClearText.refused("the server refuses STARTTLS", line)
            }
            return
        }
    }

    // MARK: POP3

    /// RFC 1939 section 4: the greeting `+OK`. RFC 2595 section 4: STLS, answered by `+OK`.
    private static func pop3(_ text: inout ClearText) throws(ProbeError) {
        try answerOfPOP3(&text, "the server does not greet")
        try text.send(line: "STLS")
        try answerOfPOP3(&text, "the server refuses STLS")
    }

    private static func answerOfPOP3(
        _ text: inout ClearText, _ refusal: String
    ) throws(ProbeError) {
        let line = try text.line()
        if hasPrefix("+OK ", line) || isWord("+OK", line) { return }
        guard hasPrefix("-ERR", line) else {
            throw ClearText.broken("\(ClearText.quote(line)), which is no response of POP3")
        }
        throw ClearText.refused(refusal, line)
    }

    // MARK: LDAP

    /// RFC 4511 section 4.14.1: an ExtendedRequest with the name of StartTLS. Section 4.14.2: its
    /// ExtendedResponse, with the result `success`.
    private static func ldap(_ text: inout ClearText) throws(ProbeError) {
        // LDAPMessage { messageID 1, ExtendedRequest [APPLICATION 23] { requestName [0] } }
        let name: [UInt8] = [0x80, UInt8(nameOfStartTLS.count)] + nameOfStartTLS
        let body: [UInt8] = [0x02, 0x01, 0x01, 0x77, UInt8(name.count)] + name
        try text.send([0x30, UInt8(body.count)] + body)
        var message = BERReader(try LDAPMessage.octets(&text))
        guard let number = message.element(0x02), let response = message.element(0x78),
            message.skip(0xA0), message.isAtEnd
        else { throw ClearText.broken("no ExtendedResponse of LDAP") }
        let id = number.drop { $0 == 0 }
        guard id.elementsEqual([1]) else {
            // RFC 4511 section 4.4: messages without a question have the number 0.
            throw id.isEmpty
                ? ClearText.refused("the server ends the connection before TLS")
                : ClearText.broken("the response of LDAP to another message")
        }
        // LDAPResult { resultCode, matchedDN, diagnosticMessage, … }
        var result = BERReader(response)
        guard let code = result.element(0x0A), code.count == 1, result.element(0x04) != nil,
            let diagnostic = result.element(0x04)
        else { throw ClearText.broken("no ExtendedResponse of LDAP") }
        guard code == [0] else {
            throw ClearText.refused(
                "the server refuses StartTLS with result \(code[0])", diagnostic)
        }
        // responseName [10], which may be absent.
        if let named = result.element(0x8A), named != nameOfStartTLS {
            throw ClearText.broken("the ExtendedResponse of another operation")
        }
    }

    /// The LDAPOID of StartTLS.
    private static let nameOfStartTLS = Array("1.3.6.1.4.1.1466.20037".utf8)

    // MARK: PostgreSQL

    /// SSLRequest: the length 8 and the code 80877103. The server answers with one octet: `S` for
    /// yes, `N` for no, and `E` begins an error message of a server that knows no SSLRequest.
    private static func postgres(_ text: inout ClearText) throws(ProbeError) {
        try text.send([0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F])
        let answer = try text.octets(1)
        switch answer[0] {
        case UInt8(ascii: "S"): return
        case UInt8(ascii: "N"), UInt8(ascii: "E"):
            throw ClearText.refused("the server refuses TLS", answer)
        default:
            throw ClearText.broken("\(ClearText.quote(answer)), which is no answer to SSLRequest")
        }
    }

    // MARK: MySQL

    /// Protocol::HandshakeV10, which the server sends first: its version ends with a zero octet;
    /// behind it stand 4 octets of a connection's number, 8 of a challenge, a filler, and the lower
    /// half of the capabilities. Protocol::SSLRequest of 32 octets: the client's capabilities, the
    /// longest packet, a character set and a filler. The server does not answer it.
    private static func mysql(_ text: inout ClearText) throws(ProbeError) {
        let header = try text.octets(4)
        let count = Int(header[0]) | Int(header[1]) << 8 | Int(header[2]) << 16
        guard (1...4_096).contains(count), header[3] == 0 else {
            throw ClearText.broken("no handshake packet of MySQL")
        }
        let packet = try text.octets(count)
        guard packet[0] != 0xFF else {
            throw ClearText.refused("the server refuses the connection", Array(packet.dropFirst(3)))
        }
        guard packet[0] == 10, let end = packet.dropFirst().firstIndex(of: 0),
            packet.count >= end + 16
        else { throw ClearText.broken("no handshake packet of MySQL") }
        let capabilities = UInt32(packet[end + 14]) | UInt32(packet[end + 15]) << 8
        guard capabilities & clientSSL != 0 else {
            throw ClearText.refused("the server does not offer TLS")
        }
        // CLIENT_PROTOCOL_41, CLIENT_SSL, CLIENT_SECURE_CONNECTION and CLIENT_PLUGIN_AUTH.
        let flags: UInt32 = 0x0200 | clientSSL | 0x8000 | 0x80000
        let longest: UInt32 = 1 << 24
        let utf8: UInt8 = 33
        let request = [flags, longest].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
        }
        try text.send(
            [32, 0, 0, 1] + request + [utf8] + [UInt8](repeating: 0, count: 23))
    }

    /// CLIENT_SSL.
    private static let clientSSL: UInt32 = 0x0800

    // MARK: Words

    /// Whether a line begins with a text; letters of either case.
    private static func hasPrefix(_ prefix: String, _ line: [UInt8]) -> Bool {
        isWord(prefix, Array(line.prefix(prefix.utf8.count)))
    }

    private static func isWord(_ word: String, _ octets: [UInt8]) -> Bool {
        octets.map(DNSName.folded).elementsEqual(word.utf8.map(DNSName.folded))
    }
}

/// Reads an LDAPMessage from a connection.
private enum LDAPMessage {
    /// The content of the next message. RFC 4511 section 5.1: lengths are definite, and may have
    /// more octets than they need.
    static func octets(_ text: inout ClearText) throws(ProbeError) -> [UInt8] {
        let start = try text.octets(2)
        guard start[0] == 0x30 else { throw ClearText.broken("no message of LDAP") }
        var count = Int(start[1])
        if count > 0x80 {
            guard count <= 0x84 else { throw ClearText.broken("no message of LDAP") }
            count = try text.octets(count & 0x7F).reduce(0) { $0 << 8 | Int($1) }
        } else if count == 0x80 {
            throw ClearText.broken("a message of LDAP without a length")
        }
        guard count <= 4_096 else { throw ClearText.broken("a message of \(count) octets") }
        return try text.octets(count)
    }
}

/// Reads elements of BER with definite lengths, from the first to the last.
private struct BERReader {
    private var rest: ArraySlice<UInt8>

    init(_ octets: [UInt8]) { rest = octets[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Leaves out the next element if it has this tag, such as the controls of a message (RFC 4511
    /// section 4.1.1). False where it has the tag and is broken.
    mutating func skip(_ tag: UInt8) -> Bool { rest.first != tag || element(tag) != nil }

    /// The content of the next element, if it has this tag; otherwise nothing is taken.
    mutating func element(_ tag: UInt8) -> [UInt8]? {
        var next = rest
        guard next.popFirst() == tag, let first = next.popFirst(), first != 0x80, first <= 0x84
        else { return nil }
        var count = Int(first)
        if first > 0x80 {
            guard next.count >= first & 0x7F else { return nil }
            count = next.prefix(Int(first & 0x7F)).reduce(0) { $0 << 8 | Int($1) }
            next = next.dropFirst(Int(first & 0x7F))
        }
        guard next.count >= count else { return nil }
        rest = next.dropFirst(count)
        return Array(next.prefix(count))
    }
}
