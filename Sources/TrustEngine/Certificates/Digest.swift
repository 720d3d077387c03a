/// The digest algorithms that pins, fingerprints and signatures use.
public enum DigestAlgorithm: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case sha256 = 0
    case sha384 = 1
    case sha512 = 2

    /// Octets of a digest.
    public var byteCount: Int {
        switch self {
        case .sha256: return 32
        case .sha384: return 48
        case .sha512: return 64
        }
    }

    /// The name in policies: `sha256`, `sha384` or `sha512`.
    public var name: String {
        switch self {
        case .sha256: return "sha256"
        case .sha384: return "sha384"
        case .sha512: return "sha512"
        }
    }
}

/// A digest with its algorithm. The value needs no heap allocation.
public struct Digest: Hashable, Sendable, BitwiseCopyable {
    /// The algorithm that made it.
    public let algorithm: DigestAlgorithm
    /// The octets, packed big-endian into eight words. Unused words are zero.
    private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    /// 32 zero octets. They stand for a digest that is not known.
    static let zero = Digest()

    private init() {
        self.algorithm = .sha256
        self.words = (0, 0, 0, 0, 0, 0, 0, 0)
    }

    /// Makes a digest from its octets; nil when their number does not fit the algorithm.
    public init?(_ algorithm: DigestAlgorithm, bytes: some Collection<UInt8>) {
        guard bytes.count == algorithm.byteCount else { return nil }
        self.algorithm = algorithm
        self.words = (0, 0, 0, 0, 0, 0, 0, 0)
        for (index, byte) in bytes.enumerated() {
            set(byte, at: index)
        }
    }

    /// As `init(_:bytes:)`, for octets that stand side by side. A compiler reads as many digests as
    /// its policy has pins, and the initialiser for any collection is generic and slow from another
    /// module.
    package init?(_ algorithm: DigestAlgorithm, octets: Span<UInt8>) {
        guard octets.count == algorithm.byteCount else { return nil }
        func word(_ number: Int) -> UInt64 {
            var word: UInt64 = 0
            for index in number * 8..<number * 8 + 8 {
                word = word << 8 | (index < octets.count ? UInt64(octets[index]) : 0)
            }
            return word
        }
        self.init(
            algorithm,
            words: (word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)))
    }

    /// Makes a digest from its octets, packed big-endian into words. Octets after the algorithm's
    /// count must be zero. Backends use this initialiser: they hash into words and must not
    /// allocate.
    package init(
        _ algorithm: DigestAlgorithm,
        words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    ) {
        self.algorithm = algorithm
        self.words = words
    }

    /// The octets in their order.
    public var bytes: [UInt8] {
        (0..<algorithm.byteCount).map { byte(at: $0) }
    }

    /// One octet of the digest. `index` must be below the algorithm's byte count.
    public func byte(at index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: word(index >> 3) >> UInt64(56 - (index & 7) * 8))
    }

    /// Compares algorithms and octets.
    public static func == (left: Digest, right: Digest) -> Bool {
        left.algorithm == right.algorithm
            && left.words.0 == right.words.0 && left.words.1 == right.words.1
            && left.words.2 == right.words.2 && left.words.3 == right.words.3
            && left.words.4 == right.words.4 && left.words.5 == right.words.5
            && left.words.6 == right.words.6 && left.words.7 == right.words.7
    }

    /// Hashes the first octets, which tell digests apart as well as all octets do.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(algorithm)
        hasher.combine(words.0)
        hasher.combine(words.1)
    }

    /// Eight octets of the digest as a big-endian number; `index` counts words, from 0 to 7. Words
    /// after the last octet are zero.
    package func word(_ index: Int) -> UInt64 {
        switch index {
        case 0: return words.0
        case 1: return words.1
        case 2: return words.2
        case 3: return words.3
        case 4: return words.4
        case 5: return words.5
        case 6: return words.6
        default: return words.7
        }
    }

    private mutating func set(_ byte: UInt8, at index: Int) {
        let bits = UInt64(byte) << UInt64(56 - (index & 7) * 8)
        switch index >> 3 {
        case 0: words.0 |= bits
        case 1: words.1 |= bits
        case 2: words.2 |= bits
        case 3: words.3 |= bits
        case 4: words.4 |= bits
        case 5: words.5 |= bits
        case 6: words.6 |= bits
        default: words.7 |= bits
        }
    }
}
