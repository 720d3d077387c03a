package import TrustEngine

/// The words for revocation evidence: what a CRL or an OCSP response says of a certificate, and why
/// it does not count.
package enum EvidenceSentences {
    /// `the CRL of 2026-05-22`, `the stapled OCSP response of 2026-05-31`.
    package static func name(_ answer: RevocationAnswer) -> String {
        if answer.source == .crlite { return FilterSentences.name(answer) }
        let kind = "the \(noun(answer.source))"
        return answer.thisUpdate.map { "\(kind) of \(Words.day($0))" } ?? kind
    }

    /// The word for a kind of evidence.
    package static func noun(_ source: RevocationSource) -> String {
        switch source {
        case .stapled: return "stapled OCSP response"
        case .ocsp: return "OCSP response"
        case .crl: return "CRL"
        case .crlite: return "CRLite filter"
        }
    }

    /// The word for one piece of a kind of evidence, with its article.
    static func one(_ source: RevocationSource) -> String {
        switch source {
        case .ocsp: return "an \(noun(source))"
        case .stapled, .crl, .crlite: return "a \(noun(source))"
        }
    }

    /// What an answer says, as a clause whose subject is the answer's `name(_:)`.
    package static func clause(_ answer: RevocationAnswer) -> String {
        switch answer.finding {
        case .good: return "says that it is not revoked\(FilterSentences.details(answer))"
        case .revokedByFilter:
            return "has it as a revoked certificate\(FilterSentences.details(answer))"
        case .revoked(let reason, let date):
            return "says that it was revoked on \(date) (`\(reason.name)`)"
        case .unusable(let problem): return clause(problem, answer)
        }
    }

    /// An answer in one line, for a list of all evidence that was supplied.
    package static func line(_ answer: RevocationAnswer) -> String {
        answer.source.name + (answer.digest.map { " \($0.text)" } ?? "")
            + ": \(name(answer)) \(clause(answer))"
    }

    static func clause(_ problem: EvidenceProblem, _ answer: RevocationAnswer) -> String {
        if let clause = FilterSentences.clause(problem, answer) { return clause }
        switch problem {
        case .unreadable(let error):
            return "cannot be read: `\(error.field)` at octet \(error.offset): \(error.reason)"
        case .unknownCriticalExtension(let identifier):
            return "has the critical extension \(identifier), which the engine does not process"
        case .algorithmMismatch:
            return "names one signature algorithm inside and another outside"
        case .algorithmNotAllowed(SignatureAlgorithm.unknownName):
            return "is signed by an algorithm that the engine cannot check"
        case .algorithmNotAllowed(let algorithm):
            return "is signed with `\(algorithm)`, which the rule's `signatures` do not allow"
        case .badSignature: return "has a signature that no key of its signer verifies"
        case .signerNotFound: return "is signed by somebody whose certificate is not at hand"
        case .signerNotAllowed(let reason):
            return "is signed by a certificate that \(words(reason))"
        case .notYetValid:
            return "begins only on \(answer.thisUpdate?.description ?? "a later day")"
        case .notYetProduced(let instant): return "was produced only on \(instant)"
        case .expired:
            return answer.nextUpdate.map { "ended on \($0)" }
                ?? "sets itself no end and is more than 7d old"
        case .tooOld(let maximum):
            return "is older than \(Words.duration(maximum)), the rule's `maximum-age`"
        case .otherCertificate: return "is about another certificate"
        case .otherScope(let problem):
            return "does not cover this certificate: \(words(problem))"
        case .someReasonsOnly: return "speaks for some reasons only"
        case .baseMissing: return "is a delta CRL without the complete CRL that it continues"
        case .unknownToResponder: return "says that the responder does not know it"
        case .contradicted:
            return "says in one place that it is not revoked, and in another something else"
        case .responderError(let status): return "is the error `\(status.name)`"
        case .noFilterCovers, .issuerNotEnrolled, .expiredBeforeFilter, .filtersRefused,
            .filtersMissing:
            return "does not count"
        }
    }

    private static func words(_ problem: EvidenceProblem.ScopeProblem) -> String {
        switch problem {
        case .endEntitiesOnly: return "it lists only end entities, and this is a CA"
        case .authoritiesOnly: return "it lists only CAs, and this is an end entity"
        case .attributesOnly: return "it lists only attribute certificates"
        case .kindNotStated:
            return "it is of one kind of certificates, and this one is too old to say its kind"
        case .noPoint: return "it is for one place, and the certificate names none"
        case .otherPoint:
            return "it is for another place than the certificate names, as one of several shards is"
        case .delegated: return "the certificate leaves its status to another CRL issuer"
        }
    }

    private static func words(_ problem: EvidenceProblem.SignerProblem) -> String {
        switch problem {
        case .noCRLSign: return "may not sign CRLs"
        case .noPath: return "no valid path leads from to an anchor of the rule"
        case .notDelegated: return "the issuer has not issued for that"
        case .notValid: return "was not valid at the time"
        case .revoked: return "is revoked, or issued by one that is"
        case .noKeyUsage:
            return "can only revoke: it is not the issuer's and has no key usage with cRLSign"
        case .notAppointed:
            return "can only revoke: neither the issuer nor the CA above the issuer has issued it"
        case .ownKey:
            return
                "can only revoke: it, or a CA above it, has the key of the certificate in question"
        }
    }

    /// The first answer that does not count for a problem of this cause.
    static func unusable(
        _ answers: [RevocationAnswer], for cause: RevocationCause
    ) -> RevocationAnswer? {
        answers.first { answer in
            if case .unusable(let problem) = answer.finding { return problem.cause == cause }
            return false
        }
    }

    /// The outcome of revocation for a certificate that passes.
    static func standing(_ standing: RevocationStanding) -> String {
        let certificate = Words.name(standing.certificate)
        switch standing.finding {
        case .good(let source):
            let answer = standing.answers.first { $0.source == source && $0.finding == .good }
            return "\(certificate) good by \(answer.map(name) ?? "the \(noun(source))")"
                + (answer.map(FilterSentences.details) ?? "")
        case .shortLived: return "\(certificate) short-lived"
        case .letPass(let cause): return "\(certificate) not known (`\(cause.name)` passes)"
        }
    }

    /// The number of pieces of evidence by kind: `1 CRL, 2 OCSP responses`.
    static func counts(_ records: [EvidenceRecord]) -> String {
        var parts = RevocationSource.allCases.compactMap { source -> String? in
            let count = records.count { $0.source == source }
            return count == 0 ? nil : Words.count(count, noun(source))
        }
        let unreadable = records.count { $0.problem != nil }
        if unreadable > 0 { parts.append("\(unreadable) of them unreadable") }
        return parts.joined(separator: ", ")
    }
}

extension RevocationAnswer {
    /// Whether the responder says that it does not know the certificate.
    var isUnknownToResponder: Bool { finding == .unusable(.unknownToResponder) }

    /// Whether the evidence does not count because it is dated after the validation time.
    var isFromTheFuture: Bool {
        switch finding {
        case .unusable(.notYetValid), .unusable(.notYetProduced): return true
        case .good, .revoked, .revokedByFilter, .unusable: return false
        }
    }
}
