package import PolicyCompiler
package import Rendering
package import TrustEngine

/// What a change of policy does: for which hosts, from when on, through which line (REVIEW section
/// 2). Exact: every host and port belongs to one class, and every class is compared at every
/// instant from `since` on.
package struct PolicyDiff: Sendable {
    /// One of the two policies.
    package struct Side: Hashable, Sendable {
        /// The policy as the user named it: `git:HEAD`, `policies/bank`.
        package let name: String
        /// What a revision stood for, in words: "`main` (1a2b3c4d5e6f)", "the index". Nil for
        /// files.
        package let revision: String?
        /// SHA-256 of the policy's meaning.
        package let policyDigest: Digest

        package init(name: String, revision: String? = nil, policyDigest: Digest) {
            self.name = name
            self.revision = revision
            self.policyDigest = policyDigest
        }
    }

    /// What a change comes from.
    package enum Source: Hashable, Sendable {
        /// Rules: which rule decides, or what it says.
        case rules
        /// The contents of an anchor set with this id, which rules of both policies name.
        case anchors(String)
        /// The contents of a pin set with this id, which rules of both policies name.
        case pins(String)
    }

    /// A rule of one policy; `default` where the id is empty.
    package struct Rule: Hashable, Sendable {
        package let id: String
        package let location: Provenance.Location?
        package let owner: String?
    }

    /// The rule that decided and the rule that decides.
    package struct RulePair: Hashable, Sendable {
        package let old: Rule
        package let new: Rule
    }

    /// A field from its old to its new value.
    package struct Field: Hashable, Sendable {
        /// The path, as the language has it: `revocation.preset`; `default` where one side denies.
        package let path: String
        /// How the new value compares with the old value.
        package let relation: Relation
        package let from: String
        package let to: String
        /// What follows, one sentence part each: "TLS 1.2 is no longer accepted".
        package var remarks: [String]
    }

    /// The fields that differ from an instant on, until the next interval begins.
    package struct Interval: Hashable, Sendable {
        /// The first instant.
        package let from: UTCInstant
        package let relation: Relation
        /// Empty where the two sides are equal.
        package let fields: [Field]
    }

    /// Where a field was written in the two policies.
    package struct Places: Hashable, Sendable {
        package let old: FieldOrigin?
        package let new: FieldOrigin?
    }

    /// A host and a port that both tables decide as a change says.
    package struct Witness: Hashable, Sendable {
        package let host: CanonicalHost
        package let port: UInt16

        /// `api.example:443`, with brackets around IPv6.
        package var text: String { HostWithPort.text(host.text, port) }
    }

    /// Classes of hosts that change alike.
    package struct Change: Sendable {
        package let source: Source
        /// How the new policy compares with the old policy: weaker where it is weaker in any
        /// interval, otherwise incomparable where it is incomparable in any.
        package let relation: Relation
        package let intervals: [Interval]
        /// The classes, sorted by pattern.
        package var classes: [HostClass]
        /// The pairs of rules that decide these classes, in the order of `classes`.
        package var rules: [RulePair]
        /// Where each field is written, by its path; several places where rules differ in them.
        package var places: [String: [Places]]
        /// The hosts in patterns.
        package var hosts: [HostText] = []
        /// How many of the classes are related otherwise as a whole, because other fields of theirs
        /// change too, by that relation.
        package var wholes: [Relation: Int] = [:]
        /// Who answers for the set that the change comes from.
        package var setOwner: String?
        /// The files whose certificates the change adds or removes.
        package var files: [String] = []
        /// One host of the first class.
        package var witness: Witness?
        /// The authorities that may vouch and those that no longer may; empty where anchors do not
        /// change.
        package var authorities = AuthorityChange()
        /// SHA-256 of the meaning of the new policy.
        package let newPolicy: Digest
        /// What an allowance must hold besides the printed values, by the path of the field: the
        /// digests of the new values or bodies, for fields whose texts do not say all.
        package var digests: [String: [String]] = [:]
        /// The allowance under which a reviewer lets the change pass.
        package var allowance: String?

        /// Whether every class is related as a whole as the change is.
        package var isOwn: Bool { wholes.isEmpty }

        /// Whether a field is weaker in any interval, whatever else got stricter.
        package var hasWeakerField: Bool {
            intervals.contains { $0.fields.contains { $0.relation == .weaker } }
        }
    }

    /// Hosts as a reader writes them: a pattern, and the patterns inside it that change otherwise
    /// or not at all.
    package struct HostText: Hashable, Sendable {
        /// The pattern; nil for the hosts that no pattern matches.
        package let pattern: String?
        /// The only port that is meant, where the pattern itself names none.
        package let port: UInt16?
        /// Patterns inside it, sorted; at most `mostExceptions`.
        package let exceptions: [String]
        /// The number of patterns that `exceptions` leaves out.
        package let omitted: Int

        package static let mostExceptions = 8

        init(_ hosts: HostClass, exceptions: [String] = [], omitted: Int = 0) {
            pattern = hosts.pattern?.canonicalText
            port = hosts.pattern?.port == nil ? hosts.port : nil
            self.exceptions = exceptions
            self.omitted = omitted
        }
    }

    /// An authority that a rule trusts.
    package struct Authority: Hashable, Sendable {
        /// The subject; nil for the machine's store.
        package let subject: String?
        /// SHA-256 of the key; nil for the machine's store.
        package let keyDigest: Digest?
        /// The anchor set.
        package let set: String
    }

    /// The authorities that a change adds and removes.
    package struct AuthorityChange: Hashable, Sendable {
        package var added: [Authority] = []
        package var removed: [Authority] = []

        package var isEmpty: Bool { added.isEmpty && removed.isEmpty }

        static func += (change: inout AuthorityChange, other: AuthorityChange) {
            change.added += other.added
            change.removed += other.removed
        }
    }

    /// How many authorities could vouch for the hosts of changed classes, before and after.
    package struct Surface: Hashable, Sendable {
        /// The number of listed authorities; nil where the policy denies.
        package struct Count: Hashable, Sendable {
            package let listed: Int
            package let holdsStore: Bool
            package let arePinnedKeys: Bool
            /// The number of authorities of the machine's store that no set lists; nil where the
            /// store is not counted.
            package let stored: Int?
        }

        package let before: Count?
        package let after: Count?
        package let change: AuthorityChange
        /// The classes of which this holds.
        package var classes: Int
        /// The first of them.
        package let example: HostText
    }

    /// A machine's store whose authorities were counted.
    package struct Store: Hashable, Sendable {
        package let digest: Digest
        /// The number of its authorities.
        package let count: Int
    }

    /// A change that decides nothing.
    package struct IdleChange: Hashable, Sendable {
        /// The sentence, in the words of the language.
        package let sentence: String
        package let location: Provenance.Location?

        package init(sentence: String, location: Provenance.Location?) {
            self.sentence = sentence
            self.location = location
        }
    }

    /// How many classes were compared.
    package struct Counts: Hashable, Sendable {
        package var classes = 0
        package var intervals = 0
        package var weaker = 0
        package var incomparable = 0
        package var stricter = 0
        package var equal: Int { classes - weaker - incomparable - stricter }
    }

    /// A recorded request whose verdict is another under the new policy.
    package struct Flip: Sendable {
        /// Where the request was recorded.
        package let source: String
        package let accepts: Bool
        /// The first lines of `explain` under the old and the new policy.
        package let before: String
        package let after: String
        /// The paths under the old and the new policy.
        package let paths: (old: PathDrawing, new: PathDrawing)

        /// - Parameter certificates: the certificates at hand: presented, and those of anchors.
        package init(
            source: String, before: Explanation, after: Explanation,
            certificates: [CertificateFacts]
        ) {
            self.source = source
            accepts = after.verdict.isAccept
            self.before = TraceText.firstLine(of: before)
            self.after = TraceText.firstLine(of: after)
            paths = (PathDrawing(before, certificates), PathDrawing(after, certificates))
        }
    }

    package let old: Side
    package let new: Side
    /// The instant from which on the policies are compared.
    package let since: UTCInstant
    /// Weaker first, then incomparable with a weaker field, incomparable, stricter, and equal last.
    package var changes: [Change]
    package let surfaces: [Surface]
    /// The machine's store; nil where it was not counted.
    package let store: Store?
    package var idle: [IdleChange]
    package let counts: Counts
    /// Recorded requests: how many were judged under both, and those whose verdict flips.
    package var judged = 0
    package var flips: [Flip] = []
    /// Recorded requests that cannot be judged again, one sentence each.
    package var unjudged: [String] = []
    /// The folder of the unit, where it is another one than was asked for.
    package var unit: String?
    /// What becomes of the guards; nil where nobody asked.
    package var guards: GuardAnswer?
    /// The files of the two policies, for pages; none of a table.
    package var files: (old: [SourceFile], new: [SourceFile]) = ([], [])

    /// How the whole new policy compares with the old one, for the exit status.
    package var relation: Relation {
        if counts.weaker > 0 { return .weaker }
        if counts.incomparable > 0 { return .incomparable }
        return counts.stricter > 0 ? .stricter : .equal
    }
}

extension PolicyDiff.Source {
    /// The source as an id: `rules`, `anchors.web`, `pins.acme`.
    package var text: String {
        switch self {
        case .rules: return "rules"
        case .anchors(let id): return "anchors.\(id)"
        case .pins(let id): return "pins.\(id)"
        }
    }
}

/// Why two tables were not compared. It is never "no changes".
package struct DiffFailure: Error, Hashable, Sendable {
    /// What was found. Lower case, no full stop.
    package let context: String
    /// Whether it is a fault of hawser: a witness that does not reproduce.
    package let isOurs: Bool

    package init(_ context: String, isOurs: Bool = false) {
        self.context = context
        self.isOurs = isOurs
    }
}
