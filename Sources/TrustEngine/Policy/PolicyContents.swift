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

    package init(
        defaultRule: DefaultRule, rules: [RuleContents], anchorSets: [AnchorSetContents],
        pinSets: [PinSetContents]
    ) {
        self.defaultRule = defaultRule
        self.rules = rules
        self.anchorSets = anchorSets
        self.pinSets = pinSets
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
    /// Ids of anchor sets, sorted; at least one.
    package var anchors: [String]
    /// Ids of pin sets, sorted; every one must be satisfied.
    package var pins: [String]
    /// The id of the profile that the rule names; `baseline` when it names none.
    package var profile: String
    /// Every field of LANGUAGE section 8, flattened.
    package var requirements: Requirements
    package var identity: IdentityRequirement
    /// Sorted by check, each check once.
    package var waivers: [Waiver]
    /// Not part of the meaning (and not of the policy digest).
    package var owner: String?
    package var note: String?

    package init(
        anchors: [String], pins: [String], profile: String, requirements: Requirements,
        identity: IdentityRequirement, waivers: [Waiver], owner: String?, note: String?
    ) {
        self.anchors = anchors
        self.pins = pins
        self.profile = profile
        self.requirements = requirements
        self.identity = identity
        self.waivers = waivers
        self.owner = owner
        self.note = note
    }
}

/// The flattened fields of a profile (LANGUAGE section 8). `Requirements()` is the baseline.
package struct Requirements: Hashable, Sendable {
    /// `path.maximum-intermediates`: certificates between leaf and anchor.
    package var maximumIntermediates: Int = 8
    /// `path.key-purposes`: one of them must be allowed along the whole path.
    package var keyPurposes: KeyPurposes = KeyPurposes(serverAuth: true)
    /// `keys.types`: every key of the path, anchor included.
    package var keyTypes: KeyTypeSet = .all
    /// `keys.leaf-types`.
    package var leafKeyTypes: KeyTypeSet = .all
    /// `keys.rsa-minimum`, bits; every RSA key of the path, anchor included.
    package var rsaMinimum: Int = 2048
    /// `signatures.minimum-hash`.
    package var minimumHash: SignatureHash = .sha256
    /// `signatures.schemes`.
    package var signatureSchemes: SignatureSchemeSet = .all
    /// `validity.clock-skew`, seconds; widens both ends of every validity period.
    package var clockSkew: Int64 = 0
    /// `validity.maximum-lifetime` of the end entity, seconds; nil for none.
    package var maximumLifetime: Int64? = nil
    /// `revocation.preset`, for now the only thing said of revocation.
    package var revocation: RevocationPreset = .bestEffort
    /// `tls.minimum-version` and `tls.maximum-version`.
    package var minimumTLSVersion: TLSVersion = .tls12
    package var maximumTLSVersion: TLSVersion = .tls13

    package init() {}
}

/// `revocation.preset`.
package enum RevocationPreset: UInt8, Hashable, Sendable, BitwiseCopyable {
    case bestEffort = 0
    case require = 1
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
    /// URI patterns as written, sorted.
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
        case pins
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
        InForce.until(until, at: time)
    }
}

/// The one rule for everything that ends on a date: in force up to and including its last second.
package enum InForce {
    package static func until(_ last: UTCInstant, at time: UTCInstant) -> Bool { time <= last }
}

/// A named set of trust anchors (LANGUAGE section 5).
package struct AnchorSetContents: Hashable, Sendable {
    package typealias Kind = AnchorKind

    package var id: String
    /// The built-in set: members come from the machine at load; `members` is empty.
    package var isSystem: Bool
    package var kind: Kind
    package var standard: Standard
    /// DER of each member, sorted by its octets, each once.
    package var members: [[UInt8]]
    /// Not part of the meaning.
    package var owner: String?
    package var note: String?

    package init(
        id: String, isSystem: Bool, kind: Kind, standard: Standard, members: [[UInt8]],
        owner: String?, note: String?
    ) {
        self.id = id
        self.isSystem = isSystem
        self.kind = kind
        self.standard = standard
        self.members = members
        self.owner = owner
        self.note = note
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
    /// Not part of the meaning.
    package var note: String?

    package init(id: String, matches: [KeyMatch], position: PinPosition, note: String?) {
        self.id = id
        self.matches = matches
        self.position = position
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
