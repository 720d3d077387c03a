/// An X.509 certificate (RFC 5280 section 4.1): its DER octets and a table of offsets into them. A
/// field is copied out only when a caller asks for it.
///
/// A value exists only for octets that are strict DER and whose known extensions parse too. So
/// later code never meets a malformed field. Two certificates are equal when their octets are
/// equal.
public struct Certificate: Hashable, Sendable {
    private let contents: Contents

    /// The octets and their layout stand apart from the value: a verdict hands certificates from
    /// check to check, and a layout has some four hundred octets.
    private final class Contents: Sendable {
        let der: [UInt8]
        let layout: CertificateLayout
        let canonicalSPKI: [UInt8]?

        init(_ der: [UInt8], _ layout: CertificateLayout) {
            self.der = der
            self.layout = layout
            self.canonicalSPKI = layout.publicKey.canonicalSPKI(in: der.span)
        }
    }

    /// The certificate exactly as received, tag and length included; no trailing octets.
    public var der: [UInt8] {
        @inline(__always) get { contents.der }
    }

    /// Where each field lies in `der`. It is inlined, so that a read of one field does not copy the
    /// layout.
    package var layout: CertificateLayout {
        @inline(__always) get { contents.layout }
    }

    /// The SubjectPublicKeyInfo in the canonical encoding of the subject's key; nil where it stands
    /// in the certificate, as in nearly all.
    package var canonicalSPKI: [UInt8]? {
        @inline(__always) get { contents.canonicalSPKI }
    }

    /// Parses one certificate. Cost: linear in `der`, well under a microsecond for certificates in
    /// use. One piece of memory is allocated, for the offsets. A key that is not in its canonical
    /// encoding is written in it (`SignatureCost.readingUnits`).
    ///
    /// - Throws: `CertificateError`, which names the field and the offset at which parsing stopped.
    public init(der: [UInt8]) throws(CertificateError) {
        contents = Contents(der, try CertificateParser.parse(der.span))
    }

    /// A certificate with a layout that the caller has. The ranges of the layout lie in `der`: the
    /// layout was parsed from the same octets, or from a certificate that differs only in its key.
    package init(der: [UInt8], layout: CertificateLayout) {
        contents = Contents(der, layout)
    }

