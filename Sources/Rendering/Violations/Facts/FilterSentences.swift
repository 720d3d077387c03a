import TrustEngine

/// The words for answers of CRLite filters: which file decides, which time it covers, and how old a
/// certificate is that no filter covers.
enum FilterSentences {
    /// The subject of a clause about the answer: "the CRLite filter `a.filter` of 2026-05-31".
    static func name(_ answer: RevocationAnswer) -> String {
        if let file = answer.filters?.file {
            let name = "the CRLite filter `\(Words.unquoted(Words.shortened(file, to: 100)))`"
            return answer.thisUpdate.map { "\(name) of \(Words.day($0))" } ?? name
        }
        switch answer.finding {
        case .unusable(.noFilterCovers): return "no CRLite filter"
        case .unusable(.filtersRefused), .unusable(.filtersMissing):
            return "the set of CRLite filters"
        case .good, .revoked, .revokedByFilter, .unusable:
            guard let newest = answer.filters?.newest else { return "the newest CRLite filter" }
            return "the newest CRLite filter, of \(Words.day(newest)),"
        }
    }

    /// The basis of a filter's answer: the file's digest, the log and the interval that cover the
    /// certificate, and how many filters were asked. In brackets, after a space; empty where no
    /// filter covers the certificate.
    static func details(_ answer: RevocationAnswer) -> String {
        guard let filters = answer.filters, let cover = filters.cover else { return "" }
        let digest = answer.digest.map { "\($0.algorithm.name) \($0.hex.prefix(16))…, " } ?? ""
        return " (\(digest)covers \(log(cover)) from \(cover.from) to \(cover.until); "
            + "\(Words.count(filters.asked, "filter")) \(filters.asked == 1 ? "was" : "were") "
            + "asked)"
    }

    private static func log(_ cover: AskedFilters.Cover) -> String {
        guard let name = cover.logName else { return "log \(cover.log.hex.prefix(16))…" }
        return "log `\(Words.unquoted(Words.shortened(name, to: 60)))`"
    }

    /// Why no filter covers a certificate, after the subject `name(_:)`: "covers it: it is 3 hours
    /// old; no filter reaches past 2026-11-26T22:00:00Z; it passes until 2026-12-07 by
    /// `crlite.grace`".
    static func uncovered(_ answer: RevocationAnswer) -> String {
        guard let filters = answer.filters, filters.file == nil else {
            return "knows certificates of CAs, and this is one"
        }
        guard filters.timestamps > 0 else {
            return
                "covers it: it has no timestamp that counts, and a filter covers a certificate by "
                + "its timestamps"
        }
        var clauses: [String] = []
        if let youth = filters.youth { clauses.append("it is \(age(youth))") }
        clauses.append(reach(filters))
        if let youth = filters.youth, let end = youth.passesUntil {
            clauses.append(
                youth.passes
                    ? "it passes until \(Words.day(end)) by `crlite.grace`"
                    : youth.since.advanced(bySeconds: youth.age) > end
                        ? "`crlite.grace` ended on \(Words.day(end))"
                        : "`crlite.grace` does not count while the filters are too old")
        }
        return "covers it: " + clauses.joined(separator: "; ")
    }

    /// Whether a certificate is newer than every filter, or of a time that no filter covers.
    private static func reach(_ filters: AskedFilters) -> String {
        guard let newest = filters.newest else { return "the filters cover no time at all" }
        let isNewer = filters.youth.map { $0.earliest > newest } ?? false
        let count = Words.count(filters.timestamps, "timestamp")
        return isNewer
            ? "no filter reaches past \(newest)"
            : "the filters reach to \(newest), and none covers \(filters.timestamps == 1 ? "its" : "any of its") \(count)"
    }

    /// The age in the largest unit of which it has at least two, with the day for more than two
    /// days: "3 hours old", "200 days old, of 2026-05-10".
    private static func age(_ youth: AskedFilters.Youth) -> String {
        let units: [(seconds: Int64, noun: String)] = [
            (86_400, "day"), (3_600, "hour"), (60, "minute"),
        ]
        let unit = units.first { youth.age >= 2 * $0.seconds } ?? (1, "second")
        let text = "\(Words.count(Int(youth.age / unit.seconds), unit.noun)) old"
        return unit.seconds == 86_400 ? "\(text), of \(Words.day(youth.since))" : text
    }

