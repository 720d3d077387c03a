package import TrustEngine

/// One reading of a reject: whose side it is, and why.
package struct SideReading: Hashable, Sendable {
    /// The side.
    package let side: Violation.Side
    /// The fault of that side: lower case, no full stop, raw text.
    package let words: String

    /// Makes a reading.
    package init(_ side: Violation.Side, _ words: String) {
        self.side = side
        self.words = words
    }
}

/// The words for sides: whose fault a reject is.
package enum SideSentences {
    /// The name of a side, for people.
    package static func name(_ side: Violation.Side) -> String {
        switch side {
        case .server: return "server"
        case .policy: return "policy"
        case .thisMachine: return "this machine"
        case .network: return "network"
        case .inBetween: return "in between"
        }
    }

    /// The violations in the order of telling. First come the violations whose first reading is
    /// that somebody else answers: that party chooses the other faults, such as the TLS version,
    /// and would choose which is told first.
    package static func ordered(_ violations: [Violation], _ situation: Situation) -> [Violation] {
        let (first, rest) = violations.reduce(into: ([Violation](), [Violation]())) {
            if isInBetween($1, situation) { $0.0.append($1) } else { $0.1.append($1) }
        }
        return first + rest
    }

    /// Whether the first reading of a violation is that somebody else answers.
    static func isInBetween(_ violation: Violation, _ situation: Situation) -> Bool {
        readings(violation, situation).first?.side == .inBetween
    }

    /// The side of a violation, from its first reading.
    package static func side(_ violation: Violation, _ situation: Situation) -> Violation.Side {
        readings(violation, situation).first?.side ?? violation.side
    }

    /// Every reading of a violation that the known facts leave open: the safer first, then the
    /// likelier. Never empty.
    package static func readings(
        _ violation: Violation, _ situation: Situation
    ) -> [SideReading] {
        switch violation.reason {
        case .path(let found): return readings(found, situation)
        case .badHost: return [.init(.thisMachine, "what it asks for is not a host")]
        case .noApplicableRule:
            return [
                .init(.policy, "nobody has written a rule for this host and port"),
                .init(.thisMachine, "it asks for a host that nobody meant"),
            ]
        case .nothingPresented:
            return [
                .init(.server, "it showed no certificate"),
                .init(.thisMachine, "the program did not hand over what the server showed"),
            ]
        case .endEntityUnreadable:
            return [
                .init(.server, "its certificate cannot be read"),
                .init(.inBetween, "it was damaged on its way"),
            ]
        case .issuerNotFound(let last, let issuer, let unreadable)
        where unreadable.isEmpty
            && situation.facts.twins.isEmpty:
            return AuthorityAdvice.readings(last: last, issuer: issuer, situation)
        case .issuerNotFound(_, _, let unreadable) where !unreadable.isEmpty:
            return [
                impostor("something else may be answering, with an issuer of its own"),
                .init(.server, "it sends a damaged certificate of its issuer"),
            ]
        case .issuerNotFound:
            return [
                impostor("something else may be answering, with an issuer of its own"),
                .init(.server, "whoever issued its certificate wrote the issuer's name otherwise"),
            ]
        case .selfSignedLeaf(_, let sets) where !sets.isEmpty:
            return [
                situation.misplacedEndEntity == nil ? AuthorityAsServer.reading : wrongOrder
            ]
        case .selfSignedLeaf:
            return [
                impostor("anybody can make such a certificate"),
                .init(.server, "it was set up with a certificate of its own making"),
            ]
        case .anchorNotTrusted(let top, let heldBy, _):
            return AuthorityAdvice.readings(top: top, heldBy: heldBy, situation)
        case .anchorConstraintNotMet(let failure): return readings(failure)
        case .forbiddenKey(let found): return found.readings
        case .nameMismatch(let wanted, let presented):
            if situation.misplacedEndEntity != nil {
                return [wrongOrder]
            }
            if let ownAnchor = situation.facts.ownAnchor {
                return OwnAnchorSentences.readings(ownAnchor)
            }
            if situation.facts.isAuthorityAlone { return [AuthorityAsServer.reading] }
            if NameSentences.mistake(presented: presented, wanted: wanted) != nil {
                return [.init(.server, "whoever issued its certificate wrote the name wrongly")]
            }
            return [
                impostor("another server may be answering"),
                .init(.server, "its certificate lacks the name"),
            ]
        case .pinMismatch(let mismatch)
        where PinMistakes.explainAll(mismatch, situation.facts):
            return [
                .init(.policy, "the pins were made from something else than the keys"),
                impostor("something else may be answering"),
            ]
        case .notX509SVID(let failure):
            return situation.misplacedEndEntity == nil ? failure.readings : [wrongOrder]
        case .pinMismatch(let mismatch):
            return [
                impostor("something else may be answering"),
                .init(
                    .policy,
                    "the server's keys were changed, and pin set `\(mismatch.set)` was not"),
            ]
        case .checkFailed(let name, _):
            return [.init(.thisMachine, "the program's own check `\(name)` refuses")]
        case .cleartext:
            return [.init(.thisMachine, "the program uses no TLS for this connection")]
        case .tlsNotSupplied:
            return [.init(.thisMachine, "the program does not say what TLS came to")]
        case .tlsVersion(let version, let minimum, _):
            return version < minimum
                ? [
                    .init(.server, "it speaks only an older TLS, or the program offers no newer"),
                    .init(.inBetween, "a device on the way does"),
                ]
                : [.init(.policy, "the rule does not allow a TLS this new")]
        case .tlsForwardSecrecy:
            return [.init(.server, "it chose a key exchange that the rule does not allow")]
        case .tlsParameter:
            return [
                .init(.server, "it chose what the rule does not list"),
                .init(.policy, "the rule lists less than was meant"),
            ]
        case .revoked(let certificate, _) where certificate.setOfPolicy != nil:
            return [
                impostor("where the key was stolen, its thief may be answering"),
                ofPolicy(certificate, "is revoked"),
            ]
        case .revoked:
            return [
                impostor("where the key was stolen, its thief may be answering"),
                .init(.server, "it still uses the revoked certificate"),
            ]
        case .revocationUndetermined(let certificate, let cause, let answers):
            return RevocationSentences.readings(certificate, cause, answers, situation)
        case .stapleMissing(let certificate, _)
        where situation.facts.subjects[certificate.fingerprint]?.lacksResponderForStaple == true:
            return [
                .init(.server, "its certificate demands a staple and names no responder"),
                .init(.inBetween, "whoever holds a stolen key leaves it out"),
            ]
        case .stapleMissing(let certificate, let answers):
            if let staple = answers.first(where: { $0.source == .stapled }),
                let readings = EvidenceFault(certificate, staple, situation.facts).readings
            {
                return readings
            }
            return [
                .init(.server, "it staples no OCSP response that counts"),
                .init(.inBetween, "whoever holds a stolen key leaves it out"),
            ]
        case .transparencyNotMet(let report): return TransparencySentences.readings(report)
        case .logListStale where situation.facts.isLogListOfProgram:
            return [
                .init(.thisMachine, "the log list that the program was given is old"),
                .init(.policy, "its own list of logs is older still"),
            ]
        case .logListStale:
            return [
                .init(.policy, "its list of logs is old"),
                .init(.thisMachine, "the clock is wrong"),
            ]
        case .tableStale(_, _, _, let basis): return StaleTableSentences.readings(basis)
        case .evidenceTooLarge:
            return [
                .init(.thisMachine, "the program hands over large CRLs that nobody has prepared"),
                impostor("a response can be stapled that costs too much to read"),
            ]
        case .engineError: return [.init(.thisMachine, "a fault of the engine")]
        }
    }

    /// The reading of a chain that begins with a CA in place of the server's own certificate.
    static let wrongOrder = SideReading(
        .server, "it sends its certificates in the wrong order")

    static func impostor(_ words: String) -> SideReading { .init(.inBetween, words) }

    private static func readings(
        _ violation: PathViolation, _ situation: Situation
    ) -> [SideReading] {
        switch violation {
        case .expired(let certificate, _, _, _)
        where certificate.setOfPolicy != nil && !situation.isWholePathOutsideDates:
            return [
                ofPolicy(certificate, "has ended"),
                .init(.thisMachine, "the clock, or the time that was asked about, is wrong"),
            ]
        case .neverValid(let certificate, _, _):
            return ofIssuing(certificate)
        case .expired:
            let server = "its certificate was not renewed"
            let clock = "the clock, or the time that was asked about, is wrong"
            return situation.isWholePathOutsideDates
                ? [
                    .init(.thisMachine, "\(clock): every certificate has ended"),
                    .init(.server, "none was renewed"),
                ]
                : [.init(.server, server), .init(.thisMachine, clock)]
        case .notYetValid(let certificate, _, _):
            return [
                .init(.thisMachine, "the clock, or the time that was asked about, is wrong"),
                certificate.setOfPolicy != nil
                    ? ofPolicy(certificate, "begins later")
                    : .init(.server, "it already uses a certificate that begins later"),
            ]
        case .badSignature(let certificate, let issuer, _, _):
            return AuthorityAdvice.readings(certificate, signedBy: issuer, violation, situation)
        case .algorithmMismatch:
            return [
                impostor("the certificate was altered"),
                .init(.server, "whoever issued it made a mistake"),
            ]
        case .unsupportedSignature:
            return [
                impostor("nobody can check who signed it, and anybody can write what cannot be"),
                .init(.server, "its certificate needs what this engine does not have"),
            ]
        case .notACertificateAuthority:
            return [
                impostor("whoever holds a certificate may have issued another with it"),
                .init(.server, "whoever issued its certificates made a mistake"),
            ]
        case .nameNotPermitted:
            return [
                impostor("an authority vouches for a name that is not its own"),
                .init(.server, "its certificate is from the wrong authority"),
            ]
        case .tooManyIntermediates:
            return [
                .init(.policy, "the rule allows fewer intermediates"),
                .init(.server, "it sends more than were meant"),
            ]
        case .keyTypeNotAllowed(let certificate, _, _), .keyTooSmall(let certificate, _, _):
            if certificate.setOfPolicy != nil {
                return [
                    ofPolicy(certificate, "has a key that the rule does not allow"),
                    otherAuthority,
                ]
            }
            if case .keyTooSmall = violation {
                return [.init(.server, "its certificate is not what the rule demands")]
            }
            if case .keyTypeNotAllowed(_, let type, _) = violation, !KeyType.isKnown(type) {
                return [.init(.server, "its certificate needs what this engine does not have")]
            }
            return notOfTheRulesKind
        case .signatureSchemeNotAllowed(let certificate, _, _),
            .hashTooWeak(let certificate, _, _), .maskHashTooWeak(let certificate, _, _, _):
            if certificate.setOfPolicy != nil {
                return [
                    ofPolicy(certificate, "is signed in a way that the rule does not allow"),
                    otherAuthority,
                ]
            }
            if case .signatureSchemeNotAllowed = violation { return notOfTheRulesKind }
            return [.init(.server, "its certificate is not what the rule demands")]
        case .certificatePolicyNotSatisfied(_, _, _, let demandedBy):
            return ExplicitPolicySentences.readings(demandedBy: demandedBy)
        case .lifetimeTooLong:
            return [.init(.server, "its certificate is not what the rule demands")]
        case .constraintNotEvaluated(_, let by, _, _):
            guard case .anchor = by.origin else {
                return [.init(.server, "whoever issued its certificates made them so")]
            }
            return [
                .init(.policy, "its anchor's own certificate limits in a form that is not defined"),
                .init(.server, "its certificate needs another authority"),
            ]
        case .pathLengthExceeded(let certificate, _, _),
            .unknownCriticalExtension(let certificate, _):
            return ofIssuing(certificate)
        case .keyUsageMissing(let certificate, _), .purposeNotAllowed(let certificate, _, _),
            .purposeNotNamed(let certificate, _, _), .standardNotMet(let certificate, _, _):
            if situation.misplacedEndEntity != nil {
                return [wrongOrder]
            }
            return ofIssuing(certificate)
        case .budgetExhausted:
            return [
                impostor("a chain can be made to cost too much"),
                .init(.server, "it sends far more certificates than are needed"),
            ]
        }
    }

    private static let notOfTheRulesKind = [
        SideReading(.server, "its certificate is not of the kind that the rule demands"),
        SideReading(.policy, "the rule lists fewer kinds than were meant"),
    ]

    /// The readings of a certificate that was issued with a fault: an anchor is the policy's.
    private static func ofIssuing(_ certificate: CertificateReference) -> [SideReading] {
        certificate.setOfPolicy != nil
            ? [ofPolicy(certificate, "was issued so"), otherAuthority]
            : [.init(.server, "whoever issued its certificates made them so")]
    }

    /// The reading of a certificate that the policy itself holds or offers.
    private static func ofPolicy(
        _ certificate: CertificateReference, _ fault: String
    ) -> SideReading {
        let name = Words.name(certificate)
        switch certificate.origin {
        case .anchor(let set): return .init(.policy, "anchor \(name) of `\(set)` \(fault)")
        case .offered(let set):
            return .init(.policy, "\(name) under `intermediates` of `\(set)` \(fault)")
        case .presented: return .init(.policy, "\(name) \(fault)")
        }
    }

    private static let otherAuthority = SideReading(
        .server, "its certificate needs another authority")

    private static func readings(_ failure: AnchorConstraintFailure) -> [SideReading] {
        switch failure.side {
        case .permittedNames, .excludedNames, .permittedURIs:
            return [
                impostor("an authority vouches for a name that it may not vouch for"),
                .init(.server, "its certificate is from the wrong authority"),
            ]
        case .notBefore, .sct, .keyPurposes, .maximumLifetime:
            return [
                .init(.server, "its certificate is not one that the authority is trusted for"),
                .init(.policy, "the anchor's terms are too narrow"),
            ]
        case .logList:
            return [
                .init(.policy, "its list of logs is old"),
                .init(.server, "its certificate needs another authority"),
            ]
        }
    }
}
