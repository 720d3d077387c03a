// Made by `swift run generate-tables` from grammar/violations.yaml. Do not edit.
// swift-format-ignore-file

import TrustEngine

extension Violation {
    /// The texts about the violation. No other code of the module switches over a
    /// reason.
    var texts: any ViolationTexts {
        switch reason {
        case .badHost(let host, let problem):
            return BadHostTexts(host: host, problem: problem)
        case .noApplicableRule(let host):
            return NoApplicableRuleTexts(host: host)
        case .nothingPresented:
            return NothingPresentedTexts()
        case .endEntityUnreadable(let error):
            return EndEntityUnreadableTexts(error: error)
        case .issuerNotFound(let last, let issuer, let unreadable):
            return IssuerNotFoundTexts(last: last, issuer: issuer, unreadable: unreadable)
        case .selfSignedLeaf(let certificate, let anchorOf):
            return SelfSignedLeafTexts(certificate: certificate, anchorOf: anchorOf)
        case .anchorNotTrusted(let certificate, let heldBy, let anchors):
            return AnchorNotTrustedTexts(certificate: certificate, heldBy: heldBy, anchors: anchors)
        case .anchorConstraintNotMet(let failure):
            return AnchorConstraintNotMetTexts(failure: failure)
        case .path(.badSignature(let certificate, let issuer, let keyType, let signatureKind)):
            return BadSignatureTexts(certificate: certificate, issuer: issuer, keyType: keyType, signatureKind: signatureKind)
        case .path(.unsupportedSignature(let certificate, let issuer)):
            return UnsupportedSignatureTexts(certificate: certificate, issuer: issuer)
        case .path(.algorithmMismatch(let certificate)):
            return AlgorithmMismatchTexts(certificate: certificate)
        case .path(.expired(let certificate, let notAfter, let time, let tolerance)):
            return ExpiredTexts(certificate: certificate, notAfter: notAfter, time: time, tolerance: tolerance)
        case .path(.notYetValid(let certificate, let notBefore, let time)):
            return NotYetValidTexts(certificate: certificate, notBefore: notBefore, time: time)
        case .path(.neverValid(let certificate, let notBefore, let notAfter)):
            return NeverValidTexts(certificate: certificate, notBefore: notBefore, notAfter: notAfter)
        case .path(.notACertificateAuthority(let certificate)):
            return NotACertificateAuthorityTexts(certificate: certificate)
        case .path(.pathLengthExceeded(let certificate, let limit, let actual)):
            return PathLengthExceededTexts(certificate: certificate, limit: limit, actual: actual)
        case .path(.tooManyIntermediates(let limit, let actual)):
            return TooManyIntermediatesTexts(limit: limit, actual: actual)
        case .path(.keyUsageMissing(let certificate, let wanted)):
            return KeyUsageMissingTexts(certificate: certificate, wanted: wanted)
        case .path(.purposeNotAllowed(let certificate, let wanted, let allowed)):
            return PurposeNotAllowedTexts(certificate: certificate, wanted: wanted, allowed: allowed)
        case .path(.purposeNotNamed(let certificate, let wanted, let named)):
            return PurposeNotNamedTexts(certificate: certificate, wanted: wanted, named: named)
        case .path(.unknownCriticalExtension(let certificate, let extensionID)):
            return UnknownCriticalExtensionTexts(certificate: certificate, extensionID: extensionID)
        case .path(.nameNotPermitted(let certificate, let name, let by, let subtree, let isExcluded)):
            return NameNotPermittedTexts(certificate: certificate, name: name, by: by, subtree: subtree, isExcluded: isExcluded)
        case .path(.constraintNotEvaluated(let certificate, let by, let constraint, let problem)):
            return ConstraintNotEvaluatedTexts(certificate: certificate, by: by, constraint: constraint, problem: problem)
        case .path(.certificatePolicyNotSatisfied(let certificate, let wanted, let found, let demandedBy)):
            return CertificatePolicyNotSatisfiedTexts(certificate: certificate, wanted: wanted, found: found, demandedBy: demandedBy)
        case .path(.keyTypeNotAllowed(let certificate, let type, let allowed)):
            return KeyTypeNotAllowedTexts(certificate: certificate, type: type, allowed: allowed)
        case .path(.keyTooSmall(let certificate, let bits, let minimum)):
            return KeyTooSmallTexts(certificate: certificate, bits: bits, minimum: minimum)
        case .path(.hashTooWeak(let certificate, let hash, let minimum)):
            return HashTooWeakTexts(certificate: certificate, hash: hash, minimum: minimum)
        case .path(.maskHashTooWeak(let certificate, let hash, let mask, let minimum)):
            return MaskHashTooWeakTexts(certificate: certificate, hash: hash, mask: mask, minimum: minimum)
        case .path(.signatureSchemeNotAllowed(let certificate, let scheme, let allowed)):
            return SignatureSchemeNotAllowedTexts(certificate: certificate, scheme: scheme, allowed: allowed)
        case .path(.lifetimeTooLong(let certificate, let seconds, let maximum)):
            return LifetimeTooLongTexts(certificate: certificate, seconds: seconds, maximum: maximum)
        case .path(.standardNotMet(let certificate, let demand, let found)):
            return StandardNotMetTexts(certificate: certificate, demand: demand, found: found)
        case .forbiddenKey(let found):
            return ForbiddenKeyTexts(found: found)
        case .nameMismatch(let wanted, let presented):
            return NameMismatchTexts(wanted: wanted, presented: presented)
        case .notX509SVID(let failure):
            return NotX509SVIDTexts(failure: failure)
        case .pinMismatch(let mismatch):
            return PinMismatchTexts(mismatch: mismatch)
        case .checkFailed(let name, let reason):
            return CheckFailedTexts(name: name, reason: reason)
        case .cleartext:
            return CleartextTexts()
        case .tlsNotSupplied(let parameter):
            return TLSNotSuppliedTexts(parameter: parameter)
        case .tlsVersion(let version, let minimum, let maximum):
            return TLSVersionTexts(version: version, minimum: minimum, maximum: maximum)
        case .tlsForwardSecrecy(let cipherSuite):
            return TLSForwardSecrecyTexts(cipherSuite: cipherSuite)
        case .tlsParameter(let parameter, let found, let allowed):
            return TLSParameterTexts(parameter: parameter, found: found, allowed: allowed)
        case .revoked(let certificate, let answer):
            return RevokedTexts(certificate: certificate, answer: answer)
        case .revocationUndetermined(let certificate, let cause, let answers):
            return RevocationUndeterminedTexts(certificate: certificate, cause: cause, answers: answers)
        case .stapleMissing(let certificate, let answers):
            return StapleMissingTexts(certificate: certificate, answers: answers)
        case .transparencyNotMet(let report):
            return TransparencyNotMetTexts(report: report)
        case .tableStale(let confirmed, let until, let time, let basis):
            return TableStaleTexts(confirmed: confirmed, until: until, time: time, basis: basis)
        case .logListStale(let logList, let issued, let time, let maximumAge):
            return LogListStaleTexts(logList: logList, issued: issued, time: time, maximumAge: maximumAge)
        case .evidenceTooLarge(let octets, let limit):
            return EvidenceTooLargeTexts(octets: octets, limit: limit)
        case .path(.budgetExhausted(let limit)):
            return BudgetExhaustedTexts(limit: limit)
        case .engineError(let problem):
            return EngineErrorTexts(problem: problem)
        }
    }
}

