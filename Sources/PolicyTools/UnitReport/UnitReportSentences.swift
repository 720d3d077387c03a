import Rendering
import TrustEngine

/// Sentences of `report`. Those about dates are of `DateSentences` and `ForecastSentences`.
enum UnitReportSentences {
    // MARK: The head

    static func lead(_ report: UnitReport) -> String {
        let ways = report.demands.count { !$0.isDenied }
        let denied = report.deniedCount
        return
            "\(Words.count(report.classes.count, "class", "classes")) of hosts, decided by "
            + "\(Words.count(report.ruleCount, "rule", "rules")) in "
            + "\(Words.count(ways, "way", "ways"))"
            + (denied > 0 ? "; \(denied) of them denied" : "")
    }

    static func next(_ next: UnitReport.NextReject) -> String {
        "\(next.instant.description): \(next.sentence)"
    }

    // MARK: Hosts

    static func comparison(_ comparison: UnitReport.Comparison) -> String {
        let other = comparison.rule.isEmpty ? "`default`" : "rule `\(comparison.rule)`"
        switch comparison.relation {
        case .equal: return "as strict as \(other) around it"
        case .stricter: return "stricter than \(other) around it"
        case .weaker: return "weaker than \(other) around it"
        case .incomparable: return "neither stricter nor weaker than \(other) around it"
        }
    }

    /// Who vouches, in short.
    static func anchors(_ demands: UnitReport.Demands) -> String {
        if demands.isDenied { return "nobody: denied" }
        return demands.arePinnedKeys
            ? AnchorSetContents.pinnedKeysID : demands.anchors.joined(separator: ", ")
    }

    static func pins(_ demands: UnitReport.Demands) -> String {
        demands.pins.isEmpty ? "not pinned" : demands.pins.joined(separator: ", ")
    }

    static func rule(_ id: String) -> String { id.isEmpty ? "default" : id }

    static func uses(_ uses: UnitReport.Uses) -> String {
        uses.rules.isEmpty
            ? "no rule names it"
            : "\(Words.count(uses.classes, "class", "classes")) of hosts, by "
                + Words.count(uses.rules.count, "rule", "rules")
    }

    // MARK: Dates

    static func certificate(
        _ certificate: Certificate, ignoresDates: Bool, at time: UTCInstant, until: UTCInstant
    ) -> (UnitReport.Standing, String) {
        let name = certificate.shortSubject
        let standing: UnitReport.Standing
        let sentence: String
        if time > certificate.notAfter {
            standing = .over
            sentence = "`\(name)` ended on \(Words.day(certificate.notAfter))"
        } else if time < certificate.notBefore {
            standing = .begins
            sentence = ForecastSentences.anchorBegins(certificate, at: time)
        } else if certificate.notAfter <= until {
            standing = .ends
            sentence = DateSentences.anchor(name, until: certificate.notAfter, at: time)
        } else {
            standing = .lasts
            sentence =
                "`\(name)` ends on \(Words.day(certificate.notAfter)), "
                + DateSentences.fromNow(certificate.notAfter, time)
        }
        guard ignoresDates else { return (standing, sentence) }
        return (
            .lasts,
            "its dates do not bind (`ignore-limits`): it is written to end on "
                + Words.day(certificate.notAfter)
        )
    }

    static func pins(
        _ set: PinSetContents, at time: UTCInstant, until: UTCInstant
    ) -> (UnitReport.Standing, [String]) {
        guard let last = set.enforceUntil else {
            let ageing = set.warnFrom.map { ForecastSentences.pinWarning(set, from: $0) }
            let isAgeing = set.warnFrom.map { $0 <= time } ?? false
            return (
                isAgeing ? .ends : .lasts,
                ["`\(set.id)` is enforced without an end"] + [ageing].compactMap(\.self)
            )
        }
        guard DatedTerm.isInForce(until: last, at: time) else {
            return (
                .over,
                [
                    "the enforcement of `\(set.id)` ended on \(Words.day(last)): "
                        + DateSentences.afterEnforcement(set.onExpiry)
                ]
            )
        }
        let isAgeing = set.warnFrom.map { $0 <= time } ?? false
        return (
            isAgeing || last <= until ? .ends : .lasts,
            [DateSentences.pins(set.id, until: last, set.onExpiry, at: time)]
                + (set.warnFrom.map { [ForecastSentences.pinWarning(set, from: $0)] } ?? [])
        )
    }

    /// Where the end of an exception lies.
    static func standing(
        until last: UTCInstant, at time: UTCInstant, horizon: UTCInstant
    ) -> UnitReport.ExceptionStanding {
        if !DatedTerm.isInForce(until: last, at: time) { return .over }
        return last <= horizon ? .ending : .inForce
    }

    // MARK: The trust surface

    /// The authorities of a row, in short.
    static func authorities(_ row: UnitReport.SurfaceRow) -> String {
        switch row.kind {
        case .anyone: return "anyone, by a waiver"
        case .store: return "the machine's trust store"
        case .listed, .pinnedKeys:
            let noun =
                row.kind == .listed ? ("authority", "authorities") : ("pinned key", "pinned keys")
            guard let only = row.authorities.first, row.authorities.count == 1 else {
                return "\(Words.count(row.authorities.count, noun.0, noun.1)) of "
                    + row.sets.joined(separator: ", ")
            }
            return only
        }
    }

    static func surface(_ row: UnitReport.SurfaceRow) -> String {
        let others = row.holdsDefault ? ", hosts that no pattern matches among them" : ""
        return "\(Words.count(row.classes, "class", "classes")), \(row.pinned) pinned"
            + others
    }
}
