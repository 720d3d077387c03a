package import Rendering
package import TrustEngine

/// The instants at which a policy decides otherwise, or a verdict changes, and why.
package struct Forecast: Sendable {
    /// What changes at an instant.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The end of a waiver.
        case waiver
        /// The end of an entry of `report-only`.
        case reportOnly = "report-only"
        /// `warn-from` or `enforce-until` of a pin set.
        case pins
        /// The first or the last second of an anchor's certificate.
        case anchor
        /// A step of `validity.lifetime-steps`.
        case lifetime
        /// An end of a window of `constraints.not-before` or `constraints.sct`.
        case window
        /// The log list gets too old.
        case logList = "log-list"
        /// The signed terms of a table end.
        case table
        /// The verdict on a chain is another: its certificates and evidence have dates too.
        case verdict
    }

    /// What follows for connections.
    package enum Effect: String, Hashable, Sendable, CaseIterable {
        /// Something that was accepted is rejected from then on.
        case rejects
        /// Something that was rejected is accepted from then on.
        case accepts
        /// The outcome stays; what an answer reports or notices is another.
        case tells

        /// The place in the order of gravity, from 0.
        var rank: Int { Effect.allCases.firstIndex(of: self) ?? 0 }
    }

    /// A change of the verdict on one request.
    package struct VerdictChange: Hashable, Sendable {
        /// Where the request is from: `chains/api.example.pem`.
        package let source: String
        /// `api.example:443`.
        package let host: String
        /// The first lines of `explain` one second before, and at the instant.
        package let before: String
        package let after: String
        /// The parts of an answer that are new then, and the parts that are gone: ids of
        /// violations, reported failures and notices.
        package let begins: [String]
        package let ends: [String]
    }

    /// One instant with one reason.
    package struct Change: Sendable {
        /// The first second of the new state. One second earlier the answer is another.
        package let instant: UTCInstant
        package let kind: Kind
        package let effect: Effect
        /// What changes, as a path of the policy: `rules.api.waivers.expired`. Of a verdict it is
        /// the source of the request.
        package let subject: String
        package let sentence: String
        /// Further sentences.
        package var details: [String]
        package var rules: [RuleReference]
        /// The hosts that it is about; empty for a verdict.
        package var hosts: [PolicyDiff.HostText]
        /// Who answers for it; nil where several do, each for a rule.
        package var owner: String?
        /// Where the policy writes the date, or what has it.
        package let origin: FieldOrigin?
        package let verdict: VerdictChange?
    }

    /// The verdict on a request at the beginning.
    package struct Request: Sendable {
        package let source: String
        package let host: String
        package let accepts: Bool
        /// The first line of `explain`.
        package let headline: String
    }

    /// The policy, by the name that the user gave.
    package let name: String
    package let policyDigest: Digest
    /// The beginning: what has changed by then is not listed.
    package let since: UTCInstant
    /// The last instant that is looked at.
    package let until: UTCInstant
    /// The last instant at which a reject fails the run; nil where none does.
    package let failUntil: UTCInstant?
    /// Sorted by instant; what rejects stands first in each.
    package let changes: [Change]
    /// The requests that were judged, in the order in which they were given.
    package let requests: [Request]
    /// What was given and could not be judged, a sentence each.
    package let unjudged: [String]

    package init(
        name: String, policyDigest: Digest, since: UTCInstant, until: UTCInstant,
        failUntil: UTCInstant?, changes: [Change], requests: [Request], unjudged: [String]
    ) {
        self.name = name
        self.policyDigest = policyDigest
        self.since = since
        self.until = until
        self.failUntil = failUntil
        self.changes = Forecast.sorted(changes)
        self.requests = requests
        self.unjudged = unjudged
    }

    /// The changes that fail the run.
    package var failures: [Change] {
        guard let failUntil else { return [] }
        return changes.filter { $0.effect == .rejects && $0.instant <= failUntil }
    }

    /// For each change a name that does not depend on when it was foreseen, nor on the line that
    /// has its date. Changes of the same kind, effect, subject and instant are numbered.
    var identities: [String] {
        var seen: [[String]: Int] = [:]
        return changes.map { change in
            let key = [
                change.kind.rawValue, change.effect.rawValue, change.subject,
                change.instant.description,
            ]
            let number = seen[key, default: 0]
            seen[key] = number + 1
            var hash = StableHash()
            for part in key + [String(number)] { hash.combine(part.utf8) }
            return hash.digits
        }
    }

    package func count(_ effect: Effect) -> Int { changes.count { $0.effect == effect } }

    private static func sorted(_ changes: [Change]) -> [Change] {
        changes.sorted {
            ($0.instant.secondsSinceEpoch, $0.effect.rank, $0.subject, $0.sentence)
                < ($1.instant.secondsSinceEpoch, $1.effect.rank, $1.subject, $1.sentence)
        }
    }
}

/// What a run of `forecast` found, with what the formats need besides.
package struct ForecastReport: Sendable {
    package enum Outcome: Sendable {
        case foreseen(Forecast)
        /// Why nothing was. It is never "no changes".
        case notAsked(AnswerFailure)
    }

    package let outcome: Outcome
    /// The command line that asks the same again.
    package let command: String
    /// The files of the policy, for pages; empty where only its table is at hand.
    package let files: [PolicySourceFile]
    /// The folder of the policy from the folder in which findings are read; empty for the same.
    package let folder: String
    /// The version of the tool, by Semantic Versioning.
    package let version: String

    package init(
        _ outcome: Outcome, command: String, files: [PolicySourceFile] = [],
        folder: String = "", version: String
    ) {
        self.outcome = outcome
        self.command = command
        self.files = files
        self.folder = folder
        self.version = version
    }
}