struct BadHostTexts: ViolationTexts {
    static let kind = ViolationKind.badHost
    let host: String
    let problem: String
}

struct NoApplicableRuleTexts: ViolationTexts {
    static let kind = ViolationKind.noApplicableRule
    let host: String
}

struct NothingPresentedTexts: ViolationTexts {
    static let kind = ViolationKind.nothingPresented
}

struct EndEntityUnreadableTexts: ViolationTexts {
    static let kind = ViolationKind.endEntityUnreadable
    let error: CertificateError
}

struct IssuerNotFoundTexts: ViolationTexts {
    static let kind = ViolationKind.issuerNotFound
    let last: CertificateReference
    let issuer: String
    let unreadable: [String]
}

struct SelfSignedLeafTexts: ViolationTexts {
    static let kind = ViolationKind.selfSignedLeaf
    let certificate: CertificateReference
    let anchorOf: [String]
}

struct AnchorNotTrustedTexts: ViolationTexts {
    static let kind = ViolationKind.anchorNotTrusted
    let certificate: CertificateReference
    let heldBy: [String]
    let anchors: [String]
}

struct AnchorConstraintNotMetTexts: ViolationTexts {
    static let kind = ViolationKind.anchorConstraintNotMet
    let failure: AnchorConstraintFailure
}

