import Synchronization
package import TrustEngine

/// The parsed layouts and the digests of certificates that were presented more than once. Decisions
/// are not remembered.
///
/// Parsing depends only on the octets, and so do the digests. A certificate is found only when all
/// its octets equal the octets that were parsed: the octets are compared, hashes are not trusted.
/// So the memory returns the same values that a new computation would.
///
/// # Bounds
///
/// There are four shelves, for certificates of up to 2, 4, 16 and 64 KiB, with 256, 64, 16 and 4
/// slots: 1.4 MB in all. A slot's memory is made when it is first written, and stays. A certificate
/// belongs to one set of four slots, which a hash of a few of its octets selects. A full set
/// replaces a certificate that was not found since the set last looked for room, as in
/// `SignatureMemory`. A certificate that is presented for the first time is not remembered: only
/// its hash is kept, in one of 1,024 places. So end entities that are seen once displace nothing.
///
/// # Why a reader needs no lock
///
/// As in `SignatureMemory`: every word of a slot is atomic, each writer makes the slot's version
/// odd while it writes, and a reader that finds another version at its end has found nothing. It
/// looks at the words that it read only after that.
package final class CertificateMemory: Sendable {
    private let smallest = CertificateShelf<256, 256>()
    private let small = CertificateShelf<64, 512>()
    private let large = CertificateShelf<16, 2_048>()
    private let largest = CertificateShelf<4, 8_192>()
    /// The hashes of certificates that were presented, each in the place that it selects.
    private let seen: InlineArray<1_024, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }

    /// Makes a memory that remembers nothing yet.
    package init() {}

    /// Parses a certificate and hashes it with `crypto`, or finds what was parsed and hashed
    /// before.
    ///
    /// - Throws: `CertificateError`, as `Certificate.init`. Failures are not remembered.
    package func read(
        _ der: [UInt8], crypto: some CryptoBackend
    ) throws(CertificateError) -> HashedCertificate {
        guard let hash = CertificateMemory.hash(of: der.span) else { return try crypto.read(der) }
        if let known = find(der.span, hash) {
            return HashedCertificate(
                known: Certificate(der: der, layout: known.layout),
                fingerprint: known.fingerprint.digest, keyDigest: known.keyDigest.digest)
        }
        let read = try crypto.read(der)
        guard wasSeen(hash) else { return read }
        let spki = read.certificate.layout.publicKey.spki
        let known = KnownCertificate(
            layout: read.certificate.layout, fingerprint: DigestWords(read.fingerprint),
            keyDigest: DigestWords(
                crypto.digest(.sha256, of: der.span.extracting(spki.indices))))
        switch der.count {
        case ...2_048: smallest.remember(der.span, hash, known)
        case ...4_096: small.remember(der.span, hash, known)
        case ...16_384: large.remember(der.span, hash, known)
        default: largest.remember(der.span, hash, known)
        }
        return read
    }

    /// Number of certificates that are remembered now. Cost: linear in the slots.
    package var count: Int { smallest.count + small.count + large.count + largest.count }

    private func find(_ der: Span<UInt8>, _ hash: UInt64) -> KnownCertificate? {
        switch der.count {
        case ...2_048: return smallest.find(der, hash)
        case ...4_096: return small.find(der, hash)
        case ...16_384: return large.find(der, hash)
        default: return largest.find(der, hash)
        }
    }

    /// Whether a certificate with this hash was presented a short time ago. From now on it was.
    private func wasSeen(_ hash: UInt64) -> Bool {
        let index = Int(truncatingIfNeeded: hash >> 32) & (seen.count - 1)
        if seen[index].load(ordering: .relaxed) == hash { return true }
        seen[index].store(hash, ordering: .relaxed)
        return false
    }

    /// A number that says where to look for a certificate: of its length, the octets in which the
    /// serial number lies, some in its middle and the last of its signature. It is odd, so never 0.
    /// Nil for octets that are too few or too many to be a certificate.
    private static func hash(of der: Span<UInt8>) -> UInt64? {
        let count = der.count
        guard count >= 64, count <= CertificateParser.maximumSize else { return nil }
        // The finaliser of SplitMix64, after each word.
        func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
            var mixed = (state ^ word) &* 0x9e37_79b9_7f4a_7c15
            mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
            return mixed ^ mixed >> 27
        }
        var hash = mixed(UInt64(count), der.word(at: 16))
        hash = mixed(hash, der.word(at: count / 2))
        hash = mixed(hash, der.word(at: count - 16))
        return mixed(hash, der.word(at: count - 8)) | 1
    }
}

extension CertificateMemory: CustomReflectable {
    /// An empty mirror. The mirror that Swift makes copies each field, and ends the process at an
    /// array of atomics. `dump` reads mirrors, and so does a test whose expectation fails.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The facts that are remembered with a certificate's octets.
private struct KnownCertificate: BitwiseCopyable {
    let layout: CertificateLayout
    let fingerprint: DigestWords
    let keyDigest: DigestWords
}

/// SHA-256 as words: less than half of a `Digest`.
private struct DigestWords: BitwiseCopyable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    init(_ digest: Digest) {
        words = (digest.word(0), digest.word(1), digest.word(2), digest.word(3))
    }

    var digest: Digest {
        Digest(.sha256, words: (words.0, words.1, words.2, words.3, 0, 0, 0, 0))
    }
}

/// Sets of four slots for certificates of up to `words` 64-bit words.
private final class CertificateShelf<let slotCount: Int, let words: Int>: Sendable {
    private let slots: InlineArray<slotCount, CertificateHolder<words>> =
        InlineArray { _ in CertificateHolder() }

