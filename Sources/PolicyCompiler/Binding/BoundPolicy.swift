package import TrustEngine

// A unit's policy as it was written: every part has its span, and nothing is resolved. A part that
// could not be read is absent, and a diagnostic was reported for it. A named thing whose body could
// not be read is still here with its name, so that no reference to it is reported.

/// A value and the span of its text.
package struct Located<Value: Sendable>: Sendable {
    package var value: Value
    package var span: SourceSpan

    package init(value: Value, span: SourceSpan) {
        self.value = value
        self.span = span
    }
}

extension Located: Equatable where Value: Equatable {}

/// A list and its span.
package struct BoundList<Value: Sendable>: Sendable {
    /// The key that holds the list; then the list itself.
    package var key: SourceSpan
    package var span: SourceSpan
    /// The items that could be read, in source order.
    package var items: [Located<Value>]
}

/// All files of a unit, bound.
package struct BoundPolicy: Sendable {
    /// Every `default` of the unit, in source order. A correct unit has exactly one.
    package var defaults: [BoundDefault] = []
    /// The first key of the file that `default` belongs in; of the first file in a unit without it.
    package var homeKey: SourceSpan?
    /// In source order, the first definition of each name.
    package var anchorSets: [BoundAnchorSet] = []
    package var pinSets: [BoundPinSet] = []
    package var profiles: [BoundProfile] = []
    package private(set) var rules: [BoundRule] = []
    /// The outlines of the rules, for checks that are about few of them.
    package private(set) var outlines = RuleOutlines()
    /// The log lists that `transparency.log-list` names, by their SHA-256.
    package var logLists: [Digest: [UInt8]] = [:]
    /// Namespaces of which a definition could not be read. A name that seems to be missing may be
    /// defined there.
    package var incompleteNamespaces: Set<Namespace> = []
    /// Namespaces of which a reference could not be read. A definition that seems to be unused may
    /// be used there.
    package var incompleteReferences: Set<Namespace> = []
    /// Whether a file could not be read far enough to know whether it has `default`.
    package var mayHaveDefault = false
    /// Every date of the unit that could be read, in no order.
    package var dates: [BoundDate] = []

    mutating func append(_ rule: BoundRule) {
        rules.append(rule)
        outlines.add(rule)
    }
}

/// A date that the policy writes.
package struct BoundDate: Sendable {
    /// The field, for messages: `enforce-until`, `waivers.tls.until`.
    package var path: String
    package var firstSecond: UTCInstant
    package var span: SourceSpan
}

/// The four namespaces, which all files of a unit share.
package enum Namespace: String, Hashable, Sendable, CaseIterable {
    case anchors, pins, profiles, rules

    /// The word for a member of the namespace in messages.
    package var noun: String {
        switch self {
        case .anchors: return "anchor set"
        case .pins: return "pin set"
        case .profiles: return "profile"
        case .rules: return "rule"
        }
    }

    /// The ids that the language defines itself.
    package var builtIn: [String] {
        switch self {
        case .anchors: return ["system", "pinned-keys"]
        case .profiles: return BuiltInProfile.allCases.map(\.rawValue)
        case .pins, .rules: return []
        }
    }
}

/// One `default`: its key and its value.
package struct BoundDefault: Sendable {
    /// The action that the value states.
    package enum Action: Sendable {
        case deny
        case body(BoundBody)
        /// The value could not be read.
        case unreadable
    }
    /// The span of the key.
    package var key: SourceSpan
    /// The span of the value.
    package var span: SourceSpan
    package var action: Action
}

/// A named rule. A class, because there are many rules, each is large, and every check and lint
/// rule walks all of them: a struct would be copied each time.
package final class BoundRule: Sendable {
    package let id: Located<String>
    /// The patterns of `hosts` that could be read, in source order.
    package let hosts: [BoundHost]
    package let body: BoundBody

    init(id: Located<String>, hosts: [BoundHost], body: BoundBody) {
        self.id = id
        self.hosts = hosts
        self.body = body
    }
}

/// One item of `hosts`.
package struct BoundHost: Sendable {
    package var pattern: HostPattern
    /// The pattern's canonical text.
    package var text: String
    package var span: SourceSpan
}

/// The keys of a rule or of `default`, without `hosts`. A class, as `BoundRule` is: most checks and
/// lint rules walk only the bodies.
package final class BoundBody: Sendable {
    /// The rule's id, or `default`; for messages.
    package let name: String
    /// The span of the id, or of the key `default`.
    package let key: SourceSpan
    package let anchors: BoundList<String>?
    package let pins: BoundList<String>?
    /// Whether `pins` may have been written but could not be read.
    package let mayHavePins: Bool
    package let profile: Located<String>?
    package var identity: BoundIdentity? { rare?.identity }
    package var waivers: [BoundWaiver] { rare?.waivers ?? [] }
    package var fields: BoundFields { rare?.fields ?? .none }
    package var note: Located<String>? { rare?.note }
    private let rare: RareParts?
    package let owner: Located<String>?
    /// Whether `owner` may have been written but could not be read.
    package let mayHaveOwner: Bool

    init(
        name: String, key: SourceSpan, anchors: BoundList<String>?, pins: BoundList<String>?,
        mayHavePins: Bool, profile: Located<String>?, identity: BoundIdentity?,
        waivers: [BoundWaiver], fields: BoundFields, owner: Located<String>?, mayHaveOwner: Bool,
        note: Located<String>?
    ) {
        self.name = name
        self.key = key
        self.anchors = anchors
        self.pins = pins
        self.mayHavePins = mayHavePins
        self.profile = profile
        let hasRare =
            identity != nil || !waivers.isEmpty || !fields.holdsNothing || note != nil
        self.rare = hasRare ? RareParts(identity, waivers, fields, note) : nil
        self.owner = owner
        self.mayHaveOwner = mayHaveOwner
    }
}