struct BadSignatureTexts: ViolationTexts {
    static let kind = ViolationKind.badSignature
    let certificate: CertificateReference
    let issuer: CertificateReference
    let keyType: String?
    let signatureKind: String?
}

struct UnsupportedSignatureTexts: ViolationTexts {
    static let kind = ViolationKind.unsupportedSignature
    let certificate: CertificateReference
    let issuer: CertificateReference
}

struct AlgorithmMismatchTexts: ViolationTexts {
    static let kind = ViolationKind.algorithmMismatch
    let certificate: CertificateReference
}

struct ExpiredTexts: ViolationTexts {
    static let kind = ViolationKind.expired
    let certificate: CertificateReference
    let notAfter: UTCInstant
    let time: UTCInstant
    let tolerance: Int64
}

struct NotYetValidTexts: ViolationTexts {
    static let kind = ViolationKind.notYetValid
    let certificate: CertificateReference
    let notBefore: UTCInstant
    let time: UTCInstant
}

struct NeverValidTexts: ViolationTexts {
    static let kind = ViolationKind.neverValid
    let certificate: CertificateReference
    let notBefore: UTCInstant
    let notAfter: UTCInstant
}

struct NotACertificateAuthorityTexts: ViolationTexts {
    static let kind = ViolationKind.notACertificateAuthority
    let certificate: CertificateReference
}

struct PathLengthExceededTexts: ViolationTexts {
    static let kind = ViolationKind.pathLengthExceeded
    let certificate: CertificateReference
    let limit: Int
    let actual: Int
}

struct TooManyIntermediatesTexts: ViolationTexts {
    static let kind = ViolationKind.tooManyIntermediates
    let limit: Int
    let actual: Int
}

struct KeyUsageMissingTexts: ViolationTexts {
    static let kind = ViolationKind.keyUsageMissing
    let certificate: CertificateReference
    let wanted: String
}

struct PurposeNotAllowedTexts: ViolationTexts {
    static let kind = ViolationKind.purposeNotAllowed
    let certificate: CertificateReference
    let wanted: [String]
    let allowed: [String]
}

struct PurposeNotNamedTexts: ViolationTexts {
    static let kind = ViolationKind.purposeNotNamed
    let certificate: CertificateReference
    let wanted: [String]
    let named: [String]
}

struct UnknownCriticalExtensionTexts: ViolationTexts {
    static let kind = ViolationKind.unknownCriticalExtension
    let certificate: CertificateReference
    let extensionID: String
}

struct NameNotPermittedTexts: ViolationTexts {
    static let kind = ViolationKind.nameNotPermitted
    let certificate: CertificateReference
    let name: String
    let by: CertificateReference
    let subtree: String
    let isExcluded: Bool
}

struct ConstraintNotEvaluatedTexts: ViolationTexts {
    static let kind = ViolationKind.constraintNotEvaluated
    let certificate: CertificateReference
    let by: CertificateReference
    let constraint: String
    let problem: String
}

struct CertificatePolicyNotSatisfiedTexts: ViolationTexts {
    static let kind = ViolationKind.certificatePolicyNotSatisfied
    let certificate: CertificateReference
    let wanted: [String]
    let found: [String]
    let demandedBy: CertificateReference?
}

struct KeyTypeNotAllowedTexts: ViolationTexts {
    static let kind = ViolationKind.keyTypeNotAllowed
    let certificate: CertificateReference
    let type: String
    let allowed: [String]
}

struct KeyTooSmallTexts: ViolationTexts {
    static let kind = ViolationKind.keyTooSmall
    let certificate: CertificateReference
    let bits: Int
    let minimum: Int
}

