package import TrustEngine

/// What a history of commits says of one host: the commits at which its behaviour changed, or who
/// could have spoken for it on a day.
package struct HostHistory: Sendable {
    /// A commit. Names and texts are raw: renderers escape them.
    package struct Commit: Hashable, Sendable {
        package let id: String
        package let author: String
        package let mail: String
        /// When the author says that the change was written.
        package let authored: UTCInstant
        /// When the committer says that the commit was made.
        package let committed: UTCInstant
        /// The first line of the message.
        package let subject: String

        package init(
            id: String, author: String, mail: String, authored: UTCInstant, committed: UTCInstant,
            subject: String
        ) {
            self.id = id
            self.author = author
            self.mail = mail
            self.authored = authored
            self.committed = committed
            self.subject = subject
        }

        /// The first twelve digits of the id.
        package var short: String { String(id.prefix(12)) }
    }

    /// A commit at which the behaviour changed.
    package struct Entry: Sendable {
        package let commit: Commit
        package let change: HostChange
        /// The commit that brought this one to the main line; nil for a commit of the main line.
        package let mergedBy: Commit?
        /// The commits between this one and the one that it is compared with, whose policies do not
        /// compile.
        package let skipped: Int

        package init(commit: Commit, change: HostChange, mergedBy: Commit?, skipped: Int) {
            self.commit = commit
            self.change = change
            self.mergedBy = mergedBy
            self.skipped = skipped
        }
    }

    /// A commit whose policy cannot be asked.
    package struct Failure: Sendable {
        package let commit: Commit
        package let reason: String

        package init(commit: Commit, reason: String) {
            self.commit = commit
            self.reason = reason
        }
    }

    /// A version of the policy, during the part of the asked time in which its commit was the last
    /// one of the main line.
    package struct Reign: Sendable {
        package let commit: Commit
        /// The first instant; nil where no commit came before.
        package let from: UTCInstant?
        /// The first instant of the next commit; nil where none came after.
        package let until: UTCInstant?
        /// Whether the dates of the commits around are in order. If not, the commit may have been
        /// the last one at any time between `from` and `until`.
        package let isSure: Bool
        package let speakers: HostSpeakers

        package init(
            commit: Commit, from: UTCInstant?, until: UTCInstant?, isSure: Bool,
            speakers: HostSpeakers
        ) {
            self.commit = commit
            self.from = from
            self.until = until
            self.isSure = isSure
            self.speakers = speakers
        }
    }

    package enum Answer: Sendable {
        /// The commits at which the behaviour changed, newest first.
        case changes([Entry])
        /// The versions that were in force at the asked time, oldest first, and that time.
        case reigns([Reign], asked: String)
    }

    /// The host and port: `api.example:443`.
    package let host: String
    /// The unit's path from the repository's top.
    package let unit: String
    /// The revision in words: "`main` (1a2b3c4d5e6f)".
    package let revision: String
    package let answer: Answer
    package let failures: [Failure]
    /// How many commits were read, and how many versions of the unit they have.
    package let commits: Int
    package let versions: Int

    package init(
        host: String, unit: String, revision: String, answer: Answer, failures: [Failure],
        commits: Int, versions: Int
    ) {
        self.host = host
        self.unit = unit
        self.revision = revision
        self.answer = answer
        self.failures = failures
        self.commits = commits
        self.versions = versions
    }
}
