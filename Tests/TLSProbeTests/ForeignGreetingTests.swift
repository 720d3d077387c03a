import Testing

@testable import TLSProbe

/// Servers of other protocols that are asked for TLS at once.
@Suite("what a server says that speaks another protocol", .timeLimit(.minutes(5)))
struct ForeignGreetingTests {
    private typealias Row = (
        first: [ScriptedServer.Step], startTLS: [StartTLSProtocol], says: String
    )

    private static let mysql: [UInt8] =
        [74, 0, 0, 0, 10] + Array("8.0.36".utf8) + [UInt8](repeating: 0, count: 67)
    private static let ldap: [UInt8] = [
        0x30, 0x24, 0x02, 0x01, 0x00, 0x78, 0x1F, 0x0A, 0x01, 0x02, 0x04, 0x00, 0x04, 0x00,
    ]
    private static let postgres: [UInt8] =
        [UInt8(ascii: "E"), 0, 0, 0, 40] + Array("SFATAL".utf8) + [0] + Array("C0A000".utf8) + [0]

    private static func probe(_ steps: [ScriptedServer.Step]) -> ProbeError? {
        let server = ScriptedServer(steps)
        defer { server.stop() }
        do throws(ProbeError) {
            _ = try TLSConnection.probe(
                address: "127.0.0.1", port: server.port, serverName: "localhost",
                timeoutSeconds: 20)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "its protocol is named, and asked for by `--starttls`",
        arguments: [
            ([.say("220 mail.example ESMTP Postfix\r\n")], [.smtp], "speaks SMTP"),
            ([.say("220-mail.example\r\n220 smtp\r\n")], [.smtp, .ftp], "as SMTP and FTP do"),
            ([.say("554 no SMTP service here\r\n")], [.smtp], "speaks SMTP"),
            ([.say("220 (vsFTPd 3.0.5)\r\n")], [.ftp], "speaks FTP: `220 (vsFTPd 3.0.5)`"),
            ([.say("220 ready\r\n")], [.smtp, .ftp], "as SMTP and FTP do"),
            ([.say("* OK IMAP4rev1\r\n")], [.imap], "speaks IMAP"),
            ([.say("+OK POP3\r\n")], [.pop3], "speaks POP3"),
            ([.say(mysql)], [.mysql], "speaks MySQL"),
            ([.hear(5), .say(ldap)], [.ldap], "speaks LDAP"),
            ([.hear(5), .say(postgres)], [.postgres], "speaks PostgreSQL"),
            ([.say("SSH-2.0-OpenSSH_9.6\r\n")], [], "speaks SSH on this port, not TLS"),
            (
                [.hear(5), .say("HTTP/1.1 400 Bad Request\r\n\r\n")], [],
                "speaks plain HTTP on this port, not TLS"
            ),
            // In two parts, the first of which libssl takes.
            ([.say("220 m"), .hear(5), .say("ail.example ESMTP\r\n")], [.smtp], "speaks SMTP"),
        ] as [([ScriptedServer.Step], [StartTLSProtocol], String)])
    func named(
        _ steps: [ScriptedServer.Step], _ startTLS: [StartTLSProtocol], _ says: String
    ) throws {
        let error = try #require(Self.probe(steps + [.hear(20)]))
        #expect(error.code == .notTLS, "\(error)")
        #expect(error.startTLS == startTLS, "\(error)")
        #expect(error.context.contains(says.split(separator: ":")[0]), "\(error)")
        if let quoted = says.split(separator: ": ").dropFirst().first {
            #expect(error.context.hasSuffix(quoted), "\(error)")
        }
    }

    @Test("octets that fit no protocol are not guessed", arguments: ["\u{1B}[2J\r\n", "hello\r\n"])
    func unknown(_ text: String) throws {
        let error = try #require(Self.probe([.say(text), .hear(20)]))
        #expect(error.code == .notTLS && error.startTLS.isEmpty, "\(error)")
        #expect(!error.context.contains("\u{1B}"))
    }

    @Test("a server that closes without a word may be one that waits for the client's words")
    func closes() throws {
        let error = try #require(Self.probe([.hear(5)]))
        #expect(error.code == .handshakeFailed && error.startTLS == [.postgres, .ldap], "\(error)")
    }

    @Test("cut anywhere, a greeting is read without a trap", arguments: 0..<mysql.count)
    func cut(_ count: Int) {
        for octets in [Self.mysql, Self.ldap, Self.postgres, Array("220 x ESMTP\r\n".utf8)] {
            _ = ForeignGreeting.kind(of: Array(octets.prefix(count)))
        }
    }
}
