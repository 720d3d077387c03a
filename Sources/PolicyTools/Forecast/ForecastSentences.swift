import Rendering
package import TrustEngine

/// Sentences of `forecast`. Those about ends that the linter tells too are `DateSentences`.
package enum ForecastSentences {
    // MARK: Reasons

    /// Who takes the risk of a waiver, and why.
    static func background(_ waiver: Waiver) -> [String] {
        let ticket = waiver.ticket.map { ", ticket `\($0)`" } ?? ""
        return ["`\(waiver.owner)` says why: `\(waiver.reason)`\(ticket)"]
    }

    static func pinWarning(_ set: PinSetContents, from: UTCInstant) -> String {
        "every accept of `\(set.id)` carries the notice `\(Notice.Kind.pinAgeing.rawValue)` from "
            + Words.day(from) + " on"
            + (set.enforceUntil.map {
                ", as its enforcement ends on \(Words.day($0))"
            } ?? "")
    }

    static func anchorBegins(_ certificate: Certificate, at now: UTCInstant) -> String {
        "`\(certificate.shortSubject)` is valid from "
            + "\(Words.day(certificate.notBefore)) on, "
            + "\(DateSentences.fromNow(certificate.notBefore, now)), and paths can end at it"
    }

    static func nothingLeft(_ rule: String) -> String {
        "nothing is left then that `\(rule)` trusts: every connection is rejected"
    }

    static func lifetime(from: UTCInstant, before: Int64?, now: Int64) -> String {
        let was =
            before.map { "not \(Words.duration($0))" } ?? "where nothing limited it"
        return "a certificate issued from \(Words.day(from)) on may last "
            + "\(Words.duration(now)), \(was)"
    }

    static func window(
        _ key: AnchorConstraints.Key, of set: String, at instant: UTCInstant, opens: Bool
    ) -> String {
        let what =
            key == .sct ? "whose earliest timestamp is of" : "that are issued on"
        return "`\(set)` \(opens ? "vouches for" : "no longer vouches for") certificates \(what) "
            + "\(Words.day(instant)) or later"
    }

    static func logList(
        issued: UTCInstant, maximumAge: Int64, until last: UTCInstant, at now: UTCInstant,
        rejects: Bool
    ) -> String {
        "the log list of \(Words.day(issued)) may be used until "
            + "\(Words.day(last)), \(DateSentences.fromNow(last, now)): it may be "
            + "\(Words.duration(maximumAge)) old; after it "
            + (rejects
                ? "every certificate that must be logged is rejected"
                : "every answer reports it")
    }

    static func table(until last: UTCInstant, at now: UTCInstant) -> String {
        "the table may be used until \(last.description), \(DateSentences.fromNow(last, now)); "
            + "after it every connection is rejected"
    }

    // MARK: Words

    /// What follows, as a phrase behind a date.
    package static func effect(_ effect: Forecast.Effect) -> String {
        switch effect {
        case .rejects: return "starts to reject"
        case .accepts: return "starts to accept"
        case .tells: return "only a notice changes"
        }
    }

    /// The month of an instant: `March 2027`.
    package static func month(_ instant: UTCInstant) -> String {
        let text = instant.description
        guard let dash = text.firstIndex(of: "-"),
            let number = Int(text[text.index(after: dash)...].prefix(2)), (1...12).contains(number)
        else { return text }
        return "\(months[number - 1]) \(text[..<dash])"
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// An instant as a date, with its time where it is not midnight.
    package static func instant(_ instant: UTCInstant) -> String {
        instant.secondsSinceEpoch % 86_400 == 0
            ? Words.day(instant) : instant.description
    }

    /// The policy and the time that was looked at.
    package static func headline(_ forecast: Forecast) -> String {
        "forecast of `\(forecast.name)` from \(instant(forecast.since)) to "
            + "\(instant(forecast.until)), "
            + DateSentences.days(
                forecast.until.secondsSinceEpoch - forecast.since.secondsSinceEpoch)
    }

    /// The counts, as the last line.
    package static func totals(_ forecast: Forecast) -> String {
        let counts = Forecast.Effect.allCases.map { effect in
            let count = forecast.count(effect)
            return "\(count) \(ForecastSentences.count(effect, count))"
        }
        var text = "\(Words.count(forecast.changes.count, "change", "changes"))"
        if !forecast.changes.isEmpty { text += ": " + counts.joined(separator: ", ") }
        if !forecast.requests.isEmpty || !forecast.unjudged.isEmpty {
            text +=
                "; \(Words.count(forecast.requests.count, "chain", "chains")) judged, "
                + "\(forecast.requests.count { !$0.accepts }) of them rejected from the beginning; "
                + "not judged: \(forecast.unjudged.count)"
        }
        return text
    }

    /// The verb behind a number of changes: "1 starts to reject", "2 start to reject".
    static func count(_ effect: Forecast.Effect, _ count: Int) -> String {
        switch effect {
        case .rejects: return count == 1 ? "starts to reject" : "start to reject"
        case .accepts: return count == 1 ? "starts to accept" : "start to accept"
        case .tells: return count == 1 ? "changes only a notice" : "change only a notice"
        }
    }

    /// What fails the run; nil where nothing was to fail it.
    package static func failing(_ forecast: Forecast) -> String? {
        guard let last = forecast.failUntil else { return nil }
        let within = DateSentences.days(
            last.secondsSinceEpoch - forecast.since.secondsSinceEpoch)
        let count = forecast.failures.count
        return count == 0
            ? "nothing starts to reject within \(within)"
            : "\(Words.count(count, "change starts", "changes start")) to reject within "
                + within
    }

    /// The first rules of a change with their owners.
    package static func rules(_ change: Forecast.Change) -> String {
        let names = change.rules.prefix(most).map { rule in
            let name = rule.id.isEmpty ? "`default`" : "`\(rule.id)`"
            return name + (rule.owner.map { ", owner \($0)" } ?? "")
        }
        return names.joined(separator: "; ")
            + Cut.rest(change.rules.count - names.count, before: "; and ", after: " rules")
    }

    /// The first hosts of a change.
    package static func hosts(_ change: Forecast.Change) -> String {
        let names = change.hosts.prefix(most).map { DiffSentences.text($0) }
        let more = change.hosts.count - names.count
        return names.joined(separator: "; ")
            + (more > 0 ? "; and \(Words.count(more, "more class", "more classes"))" : "")
    }

    /// The sentence of a change, its reasons, its rules and hosts, and its owner.
    static func lines(_ change: Forecast.Change) -> [String] {
        var lines = [change.sentence] + change.details
        if let verdict = change.verdict {
            lines += ["before: \(verdict.before)", "then: \(verdict.after)"]
        }
        if !change.rules.isEmpty { lines.append("rules: \(rules(change))") }
        if !change.hosts.isEmpty { lines.append("hosts: \(hosts(change))") }
        if let owner = change.owner { lines.append("owner: \(owner)") }
        return lines
    }

    /// Most rules and hosts of a change that are written out where JSON has all.
    private static let most = 6

    /// The verdict on a request: what was asked, before and after.
    static func verdict(_ change: Forecast.VerdictChange, _ effect: Forecast.Effect) -> String {
        let what: String
        switch effect {
        case .rejects: what = "is rejected"
        case .accepts: what = "is accepted"
        case .tells: what = tells(change)
        }
        return "`\(change.host)` of `\(change.source)` \(what)"
    }

    /// What else is said of a request whose outcome stays.
    private static func tells(_ change: Forecast.VerdictChange) -> String {
        func list(_ ids: [String]) -> String { ids.map { "`\($0)`" }.joined(separator: ", ") }
        let parts =
            (change.begins.isEmpty ? [] : ["is told with \(list(change.begins))"])
            + (change.ends.isEmpty ? [] : ["no longer with \(list(change.ends))"])
        return parts.isEmpty
            ? "keeps its verdict, and a value in its reasons changes"
            : parts.joined(separator: ", ")
    }

    package static func notAsked(_ failure: AnswerFailure) -> String {
        "not asked: \(failure.context)"
    }
}
