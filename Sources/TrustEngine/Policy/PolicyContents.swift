// The meaning of a policy as plain values. The compiler makes them and the table encoder writes
// them. Everything is resolved: no profile inherits any more, and every reference is by id.

/// A whole policy, ready to be encoded.
package struct PolicyContents: Hashable, Sendable {
    /// The rule for hosts that no other rule matches.
    package var defaultRule: DefaultRule
    /// The rules, sorted by id.
    package var rules: [RuleContents]
    /// The anchor sets, sorted by id. The built-in set `system` is among them when a rule names it.
    package var anchorSets: [AnchorSetContents]
    /// The pin sets, sorted by id.
    package var pinSets: [PinSetContents]
    /// The log lists that `transparency.log-list` names, sorted by digest, each once.
    package var logLists: [LogListContents]

    package init(
        defaultRule: DefaultRule, rules: [RuleContents], anchorSets: [AnchorSetContents],
        pinSets: [PinSetContents], logLists: [LogListContents] = []
    ) {
        self.defaultRule = defaultRule
        self.rules = rules
        self.anchorSets = anchorSets
        self.pinSets = pinSets
        self.logLists = logLists
    }
}

/// The value of `default`.
package enum DefaultRule: Hashable, Sendable {
    case deny
    case body(RuleBody)
}

/// A named rule.
package struct RuleContents: Hashable, Sendable {
    package var id: String
    /// The hosts of the rule, sorted by canonical text, each once.
    package var hosts: [HostPattern]
    package var body: RuleBody

    package init(id: String, hosts: [HostPattern], body: RuleBody) {
        self.id = id
        self.hosts = hosts
        self.body = body
    }
}

/// The demands of a rule or of `default`.
package struct RuleBody: Hashable, Sendable {
    /// Ids of anchor sets, sorted. At least one, or none where the anchors are the pinned keys.
    package var anchors: [String]
    /// Whether `anchors` is `pinned-keys`: the keys in the rule's pin sets are its only anchors.
    /// Then `anchors` is empty and `pins` is not.
    package var anchorsArePinnedKeys: Bool
    /// Ids of pin sets, sorted. Every pin set must be satisfied.
    package var pins: [String]
    /// Id of the profile that the rule names; `baseline` when the rule names none.
    package var profile: String
    /// Every field of LANGUAGE section 8, with the layers applied.
    package var requirements: Requirements {
        get { sharedRequirements.value }
        set { sharedRequirements = SharedRequirements(newValue) }
    }
    /// `requirements`, which many rules have in common.
    package private(set) var sharedRequirements: SharedRequirements
    package var identity: IdentityRequirement
    /// The entries of `report-only` with the layers applied and `all` resolved; each check once, in
    /// the order of `ReportOnly.Check.precedes`.
    package var reportOnly: [ReportOnly]
    /// The waivers, each check once, in the order of `Waiver.Tolerance.number`.
    package var waivers: [Waiver]
    /// Annotation, not part of the policy's meaning and not in the policy digest.
    package var owner: String?
    package var note: String?

    package init(
        anchors: [String], anchorsArePinnedKeys: Bool = false, pins: [String], profile: String,
        requirements: Requirements, identity: IdentityRequirement, reportOnly: [ReportOnly] = [],
        waivers: [Waiver], owner: String?, note: String?
    ) {
        self.init(
            anchors: anchors, anchorsArePinnedKeys: anchorsArePinnedKeys, pins: pins,
            profile: profile, sharing: SharedRequirements(requirements), identity: identity,
            reportOnly: reportOnly, waivers: waivers, owner: owner, note: note)
    }

    /// Makes a body that shares its requirements with other bodies.
    package init(
        anchors: [String], anchorsArePinnedKeys: Bool, pins: [String], profile: String,
        sharing requirements: SharedRequirements, identity: IdentityRequirement,
        reportOnly: [ReportOnly], waivers: [Waiver], owner: String?, note: String?
    ) {
        self.anchors = anchors
        self.anchorsArePinnedKeys = anchorsArePinnedKeys
        self.pins = pins
        self.profile = profile
        self.sharedRequirements = requirements
        self.identity = identity
        self.reportOnly = reportOnly
        self.waivers = waivers
        self.owner = owner
        self.note = note
    }

    /// Whether another body names the same sets and has the same demands. The profile that it names
    /// and annotations do not count.
    package func hasDemands(of other: RuleBody) -> Bool {
        anchors == other.anchors && anchorsArePinnedKeys == other.anchorsArePinnedKeys
            && pins == other.pins && sharedRequirements == other.sharedRequirements
            && identity == other.identity && waivers == other.waivers
            && reportOnly == other.reportOnly
    }
}

