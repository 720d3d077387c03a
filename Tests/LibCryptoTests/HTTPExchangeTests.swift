import CLibCrypto
import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// libcrypto's HTTP client without sockets.
@Suite("one HTTP exchange") struct HTTPExchangeTests {
    private static let element = DER.sequence(DER.octetString([UInt8](repeating: 7, count: 200)))

    private func request(
        _ change: (inout HTTPExchange.Request) -> Void = { _ in }
    ) -> HTTPExchange.Request {
        var request = HTTPExchange.Request(
            host: "crl.example:8080", path: "/a/b.crl?c", maximumOctets: 4_096)
        change(&request)
        return request
    }

    /// Plays a server's answer to the client, in parts, and closes.
    private func answer(
        _ request: HTTPExchange.Request, parts: [[UInt8]]
    ) throws(HTTPExchange.Problem) -> [UInt8] {
        var exchange = try HTTPExchange(request)
        _ = try exchange.request()
        for part in parts {
            if let answer = try exchange.receive(part[...]) { return answer }
        }
        return try exchange.end()
    }

    private func problem(
        _ request: HTTPExchange.Request, _ text: String, _ body: [UInt8] = []
    ) -> HTTPExchange.Problem? {
        do throws(HTTPExchange.Problem) {
            _ = try answer(request, parts: [Array(text.utf8) + body])
            return nil
        } catch {
            return error
        }
    }

    private static func head(_ fields: String, _ status: String = "200 OK") -> String {
        "HTTP/1.1 \(status)\r\n\(fields)\r\n"
    }

    @Test("a GET as it leaves")
    func get() throws {
        var exchange = try HTTPExchange(request())
        let lines = String(decoding: try exchange.request(), as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.first == "GET /a/b.crl?c HTTP/1.0")
        #expect(lines.filter { $0.hasPrefix("Host:") } == ["Host: crl.example:8080"])
        #expect(lines.suffix(2) == ["", ""])
    }

    @Test("a POST carries the request as it was given")
    func post() throws {
        let pki = Scenario()
        let root = pki.root("Root", key: .p256("http exchange root"))
        let leaf = try root.issueLeaf(dns: ["a.example"]).parsed()
        let asked = try #require(
            OCSPRequest(
                about: leaf, issuer: root.certificate.parsed(), nonce: [1, 2, 3],
                crypto: LibCryptoBackend()))
        var exchange = try HTTPExchange(
            request {
                $0.ocspRequest = asked.der
                $0.expectedType = "application/ocsp-response"
            })
        let sent = try exchange.request()
        let text = String(decoding: sent, as: UTF8.self)
        #expect(text.hasPrefix("POST /a/b.crl?c HTTP/1.0\r\n"))
        #expect(text.contains("\r\nContent-Type: application/ocsp-request\r\n"))
        #expect(text.contains("\r\nContent-Length: \(asked.der.count)\r\n"))
        #expect(Array(sent.suffix(asked.der.count + 4)) == Array("\r\n\r\n".utf8) + asked.der)
        let isRefused = (try? HTTPExchange(request { $0.ocspRequest = [0x30, 0x01] })) == nil
        #expect(isRefused)
    }

    @Test("an answer in one part, and octet by octet")
    func parts() throws {
        let octets =
            Array(Self.head("Content-Length: \(Self.element.count)\r\n").utf8) + Self.element
        #expect(try answer(request(), parts: [octets]) == Self.element)
        #expect(try answer(request(), parts: octets.map { [$0] }) == Self.element)
        // No length, and more behind the element than belongs to it.
        let more = Array(Self.head("Server: x\r\n").utf8) + Self.element + [1, 2, 3]
        #expect(try answer(request(), parts: [more]) == Self.element)
    }

    @Test("an answer cut short anywhere is none")
    func cutShort() {
        let octets =
            Array(Self.head("Content-Length: \(Self.element.count)\r\n").utf8) + Self.element
        for count in 0..<octets.count {
            let found = try? answer(request(), parts: [Array(octets.prefix(count))])
            #expect(found == nil, "\(count) octets")
        }
    }

    @Test("what is no answer, and why")
    func refused() {
        let element = Self.element
        func check(
            _ text: String, _ body: [UInt8] = [], _ expected: HTTPExchange.Problem,
            _ change: (inout HTTPExchange.Request) -> Void = { _ in }
        ) {
            #expect(problem(request(change), text, body) == expected, "\(text)")
        }
        check(Self.head("", "404 Not Found"), element, .status(404))
        check(Self.head("", "500 x"), element, .status(500))
        check(Self.head("", "204 x"), [], .status(204))
        for status in [301, 302, 303, 307, 308] {
            check(
                Self.head("Location: http://other.example/\r\n", "\(status) x"), [], .status(status)
            )
        }
        check(Self.head("Content-Type: text/html\r\n"), element, .wrongType) {
            $0.expectedType = "application/ocsp-response"
        }
        check(Self.head(""), element, .wrongType) { $0.expectedType = "application/ocsp-response" }
        check(Self.head("Content-Length: 99999\r\n"), element, .tooLarge)
        check(Self.head(""), DER.sequence([UInt8](repeating: 0, count: 5_000)), .tooLarge)
        check(Self.head(""), [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0], .tooLarge)
        check(Self.head(""), Array("<html>\n<body>nothing here</body></html>".utf8), .malformed)
        check(Self.head(""), [0x30, 0x80, 0, 0, 0, 0, 0, 0], .malformed)
        check("SSH-2.0-x\r\n\r\n", element, .malformed)
        check("HTTP/1.1 200 OK\r\n" + String(repeating: "X", count: 9_000), [], .malformed)
        check("", [], .cutShort)
        // Chunks are not spoken in HTTP/1.0: the first length is read as DER.
        check(
            Self.head("Transfer-Encoding: chunked\r\n"), Array("c8\r\n".utf8) + element, .malformed)
    }

    @Test("header fields without end are cut")
    func endlessFields() {
        var parts = [Array("HTTP/1.1 200 OK\r\n".utf8)]
        parts += (0..<100_000).map { _ in Array("X-Field: abcdefghijklmnopqrstuvwxyz\r\n".utf8) }
        #expect(throws: HTTPExchange.Problem.tooLarge) {
            _ = try answer(request(), parts: parts)
        }
    }

    @Test("the error queue is left as it was found")
    func errorQueue() {
        ERR_clear_error()
        #expect(problem(request(), "nonsense\r\n\r\n") != nil)
        #expect(ERR_peek_error() == 0)
    }
}
