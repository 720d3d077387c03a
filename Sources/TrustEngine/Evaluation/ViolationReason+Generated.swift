// Made by `swift run generate-tables` from grammar/violations.yaml. Do not edit.
// swift-format-ignore-file

/// A violation against a request or a path. The associated values are both sides of the
/// comparison: the demanded value and the value found. The enum is closed, so a switch
/// that forgets a violation does not compile. `Violation` is the public type.
package indirect enum ViolationReason: Hashable, Sendable {
    /// A violation that the path validator raises.
    case path(PathViolation)
    /// The host is neither a DNS name nor an IP address.
    case badHost(host: String, problem: String)
    /// No rule matches the host, and the policy's `default` is `deny`.
    case noApplicableRule(host: String)
    /// The peer presented no certificate.
    case nothingPresented
    /// The first certificate presented cannot be read.
    case endEntityUnreadable(CertificateError)
    /// The last certificate of the path is not self-issued, and neither the peer nor the policy
    /// offers a certificate of its issuer that continues the path.
    case issuerNotFound(last: CertificateReference, issuer: String, unreadable: [String])
    /// The end entity is self-issued and is not an anchor that may identify a server by itself.
    /// `anchorOf` are the ids of the rule's anchor sets that hold its name and key as a CA: then
    /// the peer presented an authority's certificate in the place of its own.
    case selfSignedLeaf(CertificateReference, anchorOf: [String])
    /// The path ends at a self-issued certificate that is not an anchor of the rule. `heldBy` are
    /// the ids of the policy's other anchor sets that hold the certificate. `anchors` are the ids
    /// of the rule's anchor sets.
    case anchorNotTrusted(CertificateReference, heldBy: [String], anchors: [String])
    /// The end entity does not meet a constraint of the anchor's set.
    case anchorConstraintNotMet(AnchorConstraintFailure)
    /// A certificate of the path has a key that the policy forbids.
    case forbiddenKey(ForbiddenKeyFound)
    /// The end entity presents no name that the rule wants.
    case nameMismatch(wanted: [String], presented: [String])
    /// Every wanted name that the end entity presents is matched by a `spiffe://` pattern, and the
    /// end entity is not an X509-SVID. Only an X509-SVID meets such a pattern (LANGUAGE section 7):
    /// it has exactly one URI name, no CA bit, and neither keyCertSign nor cRLSign. `uri` is the
    /// name that a pattern matches. `uris` are all URI names, at most 16, then a text that gives
    /// the number of the others. `faults` are the conditions that fail: `several-uris`, `ca`,
    /// `key-cert-sign`, `crl-sign`.
    case notX509SVID(SVIDFailure)
    /// Fewer pins of a pin set matched than the pin set demands.
    case pinMismatch(PinMismatch)
    /// A registered check of the program refused the path. `reason` is the reason that the
    /// registered check gave.
    case checkFailed(name: String, reason: String)
    /// The request says that the connection has no TLS.
    case cleartext
    /// The rule demands a TLS parameter that the request does not give.
    case tlsNotSupplied(parameter: String)
    /// The TLS version is outside the rule's bounds.
    case tlsVersion(TLSVersion, minimum: TLSVersion, maximum: TLSVersion)
    /// The key exchange of this cipher suite is not known to be (EC)DHE.
    case tlsForwardSecrecy(cipherSuite: String)
    /// A negotiated TLS parameter has a value that the rule does not allow.
    case tlsParameter(String, found: String, allowed: [String])
    /// Valid evidence says that a certificate is revoked.
    case revoked(CertificateReference, RevocationAnswer)
    /// The revocation status of a certificate is not known. `cause` is the reason. `answers` are
    /// all answers of the evidence that was supplied.
    case revocationUndetermined(CertificateReference, cause: RevocationCause, answers: [RevocationAnswer])
    /// The end entity demands a stapled OCSP response (RFC 7633), and no stapled response says that
    /// the end entity is good.
    case stapleMissing(CertificateReference, answers: [RevocationAnswer])
    /// The end entity's signed certificate timestamps meet none of the criteria that the rule
    /// accepts.
    case transparencyNotMet(TransparencyReport)
    /// The policy table is stale: it was issued, or its source last confirmed it as the newest
    /// table, too long ago. `basis` says which of the two `confirmed` is.
    case tableStale(confirmed: UTCInstant, until: UTCInstant, time: UTCInstant, basis: TableFreshness.Basis)
    /// The log list is older at the validation time than the rule allows. The maximum age is in
    /// seconds.
    case logListStale(logList: Digest, issued: UTCInstant, time: UTCInstant, maximumAge: Int64)
    /// Reading the revocation evidence of the request takes more work than one evaluation may do,
    /// and evidence that nobody reads may say `revoked`. `octets` counts all of the evidence; the
    /// limit is in cost units.
    case evidenceTooLarge(octets: Int, limit: Int)
    /// The engine has a fault: an invariant did not hold. The verdict is always a reject.
    case engineError(String)
}