    /// What an answer that does not count says, after the subject `name(_:)`; nil for a problem
    /// that other evidence has too.
    static func clause(_ problem: EvidenceProblem, _ answer: RevocationAnswer) -> String? {
        switch problem {
        case .noFilterCovers: return uncovered(answer)
        case .issuerNotEnrolled:
            return "covers it and knows nothing of its issuer\(details(answer))"
        case .expiredBeforeFilter:
            return "may have left it out: filters hold no certificates that had expired when they "
                + "were built\(details(answer))"
        case .filtersRefused(let fault), .filtersMissing(let fault):
            return "cannot be asked (`\(fault.code)`): \(fault.context)"
        case .tooOld(let maximum) where answer.source == .crlite:
            guard answer.thisUpdate != nil else { return "covers no time at all" }
            return "is older than \(Words.duration(maximum)), the longest age by "
                + "`revocation.crlite.maximum-age`: it covers nothing after "
                + "\(answer.thisUpdate?.description ?? "")\(details(answer))"
        case .notYetValid where answer.source == .crlite:
            return "covers times up to \(answer.thisUpdate?.description ?? "a later day"), which "
                + "are later than the time that was asked about\(details(answer))"
        case .unreadable, .unknownCriticalExtension, .algorithmMismatch, .algorithmNotAllowed,
            .badSignature, .signerNotFound, .signerNotAllowed, .notYetValid, .notYetProduced,
            .expired, .tooOld, .otherCertificate, .otherScope, .someReasonsOnly, .baseMissing,
            .unknownToResponder, .contradicted, .responderError:
            return nil
        }
    }
}

/// Filters that do not answer for a certificate: who answers for that, and what would mend it.
struct FilterAdvice {
    let name: String
    let problem: EvidenceProblem
    let filters: AskedFilters?

    private static let thief = "whoever holds a stolen key can keep newer filters away"

    /// The readings: two, of different sides. Nil for a problem that is not of filters.
    var readings: [SideReading]? {
        switch problem {
        case .noFilterCovers: return ofUncovered
        case .issuerNotEnrolled:
            return [
                .init(.policy, "the rule asks filters about an issuer that they do not know"),
                .init(
                    .thisMachine, "its folder lacks filters of the public web"
                ),
            ]
        case .expiredBeforeFilter:
            return [
                .init(
                    .server, "its certificate has expired, and filters leave such certificates out"),
                .init(.policy, "the rule accepts expired certificates, which filters leave out"),
            ]
        case .tooOld:
            return [
                .init(.thisMachine, "nothing renews its CRLite filters"),
                .init(.network, FilterAdvice.thief),
            ]
        case .notYetValid:
            return [
                .init(.thisMachine, "its clock, or the time that was asked about, is wrong"),
                .init(.network, "the filters that were handed over are of a later time"),
            ]
        case .filtersRefused:
            return [
                .init(.thisMachine, "its CRLite filters are damaged, or others may write them"),
                .init(.network, FilterAdvice.thief),
            ]
        case .filtersMissing(let fault) where fault.isNotRecorded:
            return [
                .init(
                    .thisMachine,
                    "the recorded replies of filters are about other certificates or timestamps"),
                .init(.network, "another certificate was shown than when they were recorded"),
            ]
        case .filtersMissing:
            return [
                .init(.thisMachine, "its CRLite filters are not there"),
                .init(.network, FilterAdvice.thief),
            ]
        case .unreadable, .unknownCriticalExtension, .algorithmMismatch, .algorithmNotAllowed,
            .badSignature, .signerNotFound, .signerNotAllowed, .notYetProduced, .expired,
            .otherCertificate, .otherScope, .someReasonsOnly, .baseMissing, .unknownToResponder,
            .contradicted, .responderError:
            return nil
        }
    }

