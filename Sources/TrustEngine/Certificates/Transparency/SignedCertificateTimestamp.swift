/// A signed certificate timestamp (RFC 6962 section 3.2): its values, and the ranges of its parts
/// in the octets of the list. It is not verified: `TransparencyJudge` verifies the log's signature.
package struct SignedCertificateTimestamp: Hashable, Sendable, BitwiseCopyable {
    /// SHA-256 of the log's key.
    package let logID: Digest
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let timestamp: UInt64
    /// Content of CtExtensions, without its length.
    package let extensions: ByteRange
    /// HashAlgorithm and SignatureAlgorithm of TLS 1.2 (RFC 5246 section 7.4.1.4.1).
    package let algorithm: Algorithm
    /// The octets of the signature.
    package let signature: ByteRange
    /// Whether the extensions hold a leaf index. Timestamps of a log of the static CT API must hold
    /// one.
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

        /// The signature algorithm when a log may use it (RFC 6962 section 2.1.4): SHA-256 with RSA
        /// or ECDSA; nil otherwise.
        package var known: SignatureAlgorithm? {
            guard hash == 4 else { return nil }
            switch signature {
            case 1: return .rsaPKCS1(.sha256)
            case 3: return .ecdsa(.sha256)
            default: return nil
            }
        }
    }

    /// The instant in whole seconds. A fraction of a second is dropped.
    package var time: UTCInstant { UTCInstant(milliseconds: timestamp) }
}

/// Why octets are not a timestamp that the engine can read.
public enum TimestampFormatProblem: Hashable, Sendable {
    /// The structure is not right. `offset` is where reading stopped in the list.
    case malformed(offset: Int)
    /// A version other than 1 (encoded as 0), whose structure the engine does not know.
    case unknownVersion(UInt8)
}

/// A SignedCertificateTimestampList (RFC 6962 section 3.3) in the presentation language of TLS: its
/// octets and its entries.
package struct TimestampList: Sendable {
    /// One entry of the list.
    package enum Entry: Hashable, Sendable {
        case timestamp(SignedCertificateTimestamp)
        /// The entry cannot be read. The other entries of the list still count.
        case unreadable(TimestampFormatProblem)
    }

    /// The list as received, the length before it included.
    package let octets: [UInt8]
    /// The entries in their order. A list whose own structure is not right has one entry, which
    /// says so.
    package let entries: [Entry]
    /// Number of entries that were not read, because there are more than `maximumEntries`.
    package let unread: Int

    /// The most entries that are read. Certificates in use have two to five timestamps.
    package static let maximumEntries = 32

    /// Reads a list. Cost: linear in the list, which has at most 65,537 octets because its length
    /// has two.
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
            // The entries before the fault do not count either: the octets are not a list.
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

    /// Whether extensions in the form of the static CT API hold a leaf index. The form is a list of
    /// a type in one octet and data behind a length in two octets; type 0 is the leaf index of five
    /// octets. Other logs may put anything there.
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

/// A cursor over a run of octets in the presentation language of TLS (RFC 5246 section 4): numbers
/// are big-endian, and a vector has its length before it in two octets. Every call must get the
/// same buffer. INVARIANT (inside the buffer): `position <= end <=` the buffer's count.
struct PresentationReader {
    /// The octets are not what the caller expects.
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

    /// Reads octets.
    mutating func octets(_ count: Int, in bytes: Span<UInt8>) throws(Failure) -> ByteRange {
        guard count <= end - position else { throw Failure(offset: position) }
        defer { position += count }
        return ByteRange(start: position, count: count)
    }

    /// Reads octets as a number; at most eight octets.
    mutating func number(octets count: Int, in bytes: Span<UInt8>) throws(Failure) -> UInt64 {
        let range = try octets(count, in: bytes)
        var value: UInt64 = 0
        for index in range.indices { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    /// Reads a vector and gives the range of its content.
    mutating func vector(
        atLeast minimum: Int, in bytes: Span<UInt8>
    ) throws(Failure) -> ByteRange {
        let start = position
        let count = Int(try number(octets: 2, in: bytes))
        guard count >= minimum else { throw Failure(offset: start) }
        return try octets(count, in: bytes)
    }

    /// Refuses octets that are left over.
    func finish() throws(Failure) {
        guard isAtEnd else { throw Failure(offset: position) }
    }
}
