import PolicyCompiler
import Testing
import TrustEngine

@Suite("Digests of keys and certificates")
struct DigestScannerTests {
    private static let base64 = "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg="
    private static let hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

    @Test("FIPS 180-4: both spellings of the digest of `test` hold the same octets")
    func sameOctets() throws {
        let key = try SPKIDigestScanner.scan("sha256/" + Self.base64)
        let certificate = try CertificateDigestScanner.scan("sha256:" + Self.hex)
        #expect(key == certificate)
        #expect(key.algorithm == .sha256)
        #expect(key.bytes.prefix(4) == [0x9F, 0x86, 0xD0, 0x81])
    }

    @Test("a certificate's digest pasted for a key's")
    func certificateForKey() throws {
        let problem = try #require(throws: ScalarProblem.self) {
            try SPKIDigestScanner.scan("sha256:" + Self.hex)
        }
        #expect(
            problem.message
                == "this is a certificate digest (`sha256:` and hex); `spki` wants the key's "
                + "(`sha256/` and base64)")
        #expect(
            problem.help == [
                "write `certificate: sha256:\(Self.hex)` for this one certificate; for the key run "
                    + "`hawser pin FILE`"
            ])
    }

    @Test("a key's digest pasted for a certificate's")
    func keyForCertificate() throws {
        let problem = try #require(throws: ScalarProblem.self) {
            try CertificateDigestScanner.scan("sha256/" + Self.base64)
        }
        #expect(
            problem.message
                == "this is a key digest (`sha256/` and base64); `certificate` wants the "
                + "certificate's (`sha256:` and hex)")
    }

    @Test(
        "RFC 4648 section 4: what would mend a key's digest",
        arguments: [
            "sha256/n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg=",
            "sha256/n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg",
            "sha256/n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg==",
            "sha256//n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
            "SHA-256/n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
            "pin-sha256=\"n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=\"",
            "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
        ])
    func keyRepairs(text: String) throws {
        let problem = try #require(throws: ScalarProblem.self) {
            try SPKIDigestScanner.scan(text)
        }
        #expect(problem.help == ["write `sha256/\(Self.base64)`"])
        #expect(problem.replacement == "sha256/\(Self.base64)")
    }

    @Test("a last character with bits that belong to no octet is wrong, and no fix guesses it")
    func lastCharacter() throws {
        let problem = try #require(throws: ScalarProblem.self) {
            try SPKIDigestScanner.scan("sha256/n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgh=")
        }
        #expect(problem.help == ["write `sha256/\(Self.base64)` if the rest of it is right"])
        #expect(problem.replacement == nil)
    }

    @Test(
        "what would mend a certificate's digest",
        arguments: [
            "sha256:9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
            "sha256:9f:86:d0:81:88:4c:7d:65:9a:2f:ea:a0:c5:5a:d0:15:a3:bf:4f:1b:2b:0b:82:2c:d1:5d"
                + ":6c:15:b0:f0:0a:08",
            "sha256 Fingerprint=9F:86:D0:81:88:4C:7D:65:9A:2F:EA:A0:C5:5A:D0:15:A3:BF:4F:1B:2B:0B:"
                + "82:2C:D1:5D:6C:15:B0:F0:0A:08",
            "SHA256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        ])
    func certificateRepairs(text: String) throws {
        let problem = try #require(throws: ScalarProblem.self) {
            try CertificateDigestScanner.scan(text)
        }
        #expect(problem.help == ["write `sha256:\(Self.hex)`"])
    }

    @Test("a digest of another length names its own algorithm")
    func otherLength() throws {
        let problem = try #require(throws: ScalarProblem.self) {
            try CertificateDigestScanner.scan("sha512:" + Self.hex)
        }
        #expect(problem.message == "`sha512:` wants 128 hex digits; found 64")
        #expect(problem.help == ["a digest of that length is written `sha256:…`"])
        #expect(problem.range == 7..<71)
    }
}
