import LibCrypto
import TestPKI
import TrustEngine

/// CRLs and OCSP responses, read alone and judged about a certificate.
enum RevocationBody {
    private static let crypto = LibCryptoBackend()

    static func runList(_ bytes: [UInt8]) {
        guard let list = try? CertificateRevocationList(der: bytes) else { return }
        require(list.der == bytes, "a CRL keeps its octets")
        _ = list.issuerText
        _ = list.algorithmsAgree
        let indexed = PreparedRevocationList(list, isIndexed: true)
        let scanned = PreparedRevocationList(list, isIndexed: false)
        var entries = DERReader(list.layout.entries)
        var left = 64
        while left > 0, let element = try? entries.next(.sequence, in: bytes.span),
            let entry = try? RevocationEntry.read(element, in: bytes.span)
        {
            left -= 1
            var budget = WorkBudget(limit: 1_000_000)
            let serial = bytes.span.extracting(entry.serial.indices)
            guard let found = try? indexed.matches(serial, budget: &budget),
                let expected = try? scanned.matches(serial, budget: &budget)
            else { continue }
            require(found == expected, "an index finds what a scan finds")
            require(
                found.contains { $0.entry == entry }, "every entry is found by its serial number")
        }
    }

    static func runResponse(_ bytes: [UInt8]) {
        guard let response = try? OCSPResponse(der: bytes) else { return }
        require(response.der == bytes, "a response keeps its octets")
        guard case .basic(let layout) = response.contents else { return }
        for der in response.certificates(layout, atMost: 8) {
            if let certificate = try? Certificate(der: der) { CertificateBody.read(certificate) }
        }
        var singles = response.singleResponses(layout)
        require(singles.next(in: bytes.span) != nil, "a response says something")
        while singles.next(in: bytes.span) != nil {}
    }

    /// The octets as they are, and sealed anew: what anyone can compute stops no one.
    static func runSet(_ bytes: [UInt8]) {
        for bytes in [bytes, resealed(bytes)] {
            guard let set = try? RevocationSet(decoding: bytes, crypto: crypto) else { continue }
            require(set.bytes == bytes, "a set keeps its octets")
            for evidence in set.evidence {
                require(evidence.revocationSet == bytes, "a piece knows its set")
                guard case .list(let prepared) = evidence.content else { continue }
                var budget = WorkBudget(limit: 10_000)
                for serial in [
                    [1], Seeds.leaf.recipe.serialOctets, Array(bytes.suffix(40).prefix(8)),
                ] {
                    for match in (try? prepared.matches(serial.span, budget: &budget)) ?? [] {
                        require(
                            bytes[match.entry.serial.indices].elementsEqual(serial),
                            "an entry has the serial number that was asked for")
                    }
                }
            }
            _ = EvaluationBody.verdict(
                on: [Seeds.leaf.der, Seeds.issuing.der], Evidence(prepared: set.evidence),
                at: Scenario.judgedAt)
        }
    }

    /// With a length and a seal that fit; offsets are as in `grammar/revocation-set.md`.
    private static func resealed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 56 else { return bytes }
        var bytes = Array(bytes.dropLast(32))
        let length = UInt64(bytes.count + 32)
        for place in 0..<8 { bytes[16 + place] = UInt8(truncatingIfNeeded: length >> (8 * place)) }
        return bytes + crypto.digest(.sha256, of: bytes.span).bytes
    }

    /// The octets as a CRL and as a staple. Only what the issuer signed decides anything: no input
    /// that is not one of the seeds does.
    static func runStatus(_ bytes: [UInt8]) {
        var evidence = Evidence()
        evidence.crls = [bytes]
        evidence.stapledOCSP = bytes
        let verdict = EvaluationBody.verdict(
            on: [Seeds.leaf.der, Seeds.issuing.der], evidence, at: Scenario.judgedAt)
        let isKnown = (Seeds.revocationLists + Seeds.responses).contains(bytes)
        for violation in verdict.violations {
            if case .revoked = violation.reason {
                require(isKnown, "nobody but the issuer revokes")
            }
        }
    }
}
