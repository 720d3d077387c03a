/// Decides what follows for one certificate from all the evidence about it: LANGUAGE section 8 as
/// one pure function. Order of sources, scope, actions for causes, short-lived certificates and
/// must-staple are decided here and nowhere else. `RevocationJudge` has decided before whether
/// evidence is current and covers the certificate.
package enum RevocationDecision: Hashable, Sendable {
    /// The rule does not ask for the status. Evidence does not say *revoked*.
    case notDemanded
    /// The certificate's lifetime is within `short-lived`.
    case shortLived
    /// Evidence of this source says *good*; it is the first source in the rule's order that has a
    /// usable answer.
    case good(RevocationSource)
    /// Valid evidence says *revoked*. That holds whatever the rule demands.
    case revoked(RevocationAnswer)
    /// No answer is usable. The first value is the cause, the second the rule's action for that
    /// cause.
    case undetermined(RevocationCause, CauseAction)

    /// The role of a certificate on its path.
    package enum Role: Hashable, Sendable {
        case endEntity
        case intermediate
        /// An anchor of kind intermediate, which is not self-issued.
        case intermediateAnchor
    }

    /// Decides about one certificate. `answers` are all answers that the evidence gives about it.
    package static func of(
        _ certificate: Certificate, at role: Role, answers: [RevocationAnswer],
        under requirement: RevocationRequirement
    ) -> RevocationDecision {
        if let revoked = answers.first(where: \.isRevoked) { return .revoked(revoked) }
        guard requirement.scope.includes(role) else { return .notDemanded }
        if let limit = requirement.shortLived, certificate.lifetime <= limit { return .shortLived }
        var worst: (cause: RevocationCause, action: CauseAction)?
        for source in requirement.sources {
            for answer in answers where answer.source == source {
                switch answer.finding {
                case .good: return .good(source)
                case .revoked, .revokedByFilter: continue
                case .unusable(let problem):
                    let action = action(for: answer, problem, under: requirement)
                    // Of two actions that are equally harsh the first one counts.
                    if worst.map({ action.isHarsher(than: $0.action) }) ?? true {
                        worst = (problem.cause, action)
                    }
                }
            }
        }
        if let worst { return .undetermined(worst.cause, worst.action) }
        let cause: RevocationCause =
            requirement.sources.contains { certificate.names(source: $0, at: role) }
            ? .unreachable : .noEndpoint
        return .undetermined(cause, requirement.causes[cause])
    }

    /// The action for an answer that is not usable. A new certificate that no filter covers is at
    /// most reported while the rule's grace lasts.
    private static func action(
        for answer: RevocationAnswer, _ problem: EvidenceProblem,
        under requirement: RevocationRequirement
    ) -> CauseAction {
        let action = requirement.causes[problem.cause]
        let isInGrace = problem == .noFilterCovers && answer.filters?.youth?.passes == true
        return isInGrace && action == .fail ? .report : action
    }

    /// Whether the end entity demands a staple (RFC 7633) and no staple says *good*.
    package static func lacksStaple(
        _ certificate: Certificate, answers: [RevocationAnswer]
    ) -> Bool {
        certificate.requiresStaple
            && !answers.contains { $0.source == .stapled && $0.finding == .good }
    }
}

extension RevocationScope {
    /// Whether the scope demands the status of a certificate with this role.
    fileprivate func includes(_ role: RevocationDecision.Role) -> Bool {
        switch role {
        case .endEntity: return true
        case .intermediate: return self != .leaf
        case .intermediateAnchor: return self == .chain
        }
    }
}

extension CauseAction {
    /// Whether this action is harsher. `fail` is harsher than `report`, and `report` is harsher
    /// than `pass`.
    fileprivate func isHarsher(than other: CauseAction) -> Bool { rawValue < other.rawValue }
}

extension Certificate {
    /// notAfter minus notBefore, in seconds.
    package var lifetime: Int64 { notAfter.secondsSinceEpoch - notBefore.secondsSinceEpoch }

    /// Whether the certificate says where evidence of a source can be fetched. A staple comes from
    /// the responder that the certificate names. No certificate names filters: the program has
    /// those for every end entity, and for no other certificate.
    fileprivate func names(
        source: RevocationSource, at role: RevocationDecision.Role
    ) -> Bool {
        switch source {
        case .stapled: return hasResponder || requiresStaple
        case .ocsp: return hasResponder
        case .crl: return layout.extensions.present.contains(.crlDistributionPoints)
        case .crlite: return role == .endEntity
        }
    }
}
