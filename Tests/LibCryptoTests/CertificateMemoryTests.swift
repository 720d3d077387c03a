import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import LibCrypto

@Suite("certificate memory")
struct CertificateMemoryTests {
    /// Digests by libcrypto, counted.
    private final class CountedDigests: CryptoBackend {
        private let libcrypto = LibCryptoBackend()
        private let digests = Atomic<Int>(0)

        var count: Int { digests.load(ordering: .relaxed) }

        func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
            digests.wrappingAdd(1, ordering: .relaxed)
            return libcrypto.digest(algorithm, of: bytes)
        }

        func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? { nil }

        func verify(
            _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
            message: Span<UInt8>, signature: Span<UInt8>
        ) -> SignatureOutcome { .invalid }
    }

    private static let root = Scenario().root("Root", key: .ed25519("certificate memory"))

    /// A certificate with so many octets of an extension that nobody knows. `number` tells
    /// certificates of one length apart.
    private static func certificate(padding: Int, number: Int = 0) -> [UInt8] {
        root.issueLeaf(dns: ["host-\(1_000 + number).example"], key: .ed25519("leaf")) {
            $0.extensions.append(
                .raw("1.2.3.4", [UInt8](repeating: UInt8(number & 0xFF), count: padding)))
        }.der
    }

    /// A certificate of so many octets.
    private static func certificate(octets: Int) throws -> [UInt8] {
        let least = certificate(padding: 1_000).count - 1_000
        // The lengths that stand around the extension have one to three octets.
        for padding in max(0, octets - least - 8)...octets - least + 8 {
            let der = certificate(padding: padding)
            if der.count == octets { return der }
        }
        throw NoSuchLength()
    }

    private struct NoSuchLength: Error {}

    /// What reading gave, in words.
    private static func words(
        _ read: () throws -> HashedCertificate
    ) -> String {
        do {
            let read = try read()
            return "\(read.certificate.layout) \(read.fingerprint) \(read.certificate.der)"
        } catch {
            return "\(error)"
        }
    }

    private static func parsed(_ der: [UInt8]) -> String {
        words { try HashedCertificate(der: der, crypto: LibCryptoBackend()) }
    }

    @Test(
        "what was read twice is found, in every size",
        arguments: [
            700, 701, 702, 703, 704, 705, 706, 707, 2_047, 2_048, 2_049, 4_096, 4_097, 16_384,
            16_385, 65_535, 65_536,
        ])
    func finds(_ octets: Int) throws {
        let der = try CertificateMemoryTests.certificate(octets: octets)
        let (memory, crypto) = (CertificateMemory(), CountedDigests())
        let first = try memory.read(der, crypto: crypto)
        #expect(crypto.count == 1 && memory.count == 0 && first.keyDigest == nil)
        _ = try memory.read(der, crypto: crypto)
        #expect(crypto.count == 3 && memory.count == 1)
        let third = try memory.read(der, crypto: crypto)
        #expect(crypto.count == 3 && memory.count == 1)
        #expect(
            CertificateMemoryTests.words { third } == CertificateMemoryTests.parsed(der))
        #expect(
            third.keyDigest == crypto.digest(.sha256, of: third.certificate.spkiBytes.span))
    }

    @Test("every octet counts, those of a remembered certificate's end too")
    func everyOctet() throws {
        let memory = CertificateMemory()
        let crypto = LibCryptoBackend()
        for octets in [701, 2_050] {
            let der = try CertificateMemoryTests.certificate(octets: octets)
            for _ in 0..<2 { _ = try memory.read(der, crypto: crypto) }
            let known = crypto.digest(.sha256, of: der.span)
            var wrong: [Int] = []
            for octet in der.indices {
                var other = der
                other[octet] ^= 1
                let expected = try? HashedCertificate(der: other, crypto: crypto)
                let read = try? memory.read(other, crypto: crypto)
                if read?.fingerprint != expected?.fingerprint || read?.fingerprint == known
                    || read?.certificate.layout.publicKey != expected?.certificate.layout.publicKey
                    || read?.certificate.layout.subjectHash
                        != expected?.certificate.layout.subjectHash
                {
                    wrong.append(octet)
                }
            }
            #expect(wrong == [])
            #expect(try memory.read(der, crypto: crypto).keyDigest != nil)
        }
    }

    @Test("octets that are longer or shorter are not found")
    func lengths() throws {
        let memory = CertificateMemory()
        let crypto = LibCryptoBackend()
        let der = try CertificateMemoryTests.certificate(octets: 704)
        for _ in 0..<3 { _ = try memory.read(der, crypto: crypto) }
        for other in [der + [0], Array(der.dropLast()), Array(der.prefix(63)), [], [0x30]] {
            for _ in 0..<3 {
                #expect(
                    CertificateMemoryTests.words { try memory.read(other, crypto: crypto) }
                        == CertificateMemoryTests.parsed(other))
            }
        }
        #expect(memory.count == 1)
    }

    @Test("what fails to parse fails each time, and is not remembered")
    func failures() throws {
        let memory = CertificateMemory()
        let crypto = CountedDigests()
        var der = try CertificateMemoryTests.certificate(octets: 704)
        der[10] ^= 0xFF
        for _ in 0..<3 {
            #expect(
                CertificateMemoryTests.words { try memory.read(der, crypto: crypto) }
                    == CertificateMemoryTests.parsed(der))
        }
        #expect(crypto.count == 0 && memory.count == 0)
    }

    @Test("any number of certificates leaves the memory as large as it is; what is met often stays")
    func isBounded() throws {
        let memory = CertificateMemory()
        let crypto = CountedDigests()
        let often = CertificateMemoryTests.certificate(padding: 20_000, number: 0)
        for _ in 0..<2 { _ = try memory.read(often, crypto: crypto) }
        // Certificates of this length have four places.
        for number in 1..<40 {
            let der = CertificateMemoryTests.certificate(padding: 20_000, number: number)
            for _ in 0..<2 { _ = try memory.read(der, crypto: crypto) }
            let before = crypto.count
            _ = try memory.read(often, crypto: crypto)
            #expect(crypto.count == before, "after \(number)")
        }
        #expect(memory.count == 4)
        // Once is not often.
        for number in 100..<140 {
            _ = try memory.read(
                CertificateMemoryTests.certificate(padding: 20_000, number: number), crypto: crypto)
        }
        let before = crypto.count
        _ = try memory.read(often, crypto: crypto)
        #expect(crypto.count == before)
    }

    @Test("readers among writers never find one certificate's fields with another's octets")
    func threads() async throws {
        let memory = CertificateMemory()
        let crypto = LibCryptoBackend()
        // All of them have the same four places, and their fields lie in different places.
        let certificates = (0..<12).map {
            CertificateMemoryTests.certificate(padding: 17_000 + 9 * $0, number: $0)
        }
        let expected = try certificates.map { der in
            let read = try HashedCertificate(der: der, crypto: crypto)
            return (read.certificate.layout.signature, read.fingerprint)
        }
        for der in certificates {
            for _ in 0..<2 { _ = try memory.read(der, crypto: crypto) }
        }
        #expect(memory.count == 4)
        let found = await MemoryStress.run { thread, end in
            var found = (hits: 0, wrong: 0)
            var next = UInt64(thread)
            repeat {
                next = next &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let number = Int(next >> 33 % UInt64(certificates.count))
                guard let read = try? memory.read(certificates[number], crypto: crypto) else {
                    found.wrong += 1
                    continue
                }
                if read.keyDigest != nil { found.hits += 1 }
                if read.certificate.layout.signature != expected[number].0
                    || read.fingerprint != expected[number].1
                    || read.certificate.der != certificates[number]
                {
                    found.wrong += 1
                }
            } while ContinuousClock.now < end
            return found
        }
        #expect(found.contains { $0.hits > 0 })
        #expect(found.allSatisfy { $0.wrong == 0 }, "\(found)")
        #expect(memory.count == 4)
    }
}
