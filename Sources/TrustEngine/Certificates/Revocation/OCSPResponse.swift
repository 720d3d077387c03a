/// An OCSP response (RFC 6960 section 4.2.1): its DER octets and a table of offsets into them.
/// Single responses and certificates are read when a caller asks for them.
///
/// A value exists only for octets that are strict DER. The certificates that a response carries are
/// excepted: nobody vouches for them, and the engine may not need them.
package struct OCSPResponse: Hashable, Sendable {
    /// The response exactly as received, tag and length included; no trailing octets.
    package let der: [UInt8]
    /// The contents of the response.
    package let contents: Contents

    /// What a response holds.
    package enum Contents: Hashable, Sendable, BitwiseCopyable {
        /// An error status. The response says nothing about any certificate.
        case error(OCSPErrorStatus)
        /// A basic response, with the offsets of its fields.
        case basic(OCSPResponseLayout)
    }

    /// Parses one response. Cost: linear in `der`.
    ///
    /// - Throws: `EvidenceError`, which names the field and the offset at which parsing stopped.
    package init(der: [UInt8]) throws(EvidenceError) {
        self.contents = try OCSPResponseParser.parse(der.span)
        self.der = der
    }

    /// Octets of the largest response that the engine reads. Responses in use have one or two
    /// kilobytes.
    package static let maximumSize = 1 << 20

    /// Compares the octets.
    package static func == (left: Self, right: Self) -> Bool { left.der == right.der }

    /// Hashes the octets.
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }

    /// The single responses in their order.
    package func singleResponses(_ layout: OCSPResponseLayout) -> OCSPSingleResponseReader {
        OCSPSingleResponseReader(layout.responses)
    }

    /// DER of the certificates that the response carries, in their order, at most `limit`.
    package func certificates(_ layout: OCSPResponseLayout, atMost limit: Int) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        var reader = DERReader(layout.certificates)
        while certificates.count < limit, let element = try? reader.next(in: der.span) {
            certificates.append(der.span.copied(element.whole))
        }
        return certificates
    }
}

/// Why a responder gave no answer (OCSPResponseStatus, RFC 6960 section 4.2.1). No signature covers
/// this status.
public enum OCSPErrorStatus: UInt8, Hashable, Sendable, BitwiseCopyable {
    case malformedRequest = 1
    case internalError = 2
    case tryLater = 3
    case signatureRequired = 5
    case unauthorized = 6

    /// The name in RFC 6960's ASN.1 module.
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
    /// How the response names its signer (RFC 6960 section 4.2.2.3).
    package enum Responder: Hashable, Sendable, BitwiseCopyable {
        /// By name: the signer's Name, tag and length included.
        case name(ByteRange)
        /// By key: SHA-1 of the key's BIT STRING without its count of unused bits.
        case keyHash(ByteRange)
    }

    /// ResponseData, tag and length included: the octets that are signed.
    package var tbs = ByteRange(start: 0, count: 0)
    /// The signer that the response names.
    package var responder = Responder.keyHash(ByteRange(start: 0, count: 0))
    /// The instant at which the response was signed.
    package var producedAt = UTCInstant(secondsSinceEpoch: 0)
    /// Content of the run of single responses, which has at least one.
    package var responses = ByteRange(start: 0, count: 0)
    /// The octets of the nonce, without the OCTET STRING that should wrap them; nil when absent.
    package var nonce: ByteRange?
    /// The signature algorithm of the response.
    package var signatureAlgorithm = SignatureAlgorithm.unsupported
    /// The signature's octets.
    package var signature = ByteRange(start: 0, count: 0)
    /// Content of the certificates that the response carries; empty when absent.
    package var certificates = ByteRange(start: 0, count: 0)
    /// The first critical extension of the response that the engine does not know: content octets
    /// of its identifier, empty when there is none.
    package var unknownCritical = ByteRange(start: 0, count: 0)
}

/// The answer of a response about one certificate (SingleResponse, RFC 6960 section 4.2.1).
package struct OCSPSingleResponse: Hashable, Sendable, BitwiseCopyable {
    /// The status of the certificate (CertStatus).
    package enum Status: Hashable, Sendable, BitwiseCopyable {
        case good
        case revoked(RevocationReason, at: UTCInstant)
        case unknown
    }

    /// The certificate that the answer is about.
    package let certificate: OCSPCertificateID
    package let status: Status
    /// The instant at which the status was known to be right.
    package let thisUpdate: UTCInstant
    /// The instant by which newer information is available; nil when it is available at all times
    /// (section 4.2.2.1).
    package let nextUpdate: UTCInstant?
    /// The first critical extension of the single response that the engine does not know: content
    /// octets of its identifier, empty when there is none.
    package let unknownCritical: ByteRange
    /// The SCT list (RFC 6962 section 3.3) in TLS encoding; empty when absent, and when it stands
    /// in no OCTET STRING.
    package let timestamps: ByteRange
}

/// How a response names a certificate (CertID, RFC 6960 section 4.1.1).
package struct OCSPCertificateID: Hashable, Sendable, BitwiseCopyable {
    /// The hashes that name issuers. SHA-1 serves only to tell issuers apart. An attacker who makes
    /// two issuers collide still cannot sign the response.
    package enum Hash: Hashable, Sendable, BitwiseCopyable {
        case sha1
        case sha2(DigestAlgorithm)
    }

    /// The hash that was used; nil for a hash that the engine does not have. Then the name matches
    /// no certificate.
    package let hash: Hash?
    /// Octets of the hash of the issuer's Name.
    package let issuerName: ByteRange
    /// Octets of the hash of the issuer's key.
    package let issuerKey: ByteRange
    /// Content octets of the serial number, as encoded.
    package let serial: ByteRange
}

/// Walks the single responses of a parsed response in their order.
package struct OCSPSingleResponseReader: Sendable, BitwiseCopyable {
    private var reader: DERReader

    init(_ responses: ByteRange) { reader = DERReader(responses) }

    /// The next single response; nil at the end.
    package mutating func next(in bytes: Span<UInt8>) -> OCSPSingleResponse? {
        guard let element = try? reader.next(.sequence, in: bytes) else { return nil }
        return try? OCSPResponseParser.readSingle(element, bytes)
    }
}
