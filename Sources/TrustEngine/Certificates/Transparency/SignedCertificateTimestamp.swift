/// A signed certificate timestamp (RFC 6962 section 3.2): what it says, and where in the list's octets it
/// lies. Nothing here is proved: whether its log signed it is for whoever judges it.
package struct SignedCertificateTimestamp: Hashable, Sendable, BitwiseCopyable {
    /// SHA-256 of the log's key.
    package let logID: Digest
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let timestamp: UInt64
    /// CtExtensions without their length.
    package let extensions: ByteRange
    /// HashAlgorithm and SignatureAlgorithm of TLS 1.2 (RFC 5246 section 7.4.1.4.1).
    package let algorithm: Algorithm
    /// The signature's octets.
    package let signature: ByteRange
    /// Whether the extensions hold a leaf index, as those of a log that is read in tiles must.
    package let hasLeafIndex: Bool

    /// The two octets of SignatureAndHashAlgorithm.
    package struct Algorithm: Hashable, Sendable, BitwiseCopyable {
        /// 4 is SHA-256.
        package let hash: UInt8
        /// 1 is RSA, 3 ECDSA.
        package let signature: UInt8

        package init(hash: UInt8, signature: UInt8) {
            self.hash = hash
            self.signature = signature
        }

        /// What a log may sign with (RFC 6962 section 2.1.4): SHA-256, and RSA or ECDSA.
        package var known: SignatureAlgorithm? {
            guard hash == 4 else { return nil }
            switch signature {
            case 1: return .rsaPKCS1(.sha256)
            case 3: return .ecdsa(.sha256)
            default: return nil
            }
        }
    }

    /// The instant in whole seconds, its fraction dropped.
    package var time: UTCInstant {
        UTCInstant(secondsSinceEpoch: Int64(clamping: timestamp / 1_000))
    }
}

/// Why octets are not a timestamp, or not one that can be read.
public enum TimestampFormatProblem: Hashable, Sendable {
    /// The structure does not hold together; the offset in the list at which reading stopped.
    case malformed(offset: Int)
    /// A version other than 1 (encoded as 0), whose form is not known.
    case unknownVersion(UInt8)
}

/// A SignedCertificateTimestampList (RFC 6962 section 3.3) in the presentation language of TLS: its octets
/// and what is in them.
package struct TimestampList: Sendable {
    /// One entry.
    package enum Entry: Hashable, Sendable {
        case timestamp(SignedCertificateTimestamp)
        /// Whoever wrote the list wrote this one so; the others stand.
        case unreadable(TimestampFormatProblem)
    }

    /// The list as received, its length before it.
    package let octets: [UInt8]
    /// In their order. A list whose own structure does not hold has one entry, that says so.
    package let entries: [Entry]
    /// How many more there are than are read.
    package let unread: Int

    /// Entries that are read: certificates in use have two to five.
    package static let maximumEntries = 32

    /// Reads a list. Cost: linear in it; it has at most 65,537 octets, as its length has two.
    package init(_ octets: [UInt8]) {
        self.octets = octets
        var reader = PresentationReader(octets.span)
        var entries: [Entry] = []
        var unread = 0
        do throws(PresentationReader.Failure) {
            let list = try reader.vector(atLeast: 1, in: octets.span)
            try reader.finish()
            var items = PresentationReader(list)
            while !items.isAtEnd {
                let item = try items.vector(atLeast: 1, in: octets.span)
                if entries.count < TimestampList.maximumEntries {
                    entries.append(TimestampList.entry(item, in: octets.span))
                } else {
                    unread += 1
                }
            }
        } catch {
            // What stood before the fault is not believed either: the list as a whole is no list.
            entries = [.unreadable(.malformed(offset: error.offset))]
            unread = 0
        }
        self.entries = entries
        self.unread = unread
    }

    private static func entry(_ item: ByteRange, in bytes: Span<UInt8>) -> Entry {
        var reader = PresentationReader(item)
        do throws(PresentationReader.Failure) {
            let version = try reader.number(octets: 1, in: bytes)
            guard version == 0 else { return .unreadable(.unknownVersion(UInt8(version))) }
            let id = try reader.octets(32, in: bytes)
            let timestamp = try reader.number(octets: 8, in: bytes)
            let extensions = try reader.vector(atLeast: 0, in: bytes)
            let hash = try reader.number(octets: 1, in: bytes)
            let signature = try reader.number(octets: 1, in: bytes)
            let value = try reader.vector(atLeast: 0, in: bytes)
            try reader.finish()
            guard let logID = Digest(.sha256, bytes: bytes.copied(id)) else {
                return .unreadable(.malformed(offset: Int(id.start)))
            }
            return .timestamp(
                SignedCertificateTimestamp(
                    logID: logID, timestamp: timestamp, extensions: extensions,
                    algorithm: SignedCertificateTimestamp.Algorithm(
                        hash: UInt8(hash), signature: UInt8(signature)),
                    signature: value, hasLeafIndex: hasLeafIndex(extensions, in: bytes)))
        } catch {
            return .unreadable(.malformed(offset: error.offset))
        }
    }

    /// Whether extensions in the form of the static CT API have a leaf index: a list of types of one
    /// octet with data behind a length of two, type 0 with five octets. Other logs may put anything there.
    private static func hasLeafIndex(_ extensions: ByteRange, in bytes: Span<UInt8>) -> Bool {
        var reader = PresentationReader(extensions)
        var isFound = false
        do throws(PresentationReader.Failure) {
            while !reader.isAtEnd {
                let type = try reader.number(octets: 1, in: bytes)
                let data = try reader.vector(atLeast: 0, in: bytes)
                if type == 0 {
                    guard data.count == 5, !isFound else { return false }
                    isFound = true
                }
            }
        } catch {
            return false
        }
        return isFound
    }
}

/// A cursor over a run of octets in TLS's presentation language (RFC 5246 section 4): numbers big-endian,
/// vectors with their length in two octets. Every call takes the same buffer. INVARIANT (inside the
/// buffer): `position <= end <=` the buffer's count.
struct PresentationReader {
    /// What is there is not what was expected.
    struct Failure: Error {
        let offset: Int
    }

    private var position: Int
    private let end: Int

    init(_ bytes: Span<UInt8>) {
        self.position = 0
        self.end = bytes.count
    }

    init(_ range: ByteRange) {
        self.position = range.indices.lowerBound
        self.end = range.indices.upperBound
    }

    var isAtEnd: Bool { position >= end }

    /// The next octets.
    mutating func octets(_ count: Int, in bytes: Span<UInt8>) throws(Failure) -> ByteRange {
        guard count <= end - position else { throw Failure(offset: position) }
        defer { position += count }
        return ByteRange(start: position, count: count)
    }

    /// The next octets as a number; at most eight.
    mutating func number(octets count: Int, in bytes: Span<UInt8>) throws(Failure) -> UInt64 {
        let range = try octets(count, in: bytes)
        var value: UInt64 = 0
        for index in range.indices { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    /// The content of a vector.
    mutating func vector(
        atLeast minimum: Int, in bytes: Span<UInt8>
    ) throws(Failure) -> ByteRange {
        let start = position
        let count = Int(try number(octets: 2, in: bytes))
        guard count >= minimum else { throw Failure(offset: start) }
        return try octets(count, in: bytes)
    }

    /// Refuses anything left over.
    func finish() throws(Failure) {
        guard isAtEnd else { throw Failure(offset: position) }
    }
}
