internal import TrustEngine

// A unit's policy as it was written: every part with its place, nothing resolved. Parts that could
// not be read are absent and a diagnostic stands for them; a thing whose body could not be read
// still stands here by its name, so that nothing else is blamed for it.

/// A value and the place of its text.
struct Located<Value: Sendable>: Sendable {
    var value: Value
    var span: SourceSpan
}

extension Located: Equatable where Value: Equatable {}

/// A list and its place.
struct BoundList<Value: Sendable>: Sendable {
    /// The key that holds the list, and the list itself.
    var key: SourceSpan
    var span: SourceSpan
    /// The items that could be read, in source order.
    var items: [Located<Value>]
}

/// All files of a unit, bound.
struct BoundPolicy: Sendable {
    /// Every `default` of the unit, in source order; one when the unit is right.
    var defaults: [BoundDefault] = []
    /// In source order, the first of each name.
    var anchorSets: [BoundAnchorSet] = []
    var pinSets: [BoundPinSet] = []
    var profiles: [BoundProfile] = []
    var rules: [BoundRule] = []
    /// The log lists that `transparency.log-list` names, by their SHA-256.
    var logLists: [Digest: [UInt8]] = [:]
    /// Namespaces that hold a part which could not be read, so that a name which seems to be missing
    /// may have been in it.
    var incompleteNamespaces: Set<Namespace> = []
    /// Namespaces with references that could not be read, so that a thing which seems to be unused
    /// may be used by one.
    var incompleteReferences: Set<Namespace> = []
    /// Whether a file could not be read so far as to know whether it has `default`.
    var mayHaveDefault = false
}

/// The four namespaces that the files of a unit share.
enum Namespace: String, Hashable, Sendable, CaseIterable {
    case anchors, pins, profiles, rules

    /// How a message calls one of its members.
    var noun: String {
        switch self {
        case .anchors: return "anchor set"
        case .pins: return "pin set"
        case .profiles: return "profile"
        case .rules: return "rule"
        }
    }

    /// Ids that the language defines itself.
    var builtIn: [String] {
        switch self {
        case .anchors: return ["system", "pinned-keys"]
        case .profiles: return BuiltInProfile.allCases.map(\.rawValue)
        case .pins, .rules: return []
        }
    }
}

/// A `default`.
struct BoundDefault: Sendable {
    enum Action: Sendable {
        case deny
        case body(BoundBody)
        /// It could not be read.
        case unreadable
    }
    /// The key.
    var key: SourceSpan
    /// The value.
    var span: SourceSpan
    var action: Action
}

/// A named rule.
struct BoundRule: Sendable {
    var id: Located<String>
    /// The readable patterns of `hosts`, in source order.
    var hosts: [BoundHost]
    var body: BoundBody
}

/// One item of `hosts`.
struct BoundHost: Sendable {
    var pattern: HostPattern
    /// The pattern's canonical text.
    var text: String
    var span: SourceSpan
}

/// What a rule or `default` says besides its hosts.
struct BoundBody: Sendable {
    /// The rule's id, or `default`: for messages.
    var name: String
    /// Place of that name.
    var key: SourceSpan
    var anchors: BoundList<String>?
    var pins: BoundList<String>?
    /// Whether `pins` may have been written and could not be read.
    var mayHavePins = false
    var profile: Located<String>?
    var identity: BoundIdentity?
    var waivers: [BoundWaiver] = []
    var fields = BoundFields()
    var owner: Located<String>?
    var note: Located<String>?
}

/// An entry of `report-only`.
struct BoundReportOnly: Sendable {
    /// Nil for `all`.
    var check: ReportOnly.Check?
    var key: SourceSpan
    /// The last second; nil when it is missing or could not be read.
    var until: UTCInstant?
    var note: String?

    /// The key.
    var name: String { check?.name ?? "all" }

    /// What is accepted while the entry is in force, for messages.
    var effect: String {
        switch check {
        case nil: return "accepts what its checks refuse"
        case .pins: return "accepts keys that are not pinned"
        case .revocation: return "accepts certificates whose revocation status is not known"
        case .transparency: return "accepts certificates that no log is known to hold"
        case .tls: return "accepts connections that the rule's demands on TLS refuse"
        case .keys: return "accepts keys that the rule refuses"
        case .signatures: return "accepts signatures that the rule refuses"
        case .lifetime: return "accepts certificates that live too long"
        case .custom(let name): return "accepts what the check `\(name)` refuses"
        }
    }
}

/// A named profile.
struct BoundProfile: Sendable {
    var id: Located<String>
    var parent: Located<String>?
    var fields = BoundFields()
}