struct HashTooWeakTexts: ViolationTexts {
    static let kind = ViolationKind.hashTooWeak
    let certificate: CertificateReference
    let hash: String
    let minimum: String
}

struct MaskHashTooWeakTexts: ViolationTexts {
    static let kind = ViolationKind.maskHashTooWeak
    let certificate: CertificateReference
    let hash: String
    let mask: String
    let minimum: String
}

struct SignatureSchemeNotAllowedTexts: ViolationTexts {
    static let kind = ViolationKind.signatureSchemeNotAllowed
    let certificate: CertificateReference
    let scheme: String
    let allowed: [String]
}

struct LifetimeTooLongTexts: ViolationTexts {
    static let kind = ViolationKind.lifetimeTooLong
    let certificate: CertificateReference
    let seconds: Int64
    let maximum: Int64
}

struct StandardNotMetTexts: ViolationTexts {
    static let kind = ViolationKind.standardNotMet
    let certificate: CertificateReference
    let demand: StandardDemand
    let found: String
}

struct ForbiddenKeyTexts: ViolationTexts {
    static let kind = ViolationKind.forbiddenKey
    let found: ForbiddenKeyFound
}

struct NameMismatchTexts: ViolationTexts {
    static let kind = ViolationKind.nameMismatch
    let wanted: [String]
    let presented: [String]
}

struct NotX509SVIDTexts: ViolationTexts {
    static let kind = ViolationKind.notX509SVID
    let failure: SVIDFailure
}

struct PinMismatchTexts: ViolationTexts {
    static let kind = ViolationKind.pinMismatch
    let mismatch: PinMismatch
}

struct CheckFailedTexts: ViolationTexts {
    static let kind = ViolationKind.checkFailed
    let name: String
    let reason: String
}

struct CleartextTexts: ViolationTexts {
    static let kind = ViolationKind.cleartext
}

struct TLSNotSuppliedTexts: ViolationTexts {
    static let kind = ViolationKind.tlsNotSupplied
    let parameter: String
}

struct TLSVersionTexts: ViolationTexts {
    static let kind = ViolationKind.tlsVersion
    let version: TLSVersion
    let minimum: TLSVersion
    let maximum: TLSVersion
}

struct TLSForwardSecrecyTexts: ViolationTexts {
    static let kind = ViolationKind.tlsForwardSecrecy
    let cipherSuite: String
}

struct TLSParameterTexts: ViolationTexts {
    static let kind = ViolationKind.tlsParameter
    let parameter: String
    let found: String
    let allowed: [String]
}

struct RevokedTexts: ViolationTexts {
    static let kind = ViolationKind.revoked
    let certificate: CertificateReference
    let answer: RevocationAnswer
}

struct RevocationUndeterminedTexts: ViolationTexts {
    static let kind = ViolationKind.revocationUndetermined
    let certificate: CertificateReference
    let cause: RevocationCause
    let answers: [RevocationAnswer]
}

struct StapleMissingTexts: ViolationTexts {
    static let kind = ViolationKind.stapleMissing
    let certificate: CertificateReference
    let answers: [RevocationAnswer]
}

struct TransparencyNotMetTexts: ViolationTexts {
    static let kind = ViolationKind.transparencyNotMet
    let report: TransparencyReport
}

struct TableStaleTexts: ViolationTexts {
    static let kind = ViolationKind.tableStale
    let confirmed: UTCInstant
    let until: UTCInstant
    let time: UTCInstant
    let basis: TableFreshness.Basis
}

struct LogListStaleTexts: ViolationTexts {
    static let kind = ViolationKind.logListStale
    let logList: Digest
    let issued: UTCInstant
    let time: UTCInstant
    let maximumAge: Int64
}

struct EvidenceTooLargeTexts: ViolationTexts {
    static let kind = ViolationKind.evidenceTooLarge
    let octets: Int
    let limit: Int
}

struct BudgetExhaustedTexts: ViolationTexts {
    static let kind = ViolationKind.budgetExhausted
    let limit: Int
}

struct EngineErrorTexts: ViolationTexts {
    static let kind = ViolationKind.engineError
    let problem: String
}
