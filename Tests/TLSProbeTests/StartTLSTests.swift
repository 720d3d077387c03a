import EvidenceServer
import Foundation
import TestPKI
import Testing
import TrustEngine

@testable import TLSProbe

/// Servers that begin in clear text: each protocol as it should be, and servers that do otherwise.
@Suite("STARTTLS", .timeLimit(.minutes(5)))
struct StartTLSTests {
    /// SSLRequest of PostgreSQL.
    private static let postgresRequest: [UInt8] = [0, 0, 0, 8, 4, 210, 22, 47]
    /// ExtendedRequest of LDAP, byte by byte.
    private static let ldapRequest: [UInt8] =
        [0x30, 0x1D, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]
        + Array("1.3.6.1.4.1.1466.20037".utf8)
    /// ExtendedResponse of OpenLDAP.
    private static let ldapSuccess: [UInt8] = [
        0x30, 0x0C, 0x02, 0x01, 0x01, 0x78, 0x07, 0x0A, 0x01, 0x00, 0x04, 0x00, 0x04, 0x00,
    ]

    /// A handshake packet of MySQL with these lower capabilities.
    private static func mysqlGreeting(_ capabilities: UInt16) -> [UInt8] {
        let body: [UInt8] =
            [10] + Array("8.0.36".utf8) + [0, 1, 0, 0, 0] + [UInt8](repeating: 7, count: 8) + [0]
            + [UInt8(capabilities & 0xFF), UInt8(capabilities >> 8)] + [33, 2, 0, 0xFF, 0xDF]
        return [UInt8(body.count), 0, 0, 0] + body
    }

    private static let mysqlRequest: [UInt8] =
        [32, 0, 0, 1, 0x00, 0x8A, 0x08, 0x00, 0, 0, 0, 1, 33] + [UInt8](repeating: 0, count: 23)

    /// A dialogue of each protocol that ends with the server's consent, and all that the client
    /// says in it.
    private static func dialogue(
        _ kind: StartTLSProtocol
    ) -> (steps: [ScriptedServer.Step], client: [UInt8]) {
        switch kind {
        case .smtp:
            return (
                [
                    .say("220-mail.example ESMTP\r\n220 at your service\r\n"),
                    .hear("EHLO hawser.invalid\r\n"),
                    .say("250-mail.example\r\n250-PIPELINING\r\n250-StartTLS\r\n250 8BITMIME\r\n"),
                    .hear("STARTTLS\r\n"), .say("220 go ahead\r\n"),
                ], Array("EHLO hawser.invalid\r\nSTARTTLS\r\n".utf8)
            )
        case .imap:
            return (
                [
                    .say("* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n"),
                    .hear("hawser1 STARTTLS\r\n"),
                    .say("* CAPABILITY IMAP4rev1\r\nhawser1 OK begin\r\n"),
                ], Array("hawser1 STARTTLS\r\n".utf8)
            )
        case .pop3:
            return (
                [.say("+OK ready <1@mail.example>\r\n"), .hear("STLS\r\n"), .say("+OK begin\r\n")],
                Array("STLS\r\n".utf8)
            )
        case .ldap:
            return ([.hear(ldapRequest.count), .say(ldapSuccess)], ldapRequest)
        case .ftp:
            return (
                [
                    .say("220-ftp.example\r\nno code on this line\r\n220 ready\r\n"),
                    .hear("AUTH TLS\r\n"), .say("234 begin\r\n"),
                ], Array("AUTH TLS\r\n".utf8)
            )
        case .postgres:
            return ([.hear(8), .say("S")], postgresRequest)
        case .mysql:
            return ([.say(mysqlGreeting(0xFFFF)), .hear(mysqlRequest.count)], mysqlRequest)
        }
    }

    private static func probe(
        _ server: ScriptedServer, _ kind: StartTLSProtocol, seconds: Int = 20
    ) -> Result<ProbedConnection, ProbeError> {
        defer { server.stop() }
        do throws(ProbeError) {
            return .success(
                try TLSConnection.probe(
                    address: "127.0.0.1", port: server.port, serverName: "localhost",
                    startTLS: kind, alpn: [], timeoutSeconds: seconds))
        } catch {
            return .failure(error)
        }
    }

