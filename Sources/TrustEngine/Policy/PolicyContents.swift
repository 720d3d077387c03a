// The meaning of a policy as plain values: what the compiler lowers into and the table encoder
// writes. Everything is resolved: no profile is left to inherit from, every reference is by id.

/// A whole policy, ready to be encoded.
package struct PolicyContents: Hashable, Sendable {
    /// What hosts that no rule matches get.
    package var defaultRule: DefaultRule
    /// Sorted by id.
    package var rules: [RuleContents]
    /// Sorted by id; the built-in `system` is present when a rule names it.
    package var anchorSets: [AnchorSetContents]
    /// Sorted by id.
    package var pinSets: [PinSetContents]
    /// The log lists that `transparency.log-list` names, each once, sorted by digest.
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

/// What `default` says.
package enum DefaultRule: Hashable, Sendable {
    case deny
    case body(RuleBody)
}

/// A named rule.
package struct RuleContents: Hashable, Sendable {
    package var id: String
    /// Sorted by canonical text, each once.
    package var hosts: [HostPattern]
    package var body: RuleBody

    package init(id: String, hosts: [HostPattern], body: RuleBody) {
        self.id = id
        self.hosts = hosts
        self.body = body
    }
}

/// What a rule, or `default`, demands.
package struct RuleBody: Hashable, Sendable {
    /// Ids of anchor sets, sorted; at least one, or none where the anchors are the pinned keys.
    package var anchors: [String]
    /// Whether `anchors` is `pinned-keys`: what the rule's pin sets name is the anchors, and nothing
    /// else is. Then `anchors` is empty and `pins` is not.
    package var anchorsArePinnedKeys: Bool
    /// Ids of pin sets, sorted; every one must be satisfied.
    package var pins: [String]
    /// The id of the profile that the rule names; `baseline` when it names none.
    package var profile: String
    /// Every field of LANGUAGE section 8, flattened.
    package var requirements: Requirements
    package var identity: IdentityRequirement
    /// Flattened through the layers, `all` resolved; each check once, in the order of
    /// `ReportOnly.Check.precedes`.
    package var reportOnly: [ReportOnly]
    /// Each check once, by `Waiver.Tolerance.number`.
    package var waivers: [Waiver]
    /// Not part of the meaning (and not of the policy digest).
    package var owner: String?
    package var note: String?

    package init(
        anchors: [String], anchorsArePinnedKeys: Bool = false, pins: [String], profile: String,
        requirements: Requirements, identity: IdentityRequirement, reportOnly: [ReportOnly] = [],
        waivers: [Waiver], owner: String?, note: String?
    ) {
        self.anchors = anchors
        self.anchorsArePinnedKeys = anchorsArePinnedKeys
        self.pins = pins
        self.profile = profile
        self.requirements = requirements
        self.identity = identity
        self.reportOnly = reportOnly
        self.waivers = waivers
        self.owner = owner
        self.note = note
    }
}

/// `identity` of a rule (LANGUAGE section 7).
package struct IdentityRequirement: Hashable, Sendable {
    /// `identity.reference`.
    package enum Reference: UInt8, Hashable, Sendable, BitwiseCopyable {
        case host = 0
        case listed = 1
        case hostAndListed = 2
    }

    package var reference: Reference
    /// Canonical names, sorted.
    package var dns: [String]
    /// Sorted by text.
    package var ip: [IPAddress]
    /// Local part as written, domain folded; sorted.
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
    /// What it tolerates.
    package enum Tolerance: Hashable, Sendable {
        case identity
        case path
        /// `tolerance`, seconds past notAfter.
        case expired(seconds: Int64)
        /// Every cause, `revoked` included.
        case revocation
        case pins
        case transparency
        /// Down to this version.
        case tls(minimumVersion: TLSVersion)
        /// RSA keys down to so many bits.
        case keys(rsaMinimum: Int)
        /// Signatures down to this hash.
        case signatures(minimumHash: SignatureHash)
        /// A request that says it is cleartext.
        case cleartext

        /// The key under `waivers`.
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
            case .signatures: return "signatures"
            case .cleartext: return "cleartext"
            }
        }
    }

    package var tolerance: Tolerance
    /// The last second in force.
    package var until: UTCInstant
    /// Not part of the meaning.
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

    /// Whether the waiver is in force at an instant; the one function that decides it, for every
    /// command and for the engine. No clock skew applies (LANGUAGE section 12.6).
    package func isInForce(at time: UTCInstant) -> Bool {
        DatedTerm.isInForce(until: until, at: time)
    }
}

