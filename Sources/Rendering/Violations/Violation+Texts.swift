/// The texts about a violation. They contain raw text of certificates and hosts: the renderer must
/// escape whole lines.
extension Violation {
    /// Both sides of the comparison in one line, for a reader who knows certificates.
    package var headline: String { texts.headline }

    /// The headline with what the situation adds to it.
    package func headline(_ situation: Situation) -> String { texts.headline(situation) }

    /// One sentence for a reader who only wanted to connect. It says what failed and names no
    /// culprit: of most failures there is more than one cause.
    package func forEndUser(_ situation: Situation) -> String { texts.forEndUser(situation) }

    /// The readings of the violation that the known facts leave open: the safer first, then the
    /// likelier. Never empty.
    package func readings(_ situation: Situation) -> [SideReading] { texts.readings(situation) }

    /// Whose side the violation is: the side of its first reading.
    package func side(_ situation: Situation) -> Side { readings(situation).first?.side ?? side }

    /// The section that the violation breaks: the one that makes the demand, and not only the one
    /// that defines the field.
    package var citation: String { texts.citation }

    /// The pointer that the violation is cited with, given the pointer of its check's demand. An
    /// entry of a map has a pointer of its own.
    package func pointer(_ demand: String) -> String {
        texts.entry.map { "\(demand)/\($0)" } ?? demand
    }

