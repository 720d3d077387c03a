import PolicyCompiler
import TrustEngine

/// The records of Mozilla's `certdata.txt` that are about servers.
package struct CertdataFile: Sendable {
    /// A certificate, of the class `CKO_CERTIFICATE`.
    struct Certificate: Hashable, Sendable {
        /// The line of its class.
        let range: Range<Int>
        let label: String
        let name: RecordName
        /// The DER of the certificate.
        let value: [UInt8]
        let distrust: Distrust
        /// Whether an attribute is not known to this version, so that it may limit the certificate.
        let isUnclear: Bool
    }

    /// The trust in a certificate, of the class `CKO_NSS_TRUST`.
    struct Trust: Hashable, Sendable {
        /// The line of its class.
        let range: Range<Int>
        let label: String
        let name: RecordName
        /// SHA-1 or SHA-256 of the certificate; nil where the record has no digest.
        let digest: [UInt8]?
        let servers: ServerTrust
        let distrust: Distrust
    }

    /// The two attributes by which a trust record finds its certificate: the DER of the issuer's
    /// Name, and of the serial number.
    struct RecordName: Hashable, Sendable {
        let issuer: [UInt8]
        let serial: [UInt8]
    }

    /// The value of `CKA_TRUST_SERVER_AUTH`.
    enum ServerTrust: Hashable, Sendable {
        /// A CA whose certificates for servers are trusted.
        case anchor
        /// A server's own certificate.
        case server
        /// No statement: the certificate needs an anchor above it.
        case none
        /// A certificate that no accepted path holds.
        case distrusted
        /// A word that is not known, with its place.
        case unknown(String, Range<Int>)
    }

    /// The value of `CKA_NSS_SERVER_DISTRUST_AFTER`.
    enum Distrust: Hashable, Sendable {
        case never
        /// Server certificates whose notBefore is later are not trusted.
        case after(UTCInstant, Range<Int>)
        /// The value is not a date.
        case unreadable(Range<Int>)
    }

    var certificates: [Certificate] = []
    var trusts: [Trust] = []
    /// Parts that are not known. In the order of the file.
    var findings: [Diagnostic] = []
}