/// A named anchor set.
struct BoundAnchorSet: Sendable {
    var id: Located<String>
    var include: BoundList<String>?
    var files: BoundList<String>?
    /// The key `pem`.
    var pem: SourceSpan?
    /// Every certificate of `files` and `pem`, in the order of the files.
    var members: [BoundAnchor] = []
    /// Whether everything that decides its members could be read.
    var isComplete = true
    var only: BoundMatches?
    var exclude: BoundMatches?
    var kind: Located<AnchorSetContents.Kind>?
    /// Whether `kind` is written but could not be read.
    var hasUnreadableKind = false
    var intermediates: BoundList<String>?
    /// Every certificate of `intermediates`.
    var offered: [Certificate] = []
    var standard: Located<Standard>?
    var ignoredLimits: Located<AnchorLimits>?
    var constraints: BoundConstraints?
    var owner: Located<String>?
    var note: Located<String>?
}

/// A certificate of an anchor set.
struct BoundAnchor: Sendable {
    var certificate: Certificate
    /// How messages call it: `certificate 2 of anchors/corp.pem`.
    var name: String
    /// The path that names the file, or the key `pem`.
    var span: SourceSpan
}

/// `only` or `exclude` of an anchor set.
struct BoundMatches: Sendable {
    var key: SourceSpan
    /// In source order, each id once.
    var entries: [BoundMatchEntry]
}

/// `constraints` of an anchor set.
struct BoundConstraints: Sendable {
    var key: SourceSpan
    var value = AnchorConstraints()
    /// The keys that are written, in the order of the language.
    var parts: [Located<String>] = []

    /// Place of a key, by its name.
    func part(_ name: String) -> SourceSpan? { parts.first { $0.value == name }?.span }
}

/// A named pin set.
struct BoundPinSet: Sendable {
    /// `match`.
    enum Match: Sendable {
        case any, all
        case count(Int)
    }
    var id: Located<String>
    /// In source order.
    var keys: [BoundPin] = []
    var backups: [BoundPin] = []
    /// Whether every entry of both maps could be read.
    var isComplete = true
    var match: Located<Match>?
    var warnFrom: Located<UTCInstant>?
    var enforceUntil: Located<UTCInstant>?
    var onExpiry: Located<PinSetContents.OnExpiry>?
    var owner: Located<String>?
    var note: Located<String>?
}

/// An entry of `keys` or `backups`.
struct BoundPin: Sendable {
    var id: Located<String>
    var key: BoundKeyMatch
    var position: PinPosition
    var note: Located<String>?
}

/// What a key match names.
struct BoundKeyMatch: Sendable {
    /// The digests that satisfy it, each once and in a fixed order; at least one.
    var matches: [KeyMatch]
    /// The keys it names, each by every digest known of it and of its certificate, for telling
    /// whether two entries are the same: of a written digest that one, of a file's all.
    var keys: [Set<KeyMatch>]
    /// The certificates of its file.
    var certificates: [Certificate]
    /// Place of the digest or path.
    var span: SourceSpan

    /// Every digest known of what it names.
    var identities: Set<KeyMatch> { keys.reduce(into: []) { $0.formUnion($1) } }
}

/// An entry of a map of key matches.
struct BoundMatchEntry: Sendable {
    var id: Located<String>
    var key: BoundKeyMatch
}

/// An `identity`.
struct BoundIdentity: Sendable {
    var reference: Located<IdentityRequirement.Reference>?
    /// Whether `reference` is written but could not be read.
    var hasUnreadableReference = false
    /// The keys of the lists that are written, by name, in source order.
    var lists: [Located<String>] = []
    var dns: [Located<String>] = []
    var ip: [Located<IPAddress>] = []
    var email: [Located<String>] = []
    var uri: [Located<String>] = []
    var key: SourceSpan
    var span: SourceSpan
}

/// An entry of `waivers`.
struct BoundWaiver: Sendable {
    var check: WaivedCheck
    var key: SourceSpan
    /// The waiver itself; nil when a part of it is missing or could not be read.
    var waiver: Waiver?
}

/// The checks that can be waived.
enum WaivedCheck: String, Hashable, Sendable, CaseIterable {
    case identity, path, expired, revocation, pins, transparency, tls, keys, signatures, cleartext

    /// The key that says how far the waiver goes, where it has one.
    var ownKey: String? {
        switch self {
        case .expired: return "tolerance"
        case .tls: return "minimum-version"
        case .keys: return "rsa-minimum"
        case .signatures: return "minimum-hash"
        case .identity, .path, .revocation, .pins, .transparency, .cleartext: return nil
        }
    }

    /// What is accepted while the waiver is in force, for messages.
    var effect: String {
        switch self {
        case .identity: return "accepts certificates for other names"
        case .path: return "accepts certificates that anyone can make"
        case .expired: return "accepts expired certificates"
        case .revocation: return "accepts revoked certificates"
        case .pins: return "accepts keys that are not pinned"
        case .transparency: return "accepts certificates that no log is known to hold"
        case .tls: return "accepts TLS versions below the baseline"
        case .keys: return "accepts RSA keys below the baseline"
        case .signatures: return "accepts SHA-1 signatures"
        case .cleartext: return "accepts connections without TLS"
        }
    }
}