/// Requirements that many rules have in common. A class, because requirements are large, and a unit
/// has few that differ.
package final class SharedRequirements: Hashable, Sendable {
    package let value: Requirements

    package init(_ value: consuming Requirements) { self.value = value }

    package static func == (left: SharedRequirements, right: SharedRequirements) -> Bool {
        left === right || left.value == right.value
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// `identity` of a rule (LANGUAGE section 7).
package struct IdentityRequirement: Hashable, Sendable {
    /// `identity.reference`.
    package enum Reference: UInt8, Hashable, Sendable, BitwiseCopyable {
        case host = 0
        case listed = 1
        case hostAndListed = 2

        /// As the policy writes it.
        package var name: String {
            switch self {
            case .host: return "host"
            case .listed: return "listed"
            case .hostAndListed: return "host-and-listed"
            }
        }
    }

    package var reference: Reference
    /// DNS names in canonical form, sorted.
    package var dns: [String]
    /// IP addresses, sorted by their text.
    package var ip: [IPAddress]
    /// Mailboxes, sorted. The local part is as written, the domain in lower case.
    package var email: [String]
    /// URI patterns in canonical form, sorted.
    package var uri: [String]

    package init(
        reference: Reference = .host, dns: [String] = [], ip: [IPAddress] = [],
        email: [String] = [], uri: [String] = []
    ) {
        self.reference = reference
        self.dns = dns
        self.ip = ip
        self.email = email
        self.uri = uri
    }
}

/// One entry of `waivers` (LANGUAGE section 10).
package struct Waiver: Hashable, Sendable {
    /// The failures that a waiver tolerates, with the waiver's limit.
    package enum Tolerance: Hashable, Sendable {
        case identity
        case path
        /// `tolerance`: seconds after notAfter.
        case expired(seconds: Int64)
        /// Every failure of revocation, `revoked` included.
        case revocation
        case pins
        case transparency
        /// Versions down to this one.
        case tls(minimumVersion: TLSVersion)
        /// RSA keys with at least this number of bits.
        case keys(rsaMinimum: Int)
        /// Breaches of these demands on those who issue certificates.
        case issuance(IssuanceDemands)
        /// Signatures with this hash or a stronger one.
        case signatures(minimumHash: SignatureHash)
        /// A connection that the request calls cleartext.
        case cleartext

        /// The key of the waiver under `waivers`.
        package var name: String {
            switch self {
            case .identity: return "identity"
            case .path: return "path"
            case .expired: return "expired"
            case .revocation: return "revocation"
            case .pins: return "pins"
            case .transparency: return "transparency"
            case .tls: return "tls"
            case .keys: return "keys"
            case .issuance: return "issuance"
            case .signatures: return "signatures"
            case .cleartext: return "cleartext"
            }
        }
    }

    package var tolerance: Tolerance
    /// The last second in which the waiver is in force.
    package var until: UTCInstant
    /// Annotation, not part of the policy's meaning.
    package var reason: String
    package var owner: String
    package var ticket: String?

    package init(
        tolerance: Tolerance, until: UTCInstant, reason: String, owner: String, ticket: String?
    ) {
        self.tolerance = tolerance
        self.until = until
        self.reason = reason
        self.owner = owner
        self.ticket = ticket
    }

    /// Whether the waiver is in force at an instant. Every command and the engine decide it by this
    /// function. Clock skew does not apply (LANGUAGE section 12.6).
    package func isInForce(at time: UTCInstant) -> Bool {
        DatedTerm.isInForce(until: until, at: time)
    }
}

/// Everything in a policy that ends on a date is in force up to and including its last second.
package enum DatedTerm {
    /// Whether a waiver, report mode or pin set whose last second is `last` is in force at `time`.
    package static func isInForce(until last: UTCInstant, at time: UTCInstant) -> Bool {
        time <= last
    }
}

/// One entry of `report-only` (LANGUAGE section 9).
package struct ReportOnly: Hashable, Sendable {
    /// The check whose failures are reported.
    package enum Check: Hashable, Sendable {
        case pins, revocation, transparency, tls, keys, signatures, lifetime
        /// A check that the program registers, by its name.
        case custom(String)

        /// The check's name in a policy.
        package var name: String {
            switch self {
            case .pins: return "pins"
            case .revocation: return "revocation"
            case .transparency: return "transparency"
            case .tls: return "tls"
            case .keys: return "keys"
            case .signatures: return "signatures"
            case .lifetime: return "lifetime"
            case .custom(let name): return name
            }
        }

        /// The checks of the language, in the order of the language.
        package static let builtIn: [Check] = [
            .pins, .revocation, .transparency, .tls, .keys, .signatures, .lifetime,
        ]

        /// The check that a policy names so. A name outside the language is a check that the
        /// program registers.
        package init(name: String) {
            self = Check.builtIn.first { $0.name == name } ?? .custom(name)
        }
    }

    package var check: Check
    /// The last second in which failures are reported and do not reject.
    package var until: UTCInstant
    /// Annotation, not part of the policy's meaning.
    package var note: String?

    package init(check: Check, until: UTCInstant, note: String?) {
        self.check = check
        self.until = until
        self.note = note
    }
}

/// A log list that a policy names. The compiled policy holds the whole file.
package struct LogListContents: Hashable, Sendable {
    /// SHA-256 of `bytes`. Verdicts show it.
    package var digest: Digest
    /// The file: log_list.json of version 3.
    package var bytes: [UInt8]

    package init(digest: Digest, bytes: [UInt8]) {
        self.digest = digest
        self.bytes = bytes
    }
}

/// A named pin set (LANGUAGE section 6).
package struct PinSetContents: Hashable, Sendable {
    /// The effect of a mismatch after `enforce-until`.
    package enum OnExpiry: UInt8, Hashable, Sendable, BitwiseCopyable {
        case fail = 0
        case report = 1
        case unpinned = 2
    }

    package var id: String
    /// The entries of `keys`, sorted by id; at least one.
    package var keys: [PinContents]
    /// The entries of `backups`, sorted by id; at least one.
    package var backups: [PinContents]
    /// Number of distinct keys that must match: 1 for `any`, the number of `keys` for `all`, or N.
    package var match: Int
    package var warnFrom: UTCInstant?
    /// Last second of enforcement; nil when the pin set is always enforced.
    package var enforceUntil: UTCInstant?
    package var onExpiry: OnExpiry
    /// Annotation, not part of the policy's meaning.
    package var owner: String?
    package var note: String?

    package init(
        id: String, keys: [PinContents], backups: [PinContents], match: Int,
        warnFrom: UTCInstant?, enforceUntil: UTCInstant?, onExpiry: OnExpiry, owner: String?,
        note: String?
    ) {
        self.id = id
        self.keys = keys
        self.backups = backups
        self.match = match
        self.warnFrom = warnFrom
        self.enforceUntil = enforceUntil
        self.onExpiry = onExpiry
        self.owner = owner
        self.note = note
    }
}

/// One entry of `keys` or `backups`.
package struct PinContents: Hashable, Sendable {
    package var id: String
    /// The key matches of the entry, sorted; at least one. One that matches satisfies the entry.
    package var matches: [KeyMatch]
    package var position: PinPosition
    /// DER of the certificates in the entry's file, sorted, each once. They are kept only where a
    /// rule's anchors are its pinned keys: then a pinned certificate can end a path even when the
    /// peer did not send it. Empty elsewhere.
    package var certificates: [[UInt8]]
    /// Annotation, not part of the policy's meaning.
    package var note: String?

    package init(
        id: String, matches: [KeyMatch], position: PinPosition, certificates: [[UInt8]] = [],
        note: String?
    ) {
        self.id = id
        self.matches = matches
        self.position = position
        self.certificates = certificates
        self.note = note
    }
}

/// The object that a key match compares (LANGUAGE section 6).
package struct KeyMatch: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// The digest of the SubjectPublicKeyInfo.
        case spki = 0
        /// The digest of the whole certificate.
        case certificate = 1
    }

    /// The hashed object of a match, and the algorithm of the digest.
    package struct Form: Hashable, Sendable, BitwiseCopyable {
        package let kind: Kind
        package let algorithm: DigestAlgorithm

        package init(kind: Kind, algorithm: DigestAlgorithm) {
            self.kind = kind
            self.algorithm = algorithm
        }
    }

    package var kind: Kind
    package var digest: Digest

    package init(kind: Kind, digest: Digest) {
        self.kind = kind
        self.digest = digest
    }

    /// The hashed object of the match, and the algorithm of its digest.
    package var form: Form { Form(kind: kind, algorithm: digest.algorithm) }
}

/// Where on the path a pin must match (`at`).
package enum PinPosition: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case any = 0
    case leaf = 1
    case intermediate = 2
    case anchor = 3
    /// An intermediate or the anchor.
    case ca = 4

    package var name: String {
        switch self {
        case .any: return "any"
        case .leaf: return "leaf"
        case .intermediate: return "intermediate"
        case .anchor: return "anchor"
        case .ca: return "ca"
        }
    }
}
