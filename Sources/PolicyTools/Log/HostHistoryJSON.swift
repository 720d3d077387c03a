import Rendering
import TrustEngine

/// Writes what a history says of one host as JSON. The form is `grammar/log.schema.json`.
extension HostHistoryJSON {
    package static func render(_ history: HostHistory) -> String {
        let failures = history.failures.map {
            Document.NotCompared(commit: commit($0.commit), reason: $0.reason)
        }
        switch history.answer {
        case .changes(let entries):
            return Document(
                host: history.host, unit: history.unit, revision: history.revision,
                changes: entries.map(entry), notCompared: failures, commitsRead: history.commits,
                versionsRead: history.versions
            ).document
        case .reigns(let reigns, let asked):
            return Document(
                host: history.host, unit: history.unit, revision: history.revision, on: asked,
                versions: reigns.map(reign), notCompared: failures, commitsRead: history.commits,
                versionsRead: history.versions
            ).document
        }
    }

    private static func commit(_ commit: HostHistory.Commit) -> Commit {
        Commit(
            id: commit.id, author: commit.author, mail: commit.mail,
            authored: commit.authored.description, committed: commit.committed.description,
            subject: commit.subject)
    }

    private static func entry(_ entry: HostHistory.Entry) -> Change {
        let change = entry.change
        return Change(
            commit: commit(entry.commit), mergedBy: entry.mergedBy.map(commit),
            skipped: entry.skipped, relation: DiffSentences.relation(change.relation),
            hasEnded: change.hasEnded(by: entry.commit.committed), oldRule: rule(change.rules.old),
            newRule: rule(change.rules.new),
            fields: change.fields.map {
                .init(
                    path: $0.field.path, relation: DiffSentences.relation($0.field.relation),
                    from: $0.field.from, to: $0.field.to, remarks: $0.field.remarks,
                    since: $0.from?.description, until: $0.until?.description)
            }, added: change.authorities.added.map(authority),
            removed: change.authorities.removed.map(authority))
    }

    private static func rule(_ rule: RuleReference) -> Rule {
        Rule(id: rule.id, owner: rule.owner, location: rule.location.map { .location($0) })
    }

    private static func authority(_ authority: PolicyDiff.Authority) -> Authority {
        Authority(
            set: authority.set, subject: authority.subject, keyDigest: authority.keyDigest?.text)
    }

    private static func reign(_ reign: HostHistory.Reign) -> Version {
        let speakers = reign.speakers
        return Version(
            commit: commit(reign.commit), from: reign.from?.description,
            until: reign.until?.description, isSure: reign.isSure, rule: rule(speakers.rule),
            denies: speakers.denies, pinnedKeys: speakers.arePinnedKeys,
            authorities: speakers.authorities.map(authority),
            pins: speakers.pins.map { .init(set: $0.id, mismatch: $0.state) },
            exceptions: speakers.exceptions.map {
                .init(
                    path: $0.path, until: $0.until.description, owner: $0.owner,
                    letsSpeak: $0.opens)
            })
    }
}