    private static func failure(
        _ steps: [ScriptedServer.Step], _ kind: StartTLSProtocol, seconds: Int = 20
    ) -> ProbeError? {
        switch probe(ScriptedServer(steps), kind, seconds: seconds) {
        case .success: return nil
        case .failure(let error): return error
        }
    }

    @Test(
        "a server that agrees shows its chain, and hears the protocol's words and no more",
        .enabled(if: LoopbackServer.command != nil, "this machine has no openssl command"),
        arguments: StartTLSProtocol.allCases)
    func agrees(_ kind: StartTLSProtocol) throws {
        let root = Scenario().root("Root", key: .p256("starttls root"))
        let leaf = root.issueLeaf(dns: ["localhost"])
        let behind = try LoopbackServer(chain: [leaf], options: ["-tls1_3"])
        let (steps, client) = Self.dialogue(kind)
        let server = ScriptedServer(steps + [.relay(behind.port)])
        let seen = try Self.probe(server, kind).get()
        #expect(seen.presentedChain == [leaf.der])
        #expect(seen.parameters.version == .tls13)
        #expect(server.heard == client)
    }

    /// CVE-2011-0411, CVE-2021-23222: text that comes with the consent would be taken for text
    /// under TLS by a client that keeps it.
    @Test("octets beyond the consent are refused", arguments: StartTLSProtocol.allCases)
    func surplus(_ kind: StartTLSProtocol) throws {
        var steps = Self.dialogue(kind).steps
        let last = try #require(steps.lastIndex { if case .say = $0 { true } else { false } })
        guard case .say(let consent) = steps[last] else { return }
        steps[last] = .say(consent + Array("250 injected\r\n".utf8))
        let error = try #require(Self.failure(steps + [.hold], kind))
        #expect(error.code == .startTLSBroken, "\(error)")
        #expect(error.context.contains("the server sent more "), "\(error)")
    }

