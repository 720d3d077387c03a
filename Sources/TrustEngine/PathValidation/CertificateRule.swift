// The table of the rules that look at one certificate of a path alone. The search asks all of them,
// so that it passes over a certificate that cannot stand on an accepted path; the judgement of a
// path asks those of one check. Both walk this table, so that no certificate is passed over that
// the judgement would take, and a rule that is added here is asked by both.

/// The position of a certificate on a path, as far as the rules for one certificate ask for it.
package struct CertificatePosition {
    /// Index on the path: 0 is the end entity.
    package let index: Int
    /// Intermediates between this certificate and the end entity that are not self-issued.
    package let intermediatesBelow: Int
    /// Whether the certificate's own signature counts. An anchor's own signature does not.
    package let isSignatureJudged: Bool
    /// Limits written in the certificate that do not bind. Only an anchor's set ignores limits.
    package let ignoredLimits: AnchorLimits

    /// Whether the certificate is the end entity.
    package var isEndEntity: Bool { index == 0 }
}

/// A rule of RFC 5280 section 6.1.3 or 6.1.4, or a floor of the policy, that looks at one
/// certificate alone.
package enum CertificateRule: UInt8, CaseIterable, Sendable {
    case validity, basicConstraints, pathLength, keyUsage, criticalExtensions, keyType, keySize
    case keyPurpose, algorithmAgreement, signatureScheme, signatureHash

    /// The certificates of a path that a rule judges.
    private enum Subjects {
        /// Every certificate, the anchor's included.
        case all
        /// Every certificate but the end entity.
        case issuers
        /// Every certificate whose own signature counts.
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

    /// Whether the check is judged along the whole path. The rule is then only the part of the
    /// check that one certificate shows: what breaks the rule fails the check on every path, and
    /// the search may pass it over.
    package var isJudgedAlongPath: Bool { self == .keyPurpose }

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
        case .signed: return !isIgnored && position.isSignatureJudged
        }
    }
}