/// The violations without their values. The raw value is the violation's key in
/// `grammar/violations.yaml`. The key is also the id, except for `standard-not-met`.
package enum ViolationKind: String, Hashable, Sendable, CaseIterable {
    case badHost = "bad-host"
    case noApplicableRule = "no-applicable-rule"
    case nothingPresented = "nothing-presented"
    case endEntityUnreadable = "end-entity-unreadable"
    case issuerNotFound = "issuer-not-found"
    case selfSignedLeaf = "self-signed-leaf"
    case anchorNotTrusted = "anchor-not-trusted"
    case anchorConstraintNotMet = "anchor-constraint-not-met"
    case badSignature = "bad-signature"
    case unsupportedSignature = "unsupported-signature"
    case algorithmMismatch = "algorithm-mismatch"
    case expired
    case notYetValid = "not-yet-valid"
    case neverValid = "never-valid"
    case notACertificateAuthority = "not-a-ca"
    case pathLengthExceeded = "path-length-exceeded"
    case tooManyIntermediates = "too-many-intermediates"
    case keyUsageMissing = "key-usage-missing"
    case purposeNotAllowed = "purpose-not-allowed"
    case purposeNotNamed = "purpose-not-named"
    case unknownCriticalExtension = "unknown-critical-extension"
    case nameNotPermitted = "name-not-permitted"
    case constraintNotEvaluated = "constraint-not-evaluated"
    case certificatePolicyNotSatisfied = "certificate-policy-not-satisfied"
    case keyTypeNotAllowed = "key-type-not-allowed"
    case keyTooSmall = "key-too-small"
    case hashTooWeak = "hash-too-weak"
    case maskHashTooWeak = "mask-hash-too-weak"
    case signatureSchemeNotAllowed = "signature-scheme-not-allowed"
    case lifetimeTooLong = "lifetime-too-long"
    case standardNotMet = "standard-not-met"
    case forbiddenKey = "forbidden-key"
    case nameMismatch = "name-mismatch"
    case notX509SVID = "not-x509-svid"
    case pinMismatch = "pin-mismatch"
    case checkFailed = "check-failed"
    case cleartext
    case tlsNotSupplied = "tls-not-supplied"
    case tlsVersion = "tls-version"
    case tlsForwardSecrecy = "tls-forward-secrecy"
    case tlsParameter = "tls-parameter"
    case revoked
    case revocationUndetermined = "revocation-undetermined"
    case stapleMissing = "staple-missing"
    case transparencyNotMet = "transparency-not-met"
    case tableStale = "table-stale"
    case logListStale = "log-list-stale"
    case evidenceTooLarge = "evidence-too-large"
    case budgetExhausted = "budget-exhausted"
    case engineError = "engine-error"

    /// The declaration of the violation in `grammar/violations.yaml`.
    package var declaration: ViolationDeclaration {
        switch self {
        case .badHost:
            return ViolationDeclaration(
                check: .host, side: .thisMachine)
        case .noApplicableRule:
            return ViolationDeclaration(
                check: .rule, side: .policy, secTrust: .deny)
        case .nothingPresented:
            return ViolationDeclaration(
                check: .endEntity, side: .server, secTrust: .invalid)
        case .endEntityUnreadable:
            return ViolationDeclaration(
                check: .endEntity, side: .server, secTrust: .invalid)
        case .issuerNotFound:
            return ViolationDeclaration(
                check: .anchor, side: .server, waiver: .path)
        case .selfSignedLeaf:
            return ViolationDeclaration(
                check: .anchor, side: .inBetween, waiver: .path)
        case .anchorNotTrusted:
            return ViolationDeclaration(
                check: .anchor, side: .inBetween, waiver: .path)
        case .anchorConstraintNotMet:
            return ViolationDeclaration(
                check: .anchorConstraints, side: .server)
        case .badSignature:
            return ViolationDeclaration(
                check: .signatures, side: .inBetween)
        case .unsupportedSignature:
            return ViolationDeclaration(
                check: .signatures, side: .inBetween)
        case .algorithmMismatch:
            return ViolationDeclaration(
                check: .algorithmAgreement, side: .inBetween)
        case .expired:
            return ViolationDeclaration(
                check: .validity, side: .server, waiver: .expired)
        case .notYetValid:
            return ViolationDeclaration(
                check: .validity, side: .thisMachine)
        case .neverValid:
            return ViolationDeclaration(
                check: .validity, side: .server)
        case .notACertificateAuthority:
            return ViolationDeclaration(
                check: .basicConstraints, side: .server)
        case .pathLengthExceeded:
            return ViolationDeclaration(
                check: .pathLength, side: .server)
        case .tooManyIntermediates:
            return ViolationDeclaration(
                check: .pathLength, side: .policy)
        case .keyUsageMissing:
            return ViolationDeclaration(
                check: .keyUsage, side: .server)
        case .purposeNotAllowed:
            return ViolationDeclaration(
                check: .extendedKeyUsage, side: .server)
        case .purposeNotNamed:
            return ViolationDeclaration(
                check: .extendedKeyUsage, side: .server)
        case .unknownCriticalExtension:
            return ViolationDeclaration(
                check: .criticalExtensions, side: .server)
        case .nameNotPermitted:
            return ViolationDeclaration(
                check: .nameConstraints, side: .server)
        case .constraintNotEvaluated:
            return ViolationDeclaration(
                check: .nameConstraints, side: .server)
        case .certificatePolicyNotSatisfied:
            return ViolationDeclaration(
                check: .certificatePolicies, side: .server)
        case .keyTypeNotAllowed:
            return ViolationDeclaration(
                check: .keys, side: .server)
        case .keyTooSmall:
            return ViolationDeclaration(
                check: .keys, side: .server, waiver: .keys)
        case .hashTooWeak:
            return ViolationDeclaration(
                check: .signatureAlgorithms, side: .server, waiver: .signatures)
        case .maskHashTooWeak:
            return ViolationDeclaration(
                check: .signatureAlgorithms, side: .server, waiver: .signatures)
        case .signatureSchemeNotAllowed:
            return ViolationDeclaration(
                check: .signatureAlgorithms, side: .server)
        case .lifetimeTooLong:
            return ViolationDeclaration(
                check: .lifetime, side: .server)
        case .standardNotMet:
            return ViolationDeclaration(
                check: .standard, side: .server, waiver: .issuance)
        case .forbiddenKey:
            return ViolationDeclaration(
                check: .forbiddenKeys, side: .server, secTrust: .deny)
        case .nameMismatch:
            return ViolationDeclaration(
                check: .identity, side: .server, waiver: .identity)
        case .notX509SVID:
            return ViolationDeclaration(
                check: .identity, side: .server, waiver: .identity)
        case .pinMismatch:
            return ViolationDeclaration(
                check: .pins, side: .inBetween, waiver: .pins)
        case .checkFailed:
            return ViolationDeclaration(
                check: .checks, side: .thisMachine)
        case .cleartext:
            return ViolationDeclaration(
                check: .cleartext, side: .thisMachine, waiver: .cleartext)
        case .tlsNotSupplied:
            return ViolationDeclaration(
                check: .tls, side: .thisMachine)
        case .tlsVersion:
            return ViolationDeclaration(
                check: .tls, side: .server, waiver: .tls)
        case .tlsForwardSecrecy:
            return ViolationDeclaration(
                check: .tls, side: .server)
        case .tlsParameter:
            return ViolationDeclaration(
                check: .tls, side: .server)
        case .revoked:
            return ViolationDeclaration(
                check: .revocation, side: .server, waiver: .revocation)
        case .revocationUndetermined:
            return ViolationDeclaration(
                check: .revocation, side: .network, waiver: .revocation, isMissingEvidence: true, hasBetterPath: false)
        case .stapleMissing:
            return ViolationDeclaration(
                check: .revocation, side: .server, waiver: .revocation, isMissingEvidence: true)
        case .transparencyNotMet:
            return ViolationDeclaration(
                check: .transparency, side: .server, waiver: .transparency, hasBetterPath: false)
        case .tableStale:
            return ViolationDeclaration(
                check: .freshness, side: .thisMachine, secTrust: .otherError)
        case .logListStale:
            return ViolationDeclaration(
                check: .transparency, side: .policy, waiver: .transparency, hasBetterPath: false)
        case .evidenceTooLarge:
            return ViolationDeclaration(
                check: .evidence, side: .thisMachine, secTrust: .otherError)
        case .budgetExhausted:
            return ViolationDeclaration(
                check: .rule, side: .server, secTrust: .otherError)
        case .engineError:
            return ViolationDeclaration(
                check: .rule, side: .thisMachine, secTrust: .otherError)
        }
    }

    /// The ids of the violation. `standard-not-met` has one id for each demand of a
    /// standard; every other violation has one id.
    package var ids: [String] {
        switch self {
        case .standardNotMet: return StandardDemand.allCases.map(\.rawValue)
        case .badHost, .noApplicableRule, .nothingPresented, .endEntityUnreadable, .issuerNotFound, .selfSignedLeaf, .anchorNotTrusted, .anchorConstraintNotMet, .badSignature, .unsupportedSignature, .algorithmMismatch, .expired, .notYetValid, .neverValid, .notACertificateAuthority, .pathLengthExceeded, .tooManyIntermediates, .keyUsageMissing, .purposeNotAllowed, .purposeNotNamed, .unknownCriticalExtension, .nameNotPermitted, .constraintNotEvaluated, .certificatePolicyNotSatisfied, .keyTypeNotAllowed, .keyTooSmall, .hashTooWeak, .maskHashTooWeak, .signatureSchemeNotAllowed, .lifetimeTooLong, .forbiddenKey, .nameMismatch, .notX509SVID, .pinMismatch, .checkFailed, .cleartext, .tlsNotSupplied, .tlsVersion, .tlsForwardSecrecy, .tlsParameter, .revoked, .revocationUndetermined, .stapleMissing, .transparencyNotMet, .tableStale, .logListStale, .evidenceTooLarge, .budgetExhausted, .engineError: return [rawValue]
        }
    }
}