/// The one rule for everything that ends on a date: in force up to and including its last second.
package enum DatedTerm {
    /// Whether a waiver, report mode or pin set that ends with the second `last` is in force at `time`.
    package static func isInForce(until last: UTCInstant, at time: UTCInstant) -> Bool {
        time <= last
    }
}

/// One entry of `report-only` (LANGUAGE section 9).
package struct ReportOnly: Hashable, Sendable {
    /// What is reported.
    package enum Check: Hashable, Sendable {
        case pins, revocation, transparency, tls, keys, signatures, lifetime
        /// A check that the program registers.
        case custom(String)

        /// As the policy writes it.
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

        /// The checks of the language, in its order.
        package static let builtIn: [Check] = [
            .pins, .revocation, .transparency, .tls, .keys, .signatures, .lifetime,
        ]

        /// The check that a policy writes so; any other name is one that the program registers.
        package init(name: String) {
            self = Check.builtIn.first { $0.name == name } ?? .custom(name)
        }
    }

    package var check: Check
    /// The last second in which failures are reported and do not reject.
    package var until: UTCInstant
    /// Not part of the meaning.
    package var note: String?

    package init(check: Check, until: UTCInstant, note: String?) {
        self.check = check
        self.until = until
        self.note = note
    }
}

/// A log list as a policy names it: the file, compiled in.
package struct LogListContents: Hashable, Sendable {
    /// SHA-256 of `bytes`; what a verdict shows.
    package var digest: Digest
    /// log_list.json, version 3, as it was read.
    package var bytes: [UInt8]

    package init(digest: Digest, bytes: [UInt8]) {
        self.digest = digest
        self.bytes = bytes
    }
}

/// A named pin set (LANGUAGE section 6).
package struct PinSetContents: Hashable, Sendable {
    /// What a mismatch does after `enforce-until`.
    package enum OnExpiry: UInt8, Hashable, Sendable, BitwiseCopyable {
        case fail = 0
        case report = 1
        case unpinned = 2
    }

    package var id: String
    /// Sorted by id; at least one.
    package var keys: [PinContents]
    /// Sorted by id; at least one.
    package var backups: [PinContents]
    /// Distinct keys that must match: 1 for `any`, the number of `keys` for `all`, or N.
    package var match: Int
    package var warnFrom: UTCInstant?
    /// Last second of enforcement; nil when it never ends.
    package var enforceUntil: UTCInstant?
    package var onExpiry: OnExpiry
    /// Not part of the meaning.
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
    /// Any one of these satisfies the entry; sorted, at least one.
    package var matches: [KeyMatch]
    package var position: PinPosition
    /// DER of the certificates that the entry's file holds, sorted, each once. Only where a rule's
    /// anchors are its pinned keys: then the pinned certificate can end a path though the peer did
    /// not send it. Empty elsewhere.
    package var certificates: [[UInt8]]
    /// Not part of the meaning.
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

/// What a key match compares (LANGUAGE section 6).
package struct KeyMatch: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Digest of the SubjectPublicKeyInfo.
        case spki = 0
        /// Digest of the whole certificate.
        case certificate = 1
    }

    package var kind: Kind
    package var digest: Digest

    package init(kind: Kind, digest: Digest) {
        self.kind = kind
        self.digest = digest
    }
}

/// Where on the accepted path a pin must match (`at`).
package enum PinPosition: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case any = 0
    case leaf = 1
    case intermediate = 2
    case anchor = 3
    /// Intermediate or anchor.
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