    private var ofUncovered: [SideReading] {
        let chosen = SideReading.impostor(
            "whoever holds a stolen key chooses which timestamps are sent")
        guard let filters, filters.timestamps > 0 else {
            return [
                .init(.server, "its certificate has no timestamp that counts"),
                .init(.policy, "the rule asks filters about certificates that no filter can cover"),
            ]
        }
        guard isNewer else {
            return [.init(.thisMachine, "it has no filter for this certificate's logs"), chosen]
        }
        if let resubmitted {
            return [
                .impostor(
                    "its timestamps are \(resubmitted) newer than the certificate; whoever holds a "
                        + "stolen key chooses which timestamps are sent"),
                .init(.thisMachine, "its filters do not reach these timestamps yet"),
            ]
        }
        return [
            .init(.thisMachine, "its filters do not reach the time of this certificate yet"),
            .init(.policy, "the rule's `crlite.grace` is shorter than filters take to reach it"),
        ]
    }

    /// Whether the certificate's timestamps are newer than every filter.
    private var isNewer: Bool {
        guard let earliest = filters?.youth?.earliest, let newest = filters?.newest else {
            return false
        }
        return earliest > newest
    }

    /// By how much all timestamps are newer than the certificate, in days; nil for less than two
    /// days. A CA gets timestamps within hours of notBefore.
    private var resubmitted: String? {
        guard let youth = filters?.youth else { return nil }
        let seconds = youth.earliest.secondsSinceEpoch - youth.since.secondsSinceEpoch
        return seconds < 2 * 86_400 ? nil : Words.count(Int(seconds / 86_400), "day")
    }

    /// What to do first. `ruleName` is the name of the deciding rule in a sentence.
    func repairs(ruleName: String) -> [Repair] {
        switch problem {
        case .noFilterCovers:
            guard let filters, filters.timestamps > 0 else {
                return [
                    Repair(
                        "have the server send \(name) with timestamps of public logs, or let "
                            + "\(ruleName) ask another source than `crlite` for it")
                ]
            }
            guard isNewer, resubmitted == nil else { return [renew] }
            return [
                renew,
                Repair(
                    "ask whoever owns \(ruleName) whether `revocation.crlite.grace` is meant, which "
                        + "lets new certificates pass until filters reach them"),
            ]
        case .issuerNotEnrolled:
            return [
                Repair(
                    "see whether the issuer of \(name) is a public CA: filters know no other, and "
                        + "\(ruleName) must ask another source for it")
            ]
        case .expiredBeforeFilter:
            return [Repair("have the server renew \(name), which has expired")]
        case .filtersMissing(let fault) where fault.isNotRecorded:
            return [
                Repair(
                    "give the CRLite filters themselves, or the reply that was recorded for \(name)"
                )
            ]
        case .tooOld, .filtersMissing:
            return [
                Repair(
                    "renew the CRLite filters of the machine that judges with `upki fetch`, and see "
                        + "why its timer did not")
            ]
        case .notYetValid:
            return [
                Repair(
                    "look at the clock of the machine that judges: its CRLite filters are of a later "
                        + "time")
            ]
        case .filtersRefused:
            return [
                Repair(
                    "mend the folder of CRLite filters as the reason says, or fetch it anew with "
                        + "`upki fetch`")
            ]
        case .unreadable, .unknownCriticalExtension, .algorithmMismatch, .algorithmNotAllowed,
            .badSignature, .signerNotFound, .signerNotAllowed, .notYetProduced, .expired,
            .otherCertificate, .otherScope, .someReasonsOnly, .baseMissing, .unknownToResponder,
            .contradicted, .responderError:
            return []
        }
    }

    private var renew: Repair {
        Repair(
            "renew the CRLite filters of the machine that judges with `upki fetch`; filters reach a "
                + "new certificate a day or two after its issue")
    }
}

extension FilterFault {
    /// Whether the reason is that no recorded reply answers the question (`FilterSource`).
    fileprivate var isNotRecorded: Bool { code == "not-recorded" }
}