    func find(_ der: Span<UInt8>, _ hash: UInt64) -> KnownCertificate? {
        let first = firstSlot(of: hash)
        for index in first..<first + ways where slots[index].has(hash) {
            if let known = slots[index].find(der) { return known }
        }
        return nil
    }

    func remember(_ der: Span<UInt8>, _ hash: UInt64, _ known: KnownCertificate) {
        // Another thread may have read the same certificate at the same time.
        guard find(der, hash) == nil else { return }
        let first = firstSlot(of: hash)
        for index in first..<first + ways where slots[index].has(0) {
            slots[index].write(der, hash, known)
            return
        }
        let start = Int(truncatingIfNeeded: hash >> 48)
        for turn in 0..<ways {
            let slot = first + (start &+ turn) & (ways - 1)
            if !slots[slot].foundMark.take() {
                slots[slot].write(der, hash, known)
                return
            }
        }
        slots[first + start & (ways - 1)].write(der, hash, known)
    }

    var count: Int {
        var count = 0
        for index in slots.indices where !slots[index].has(0) { count += 1 }
        return count
    }

    private func firstSlot(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash >> 8) & (slotCount - ways)
    }

    /// Slots of one set.
    private var ways: Int { 4 }
}

/// The place of a shelf for one certificate.
private struct CertificateHolder<let words: Int>: ~Copyable, Sendable {
    /// The hash of the certificate that is remembered here; 0 before the first. It only says where
    /// looking is worth it.
    private let hash = Atomic<UInt64>(0)
    let foundMark = FoundMark()
    private let slot = MadeOnce<CertificateSlot<words>>()

    func has(_ wanted: UInt64) -> Bool { hash.load(ordering: .relaxed) == wanted }

    func find(_ der: Span<UInt8>) -> KnownCertificate? {
        guard let known = slot.ifMade({ $0.find(der) }) ?? nil else { return nil }
        foundMark.set()
        return known
    }

    /// Replaces the certificate of this slot, unless another thread is doing that.
    func write(_ der: Span<UInt8>, _ newHash: UInt64, _ known: KnownCertificate) {
        let isWritten = slot.make(CertificateSlot.init) { $0.write(der, known) }
        guard isWritten else { return }
        hash.store(newHash, ordering: .relaxed)
        foundMark.clear()
    }
}

/// One remembered certificate. `SignatureMemory` says in which order its words are read and
/// written.
private final class CertificateSlot<let words: Int>: Sendable {
    /// Even: nobody writes; 0: nothing was written yet.
    private let version = Atomic<UInt64>(0)
    /// Number of octets.
    private let byteCount = Atomic<Int>(0)
    /// The octets, eight to a word. The last word ends with zeros.
    private let octets: InlineArray<words, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }
    /// The words of a `KnownCertificate`.
    private let known: InlineArray<44, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }

    init() { precondition(MemoryLayout<KnownCertificate>.size == 8 * known.count) }

    func find(_ der: Span<UInt8>) -> KnownCertificate? {
        let before = version.load(ordering: .acquiring)
        guard before != 0, before & 1 == 0, byteCount.load(ordering: .acquiring) == der.count,
            der.count <= octets.count * 8
        else { return nil }
        let whole = der.count >> 3
        var difference: UInt64 = 0
        for index in 0..<whole {
            difference |=
                unsafe octets[unchecked: index].load(ordering: .acquiring)
                ^ der.word(at: index &* 8)
        }
        if der.count & 7 != 0 {
            difference |= octets[whole].load(ordering: .acquiring) ^ der.lastWord
        }
        guard difference == 0 else { return nil }
        var found = InlineArray<44, UInt64>(repeating: 0)
        for index in known.indices { found[index] = known[index].load(ordering: .acquiring) }
        guard version.load(ordering: .relaxed) == before else { return nil }
        // Only now are the words looked at as a value: they are those that one writer stored.
        return unsafe withUnsafeBytes(of: found) { bytes in
            unsafe bytes.load(as: KnownCertificate.self)
        }
    }

    /// Writes a certificate; false where another thread writes here.
    func write(_ der: Span<UInt8>, _ new: KnownCertificate) -> Bool {
        let before = version.load(ordering: .relaxed)
        guard der.count <= octets.count * 8, before & 1 == 0,
            version.compareExchange(
                expected: before, desired: before + 1, successOrdering: .acquiring,
                failureOrdering: .relaxed
            ).exchanged
        else { return false }
        byteCount.store(der.count, ordering: .releasing)
        let whole = der.count >> 3
        for index in 0..<whole {
            octets[index].store(der.word(at: index &* 8), ordering: .releasing)
        }
        if der.count & 7 != 0 { octets[whole].store(der.lastWord, ordering: .releasing) }
        unsafe withUnsafeBytes(of: new) { bytes in
            for index in known.indices {
                known[index].store(
                    unsafe bytes.load(fromByteOffset: index &* 8, as: UInt64.self),
                    ordering: .releasing)
            }
        }
        version.store(before + 2, ordering: .releasing)
        return true
    }
}

extension Span<UInt8> {
    /// Eight octets as a word, in the order of the machine. `position + 8` is at most the count.
    fileprivate func word(at position: Int) -> UInt64 {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self)
    }

    /// The octets after the last whole word, at least one; zeros after them.
    fileprivate var lastWord: UInt64 {
        var word: UInt64 = 0
        for position in count & ~7..<count { word = word << 8 | UInt64(self[position]) }
        return word
    }
}
