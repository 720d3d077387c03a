import CLibC
import CLibCrypto
import CMemory
import LibCrypto
import TestPKI
import TrustEngine

/// What one way of answering costs.
struct Measured {
    let name: String
    let isOurs: Bool
    /// Milliseconds until the first question can be asked.
    let preparation: Double
    /// Nanoseconds a question, the median of the rounds.
    let lookup: Double
    /// Octets of memory that stay allocated, the CRL's own included.
    let memory: Int
    /// Questions that were answered wrongly.
    let wrong: Int

    var line: String {
        "\(name): prepared in \(Int(preparation)) ms, \(Int(lookup)) ns a question, "
            + "\(memory / 1_000) kB"
    }
}

/// A CRL, and the serial numbers that it is asked for: as many that it lists as that it does not.
struct RevocationSample {
    /// Nanoseconds that one of our answers may take.
    static let bar = 1_000.0

    private static let issuer = Scenario().root("Benchmark", key: .p256("benchmark"))
    let list: [UInt8]
    private let listed: [[UInt8]]
    private let absent: [[UInt8]]

    init(entries: Int) {
        var random = SplitMix(state: 0x5EED)
        func serial() -> [UInt8] {
            [0x03]
                + (0..<2).flatMap { _ in
                    let word = random.next()
                    return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
                }
        }
        let serials = (0..<entries).map { _ in serial() }
        self.list = RevocationSample.issuer.revocationList { recipe in
            recipe.entries = serials.enumerated().map { place, serial in
                RevocationListRecipe.Entry(
                    serial, at: .at("2026-05-01").advanced(bySeconds: Int64(place % 800_000)))
            }
        }
        let questions = 20_000
        self.listed = (0..<questions).map { _ in serials[Int(random.next() % UInt64(entries))] }
        self.absent = (0..<questions).map { _ in serial() }
    }

    // MARK: Ours

    func prepared() -> Measured {
        let crypto = LibCryptoBackend()
        guard let signer = try? Certificate(der: RevocationSample.issuer.der) else {
            fatalError("the issuer's certificate does not parse")
        }
        let before = allocated()
        // A copy of its own, as whoever reads a file has one.
        let octets = [UInt8](list.map { $0 })
        let read = now()
        guard
            let evidence = try? PreparedEvidence(crl: octets, signers: [signer], crypto: crypto),
            evidence.isSigned(byKeyOf: signer), case .list(let prepared) = evidence.content
        else { fatalError("the CRL does not verify") }
        let preparation = now() - read
        return measure(
            "hawser, prepared", isOurs: true, preparation: preparation, since: before
        ) { serial in
            var budget = WorkBudget(limit: 1_000)
            return (try? !prepared.matches(serial.span, budget: &budget).isEmpty) ?? false
        }
    }

    /// The same in a revocation set, read as a service reads its file.
    func compact() -> Measured {
        let crypto = LibCryptoBackend()
        let made = revocationSet(crypto)
        let before = allocated()
        let octets = [UInt8](made.map { $0 })
        let start = now()
        guard let set = try? RevocationSet(decoding: octets, crypto: crypto),
            case .list(let prepared)? = set.evidence.first?.content
        else { fatalError("the set does not decode") }
        let preparation = now() - start
        return withExtendedLifetime((made, set)) {
            measure(
                "hawser, revocation set", isOurs: true, preparation: preparation, since: before
            ) { serial in
                var budget = WorkBudget(limit: 1_000)
                return (try? !prepared.matches(serial.span, budget: &budget).isEmpty) ?? false
            }
        }
    }

    @inline(never)
    private func revocationSet(_ crypto: LibCryptoBackend) -> [UInt8] {
        guard let signer = try? Certificate(der: RevocationSample.issuer.der),
            let evidence = try? PreparedEvidence(crl: list, signers: [signer], crypto: crypto),
            let made = try? RevocationSet.encode([evidence], crypto: crypto)
        else { fatalError("the CRL does not go into a set") }
        return made
    }

    // MARK: libcrypto

    func libcrypto() -> Measured {
        let before = allocated()
        let octets = [UInt8](list.map { $0 })
        let certificate = RevocationSample.issuer.der.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return d2i_X509(nil, &next, buffer.count)
        }
        let read = now()
        let crl = octets.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return d2i_X509_CRL(nil, &next, buffer.count)
        }
        guard let crl, X509_CRL_verify(crl, X509_get0_pubkey(certificate)) == 1 else {
            fatalError("libcrypto does not verify the CRL")
        }
        // It sorts when it is first asked.
        _ = isListed(listed[0], crl)
        let preparation = now() - read
        defer {
            X509_CRL_free(crl)
            X509_free(certificate)
        }
        return measure(
            "libcrypto", isOurs: false, preparation: preparation, since: before
        ) { isListed($0, crl) }
    }

    private func isListed(_ serial: [UInt8], _ crl: OpaquePointer) -> Bool {
        let number = ASN1_INTEGER_new()
        defer { ASN1_INTEGER_free(number) }
        ASN1_STRING_set(number, serial, Int32(serial.count))
        var found: OpaquePointer?
        return X509_CRL_get0_by_serial(crl, &found, number) == 1
    }

    // MARK: Measuring

    private func measure(
        _ name: String, isOurs: Bool, preparation: Double, since before: Int,
        _ isListed: ([UInt8]) -> Bool
    ) -> Measured {
        let memory = allocated() - before
        var wrong = 0
        var rounds: [Double] = []
        for _ in 0..<9 {
            let start = now()
            for place in listed.indices {
                if !isListed(listed[place]) { wrong += 1 }
                if isListed(absent[place]) { wrong += 1 }
            }
            rounds.append((now() - start) * 1_000_000 / Double(2 * listed.count))
        }
        rounds.sort()
        return Measured(
            name: name, isOurs: isOurs, preparation: preparation, lookup: rounds[rounds.count / 2],
            memory: memory, wrong: wrong)
    }

    /// Milliseconds of a clock that never goes back.
    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }

    /// Octets that are allocated now, by Swift or by libcrypto.
    private func allocated() -> Int { hwmemory_allocated() }
}
