/// What follows for one certificate from everything that the evidence says of it: LANGUAGE section 8 in
/// one pure function. Order of sources, scope, actions per cause, short-lived certificates and
/// must-staple are here and nowhere else; whether evidence is current and covers the certificate was
/// decided before (`RevocationJudge`).
package enum RevocationDecision: Hashable, Sendable {
    /// Nothing is asked of it, and nothing says that it is revoked.
    case notDemanded
    /// Its lifetime is within `short-lived`.
    case shortLived
    /// The first source in the rule's order that has a usable answer.
    case good(RevocationSource)
    /// Some valid evidence says so, whatever the rule demands.
    case revoked(RevocationAnswer)
    /// There is no usable answer, for this cause, and this is what the rule does about it.
    case undetermined(RevocationCause, CauseAction)

    /// What a certificate is on its path.
    package enum Place: Hashable, Sendable {
        case endEntity
        case intermediate
        /// An anchor that is not self-issued, of kind intermediate.
        case intermediateAnchor
    }

    /// Decides. `answers` is everything that was supplied about the certificate.
    package static func of(
        _ certificate: Certificate, at place: Place, answers: [RevocationAnswer],
        under requirement: RevocationRequirement
    ) -> RevocationDecision {
        if let revoked = answers.first(where: \.isRevoked) { return .revoked(revoked) }
        guard requirement.scope.includes(place) else { return .notDemanded }
        if let limit = requirement.shortLived, certificate.lifetime <= limit { return .shortLived }
        var worst: (cause: RevocationCause, action: CauseAction)?
        for source in requirement.sources {
            for answer in answers where answer.source == source {
                switch answer.finding {
                case .good: return .good(source)
                case .revoked: continue
                case .unusable(let problem):
                    let action = requirement.causes[problem.cause]
                    // Of equally harsh ones the first.
                    if worst.map({ action.isHarsher(than: $0.action) }) ?? true {
                        worst = (problem.cause, action)
                    }
                }
            }
        }
        if let worst { return .undetermined(worst.cause, worst.action) }
        let cause: RevocationCause =
            requirement.sources.contains { certificate.names(source: $0) }
            ? .unreachable : .noEndpoint
        return .undetermined(cause, requirement.causes[cause])
    }

    /// Whether an end entity demands a staple (RFC 7633) and none says that it is good.
    package static func lacksStaple(
        _ certificate: Certificate, answers: [RevocationAnswer]
    ) -> Bool {
        certificate.requiresStaple
            && !answers.contains { $0.source == .stapled && $0.finding == .good }
    }
}

extension RevocationScope {
    /// Whether a certificate at a place must have its status known.
    fileprivate func includes(_ place: RevocationDecision.Place) -> Bool {
        switch place {
        case .endEntity: return true
        case .intermediate: return self != .leaf
        case .intermediateAnchor: return self == .chain
        }
    }
}

extension CauseAction {
    /// `fail` is harsher than `report`, and `report` than `pass`.
    fileprivate func isHarsher(than other: CauseAction) -> Bool { rawValue < other.rawValue }
}

extension Certificate {
    /// notAfter less notBefore, seconds.
    package var lifetime: Int64 { notAfter.secondsSinceEpoch - notBefore.secondsSinceEpoch }

    /// Whether the certificate says where evidence of a kind is to be had. A staple comes from the
    /// responder that it names.
    fileprivate func names(source: RevocationSource) -> Bool {
        switch source {
        case .stapled: return hasResponder || requiresStaple
        case .ocsp: return hasResponder
        case .crl: return layout.extensions.present.contains(.crlDistributionPoints)
        }
    }
}