extension ViolationReason {
    /// The violation without its values.
    package var kind: ViolationKind {
        switch self {
        case .badHost: return .badHost
        case .noApplicableRule: return .noApplicableRule
        case .nothingPresented: return .nothingPresented
        case .endEntityUnreadable: return .endEntityUnreadable
        case .issuerNotFound: return .issuerNotFound
        case .selfSignedLeaf: return .selfSignedLeaf
        case .anchorNotTrusted: return .anchorNotTrusted
        case .anchorConstraintNotMet: return .anchorConstraintNotMet
        case .path(.badSignature): return .badSignature
        case .path(.unsupportedSignature): return .unsupportedSignature
        case .path(.algorithmMismatch): return .algorithmMismatch
        case .path(.expired): return .expired
        case .path(.notYetValid): return .notYetValid
        case .path(.neverValid): return .neverValid
        case .path(.notACertificateAuthority): return .notACertificateAuthority
        case .path(.pathLengthExceeded): return .pathLengthExceeded
        case .path(.tooManyIntermediates): return .tooManyIntermediates
        case .path(.keyUsageMissing): return .keyUsageMissing
        case .path(.purposeNotAllowed): return .purposeNotAllowed
        case .path(.purposeNotNamed): return .purposeNotNamed
        case .path(.unknownCriticalExtension): return .unknownCriticalExtension
        case .path(.nameNotPermitted): return .nameNotPermitted
        case .path(.constraintNotEvaluated): return .constraintNotEvaluated
        case .path(.certificatePolicyNotSatisfied): return .certificatePolicyNotSatisfied
        case .path(.keyTypeNotAllowed): return .keyTypeNotAllowed
        case .path(.keyTooSmall): return .keyTooSmall
        case .path(.hashTooWeak): return .hashTooWeak
        case .path(.maskHashTooWeak): return .maskHashTooWeak
        case .path(.signatureSchemeNotAllowed): return .signatureSchemeNotAllowed
        case .path(.lifetimeTooLong): return .lifetimeTooLong
        case .path(.standardNotMet): return .standardNotMet
        case .forbiddenKey: return .forbiddenKey
        case .nameMismatch: return .nameMismatch
        case .notX509SVID: return .notX509SVID
        case .pinMismatch: return .pinMismatch
        case .checkFailed: return .checkFailed
        case .cleartext: return .cleartext
        case .tlsNotSupplied: return .tlsNotSupplied
        case .tlsVersion: return .tlsVersion
        case .tlsForwardSecrecy: return .tlsForwardSecrecy
        case .tlsParameter: return .tlsParameter
        case .revoked: return .revoked
        case .revocationUndetermined: return .revocationUndetermined
        case .stapleMissing: return .stapleMissing
        case .transparencyNotMet: return .transparencyNotMet
        case .tableStale: return .tableStale
        case .logListStale: return .logListStale
        case .evidenceTooLarge: return .evidenceTooLarge
        case .path(.budgetExhausted): return .budgetExhausted
        case .engineError: return .engineError
        }
    }

