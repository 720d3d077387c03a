// The table of the rules that judge one certificate of a path by itself. The search applies every
// rule, and leaves out a certificate that breaks one. The judgement of a path applies the rules of
// one check. Search and judgement walk the same table. So the search leaves out no certificate that
// the judgement would accept, and a new rule in the table holds for both.

/// The position of a certificate on a path: the facts that the rules for one certificate need.
package struct CertificatePosition {
    /// Index on the path: 0 is the end entity.
    package let index: Int
    /// Intermediates between this certificate and the end entity that are not self-issued.
    package let intermediatesBelow: Int
    /// Whether the certificate is the anchor of the path. Its own signature is not judged.
    package let isAnchor: Bool
    /// Limits written in the certificate that do not bind. Only an anchor's set ignores limits.
    package let ignoredLimits: AnchorLimits

    /// Whether the certificate is the end entity.
    package var isEndEntity: Bool { index == 0 }
}

/// A rule that judges one certificate alone: of RFC 5280 section 6.1.3 or 6.1.4, or a floor of the
/// policy.
package enum CertificateRule: UInt8, CaseIterable, Sendable {
    case validity, basicConstraints, pathLength, keyUsage, criticalExtensions, keyType, keySize
    case keyPurpose, algorithmAgreement, signatureScheme, signatureHash

    /// Every rule, in the order in which rules are asked.
    package static let inOrder = allCases

    /// The certificates of a path that a rule judges.
    private enum Subjects {
        /// Every certificate, the anchor's included.
        case all
        /// Every certificate but the end entity.
        case issuers
        /// Every certificate but the anchor.
        case signed
    }

    /// The check that fails where the rule is broken.
    package var check: PathCheck {
        switch self {
        case .validity: return .validity
        case .basicConstraints: return .basicConstraints
        case .pathLength: return .pathLength
        case .keyUsage: return .keyUsage
        case .criticalExtensions: return .criticalExtensions
        case .keyType, .keySize: return .keys
        case .keyPurpose: return .extendedKeyUsage
        case .algorithmAgreement: return .algorithmAgreement
        case .signatureScheme, .signatureHash: return .signatureAlgorithms
        }
    }

    /// Whether only the search applies the rule. A certificate without any demanded purpose fails
    /// `extendedKeyUsage` on every path, so the search leaves it out. The check itself is judged
    /// along the whole path: one purpose must be allowed by all certificates.
    package var isForSearchOnly: Bool { self == .keyPurpose }

    /// The limit that stops the rule from binding an anchor's certificate where the anchor's set
    /// ignores it.
    private var limit: AnchorLimits {
        switch self {
        case .validity: return .dates
        case .pathLength: return .pathLength
        case .basicConstraints, .keyUsage, .criticalExtensions: return .authority
        case .keyPurpose: return .keyPurposes
        case .keyType, .keySize, .algorithmAgreement, .signatureScheme, .signatureHash: return []
        }
    }

    private var subjects: Subjects {
        switch self {
        case .validity, .keyUsage, .criticalExtensions, .keyType, .keySize, .keyPurpose: return .all
        case .basicConstraints, .pathLength: return .issuers
        case .algorithmAgreement, .signatureScheme, .signatureHash: return .signed
        }
    }

    /// The problem of a certificate at its position by this rule, whether or not a waiver or report
    /// mode excuses the problem; nil where there is none, or the rule does not bind this
    /// certificate.
    package func problem(
        of certificate: Certificate, at position: CertificatePosition, _ parameters: PathParameters
    ) -> CertificateProblem? {
        guard binds(at: position) else { return nil }
        switch self {
        case .validity: return CertificateRules.validity(certificate, parameters)
        case .basicConstraints:
            return CertificateRules.basicConstraints(
                certificate, isEndEntity: false, ignoring: position.ignoredLimits)
        case .pathLength:
            return CertificateRules.pathLength(certificate, below: position.intermediatesBelow)
        case .keyUsage:
            return CertificateRules.keyUsage(
                certificate, isEndEntity: position.isEndEntity, parameters)
        case .criticalExtensions: return CertificateRules.criticalExtensions(certificate)
        case .keyType:
            return CertificateRules.keyType(
                certificate, isEndEntity: position.isEndEntity, parameters)
        case .keySize: return CertificateRules.keySize(certificate, parameters)
        case .keyPurpose: return CertificateRules.purpose(certificate, parameters)
        case .algorithmAgreement: return CertificateRules.algorithmAgreement(certificate)
        case .signatureScheme: return CertificateRules.signatureScheme(certificate, parameters)
        case .signatureHash: return CertificateRules.signatureHash(certificate, parameters)
        }
    }

    private func binds(at position: CertificatePosition) -> Bool {
        let isIgnored = !limit.isEmpty && position.ignoredLimits.contains(limit)
        switch subjects {
        case .all: return !isIgnored
        case .issuers: return !isIgnored && !position.isEndEntity
        case .signed: return !isIgnored && !position.isAnchor
        }
    }
}
