import Testing
import TrustEngine

@Suite("PEM (RFC 7468) and certification requests (RFC 2986)")
struct PEMTests {
    private func decode(_ text: String) throws(PEMError) -> [PEMBlock] {
        try PEM.decode(Array(text.utf8).span)
    }

    @Test("blocks among text, with both line ends")
    func blocks() throws {
        let text =
            "subject=CN\n-----BEGIN A-----\nAAEC\nAw==\n-----END A-----\r\n\nmore -----BEGIN X\n"
            + "-----BEGIN B C-----\r\nAAE=\r\n-----END B C-----"
        let blocks = try decode(text)
        #expect(blocks.map(\.label) == ["A", "B C"])
        #expect(blocks.map(\.der) == [[0, 1, 2, 3], [0, 1]])
        let bytes = Array(text.utf8)
        #expect(
            blocks.map { String(decoding: bytes[$0.range], as: UTF8.self) } == [
                "-----BEGIN A-----\nAAEC\nAw==\n-----END A-----",
                "-----BEGIN B C-----\r\nAAE=\r\n-----END B C-----",
            ])
        #expect(!blocks.containsPrivateKey)
        #expect(try decode("nothing\n").isEmpty)
    }

    @Test(
        "errors with their offsets",
        arguments: [
            ("-----BEGIN A-----\nAA==\n", .notClosed, 0),
            ("-----BEGIN A-----\nAA==\n-----END B-----", .labelsDiffer, 23),
            ("\n-----BEGIN A----\nAA==\n-----END A-----", .badBoundary, 1),
            ("-----BEGIN A-----\nAA==\n-----END A---", .badBoundary, 23),
            ("-----BEGIN  A-----\nAA==\n-----END  A-----", .badBoundary, 0),
            ("x\n-----END A-----", .closedWithoutOpening, 2),
            ("-----BEGIN A-----\nA A==\n-----END A-----", .badCharacter, 19),
            ("-----BEGIN A-----\nA-A=\n-----END A-----", .badCharacter, 19),
            ("-----BEGIN A-----\nAA==AA==\n-----END A-----", .badCharacter, 22),
            ("-----BEGIN A-----\nAA===\n-----END A-----", .badCharacter, 22),
            ("-----BEGIN A-----\nAA=\n-----END A-----", .badPadding, 22),
            ("-----BEGIN A-----\nAA\n-----END A-----", .badPadding, 21),
            ("-----BEGIN A-----\nAB==\n-----END A-----", .badPadding, 23),
            ("-----BEGIN A-----\nAAB=\n-----END A-----", .badPadding, 23),
            ("-----BEGIN A-----\nAAA\n-----BEGIN A-----\nAAAA\n-----END A-----", .notClosed, 0),
            ("-----BEGIN A-----\n-----END A-----", .empty, 0),
        ] as [(String, PEMError.Problem, Int)])
    func errors(text: String, problem: PEMError.Problem, offset: Int) {
        do throws(PEMError) {
            let blocks = try decode(text)
            Issue.record("read as \(blocks)")
        } catch {
            #expect(error.problem == problem)
            #expect(error.offset == offset)
        }
    }

    @Test(
        "private keys are seen",
        arguments: ["PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"])
    func privateKeys(label: String) throws {
        let plain = "-----BEGIN \(label)-----\nAAEC\n-----END \(label)-----\n"
        #expect(try decode(plain).containsPrivateKey)
        let encrypted =
            "-----BEGIN \(label)-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAEC\n"
            + "-----END \(label)-----\n"
        #expect(try decode(encrypted).map(\.der) == [[0, 1, 2]])
        #expect(try decode(encrypted).containsPrivateKey)
    }

    @Test("the key of a request is the key of the certificate made from it")
    func request() throws {
        let block = try #require(try decode(PEMTests.request).first)
        let request = try CertificationRequest(der: block.der)
        #expect(request.publicKey.type == .p256)
        #expect(request.spkiBytes.count == 91)
        let alone = try PublicKey.parse(spki: request.spkiBytes.span, at: 0)
        #expect(alone.material != request.publicKey.material)
        #expect(alone.bits == request.publicKey.bits)
        for count in block.der.indices {
            #expect(throws: CertificateError.self) {
                try CertificationRequest(der: Array(block.der[..<count]))
            }
        }
        var version = block.der
        let place = try #require(version.firstIndex(of: 0x02))
        version[place + 2] = 1
        do throws(CertificateError) {
            _ = try CertificationRequest(der: version)
            Issue.record("a request of version 2 was read")
        } catch {
            #expect(error.field == "certificationRequestInfo.version")
        }
    }

    private static let request = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIH4MIGeAgEAMDwxCzAJBgNVBAYTAk5aMRcwFQYDVQQKDA5FeGFtcGxlICsgU29u
        czEUMBIGA1UEAwwLYXBpLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AATRL+sTpphu8RxKOO8sLGrWvAX5FiGYvMqpuAlcof+FxdtxN+L695RMHm6/kjcj
        YLmzX5FmLgagUel8Hh1ctAP+oAAwCgYIKoZIzj0EAwIDSQAwRgIhAL2zNXMHfiP6
        TKTCDIznHB2i5HcjCyNGNmUKJ3zjJHTUAiEA/gzMml/4pw4RrzupJh2rTftIAYrf
        TyyZI376uWtzc44=
        -----END CERTIFICATE REQUEST-----
        """
}
