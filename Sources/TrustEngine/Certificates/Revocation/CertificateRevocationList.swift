/// A CRL (RFC 5280 section 5.1): its DER octets and a table of offsets into them. An entry becomes
/// a value only when a caller asks for it.
///
/// A value exists only for octets that are strict DER, entries and known extensions included. Two
/// CRLs are equal when their octets are equal.
package struct CertificateRevocationList: Hashable, Sendable {
    /// The CRL exactly as received, tag and length included; no trailing octets.
    package let der: [UInt8]
    /// Where each field lies in `der`.
    package let layout: RevocationListLayout

    /// Parses one CRL. Cost: linear in `der`. No memory is allocated for entries.
    ///
    /// - Throws: `EvidenceError`, which names the field and the offset at which parsing stopped.
    package init(der: [UInt8]) throws(EvidenceError) {
        self.layout = try RevocationListParser.parse(der.span)
        self.der = der
    }

    /// Octets of the largest CRL that the engine reads.
    package static let maximumSize = 64 << 20

    /// Compares the octets.
    package static func == (left: Self, right: Self) -> Bool { left.der == right.der }

    /// Hashes the first octets, which hold issuer and date, and the last octets, which are the
    /// signature.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(der.count)
        hasher.combine(der.prefix(512))
        hasher.combine(der.suffix(64))
    }

    /// The issuer as an RFC 4514 string. The text is raw: renderers escape it.
    package var issuerText: String {
        DistinguishedName.text(der.span.extracting(layout.issuer.indices))
    }

    /// Whether the CRL's issuer is the subject of a certificate. Only the names are compared; the
    /// signature is not verified. An evaluation compares names by the function of the same name
    /// that takes a budget.
    package func isIssued(byNameOf certificate: Certificate) -> Bool {
        guard layout.issuerHash == certificate.layout.subjectHash else { return false }
        return DistinguishedName.isEqual(
            der.span.extracting(layout.issuer.indices),
            certificate.der.span.extracting(certificate.layout.subject.indices))
    }

    /// Whether the two algorithm identifiers of the CRL are equal octet by octet (RFC 5280 section
    /// 5.1.1.2).
    package var algorithmsAgree: Bool {
        der.span.extracting(layout.innerAlgorithm.indices)
            .octetsEqual(der.span.extracting(layout.outerAlgorithm.indices))
    }
}

/// Offsets and small values of one parsed CRL. All ranges point into its octets.
package struct RevocationListLayout: Sendable, BitwiseCopyable {
    /// TBSCertList, tag and length included: the octets that are signed.
    package var tbs = ByteRange(start: 0, count: 0)
    /// The version: 1 or 2 (2 is encoded as 1).
    package var version: UInt8 = 1
    /// The whole AlgorithmIdentifier inside the TBSCertList.
    package var innerAlgorithm = ByteRange(start: 0, count: 0)
    /// The whole AlgorithmIdentifier beside the signature. It must equal the inner identifier octet
    /// by octet.
    package var outerAlgorithm = ByteRange(start: 0, count: 0)
    /// The signature algorithm that the outer identifier names.
    package var signatureAlgorithm = SignatureAlgorithm.unsupported
    /// The signature's octets.
    package var signature = ByteRange(start: 0, count: 0)
    /// The issuer's Name, tag and length included.
    package var issuer = ByteRange(start: 0, count: 0)
    /// Hash of the issuer's comparison form. Equal names have equal hashes.
    package var issuerHash: UInt64 = 0
    /// Cost units of reading the CRL, without the units for its octets (`ReadingWork`).
    package var readingUnits: UInt16 = 0
    /// The instant at which the CRL was issued.
    package var thisUpdate = UTCInstant(secondsSinceEpoch: 0)
    /// The instant by which the next CRL is issued; nil when absent.
    package var nextUpdate: UTCInstant?
    /// Content of revokedCertificates, which is a run of entries; empty when absent.
    package var entries = ByteRange(start: 0, count: 0)
    /// Number of entries.
    package var entryCount = 0
    /// cRLNumber as unsigned big-endian octets without leading zeros; nil when absent.
    package var number: ByteRange?
    /// BaseCRLNumber of deltaCRLIndicator as unsigned big-endian octets without leading zeros; nil
    /// unless this is a delta CRL.
    package var deltaBase: ByteRange?
    /// The issuingDistributionPoint; nil when absent.
    package var distributionPoint: IssuingDistributionPoint?
    /// Content octets of the issuingDistributionPoint's OCTET STRING; empty when absent.
    package var distributionPointValue = ByteRange(start: 0, count: 0)
    /// keyIdentifier of authorityKeyIdentifier; empty when absent.
    package var authorityKeyIdentifier = ByteRange(start: 0, count: 0)
    /// Content octets of the OCTET STRING of authorityKeyIdentifier; empty when absent.
    package var authorityKeyValue = ByteRange(start: 0, count: 0)
    /// Content of the freshestCRL SEQUENCE: the distribution points of delta CRLs.
    package var freshestCRL = ByteRange(start: 0, count: 0)
    /// The first critical extension of the CRL or of an entry that the engine cannot process:
    /// content octets of its identifier, empty when there is none.
    package var unknownCritical = ByteRange(start: 0, count: 0)

    /// Whether this is a delta CRL (RFC 5280 section 5.2.4).
    package var isDelta: Bool { deltaBase != nil }
    /// Whether the CRL may have entries for certificates of other issuers.
    package var isIndirect: Bool { distributionPoint?.isIndirect ?? false }
}

/// The scope of a CRL in its own words (issuingDistributionPoint, RFC 5280 section 5.2.5).
package struct IssuingDistributionPoint: Hashable, Sendable, BitwiseCopyable {
    /// The kinds of certificates that a CRL may list.
    package enum Contents: Hashable, Sendable, BitwiseCopyable {
        case everything
        case userCertificates
        case authorityCertificates
        case attributeCertificates
    }

    /// The name of the distribution point; nil when absent.
    package var name: DistributionPointName?
    /// The kinds of certificates that the CRL lists.
    package var contents = Contents.everything
    /// onlySomeReasons; all reasons when absent.
    package var reasons = ReasonSet.all
    /// Whether the CRL may have entries for certificates of other issuers.
    package var isIndirect = false
}
