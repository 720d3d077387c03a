import EvidenceServer
import Foundation
import TLSProbe
import TestPKI
import Testing
import TrustEngine

@Suite(
    "probe of a server on loopback",
    .enabled(if: LoopbackServer.command != nil, "this machine has no openssl command"),
    .timeLimit(.minutes(10)))
struct LoopbackProbeTests {
    private static let pki = Scenario()
    private static let root = pki.root("Root", key: .p256("probe root"))
    private static let issuing = root.issueCA("Issuing", key: .p256("probe issuing"))
    private static let leaf = issuing.issueLeaf(dns: ["localhost"])
    private static let chain = [leaf, issuing.certificate]

    private func probe(
        _ server: LoopbackServer, serverName: String? = "localhost"
    ) throws -> ProbedConnection {
        try TLSConnection.probe(
            address: "127.0.0.1", port: server.port, serverName: serverName, timeoutSeconds: 20)
    }

    @Test("TLS 1.3: chain in wire order, suite, group and protocol by their IANA names")
    func tls13() throws {
        let server = try LoopbackServer(
            chain: LoopbackProbeTests.chain + [LoopbackProbeTests.root.certificate],
            options: [
                "-tls1_3", "-ciphersuites", "TLS_AES_128_GCM_SHA256", "-groups", "P-256",
                "-alpn", "h2",
            ])
        let seen = try probe(server)
        #expect(
            seen.presentedChain
                == (LoopbackProbeTests.chain + [LoopbackProbeTests.root.certificate]).map(\.der))
        #expect(
            seen.parameters
                == TLSParameters(
                    version: .tls13, cipherSuite: "TLS_AES_128_GCM_SHA256", group: "secp256r1",
                    signatureScheme: "ecdsa_secp256r1_sha256", alpn: "h2"))
        #expect(seen.evidence == Evidence())
        #expect(seen.address == "127.0.0.1")
    }

    @Test("TLS 1.2: the other protocol offered, the other curve")
    func tls12() throws {
        let server = try LoopbackServer(
            chain: LoopbackProbeTests.chain,
            options: [
                "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256", "-groups", "X25519",
                "-alpn", "http/1.1",
            ])
        let seen = try probe(server)
        #expect(seen.presentedChain == LoopbackProbeTests.chain.map(\.der))
        #expect(
            seen.parameters
                == TLSParameters(
                    version: .tls12, cipherSuite: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    group: "x25519", signatureScheme: "ecdsa_secp256r1_sha256", alpn: "http/1.1"))
    }

    @Test("TLS 1.0 with a 1024-bit key: to be judged, not missed")
    func tls10() throws {
        let old = LoopbackProbeTests.root.issueLeaf(
            dns: ["localhost"], key: .rsa1024("probe old")
        ) { $0.signature = .ecdsa(.sha1) }
        let server = try LoopbackServer(
            chain: [old], options: ["-tls1", "-cipher", "AES128-SHA:@SECLEVEL=0"])
        let seen = try probe(server)
        #expect(seen.presentedChain == [old.der])
        #expect(
            seen.parameters
                == TLSParameters(version: .tls10, cipherSuite: "TLS_RSA_WITH_AES_128_CBC_SHA"))
    }

    @Test(
        "RFC 8446 section 4.2.3: the scheme that the server signed with, by its IANA name",
        arguments: [
            (TestKey.rsa2048("probe rsa"), ["-tls1_3"], "rsa_pss_rsae_sha256"),
            (
                .rsa2048("probe rsa"), ["-tls1_2", "-sigalgs", "RSA+SHA384"],
                "rsa_pkcs1_sha384"
            ),
            (.p384("probe p384"), ["-tls1_3"], "ecdsa_secp384r1_sha384"),
            (.ed25519("probe ed25519"), ["-tls1_3"], "ed25519"),
            // Key exchange by RSA signs nothing.
            (.rsa2048("probe rsa"), ["-tls1_2", "-cipher", "AES128-GCM-SHA256"], nil),
        ] as [(TestKey, [String], String?)])
    func signatureScheme(_ key: TestKey, _ options: [String], _ name: String?) throws {
        let leaf = LoopbackProbeTests.root.issueLeaf(dns: ["localhost"], key: key)
        let server = try LoopbackServer(chain: [leaf], options: options)
        #expect(try probe(server).parameters.signatureScheme == name)
    }

    @Test(
        "RFC 7301: what is offered is what the server chooses from",
        arguments: [
            (["acme/1"], "acme/1"), (["h2", "acme/1"], "acme/1"), ([], nil),
        ] as [([String], String?)])
    func protocols(_ offered: [String], _ chosen: String?) throws {
        let server = try LoopbackServer(
            chain: LoopbackProbeTests.chain, options: ["-alpn", "acme/1"])
        let seen = try TLSConnection.probe(
            address: "127.0.0.1", port: server.port, serverName: "localhost", alpn: offered,
            timeoutSeconds: 20)
        #expect(seen.parameters.alpn == chosen)
    }

    /// The staple is the shortest response there is, an error (RFC 6960 section 4.2.1); the SCT
    /// list is one empty list. Neither means anything: it is the octets that must arrive.
    @Test("stapled OCSP response and SCT list", arguments: ["-tls1_2", "-tls1_3"])
    func evidence(_ version: String) throws {
        let staple: [UInt8] = [0x30, 3, 0x0a, 1, 1]
        let list: [UInt8] = [0, 0]
        // Contexts: client hello, TLS 1.2 server hello, TLS 1.3 certificate (SSL_EXT_*).
        let info: [UInt8] = [0, 0, 0x11, 0x80, 0, 18, 0, UInt8(list.count)] + list
        let server = try LoopbackServer(
            chain: LoopbackProbeTests.chain,
            options: [
                version, "-status_file", "staple.der", "-serverinfo", "info.pem",
            ],
            files: [
                "staple.der": staple,
                "info.pem": Array(PEMWriter.block("SERVERINFOV2 FOR SCT", info).utf8),
            ])
        let seen = try probe(server)
        #expect(seen.evidence == Evidence(stapledOCSP: staple, sctList: list))
    }

    @Test(
        "the server name decides which certificate comes",
        arguments: [
            ("other.example", true), ("other.example.", true), ("localhost", false),
            ("127.0.0.1", false), (nil, false),
        ] as [(String?, Bool)])
    func serverName(_ name: String?, _ getsOther: Bool) throws {
        let other = LoopbackProbeTests.root.issueLeaf(dns: ["other.example"])
        let server = try LoopbackServer(
            chain: LoopbackProbeTests.chain,
            options: [
                "-servername", "other.example", "-cert2", "other.pem", "-key2", "other-key.pem",
            ],
            files: [
                "other.pem": Array(other.pem.utf8),
                "other-key.pem": Array(other.key.privateKeyPEM.utf8),
            ])
        let seen = try probe(server, serverName: name)
        #expect(seen.presentedChain.first == (getsOther ? other : LoopbackProbeTests.leaf).der)
    }

    private func failure(port: UInt16, seconds: Int) -> ProbeError? {
        do throws(ProbeError) {
            _ = try TLSConnection.probe(
                address: "127.0.0.1", port: port, serverName: nil, timeoutSeconds: seconds)
            return nil
        } catch {
            return error
        }
    }

    @Test("a server that says nothing costs the time allowed and no more")
    func silence() {
        let listener = SilentListener()
        #expect(failure(port: listener.port, seconds: 1)?.code == .timedOut)
    }

    @Test("a server that speaks another protocol is told as such")
    func otherProtocol() {
        let listener = SilentListener()
        // On a global queue the listener would wait behind other tests, longer than its client.
        Thread { listener.greetOnce() }.start()
        let found = failure(port: listener.port, seconds: 20)
        #expect(found?.code == .notTLS)
        #expect(found?.context.contains("SMTP") == true)
    }

    @Test("a server that hangs up is a failed handshake, and no signal")
    func hangUp() {
        let listener = SilentListener()
        Thread { listener.hangUpOnce() }.start()
        #expect(failure(port: listener.port, seconds: 20)?.code == .handshakeFailed)
    }
}