    /// The texts about the violation. No other code of the module switches over a reason.
    var texts: any ViolationTexts {
        switch reason {
        case .badHost(let host, let problem): return BadHostTexts(host: host, problem: problem)
        case .noApplicableRule(let host): return NoApplicableRuleTexts(host: host)
        case .nothingPresented: return NothingPresentedTexts()
        case .endEntityUnreadable(let error): return EndEntityUnreadableTexts(error: error)
        case .issuerNotFound(let last, let issuer, let unreadable):
            return IssuerNotFoundTexts(last: last, issuer: issuer, unreadable: unreadable)
        case .selfSignedLeaf(let leaf, let sets): return SelfSignedLeafTexts(leaf: leaf, sets: sets)
        case .anchorNotTrusted(let top, let heldBy, let anchors):
            return AnchorNotTrustedTexts(top: top, heldBy: heldBy, anchors: anchors)
        case .anchorConstraintNotMet(let failure):
            return AnchorConstraintNotMetTexts(failure: failure)
        case .forbiddenKey(let found): return ForbiddenKeyTexts(found: found)
        case .nameMismatch(let wanted, let presented):
            return NameMismatchTexts(wanted: wanted, presented: presented)
        case .notX509SVID(let failure): return NotX509SVIDTexts(failure: failure)
        case .pinMismatch(let mismatch): return PinMismatchTexts(mismatch: mismatch)
        case .checkFailed(let name, let reason): return CheckFailedTexts(name: name, reason: reason)
        case .cleartext: return CleartextTexts()
        case .tlsNotSupplied(let parameter): return TLSNotSuppliedTexts(parameter: parameter)
        case .tlsVersion(let version, let minimum, let maximum):
            return TLSVersionTexts(version: version, minimum: minimum, maximum: maximum)
        case .tlsForwardSecrecy(let cipherSuite):
            return TLSForwardSecrecyTexts(cipherSuite: cipherSuite)
        case .tlsParameter(let parameter, let found, let allowed):
            return TLSParameterTexts(parameter: parameter, found: found, allowed: allowed)
        case .revoked(let certificate, let answer):
            return RevokedTexts(certificate: certificate, answer: answer)
        case .revocationUndetermined(let certificate, let cause, let answers):
            return RevocationUndeterminedTexts(
                certificate: certificate, cause: cause, answers: answers)
        case .stapleMissing(let certificate, let answers):
            return StapleMissingTexts(certificate: certificate, answers: answers)
        case .transparencyNotMet(let report): return TransparencyNotMetTexts(report: report)
        case .logListStale(_, let issued, let time, let maximumAge):
            return LogListStaleTexts(issued: issued, time: time, maximumAge: maximumAge)
        case .tableStale(let confirmed, let until, let time, let basis):
            return TableStaleTexts(confirmed: confirmed, until: until, time: time, basis: basis)
        case .evidenceTooLarge(let octets, let limit):
            return EvidenceTooLargeTexts(octets: octets, limit: limit)
        case .engineError(let problem): return EngineErrorTexts(problem: problem)
        case .path(.badSignature(let certificate, let issuer, let keyType, let signatureKind)):
            return BadSignatureTexts(
                certificate: certificate, issuer: issuer, keyType: keyType,
                signatureKind: signatureKind)
        case .path(.unsupportedSignature(let certificate, let issuer)):
            return UnsupportedSignatureTexts(certificate: certificate, issuer: issuer)
        case .path(.algorithmMismatch(let certificate)):
            return AlgorithmMismatchTexts(certificate: certificate)
        case .path(.expired(let certificate, let notAfter, let time, let tolerance)):
            return ExpiredTexts(
                certificate: certificate, notAfter: notAfter, time: time, tolerance: tolerance)
        case .path(.notYetValid(let certificate, let notBefore, let time)):
            return NotYetValidTexts(certificate: certificate, notBefore: notBefore, time: time)
        case .path(.neverValid(let certificate, let notBefore, let notAfter)):
            return NeverValidTexts(
                certificate: certificate, notBefore: notBefore, notAfter: notAfter)
        case .path(.notACertificateAuthority(let certificate)):
            return NotACertificateAuthorityTexts(certificate: certificate)
        case .path(.pathLengthExceeded(let certificate, let limit, let actual)):
            return PathLengthExceededTexts(certificate: certificate, limit: limit, actual: actual)
        case .path(.tooManyIntermediates(let limit, let actual)):
            return TooManyIntermediatesTexts(limit: limit, actual: actual)
        case .path(.keyUsageMissing(let certificate, let wanted)):
            return KeyUsageMissingTexts(certificate: certificate, wanted: wanted)
        case .path(.purposeNotAllowed(let certificate, let wanted, let allowed)):
            return PurposeNotAllowedTexts(
                certificate: certificate, wanted: wanted, allowed: allowed)
        case .path(.purposeNotNamed(let certificate, let wanted, let named)):
            return PurposeNotNamedTexts(certificate: certificate, wanted: wanted, named: named)
        case .path(.unknownCriticalExtension(let certificate, let extensionID)):
            return UnknownCriticalExtensionTexts(certificate: certificate, extensionID: extensionID)
        case .path(
            .nameNotPermitted(let certificate, let name, let authority, let subtree, let isExcluded)
        ):
            return NameNotPermittedTexts(
                certificate: certificate, name: name, authority: authority, subtree: subtree,
                isExcluded: isExcluded)
        case .path(
            .constraintNotEvaluated(let certificate, let authority, let constraint, let problem)):
            return ConstraintNotEvaluatedTexts(
                certificate: certificate, authority: authority, constraint: constraint,
                problem: problem)
        case .path(
            .certificatePolicyNotSatisfied(let certificate, let wanted, let found, let demandedBy)):
            return CertificatePolicyNotSatisfiedTexts(
                certificate: certificate, wanted: wanted, found: found, demandedBy: demandedBy)
        case .path(.keyTypeNotAllowed(let certificate, let type, let allowed)):
            return KeyTypeNotAllowedTexts(certificate: certificate, type: type, allowed: allowed)
        case .path(.keyTooSmall(let certificate, let bits, let minimum)):
            return KeyTooSmallTexts(certificate: certificate, bits: bits, minimum: minimum)
        case .path(.hashTooWeak(let certificate, let hash, let minimum)):
            return HashTooWeakTexts(certificate: certificate, hash: hash, minimum: minimum)
        case .path(.maskHashTooWeak(let certificate, let hash, let mask, let minimum)):
            return MaskHashTooWeakTexts(
                certificate: certificate, hash: hash, mask: mask, minimum: minimum)
        case .path(.signatureSchemeNotAllowed(let certificate, let scheme, let allowed)):
            return SignatureSchemeNotAllowedTexts(
                certificate: certificate, scheme: scheme, allowed: allowed)
        case .path(.lifetimeTooLong(let certificate, let seconds, let maximum)):
            return LifetimeTooLongTexts(
                certificate: certificate, seconds: seconds, maximum: maximum)
        case .path(.standardNotMet(let certificate, let demand, let found)):
            return StandardNotMetTexts(certificate: certificate, demand: demand, found: found)
        case .path(.budgetExhausted(let limit)): return BudgetExhaustedTexts(limit: limit)
        }
    }
}

extension [Violation] {
    /// The violations in the order in which they are printed: first every violation whose first
    /// reading is that somebody else answers. An attacker who answers can cause other violations
    /// too, such as a wrong TLS version, and must not choose the first line.
    package func saferFirst(_ situation: Situation) -> [Violation] {
        let marked = map { ($0, $0.texts.isInBetween(situation)) }
        return marked.filter(\.1).map(\.0) + marked.filter { !$0.1 }.map(\.0)
    }
}
