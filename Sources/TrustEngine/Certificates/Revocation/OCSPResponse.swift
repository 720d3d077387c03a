/// An OCSP response (RFC 6960 section 4.2.1): its DER octets and a plain table of offsets into them.
/// Single responses and certificates are read on demand.
///
/// A value exists only for octets that parse as strict DER: for a successful one everything but the
/// certificates sent along, which nobody vouches for and which may be of no use.
package struct OCSPResponse: Hashable, Sendable {
    /// The response exactly as received, tag and length included; no trailing octets.
    package let der: [UInt8]
    /// What it says, and where.
    package let contents: Contents

    /// What a response says.
    package enum Contents: Hashable, Sendable, BitwiseCopyable {
        /// It answers nothing: the status is one of the errors.
        case error(OCSPErrorStatus)
        /// A basic response.
        case basic(OCSPResponseLayout)
    }

    /// Parses one response. Cost: linear in `der`.
    ///
    /// - Throws: `EvidenceError` naming the field and the offset at which parsing stopped.
    package init(der: [UInt8]) throws(EvidenceError) {
        self.contents = try OCSPResponseParser.parse(der.span)
        self.der = der
    }

    /// Octets of the largest response that is read: those in use have one or two kilobytes.
    package static let maximumSize = 1 << 20

    /// Whether the octets are equal.
    package static func == (left: Self, right: Self) -> Bool { left.der == right.der }

    /// Hashes the octets.
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }

    /// The single responses, in order.
    package func singleResponses(_ layout: OCSPResponseLayout) -> OCSPSingleResponseReader {
        OCSPSingleResponseReader(layout.responses)
    }

    /// DER of the certificates sent along, in order, at most `limit`.
    package func certificates(_ layout: OCSPResponseLayout, atMost limit: Int) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        var reader = DERReader(layout.certificates)
        while certificates.count < limit, let element = try? reader.next(in: der.span) {
            certificates.append(der.span.copied(element.whole))
        }
        return certificates
    }
}

/// Why a responder gave no answer (OCSPResponseStatus, RFC 6960 section 4.2.1). Nothing signs it.
public enum OCSPErrorStatus: UInt8, Hashable, Sendable, BitwiseCopyable {
    case malformedRequest = 1
    case internalError = 2
    case tryLater = 3
    case signatureRequired = 5
    case unauthorized = 6

    /// The name in RFC 6960's module.
    public var name: String {
        switch self {
        case .malformedRequest: return "malformedRequest"
        case .internalError: return "internalError"
        case .tryLater: return "tryLater"
        case .signatureRequired: return "sigRequired"
        case .unauthorized: return "unauthorized"
        }
    }
}

/// Offsets and small values of one basic response. All ranges point into its octets.
package struct OCSPResponseLayout: Hashable, Sendable, BitwiseCopyable {
    /// Who says that they signed (RFC 6960 section 4.2.2.3).
    package enum Responder: Hashable, Sendable, BitwiseCopyable {
        /// Name, tag and length included.
        case name(ByteRange)
        /// SHA-1 of the key's BIT STRING without its count of unused bits.
        case keyHash(ByteRange)
    }

    /// ResponseData, tag and length included: the octets that are signed.
    package var tbs = ByteRange(start: 0, count: 0)
    /// Who says that they signed.
    package var responder = Responder.keyHash(ByteRange(start: 0, count: 0))
    /// When the response was signed.
    package var producedAt = UTCInstant(secondsSinceEpoch: 0)
    /// Content of the run of single responses; at least one.
    package var responses = ByteRange(start: 0, count: 0)
    /// The nonce's octets, without the OCTET STRING that it should be in; nil when absent.
    package var nonce: ByteRange?
    /// How the response is signed.
    package var signatureAlgorithm = SignatureAlgorithm.unsupported
    /// The signature's octets.
    package var signature = ByteRange(start: 0, count: 0)
    /// Content of the certificates sent along; empty when absent.
    package var certificates = ByteRange(start: 0, count: 0)
    /// Content octets of the OID of the first critical extension of the whole response that nobody
    /// here knows; empty when there is none.
    package var unknownCritical = ByteRange(start: 0, count: 0)
}

/// What a response says of one certificate (SingleResponse, RFC 6960 section 4.2.1).
package struct OCSPSingleResponse: Hashable, Sendable, BitwiseCopyable {
    /// CertStatus.
    package enum Status: Hashable, Sendable, BitwiseCopyable {
        case good
        case revoked(RevocationReason, at: UTCInstant)
        case unknown
    }

    /// Which certificate it speaks of.
    package let certificate: OCSPCertificateID
    package let status: Status
    /// The instant at which the status was known to be right.
    package let thisUpdate: UTCInstant
    /// By when newer information will be there; nil when it always is (section 4.2.2.1).
    package let nextUpdate: UTCInstant?
    /// Content octets of the OID of the first critical extension that nobody here knows; empty when
    /// there is none.
    package let unknownCritical: ByteRange
    /// The SCT list (RFC 6962 section 3.3) in TLS encoding; empty when absent, or not in an OCTET STRING.
    package let timestamps: ByteRange
}

/// How a response names a certificate (CertID, RFC 6960 section 4.1.1).
package struct OCSPCertificateID: Hashable, Sendable, BitwiseCopyable {
    /// The hashes that name issuers. SHA-1 serves only to tell issuers apart: whoever could make two
    /// collide would still have to sign the response.
    package enum Hash: Hashable, Sendable, BitwiseCopyable {
        case sha1
        case sha2(DigestAlgorithm)
    }

    /// Which hash; nil for one that nobody here has, so that the name fits no certificate.
    package let hash: Hash?
    /// Octets of the hash of the issuer's name.
    package let issuerName: ByteRange
    /// Octets of the hash of the issuer's key.
    package let issuerKey: ByteRange
    /// Content octets of the serial number, as encoded.
    package let serial: ByteRange
}

/// Walks the single responses of a parsed response, in order.
package struct OCSPSingleResponseReader: Sendable, BitwiseCopyable {
    private var reader: DERReader

    init(_ responses: ByteRange) { reader = DERReader(responses) }

    /// The next one, or nil at the end.
    package mutating func next(in bytes: Span<UInt8>) -> OCSPSingleResponse? {
        guard let element = try? reader.next(.sequence, in: bytes) else { return nil }
        return try? OCSPResponseParser.readSingle(element, bytes)
    }
}
