/// A CRL (RFC 5280 section 5.1): its DER octets and a plain table of offsets into them. Entries are
/// never made into values until one is asked for.
///
/// A value exists only for octets that parse as strict DER, entries and known extensions included.
/// Equality is equality of the octets.
package struct CertificateRevocationList: Hashable, Sendable {
    /// The CRL exactly as received, tag and length included; no trailing octets.
    package let der: [UInt8]
    /// Where each field lies in `der`.
    package let layout: RevocationListLayout

    /// Parses one CRL. Cost: linear in `der`; nothing is allocated for entries.
    ///
    /// - Throws: `EvidenceError` naming the field and the offset at which parsing stopped.
    package init(der: [UInt8]) throws(EvidenceError) {
        self.layout = try RevocationListParser.parse(der.span)
        self.der = der
    }

    /// Octets of the largest CRL that is read.
    package static let maximumSize = 64 << 20

    /// Whether the octets are equal.
    package static func == (left: Self, right: Self) -> Bool { left.der == right.der }

    /// Hashes the beginning, which holds the issuer and the date, and the end, which is the signature.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(der.count)
        hasher.combine(der.prefix(512))
        hasher.combine(der.suffix(64))
    }

    /// The issuer as an RFC 4514 string, raw: renderers escape it.
    package var issuerText: String {
        DistinguishedName.text(der.span.extracting(layout.issuer.indices))
    }

    /// Whether the issuer is the subject of a certificate: the names only, no signature.
    package func isIssued(byNameOf certificate: Certificate) -> Bool {
        guard layout.issuerHash == certificate.layout.subjectHash else { return false }
        return DistinguishedName.isEqual(
            der.span.extracting(layout.issuer.indices),
            certificate.der.span.extracting(certificate.layout.subject.indices))
    }

    /// Whether the two algorithm identifiers agree octet by octet (RFC 5280 section 5.1.1.2).
    package var algorithmsAgree: Bool {
        der.span.extracting(layout.innerAlgorithm.indices)
            .octetsEqual(der.span.extracting(layout.outerAlgorithm.indices))
    }
}

/// Offsets and small values of one parsed CRL. All ranges point into its octets.
package struct RevocationListLayout: Sendable, BitwiseCopyable {
    /// TBSCertList, tag and length included: the octets that are signed.
    package var tbs = ByteRange(start: 0, count: 0)
    /// 1 or 2 (not the encoded 1).
    package var version: UInt8 = 1
    /// AlgorithmIdentifier inside the TBSCertList, whole.
    package var innerAlgorithm = ByteRange(start: 0, count: 0)
    /// AlgorithmIdentifier beside the signature, whole; must equal the inner one octet by octet.
    package var outerAlgorithm = ByteRange(start: 0, count: 0)
    /// The outer algorithm, understood.
    package var signatureAlgorithm = SignatureAlgorithm.unsupported
    /// The signature's octets.
    package var signature = ByteRange(start: 0, count: 0)
    /// Name, tag and length included.
    package var issuer = ByteRange(start: 0, count: 0)
    /// Hash of the issuer name in its comparison form.
    package var issuerHash: UInt64 = 0
    /// thisUpdate.
    package var thisUpdate = UTCInstant(secondsSinceEpoch: 0)
    /// nextUpdate; nil when absent.
    package var nextUpdate: UTCInstant?
    /// Content of revokedCertificates: a run of entries; empty when absent.
    package var entries = ByteRange(start: 0, count: 0)
    /// How many entries there are.
    package var entryCount = 0
    /// cRLNumber, unsigned big-endian octets without leading zeros; nil when absent.
    package var number: ByteRange?
    /// BaseCRLNumber of deltaCRLIndicator, in the same form; nil unless this is a delta CRL.
    package var deltaBase: ByteRange?
    /// issuingDistributionPoint; nil when absent.
    package var distributionPoint: IssuingDistributionPoint?
    /// Content octets of the issuingDistributionPoint's OCTET STRING; empty when absent.
    package var distributionPointValue = ByteRange(start: 0, count: 0)
    /// keyIdentifier of authorityKeyIdentifier; empty when absent.
    package var authorityKeyIdentifier = ByteRange(start: 0, count: 0)
    /// Content octets of the whole authorityKeyIdentifier's OCTET STRING; empty when absent.
    package var authorityKeyValue = ByteRange(start: 0, count: 0)
    /// Content of the freshestCRL SEQUENCE: distribution points of delta CRLs.
    package var freshestCRL = ByteRange(start: 0, count: 0)
    /// Content octets of the OID of the first critical extension, of the CRL or of an entry, that
    /// nobody can process; empty when there is none.
    package var unknownCritical = ByteRange(start: 0, count: 0)

    /// Whether this is a delta CRL (RFC 5280 section 5.2.4).
    package var isDelta: Bool { deltaBase != nil }
    /// Whether entries may be of other issuers' certificates.
    package var isIndirect: Bool { distributionPoint?.isIndirect ?? false }
}

/// What a CRL says of its own scope (issuingDistributionPoint, RFC 5280 section 5.2.5).
package struct IssuingDistributionPoint: Hashable, Sendable, BitwiseCopyable {
    /// Which kinds of certificates it lists.
    package enum Contents: Hashable, Sendable, BitwiseCopyable {
        case everything
        case userCertificates
        case authorityCertificates
        case attributeCertificates
    }

    /// Its name; nil when absent.
    package var name: DistributionPointName?
    /// Which kinds of certificates it lists.
    package var contents = Contents.everything
    /// onlySomeReasons; all of them when absent.
    package var reasons = ReasonSet.all
    /// Whether entries may be of other issuers' certificates.
    package var isIndirect = false
}
