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
        /// Rules: another rule decides, or the rule has other contents.
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
        /// The consequences, one sentence part each: "TLS 1.2 is no longer accepted".
        package var remarks: [String]
    }

    /// A term on which hosts are newly trusted: an exception in force, or a field that is weaker
    /// than most rules of the old policy have it.
    package struct Term: Hashable, Sendable {
        /// The value that the rule has, and as `from` the value that it would have.
        package let field: Field
        /// The profile whose value `from` is: "profile `internal`". Nil for an exception.
        package let usual: String?

        init(_ field: Field, usual: String?) {
            self.field = field
            self.usual = usual
        }
    }

    /// How many hosts of a change somebody answers for.
    package struct OwnerCount: Hashable, Sendable {
        /// The owner of the rules; nil where they have none.
        package let owner: String?
        package let rules: Int
        package let classes: Int
    }

    /// The fields that differ from an instant on, until the next interval begins.
    package struct Interval: Hashable, Sendable {
        /// The first instant.
        package let from: UTCInstant
        /// The direction of the fields together.
        package let relation: Relation
        /// Empty where the two sides are equal.
        package let fields: [Field]
    }

    /// Where a field was written in the two policies.
    package struct Places: Hashable, Sendable {
        package let old: FieldOrigin?
        package let new: FieldOrigin?
    }

    /// The pattern that decided hosts before the new policy got a narrower pattern for them, or one
    /// for a port of theirs.
    package struct FormerPattern: Hashable, Sendable {
        /// The pattern; nil where no pattern matched and `default` decided.
        package let pattern: String?
        /// The id of the pattern's rule; empty for `default`.
        package let rule: String
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
        /// How the new policy compares with the old policy: weaker where a field is weaker in any
        /// interval, whatever else got stricter; otherwise incomparable where a field is in any.
        package let relation: Relation
        package let intervals: [Interval]
        /// The classes, the smallest domain first, otherwise sorted by pattern.
        package var classes: [HostClass]
        /// The class whose pattern is the first.
        package let firstClass: HostClass?
        /// The pairs of rules that decide these classes, in the order of `classes`.
        package var rules: [RulePair]
        /// Who answers for the rules, the fewest classes first.
        package let owners: [OwnerCount]
        /// What a reader must know of the rules by which hosts are newly trusted.
        package let terms: [Term]
        /// Where each field is written, by its path; several places where rules differ in them.
        package var places: [String: [Places]]
        /// The hosts in patterns.
        package var hosts: [HostText] = []
        /// How many of the classes are related otherwise as a whole, because other fields of theirs
        /// change too, by that relation.
        package var wholes: [Relation: Int] = [:]
        /// The fields that got stricter, by their paths in the order in which they are met, where
        /// the change is weaker or incomparable.
        package var stricterFields = StricterFields()
        /// Who answers for the set that the change comes from.
        package var setOwner: String?
        /// The files whose certificates the change adds or removes.
        package var files: [String] = []
        /// One host of the first class.
        package var witness: Witness?
        /// What decided the hosts of the first class before the new policy carved them out.
        package var former: FormerPattern?
        /// The authorities that may vouch and those that no longer may; empty where anchors do not
        /// change.
        package var authorities = AuthorityChange()
        /// What an allowance must hold besides the printed values, by the path of the field: the
        /// digests of the new values or bodies, for fields whose texts do not say all.
        package var digests: [String: [String]] = [:]
        /// The allowance under which a reviewer lets the change pass.
        package var allowance: String?

        /// Whether every class is related as a whole as the change is.
        package var isOwn: Bool { wholes.isEmpty }

    }

    /// The fields in which classes got stricter whose change is not stricter as a whole.
    package struct StricterFields: Hashable, Sendable {
        /// The paths, each once.
        package var paths: [String] = []
        /// Whether each class of the change got stricter in all of them.
        package var isOfAll = true
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
        /// How the pattern reads; nil where it has no label in punycode.
        package var spelling: HostSpelling?

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
        /// The added authorities that replace an authority of the same name.
        package var rekeyed: [Rekeyed] = []

        package var isEmpty: Bool { added.isEmpty && removed.isEmpty }

        static func += (change: inout AuthorityChange, other: AuthorityChange) {
            change.added += other.added
            change.removed += other.removed
            change.rekeyed += other.rekeyed
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
            /// The waivers in force by which others than these authorities can vouch, or a server
            /// of another name is accepted.
            package let open: [Waived]
        }

        /// A waiver of `path`, `identity` or `cleartext`.
        package struct Waived: Hashable, Sendable {
            /// `waivers.path`.
            package let path: String
            /// The last second in which it is in force.
            package let until: UTCInstant
        }

        package let before: Count?
        package let after: Count?
        package let change: AuthorityChange
        /// The classes of which this holds.
        package var classes: Int
        /// The first of them.
        package var example: HostText
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

        /// - Parameter certificates: the certificates at hand: presented ones and anchors.
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
    /// By kind (`ChangeKind`), and within a kind so that none hides behind others (`ChangeOrder`).
    package var changes: [Change]
    package let surfaces: [Surface]
    /// The machine's store; nil where it was not counted.
    package let store: Store?
    /// Who must approve the change.
    package var approvals = Approvals()
    package var idle: [IdleChange]
    package let counts: Counts
    /// Recorded requests: how many were judged under both, and those whose verdict flips.
    package var judged = 0
    package var flips: [Flip] = []
    /// Recorded requests that cannot be judged again, one sentence each.
    package var unjudged: [String] = []
    /// The folder of the unit, where it is another one than was asked for.
    package var unit: String?
    /// The changes of guards; nil if guards were not looked for.
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