    /// The stable id.
    package var id: String {
        if case .path(.standardNotMet(_, let demand, _)) = self { return demand.rawValue }
        return kind.rawValue
    }

    /// Every field of the violation, in the order of JSON.
    package var fields: [Violation.Field] {
        switch self {
        case .badHost(let host, let problem):
            return [.init("host", .text(host)), .init("problem", .text(problem))]
        case .noApplicableRule(let host):
            return [.init("host", .text(host))]
        case .nothingPresented:
            return []
        case .endEntityUnreadable(let payload):
            return [.init("field", .text(payload.field)), .init("reason", .text(payload.reason)), .init("offset", .integer(Int64(payload.offset)))]
        case .issuerNotFound(let certificate, let issuer, let unreadable):
            return [.init("certificate", .certificate(certificate)), .init("issuer", .text(issuer)), .init("unreadable", .texts(unreadable))]
        case .selfSignedLeaf(let certificate, let anchorOf):
            return [.init("certificate", .certificate(certificate)), .init("anchorOf", .texts(anchorOf))]
        case .anchorNotTrusted(let certificate, let heldBy, let anchors):
            return [.init("certificate", .certificate(certificate)), .init("heldBy", .texts(heldBy)), .init("anchors", .texts(anchors))]
        case .anchorConstraintNotMet(let payload):
            return [.init("certificate", .certificate(payload.certificate)), .init("set", .text(payload.set))] + payload.shapedFields
        case .path(.badSignature(let certificate, let issuerCertificate, let keyType, let signatureKind)):
            return [.init("certificate", .certificate(certificate)), .init("issuerCertificate", .certificate(issuerCertificate)), .init("keyType", .optionalText(keyType)), .init("signatureKind", .optionalText(signatureKind))]
        case .path(.unsupportedSignature(let certificate, let issuerCertificate)):
            return [.init("certificate", .certificate(certificate)), .init("issuerCertificate", .certificate(issuerCertificate))]
        case .path(.algorithmMismatch(let certificate)):
            return [.init("certificate", .certificate(certificate))]
        case .path(.expired(let certificate, let notAfter, let time, let toleranceSeconds)):
            return [.init("certificate", .certificate(certificate)), .init("notAfter", .instant(notAfter)), .init("time", .instant(time)), .init("toleranceSeconds", .integer(Int64(toleranceSeconds)))]
        case .path(.notYetValid(let certificate, let notBefore, let time)):
            return [.init("certificate", .certificate(certificate)), .init("notBefore", .instant(notBefore)), .init("time", .instant(time))]
        case .path(.neverValid(let certificate, let notBefore, let notAfter)):
            return [.init("certificate", .certificate(certificate)), .init("notBefore", .instant(notBefore)), .init("notAfter", .instant(notAfter))]
        case .path(.notACertificateAuthority(let certificate)):
            return [.init("certificate", .certificate(certificate))]
        case .path(.pathLengthExceeded(let certificate, let limit, let actual)):
            return [.init("certificate", .certificate(certificate)), .init("limit", .integer(Int64(limit))), .init("actual", .integer(Int64(actual)))]
        case .path(.tooManyIntermediates(let limit, let actual)):
            return [.init("limit", .integer(Int64(limit))), .init("actual", .integer(Int64(actual)))]
        case .path(.keyUsageMissing(let certificate, let wanted)):
            return [.init("certificate", .certificate(certificate)), .init("wanted", .texts([wanted]))]
        case .path(.purposeNotAllowed(let certificate, let wanted, let allowed)):
            return [.init("certificate", .certificate(certificate)), .init("wanted", .texts(wanted)), .init("allowed", .texts(allowed))]
        case .path(.purposeNotNamed(let certificate, let wanted, let named)):
            return [.init("certificate", .certificate(certificate)), .init("wanted", .texts(wanted)), .init("named", .texts(named))]
        case .path(.unknownCriticalExtension(let certificate, let extensionID)):
            return [.init("certificate", .certificate(certificate)), .init("extensionID", .text(extensionID))]
        case .path(.nameNotPermitted(let certificate, let name, let by, let subtree, let relation)):
            return [.init("certificate", .certificate(certificate)), .init("name", .text(name)), .init("by", .certificate(by)), .init("subtree", .text(subtree)), .init("relation", .text(relation ? "excluded" : "permitted"))]
        case .path(.constraintNotEvaluated(let certificate, let by, let constraint, let problem)):
            return [.init("certificate", .certificate(certificate)), .init("by", .certificate(by)), .init("constraint", .text(constraint)), .init("problem", .text(problem))]
        case .path(.certificatePolicyNotSatisfied(let certificate, let wanted, let found, let demandedBy)):
            return [.init("certificate", .certificate(certificate)), .init("wanted", .texts(wanted)), .init("found", .texts(found)), .init("demandedBy", .optionalCertificate(demandedBy))]
        case .path(.keyTypeNotAllowed(let certificate, let type, let allowed)):
            return [.init("certificate", .certificate(certificate)), .init("type", .text(type)), .init("allowed", .texts(allowed))]
        case .path(.keyTooSmall(let certificate, let bits, let minimum)):
            return [.init("certificate", .certificate(certificate)), .init("bits", .integer(Int64(bits))), .init("minimum", .integer(Int64(minimum)))]
        case .path(.hashTooWeak(let certificate, let hash, let minimumHash)):
            return [.init("certificate", .certificate(certificate)), .init("hash", .text(hash)), .init("minimumHash", .text(minimumHash))]
        case .path(.maskHashTooWeak(let certificate, let hash, let maskHash, let minimumHash)):
            return [.init("certificate", .certificate(certificate)), .init("hash", .text(hash)), .init("maskHash", .text(maskHash)), .init("minimumHash", .text(minimumHash))]
        case .path(.signatureSchemeNotAllowed(let certificate, let scheme, let allowed)):
            return [.init("certificate", .certificate(certificate)), .init("scheme", .text(scheme)), .init("allowed", .texts(allowed))]
        case .path(.lifetimeTooLong(let certificate, let seconds, let maximumSeconds)):
            return [.init("certificate", .certificate(certificate)), .init("seconds", .integer(Int64(seconds))), .init("maximumSeconds", .integer(Int64(maximumSeconds)))]
        case .path(.standardNotMet(let certificate, let demand, let found)):
            return [.init("certificate", .certificate(certificate)), .init("demand", .demand(demand)), .init("found", .text(found))]
        case .forbiddenKey(let payload):
            return [.init("certificate", .certificate(payload.certificate)), .init("entry", .text(payload.entry)), .init("digest", .text(payload.digest)), .init("from", .instant(payload.from)), .init("until", .instant(payload.until)), .init("issued", .instant(payload.issued))]
        case .nameMismatch(let wanted, let presented):
            return [.init("wanted", .texts(wanted)), .init("presented", .texts(presented))]
        case .notX509SVID(let payload):
            return [.init("uri", .text(payload.uri)), .init("uris", .texts(payload.uris)), .init("faults", .texts(payload.faultNames))]
        case .pinMismatch(let payload):
            return [.init("set", .text(payload.set)), .init("needed", .integer(Int64(payload.needed))), .init("matched", .integer(Int64(payload.matched))), .init("wantedPins", .wantedPins(payload.wanted)), .init("foundKeys", .foundKeys(payload.found))]
        case .checkFailed(let name, let reason):
            return [.init("name", .text(name)), .init("reason", .text(reason))]
        case .cleartext:
            return []
        case .tlsNotSupplied(let parameter):
            return [.init("parameter", .text(parameter))]
        case .tlsVersion(let version, let minimumVersion, let maximumVersion):
            return [.init("version", .text(version.name)), .init("minimumVersion", .text(minimumVersion.name)), .init("maximumVersion", .text(maximumVersion.name))]
        case .tlsForwardSecrecy(let cipherSuite):
            return [.init("cipherSuite", .text(cipherSuite))]
        case .tlsParameter(let parameter, let found, let allowed):
            return [.init("parameter", .text(parameter)), .init("found", .text(found)), .init("allowed", .texts(allowed))]
        case .revoked(let certificate, let answer):
            return [.init("certificate", .certificate(certificate)), .init("answer", .answer(answer))]
        case .revocationUndetermined(let certificate, let cause, let answers):
            return [.init("certificate", .certificate(certificate)), .init("cause", .text(cause.name)), .init("answers", .answers(answers))]
        case .stapleMissing(let certificate, let answers):
            return [.init("certificate", .certificate(certificate)), .init("answers", .answers(answers))]
        case .transparencyNotMet(let payload):
            return [.init("certificate", .certificate(payload.certificate)), .init("preset", .text(payload.preset)), .init("criteria", .criteria(payload.criteria)), .init("timestamps", .timestamps(payload.timestamps)), .init("unread", .integer(Int64(payload.unread))), .init("logList", .digest(payload.logList)), .init("logListIssued", .instant(payload.logListIssued))]
        case .tableStale(let confirmed, let until, let time, let basis):
            return [.init("confirmed", .instant(confirmed)), .init("until", .instant(until)), .init("time", .instant(time)), .init("basis", .text(basis.rawValue))]
        case .logListStale(let logList, let logListIssued, let time, let maximumAgeSeconds):
            return [.init("logList", .digest(logList)), .init("logListIssued", .instant(logListIssued)), .init("time", .instant(time)), .init("maximumAgeSeconds", .integer(Int64(maximumAgeSeconds)))]
        case .evidenceTooLarge(let octets, let limit):
            return [.init("octets", .integer(Int64(octets))), .init("limit", .integer(Int64(limit)))]
        case .path(.budgetExhausted(let limit)):
            return [.init("limit", .integer(Int64(limit)))]
        case .engineError(let problem):
            return [.init("problem", .text(problem))]
        }
    }
}