/// Large parts that few bodies have. They are stored apart from the bodies, because a large unit
/// has hundreds of thousands of bodies.
private final class RareParts: Sendable {
    let identity: BoundIdentity?
    let waivers: [BoundWaiver]
    let fields: BoundFields
    let note: Located<String>?

    init(
        _ identity: BoundIdentity?, _ waivers: [BoundWaiver], _ fields: BoundFields,
        _ note: Located<String>?
    ) {
        self.identity = identity
        self.waivers = waivers
        self.fields = fields
        self.note = note
    }
}

/// An entry of `report-only`.
package struct BoundReportOnly: Sendable {
    /// Nil for `all`.
    package var check: ReportOnly.Check?
    package var key: SourceSpan
    /// The last second in force; nil if it is missing or could not be read.
    package var until: UTCInstant?
    package var note: String?

    /// The text of the key.
    package var name: String { check?.name ?? "all" }

    /// The effect while the entry is in force; for messages.
    package var effect: String { check?.effect ?? "accepts what its checks refuse" }
}

extension ReportOnly.Check {
    /// The effect while an entry of `report-only` for the check is in force; for messages.
    package var effect: String {
        switch self {
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

/// A named profile. A class, as `BoundRule` is.
package final class BoundProfile: Sendable {
    package let id: Located<String>
    package let parent: Located<String>?
    package let fields: BoundFields

    init(id: Located<String>, parent: Located<String>?, fields: BoundFields) {
        self.id = id
        self.parent = parent
        self.fields = fields
    }
}

/// A named anchor set.
package struct BoundAnchorSet: Sendable {
    package var id: Located<String>
    package var include: BoundList<String>?
    package var files: BoundList<String>?
    /// The span of the key `pem`.
    package var pem: SourceSpan?
    /// Every certificate of `files` and `pem`, in the order in which the policy names them.
    package var members: [BoundAnchor] = []
    /// Certificates of `files`, `pem` and `intermediates` that are neither members nor offered,
    /// because the uses in OpenSSL's form do not trust them for servers.
    package var leftOut: [BoundAnchor] = []
    /// Whether everything that decides the members could be read.
    package var isComplete = true
    package var only: BoundMatches?
    package var exclude: BoundMatches?
    package var kind: Located<AnchorSetContents.Kind>?
    /// Whether `kind` is written but could not be read.
    package var hasUnreadableKind = false
    package var intermediates: BoundList<String>?
    /// Every certificate of `intermediates`, which the set offers to the path search.
    package var offers: [BoundAnchor] = []
    package var standard: Located<Standard>?
    package var ignoredLimits: Located<AnchorLimits>?
    package var constraints: BoundConstraints?
    package var owner: Located<String>?
    package var note: Located<String>?
}

extension BoundAnchorSet {
    /// Every certificate of `intermediates`, without its place.
    package var offered: [Certificate] { offers.map(\.certificate) }
}

/// A certificate of an anchor set, a member or one that the set offers.
package struct BoundAnchor: Sendable {
    package var certificate: Certificate
    /// The name of the certificate in messages: `certificate 2 of anchors/corp.pem`.
    package var name: String
    /// The span of the path that names the file, or of the key `pem`.
    package var span: SourceSpan
    /// The uses beside the certificate, where it is one of OpenSSL's trusted certificates.
    package var uses: TrustedUses? = nil
}

/// The identity of an anchor: two certificates with the same name and the same key are one anchor.
package struct NameAndKey: Hashable, Sendable {
    private let subject: UInt64
    private let key: [UInt8]

    package init(_ certificate: Certificate) {
        subject = certificate.layout.subjectHash
        key = certificate.keyOctets
    }
}

/// `only` or `exclude` of an anchor set.
package struct BoundMatches: Sendable {
    package var key: SourceSpan
    /// In source order, each id once.
    package var entries: [BoundMatchEntry]
}

/// `constraints` of an anchor set.
package struct BoundConstraints: Sendable {
    package var key: SourceSpan
    package var value = AnchorConstraints()
    /// The keys that are written, in the order of the language.
    package var parts: [Located<String>] = []

    /// The span of a key, by its name.
    package func part(_ name: String) -> SourceSpan? { parts.first { $0.value == name }?.span }
}

/// A named pin set. A class, because lint rules walk all of them, and a struct would be copied each
/// time.
package final class BoundPinSet: Sendable {
    /// The value of `match`.
    package enum Match: Sendable {
        case any, all
        case count(Int)
    }
    package let id: Located<String>
    /// In source order.
    package let keys: [BoundPin]
    package let backups: [BoundPin]
    /// Whether every entry of `keys` and `backups` could be read.
    package let isComplete: Bool
    package let match: Located<Match>?
    package let warnFrom: Located<UTCInstant>?
    package let enforceUntil: Located<UTCInstant>?
    /// Whether `enforce-until` may have been written but could not be read.
    package let mayHaveEnd: Bool
    package let onExpiry: Located<PinSetContents.OnExpiry>?
    package let owner: Located<String>?
    package let note: Located<String>?

    init(
        id: Located<String>, keys: [BoundPin] = [], backups: [BoundPin] = [], isComplete: Bool,
        match: Located<Match>? = nil, warnFrom: Located<UTCInstant>? = nil,
        enforceUntil: Located<UTCInstant>? = nil, mayHaveEnd: Bool = false,
        onExpiry: Located<PinSetContents.OnExpiry>? = nil, owner: Located<String>? = nil,
        note: Located<String>? = nil
    ) {
        self.id = id
        self.keys = keys
        self.backups = backups
        self.isComplete = isComplete
        self.match = match
        self.warnFrom = warnFrom
        self.enforceUntil = enforceUntil
        self.mayHaveEnd = mayHaveEnd
        self.onExpiry = onExpiry
        self.owner = owner
        self.note = note
    }
}

/// An entry of `keys` or `backups`.
package struct BoundPin: Sendable {
    package var id: Located<String>
    package var key: BoundKeyMatch
    package var position: PinPosition
    package var note: Located<String>?
}

/// The keys or certificates that a key match names.
package struct BoundKeyMatch: Sendable {
    /// The digests that satisfy the match, each once and in a fixed order; at least one.
    package var matches: [KeyMatch]
    /// The keys that the match names. Each key is a set of all known digests of the key and of its
    /// certificate, which tells whether two entries are the same key. For a written digest the set
    /// is that digest; for a file it is every digest, of every encoding of the key.
    package var keys: [Set<KeyMatch>]
    /// Those digests in `keys` that are of an encoding which is not the canonical one of its key.
    package var ofOtherEncodings: Set<KeyMatch> = []
    /// The certificates of the file, if the match names a file.
    package var certificates: [Certificate]
    /// The span of the digest or path.
    package var span: SourceSpan

    /// Whether the policy writes the digest. Then no file holds the key or certificate: for a file,
    /// every digest is known.
    package var isByDigest: Bool { keys.count == 1 && keys[0].count == 1 }

    /// Every known digest of the named keys and certificates.
    package var identities: Set<KeyMatch> {
        keys.count == 1 ? keys[0] : keys.reduce(into: []) { $0.formUnion($1) }
    }
}

/// An entry of `only` or `exclude`.
package struct BoundMatchEntry: Sendable {
    package var id: Located<String>
    package var key: BoundKeyMatch
}

/// The section `identity`.
package struct BoundIdentity: Sendable {
    package var reference: Located<IdentityRequirement.Reference>?
    /// Whether `reference` is written but could not be read.
    package var hasUnreadableReference = false
    /// The keys of the lists that are written, by name, in source order.
    package var lists: [Located<String>] = []
    package var dns: [Located<String>] = []
    package var ip: [Located<IPAddress>] = []
    package var email: [Located<String>] = []
    package var uri: [Located<String>] = []
    package var key: SourceSpan
    package var span: SourceSpan
}

/// An entry of `waivers`.
package struct BoundWaiver: Sendable {
    package var check: WaivedCheck
    package var key: SourceSpan
    /// The waiver; nil if a part of it is missing or could not be read.
    package var waiver: Waiver?
}

/// The checks that can be waived.
package enum WaivedCheck: String, Hashable, Sendable, CaseIterable {
    case identity, path, expired, revocation, pins, transparency, tls, keys, issuance, signatures
    case cleartext

    /// The key that says how far the waiver goes, for checks that have one.
    package var ownKey: String? {
        switch self {
        case .expired: return "tolerance"
        case .tls: return "minimum-version"
        case .keys: return "rsa-minimum"
        case .issuance: return "demands"
        case .signatures: return "minimum-hash"
        case .identity, .path, .revocation, .pins, .transparency, .cleartext: return nil
        }
    }

    /// The effect while the waiver is in force; for messages.
    package var effect: String {
        switch self {
        case .identity: return "accepts certificates for other names"
        case .path: return "accepts certificates that anyone can make"
        case .expired: return "accepts expired certificates"
        case .revocation: return "accepts revoked certificates"
        case .pins: return "accepts keys that are not pinned"
        case .transparency: return "accepts certificates that no log is known to hold"
        case .tls: return "accepts TLS versions below the baseline"
        case .keys: return "accepts RSA keys below the baseline"
        case .issuance: return "accepts certificates that do not meet demands on their issuers"
        case .signatures: return "accepts SHA-1 signatures"
        case .cleartext: return "accepts connections without TLS"
        }
    }
}