    /// Compares the octets.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

/// Offsets and small values of one parsed certificate. All ranges point into `Certificate.der`.
package struct CertificateLayout: Sendable, BitwiseCopyable {
    /// TBSCertificate, tag and length included: the octets that are signed.
    package var tbs = ByteRange(start: 0, count: 0)
    /// The version: 1, 2 or 3 (encoded as 0, 1, 2).
    package var version: UInt8 = 1
    /// Whether the issuer and the subject are the same name (RFC 5280 section 3.2).
    package var isSelfIssued = false
    /// Cost units of reading the certificate, without the units for its octets: texts are read one
    /// character at a time, and the elements of some lists are compared (`ReadingWork`).
    package var readingUnits: UInt16 = 0
    /// Content octets of the serial number, as encoded.
    package var serial = ByteRange(start: 0, count: 0)
    /// Whether the AlgorithmIdentifier inside the TBSCertificate equals the one beside the
    /// signature octet by octet, as RFC 5280 section 4.1.1.2 demands.
    package var algorithmsAgree = false
    /// The whole AlgorithmIdentifier beside the signature.
    package var outerAlgorithm = ByteRange(start: 0, count: 0)
    /// The signature algorithm that the outer identifier names.
    package var signatureAlgorithm = SignatureAlgorithm.unsupported
    /// The issuer's Name, tag and length included.
    package var issuer = ByteRange(start: 0, count: 0)
    /// The subject's Name, tag and length included.
    package var subject = ByteRange(start: 0, count: 0)
    /// Hash of the issuer's comparison form. Equal names have equal hashes.
    package var issuerHash: UInt64 = 0
    /// Hash of the subject's comparison form. Equal names have equal hashes.
    package var subjectHash: UInt64 = 0
    /// First second of the validity period.
    package var notBefore = UTCInstant(secondsSinceEpoch: 0)
    /// Last second of the validity period.
    package var notAfter = UTCInstant(secondsSinceEpoch: 0)
    /// The subject's key.
    package var publicKey = PublicKey(
        material: .unsupported, bits: 0, spki: ByteRange(start: 0, count: 0))
    /// The signature's octets, without the BIT STRING's count of unused bits (which must be 0).
    package var signature = ByteRange(start: 0, count: 0)
    /// Whether an issuerUniqueID or a subjectUniqueID is present.
    package var hasUniqueIdentifiers = false
    /// The extensions that the engine knows.
    package var extensions = CertificateExtensions()
}

/// The extensions of one certificate, each at most once (RFC 5280 section 4.2).
package struct CertificateExtensions: Sendable, BitwiseCopyable {
    /// The known extensions that are present.
    package var present: ExtensionSet = []
    /// The known extensions that are present and critical.
    package var critical: ExtensionSet = []
    /// cA of basicConstraints; false when absent.
    package var isCA = false
    /// pathLenConstraint of basicConstraints; -1 when absent.
    package var pathLength: Int32 = -1
    /// The bits of keyUsage, bit 0 (digitalSignature) least significant; 0 when absent.
    package var keyUsage: UInt16 = 0
    /// Content of the extendedKeyUsage SEQUENCE: a run of OBJECT IDENTIFIERs. An empty one, where
    /// the extension is present, allows no purpose.
    package var extendedKeyUsage = ByteRange(start: 0, count: 0)
    /// Content of the subjectAltName SEQUENCE: a run of GeneralNames.
    package var subjectAltName = ByteRange(start: 0, count: 0)
    /// Whether subjectAltName is present and each of its names is a dNSName in the preferred
    /// syntax, without a wildcard (`DNSName.isInPreferredSyntax`). No demand on such names fails,
    /// so nobody walks them again.
    package var presentsPlainHosts = false
    /// Content of the nameConstraints SEQUENCE.
    package var nameConstraints = ByteRange(start: 0, count: 0)
    /// Content of the certificatePolicies SEQUENCE: a run of PolicyInformation.
    package var certificatePolicies = ByteRange(start: 0, count: 0)
    /// Content of the policyMappings SEQUENCE.
    package var policyMappings = ByteRange(start: 0, count: 0)
    /// requireExplicitPolicy of policyConstraints; -1 when absent.
    package var requireExplicitPolicy: Int32 = -1
    /// inhibitPolicyMapping of policyConstraints; -1 when absent.
    package var inhibitPolicyMapping: Int32 = -1
    /// The count of inhibitAnyPolicy; -1 when absent.
    package var inhibitAnyPolicy: Int32 = -1
    /// keyIdentifier of authorityKeyIdentifier; empty when absent.
    package var authorityKeyIdentifier = ByteRange(start: 0, count: 0)
    /// Whether authorityKeyIdentifier holds authorityCertIssuer and authorityCertSerialNumber.
    package var authorityKeyNamesIssuer = false
    /// Octets of subjectKeyIdentifier; empty when absent.
    package var subjectKeyIdentifier = ByteRange(start: 0, count: 0)
    /// Content of the cRLDistributionPoints SEQUENCE.
    package var crlDistributionPoints = ByteRange(start: 0, count: 0)
    /// Content of the authorityInfoAccess SEQUENCE.
    package var authorityInfoAccess = ByteRange(start: 0, count: 0)
    /// The SCT list (RFC 6962 section 3.3) in TLS encoding, which stands in an OCTET STRING inside
    /// the extension's OCTET STRING.
    package var signedCertificateTimestamps = ByteRange(start: 0, count: 0)
    /// Content of the TLS feature SEQUENCE (RFC 7633).
    package var tlsFeatures = ByteRange(start: 0, count: 0)
    /// The first critical extension that the engine cannot process: content octets of its
    /// identifier, empty when there is none. The engine cannot process an extension outside
    /// `ExtensionSet`, the poison of a pre-certificate, and certificate policies with a qualifier
    /// that RFC 5280 does not define.
    package var unknownCritical = ByteRange(start: 0, count: 0)
}

/// The extensions that the engine knows.
package struct ExtensionSet: OptionSet, Sendable, BitwiseCopyable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let basicConstraints = ExtensionSet(rawValue: 1 << 0)
    package static let keyUsage = ExtensionSet(rawValue: 1 << 1)
    package static let extendedKeyUsage = ExtensionSet(rawValue: 1 << 2)
    package static let subjectAltName = ExtensionSet(rawValue: 1 << 3)
    package static let nameConstraints = ExtensionSet(rawValue: 1 << 4)
    package static let certificatePolicies = ExtensionSet(rawValue: 1 << 5)
    package static let policyMappings = ExtensionSet(rawValue: 1 << 6)
    package static let policyConstraints = ExtensionSet(rawValue: 1 << 7)
    package static let inhibitAnyPolicy = ExtensionSet(rawValue: 1 << 8)
    package static let authorityKeyIdentifier = ExtensionSet(rawValue: 1 << 9)
    package static let subjectKeyIdentifier = ExtensionSet(rawValue: 1 << 10)
    package static let crlDistributionPoints = ExtensionSet(rawValue: 1 << 11)
    package static let authorityInfoAccess = ExtensionSet(rawValue: 1 << 12)
    package static let signedCertificateTimestamps = ExtensionSet(rawValue: 1 << 13)
    package static let tlsFeatures = ExtensionSet(rawValue: 1 << 14)
    package static let issuerAltName = ExtensionSet(rawValue: 1 << 15)
    package static let preCertificatePoison = ExtensionSet(rawValue: 1 << 16)
    /// id-pkix-ocsp-nocheck (RFC 6960 section 4.2.2.2.1).
    package static let ocspNoCheck = ExtensionSet(rawValue: 1 << 17)
}