extension Violation {
    /// The host is neither a DNS name nor an IP address.
    package static func badHost(host: String, problem: String) -> Violation {
        Violation(.badHost(host: host, problem: problem))
    }
    /// No rule matches the host, and the policy's `default` is `deny`.
    package static func noApplicableRule(host: String) -> Violation {
        Violation(.noApplicableRule(host: host))
    }
    /// The peer presented no certificate.
    package static var nothingPresented: Violation {
        Violation(.nothingPresented)
    }
    /// The first certificate presented cannot be read.
    package static func endEntityUnreadable(_ payload: CertificateError) -> Violation {
        Violation(.endEntityUnreadable(payload))
    }
    /// The last certificate of the path is not self-issued, and neither the peer nor the policy
    /// offers a certificate of its issuer that continues the path.
    package static func issuerNotFound(last certificate: CertificateReference, issuer: String, unreadable: [String]) -> Violation {
        Violation(.issuerNotFound(last: certificate, issuer: issuer, unreadable: unreadable))
    }
    /// The end entity is self-issued and is not an anchor that may identify a server by itself.
    /// `anchorOf` are the ids of the rule's anchor sets that hold its name and key as a CA: then
    /// the peer presented an authority's certificate in the place of its own.
    package static func selfSignedLeaf(_ certificate: CertificateReference, anchorOf: [String]) -> Violation {
        Violation(.selfSignedLeaf(certificate, anchorOf: anchorOf))
    }
    /// The path ends at a self-issued certificate that is not an anchor of the rule. `heldBy` are
    /// the ids of the policy's other anchor sets that hold the certificate. `anchors` are the ids
    /// of the rule's anchor sets.
    package static func anchorNotTrusted(_ certificate: CertificateReference, heldBy: [String], anchors: [String]) -> Violation {
        Violation(.anchorNotTrusted(certificate, heldBy: heldBy, anchors: anchors))
    }
    /// The end entity does not meet a constraint of the anchor's set.
    package static func anchorConstraintNotMet(_ payload: AnchorConstraintFailure) -> Violation {
        Violation(.anchorConstraintNotMet(payload))
    }
    /// The signature of a certificate does not verify under its issuer's key. `keyType` and
    /// `signatureKind` are the type of that key and the kind of the signature, where keys of this
    /// type make no signature of this kind; otherwise both are null.
    package static func badSignature(_ certificate: CertificateReference, issuer issuerCertificate: CertificateReference, keyType: String?, signatureKind: String?) -> Violation {
        Violation(.path(.badSignature(certificate, issuer: issuerCertificate, keyType: keyType, signatureKind: signatureKind)))
    }
    /// The engine does not have the signature's algorithm, or cannot check keys of the issuer's
    /// type. So nobody has checked who made the signature.
    package static func unsupportedSignature(_ certificate: CertificateReference, issuer issuerCertificate: CertificateReference) -> Violation {
        Violation(.path(.unsupportedSignature(certificate, issuer: issuerCertificate)))
    }
    /// The two signature algorithm identifiers of a certificate differ.
    package static func algorithmMismatch(_ certificate: CertificateReference) -> Violation {
        Violation(.path(.algorithmMismatch(certificate)))
    }
    /// A certificate's notAfter is before the validation time. The tolerance is the number of
    /// seconds that a waiver grants; it is 0 without a waiver.
    package static func expired(_ certificate: CertificateReference, notAfter: UTCInstant, time: UTCInstant, tolerance toleranceSeconds: Int64) -> Violation {
        Violation(.path(.expired(certificate, notAfter: notAfter, time: time, tolerance: toleranceSeconds)))
    }
    /// A certificate's notBefore is after the validation time.
    package static func notYetValid(_ certificate: CertificateReference, notBefore: UTCInstant, time: UTCInstant) -> Violation {
        Violation(.path(.notYetValid(certificate, notBefore: notBefore, time: time)))
    }
    /// A certificate's notAfter is before its notBefore, so that it is valid at no time.
    package static func neverValid(_ certificate: CertificateReference, notBefore: UTCInstant, notAfter: UTCInstant) -> Violation {
        Violation(.path(.neverValid(certificate, notBefore: notBefore, notAfter: notAfter)))
    }
    /// An issuer of the path is not a CA.
    package static func notACertificateAuthority(_ certificate: CertificateReference) -> Violation {
        Violation(.path(.notACertificateAuthority(certificate)))
    }
    /// A pathLenConstraint of an issuer is exceeded.
    package static func pathLengthExceeded(_ certificate: CertificateReference, limit: Int, actual: Int) -> Violation {
        Violation(.path(.pathLengthExceeded(certificate, limit: limit, actual: actual)))
    }
    /// The path has more intermediates than the policy allows.
    package static func tooManyIntermediates(limit: Int, actual: Int) -> Violation {
        Violation(.path(.tooManyIntermediates(limit: limit, actual: actual)))
    }
    /// The key usage of a certificate lacks a bit that is needed.
    package static func keyUsageMissing(_ certificate: CertificateReference, wanted: String) -> Violation {
        Violation(.path(.keyUsageMissing(certificate, wanted: wanted)))
    }
    /// A certificate allows none of the demanded key purposes. Each purpose is given by its name in
    /// RFC 5280 or by its dotted OID.
    package static func purposeNotAllowed(_ certificate: CertificateReference, wanted: [String], allowed: [String]) -> Violation {
        Violation(.path(.purposeNotAllowed(certificate, wanted: wanted, allowed: allowed)))
    }
    /// The path's standard demands that the end entity names one of the demanded key purposes, and
    /// the end entity names none. It allows them by RFC 5280, because it has no extKeyUsage or
    /// names anyExtendedKeyUsage. `named` are the purposes that it names.
    package static func purposeNotNamed(_ certificate: CertificateReference, wanted: [String], named: [String]) -> Violation {
        Violation(.path(.purposeNotNamed(certificate, wanted: wanted, named: named)))
    }
    /// A certificate has a critical extension that the engine does not process. The extension is
    /// given by its dotted OID.
    package static func unknownCriticalExtension(_ certificate: CertificateReference, extensionID: String) -> Violation {
        Violation(.path(.unknownCriticalExtension(certificate, extensionID: extensionID)))
    }
    /// A name of a certificate is outside the permitted subtrees of the issuer `by`, or inside an
    /// excluded subtree of this issuer.
    package static func nameNotPermitted(_ certificate: CertificateReference, name: String, by: CertificateReference, subtree: String, isExcluded relation: Bool) -> Violation {
        Violation(.path(.nameNotPermitted(certificate, name: name, by: by, subtree: subtree, isExcluded: relation)))
    }
    /// A constraint of the certificate `by` on the names or on the certificate policies of a
    /// certificate below it cannot be judged: the constraint is malformed, the engine does not
    /// support the name form, or the comparison needs too much work. `constraint` says what is
    /// constrained.
    package static func constraintNotEvaluated(_ certificate: CertificateReference, by: CertificateReference, constraint: String, problem: String) -> Violation {
        Violation(.path(.constraintNotEvaluated(certificate, by: by, constraint: constraint, problem: problem)))
    }
    /// No wanted certificate policy holds for the path from the anchor to this certificate. When
    /// `wanted` is empty, any certificate policy would do. `found` are the certificate policies
    /// that this certificate asserts. Every identifier is dotted. `demandedBy` is the certificate
    /// whose policyConstraints (requireExplicitPolicy) make the demand, and null where the policy
    /// makes it.
    package static func certificatePolicyNotSatisfied(_ certificate: CertificateReference, wanted: [String], found: [String], demandedBy: CertificateReference?) -> Violation {
        Violation(.path(.certificatePolicyNotSatisfied(certificate, wanted: wanted, found: found, demandedBy: demandedBy)))
    }
    /// A certificate has a key of a type that the policy does not allow.
    package static func keyTypeNotAllowed(_ certificate: CertificateReference, type: String, allowed: [String]) -> Violation {
        Violation(.path(.keyTypeNotAllowed(certificate, type: type, allowed: allowed)))
    }
    /// An RSA key is smaller than the policy's minimum. Both sizes are in bits.
    package static func keyTooSmall(_ certificate: CertificateReference, bits: Int, minimum: Int) -> Violation {
        Violation(.path(.keyTooSmall(certificate, bits: bits, minimum: minimum)))
    }
    /// The message hash of a signature is weaker than the policy's minimum.
    package static func hashTooWeak(_ certificate: CertificateReference, hash: String, minimum minimumHash: String) -> Violation {
        Violation(.path(.hashTooWeak(certificate, hash: hash, minimum: minimumHash)))
    }
    /// The message hash of an RSASSA-PSS signature meets the policy's minimum, and the hash of its
    /// mask generation (MGF1) is weaker than the minimum. `hash` is the message hash.
    package static func maskHashTooWeak(_ certificate: CertificateReference, hash: String, mask maskHash: String, minimum minimumHash: String) -> Violation {
        Violation(.path(.maskHashTooWeak(certificate, hash: hash, mask: maskHash, minimum: minimumHash)))
    }
    /// A certificate is signed by a scheme that the policy does not allow.
    package static func signatureSchemeNotAllowed(_ certificate: CertificateReference, scheme: String, allowed: [String]) -> Violation {
        Violation(.path(.signatureSchemeNotAllowed(certificate, scheme: scheme, allowed: allowed)))
    }
    /// The end entity's lifetime is longer than the policy's maximum. Both values are in seconds.
    package static func lifetimeTooLong(_ certificate: CertificateReference, seconds: Int64, maximum maximumSeconds: Int64) -> Violation {
        Violation(.path(.lifetimeTooLong(certificate, seconds: seconds, maximum: maximumSeconds)))
    }
    /// A certificate does not meet a demand of the path's standard. The id of the violation is the
    /// demand's id. `found` is raw text; it is empty when no single part of the certificate breaks
    /// the demand.
    package static func standardNotMet(_ certificate: CertificateReference, demand: StandardDemand, found: String) -> Violation {
        Violation(.path(.standardNotMet(certificate, demand: demand, found: found)))
    }
    /// A certificate of the path has a key that the policy forbids.
    package static func forbiddenKey(_ payload: ForbiddenKeyFound) -> Violation {
        Violation(.forbiddenKey(payload))
    }
    /// The end entity presents no name that the rule wants.
    package static func nameMismatch(wanted: [String], presented: [String]) -> Violation {
        Violation(.nameMismatch(wanted: wanted, presented: presented))
    }
    /// Every wanted name that the end entity presents is matched by a `spiffe://` pattern, and the
    /// end entity is not an X509-SVID. Only an X509-SVID meets such a pattern (LANGUAGE section 7):
    /// it has exactly one URI name, no CA bit, and neither keyCertSign nor cRLSign. `uri` is the
    /// name that a pattern matches. `uris` are all URI names, at most 16, then a text that gives
    /// the number of the others. `faults` are the conditions that fail: `several-uris`, `ca`,
    /// `key-cert-sign`, `crl-sign`.
    package static func notX509SVID(_ payload: SVIDFailure) -> Violation {
        Violation(.notX509SVID(payload))
    }
    /// Fewer pins of a pin set matched than the pin set demands.
    package static func pinMismatch(_ payload: PinMismatch) -> Violation {
        Violation(.pinMismatch(payload))
    }
    /// A registered check of the program refused the path. `reason` is the reason that the
    /// registered check gave.
    package static func checkFailed(name: String, reason: String) -> Violation {
        Violation(.checkFailed(name: name, reason: reason))
    }
    /// The request says that the connection has no TLS.
    package static var cleartext: Violation {
        Violation(.cleartext)
    }
    /// The rule demands a TLS parameter that the request does not give.
    package static func tlsNotSupplied(parameter: String) -> Violation {
        Violation(.tlsNotSupplied(parameter: parameter))
    }
    /// The TLS version is outside the rule's bounds.
    package static func tlsVersion(_ version: TLSVersion, minimum minimumVersion: TLSVersion, maximum maximumVersion: TLSVersion) -> Violation {
        Violation(.tlsVersion(version, minimum: minimumVersion, maximum: maximumVersion))
    }
    /// The key exchange of this cipher suite is not known to be (EC)DHE.
    package static func tlsForwardSecrecy(cipherSuite: String) -> Violation {
        Violation(.tlsForwardSecrecy(cipherSuite: cipherSuite))
    }
    /// A negotiated TLS parameter has a value that the rule does not allow.
    package static func tlsParameter(_ parameter: String, found: String, allowed: [String]) -> Violation {
        Violation(.tlsParameter(parameter, found: found, allowed: allowed))
    }
    /// Valid evidence says that a certificate is revoked.
    package static func revoked(_ certificate: CertificateReference, _ answer: RevocationAnswer) -> Violation {
        Violation(.revoked(certificate, answer))
    }
    /// The revocation status of a certificate is not known. `cause` is the reason. `answers` are
    /// all answers of the evidence that was supplied.
    package static func revocationUndetermined(_ certificate: CertificateReference, cause: RevocationCause, answers: [RevocationAnswer]) -> Violation {
        Violation(.revocationUndetermined(certificate, cause: cause, answers: answers))
    }
    /// The end entity demands a stapled OCSP response (RFC 7633), and no stapled response says that
    /// the end entity is good.
    package static func stapleMissing(_ certificate: CertificateReference, answers: [RevocationAnswer]) -> Violation {
        Violation(.stapleMissing(certificate, answers: answers))
    }
    /// The end entity's signed certificate timestamps meet none of the criteria that the rule
    /// accepts.
    package static func transparencyNotMet(_ payload: TransparencyReport) -> Violation {
        Violation(.transparencyNotMet(payload))
    }
    /// The policy table is stale: it was issued, or its source last confirmed it as the newest
    /// table, too long ago. `basis` says which of the two `confirmed` is.
    package static func tableStale(confirmed: UTCInstant, until: UTCInstant, time: UTCInstant, basis: TableFreshness.Basis) -> Violation {
        Violation(.tableStale(confirmed: confirmed, until: until, time: time, basis: basis))
    }
    /// The log list is older at the validation time than the rule allows. The maximum age is in
    /// seconds.
    package static func logListStale(logList: Digest, issued logListIssued: UTCInstant, time: UTCInstant, maximumAge maximumAgeSeconds: Int64) -> Violation {
        Violation(.logListStale(logList: logList, issued: logListIssued, time: time, maximumAge: maximumAgeSeconds))
    }
    /// Reading the revocation evidence of the request takes more work than one evaluation may do,
    /// and evidence that nobody reads may say `revoked`. `octets` counts all of the evidence; the
    /// limit is in cost units.
    package static func evidenceTooLarge(octets: Int, limit: Int) -> Violation {
        Violation(.evidenceTooLarge(octets: octets, limit: limit))
    }
    /// The work budget was used up before the request was decided. The limit is in cost units.
    package static func budgetExhausted(limit: Int) -> Violation {
        Violation(.path(.budgetExhausted(limit: limit)))
    }
    /// The engine has a fault: an invariant did not hold. The verdict is always a reject.
    package static func engineError(_ problem: String) -> Violation {
        Violation(.engineError(problem))
    }
}