    @Test(
        "a server that refuses is told from one that breaks the protocol",
        arguments: [
            (.smtp, [.say("554 no\r\n")], .startTLSRefused, "the server does not greet: `554 no`"),
            (
                .smtp, [.say("220 a\r\n"), .hear(21), .say("250 only\r\n")], .startTLSRefused,
                "the server does not offer STARTTLS"
            ),
            (
                .smtp,
                [
                    .say("220 a\r\n"), .hear(21), .say("250-a\r\n250 STARTTLS\r\n"), .hear(10),
                    .say("454 TLS not available\r\n"),
                ], .startTLSRefused, "the server refuses STARTTLS: `454 TLS not available`"
            ),
            (.ftp, [.say("530 no\r\n")], .startTLSRefused, "the server does not greet: `530 no`"),
            (
                .ftp, [.say("220 a\r\n"), .hear(10), .say("502 no such command\r\n")],
                .startTLSRefused, "the server refuses AUTH TLS: `502 no such command`"
            ),
            (.ftp, [.say("SSH-2.0-x\r\n")], .startTLSBroken, "not a reply of FTP"),
            (.smtp, [.say("SSH-2.0-x\r\n")], .startTLSBroken, "no reply of SMTP"),
            (.smtp, [.say("220-a\r\n250 b\r\n")], .startTLSBroken, "no reply of SMTP"),
            (.smtp, [.say("220 a\n")], .startTLSBroken, "CR LF"),
            // A reply before the question does not answer it.
            (
                .smtp, [.say("220 a\r\n250-a\r\n250 STARTTLS\r\n220 go\r\n"), .hold],
                .startTLSBroken, "more before it was asked"
            ),
            (.imap, [.say("* PREAUTH hello\r\n")], .startTLSRefused, "`* PREAUTH hello`"),
            (.imap, [.say("* BYE busy\r\n")], .startTLSRefused, "`* BYE busy`"),
            (
                .imap, [.say("* OK a\r\n"), .hear(18), .say("hawser1 BAD what\r\n")],
                .startTLSRefused, "`hawser1 BAD what`"
            ),
            (
                .imap, [.say("* OK a\r\n"), .hear(18), .say("other OK what\r\n")],
                .startTLSBroken, "no response of IMAP"
            ),
            (.pop3, [.say("-ERR busy\r\n")], .startTLSRefused, "`-ERR busy`"),
            (
                .pop3, [.say("+OK\r\n"), .hear(6), .say("-ERR no TLS\r\n")], .startTLSRefused,
                "the server refuses STLS: `-ERR no TLS`"
            ),
            (.pop3, [.say("HTTP/1.1 400\r\n")], .startTLSBroken, "no response of POP3"),
            // protocolError, with a message.
            (
                .ldap,
                [
                    .hear(31),
                    .say([
                        0x30, 0x0E, 2, 1, 1, 0x78, 9, 0x0A, 1, 2, 4, 0, 4, 2, 0x6E, 0x6F,
                    ]),
                ], .startTLSRefused, "the server refuses StartTLS with result 2: `no`"
            ),
            // An unsolicited notification: message 0.
            (
                .ldap,
                [
                    .hear(31),
                    .say([0x30, 0x0C, 2, 1, 0, 0x78, 7, 0x0A, 1, 52, 4, 0, 4, 0]),
                ], .startTLSRefused, "ends the connection"
            ),
            (.ldap, [.hear(31), .say([0x30, 0x80, 2, 1])], .startTLSBroken, "without a length"),
            (
                .ldap, [.hear(31), .say([0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF])], .startTLSBroken,
                "a message of 2147483647 octets"
            ),
            (.ldap, [.hear(31), .say("HTTP")], .startTLSBroken, "no message of LDAP"),
            (.postgres, [.hear(8), .say("N")], .startTLSRefused, "the server refuses TLS: `N`"),
            (
                .postgres, [.hear(8), .say("E\0\0\0\u{0B}no SSL\0")], .startTLSRefused,
                "the server refuses TLS"
            ),
            (.postgres, [.hear(8), .say("X")], .startTLSBroken, "no answer to SSLRequest"),
            (
                .mysql, [.say(mysqlGreeting(0xF7FF))], .startTLSRefused,
                "the server does not offer TLS"
            ),
            (
                .mysql, [.say([9, 0, 0, 0, 0xFF, 0x69, 4] + Array("Host x".utf8))],
                .startTLSRefused, "`Host x`"
            ),
            (.mysql, [.say([0, 0, 0x40, 0])], .startTLSBroken, "no handshake packet"),
            (.mysql, [.say([3, 0, 0, 0, 10, 0x38, 0])], .startTLSBroken, "no handshake packet"),
            (.pop3, [], .startTLSBroken, "closed the connection before TLS"),
        ] as [(StartTLSProtocol, [ScriptedServer.Step], ProbeError.Code, String)])
    func otherwise(
        _ kind: StartTLSProtocol, _ steps: [ScriptedServer.Step], _ code: ProbeError.Code,
        _ part: String
    ) throws {
        let error = try #require(Self.failure(steps, kind))
        #expect(error.code == code, "\(error)")
        #expect(error.context.contains(part), "\(error)")
    }

    @Test("a line and the whole clear text are bounded")
    func bounds() throws {
        let line = try #require(
            Self.failure([.say(String(repeating: "x", count: 9_000)), .hold], .smtp))
        #expect(line.context == "the server sent a line of more than 8192 octets")
        let lines = String(repeating: "* hello\r\n", count: 8_000)
        let all = try #require(
            Self.failure([.say("* OK\r\n"), .hear(18), .say(lines), .hold], .imap))
        #expect(all.context == "the server sent more than 65536 octets before TLS")
    }

    @Test("a server that says nothing costs the time allowed", arguments: StartTLSProtocol.allCases)
    func silence(_ kind: StartTLSProtocol) throws {
        #expect(Self.failure([.hold], kind, seconds: 1)?.code == .timedOut)
    }

    @Test("cut anywhere, a consent is none", arguments: StartTLSProtocol.allCases)
    func cut(_ kind: StartTLSProtocol) throws {
        let steps = Self.dialogue(kind).steps
        let last = try #require(steps.lastIndex { if case .say = $0 { true } else { false } })
        guard case .say(let consent) = steps[last] else { return }
        for count in 0..<consent.count {
            let error = Self.failure(Array(steps[..<last]) + [.say(Array(consent[..<count]))], kind)
            #expect(error?.code == .startTLSBroken, "\(count): \(String(describing: error))")
        }
    }
}