/// Why octets are not a certificate that the engine can read.
public struct CertificateError: CodedError {
    /// Stable names of the reasons.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The octets do not have the outer form of a certificate.
        case notACertificate = "not-a-certificate"
        /// The octets have the outer form of a certificate, and a field inside cannot be read.
        case fieldUnreadable = "field-unreadable"
    }

    /// The field that could not be read, in RFC 5280's words, such as
    /// `tbsCertificate.validity.notBefore`.
    public let field: String
    /// The fault of the field; lower case, no full stop.
    public let reason: String
    /// Offset in the input at which reading stopped.
    public let offset: Int

    /// Makes an error from the field, the reason and the offset.
    public init(field: String, reason: String, offset: Int) {
        self.field = field
        self.reason = reason
        self.offset = offset
    }

    /// The reason's stable name.
    public var code: Code { isInsideCertificate ? .fieldUnreadable : .notACertificate }

    /// The field, the offset and the reason, for sentences that say what cannot be read.
    public var context: String { "`\(field)` at octet \(offset): \(reason)" }

    /// Whether a date of a certificate could not be read.
    package var isAboutDates: Bool { field.hasPrefix("tbsCertificate.validity") }

    /// Whether the octets have the outer form of a certificate, and a field inside could not be
    /// read.
    package var isInsideCertificate: Bool {
        !["certificate", "tbsCertificate", "signatureAlgorithm", "signatureValue"].contains(field)
    }

    /// Whether the key of a certificate or a request could not be read, or is not a possible key.
    package var isAboutKey: Bool {
        [CertificateParser.publicKeyField, CertificationRequest.publicKeyField]
            .contains { field == $0.description }
    }
}
