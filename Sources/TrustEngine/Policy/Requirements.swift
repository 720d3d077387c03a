/// The flattened fields of a profile (LANGUAGE section 8). `Requirements()` is the baseline.
package struct Requirements: Hashable, Sendable {
    /// `path.maximum-intermediates`: certificates between leaf and anchor.
    package var maximumIntermediates: Int = 8
    /// `path.key-purposes`: one of them must be allowed along the whole path.
    package var keyPurposes: KeyPurposes = KeyPurposes(serverAuth: true)
    /// `path.certificate-policies`: contents octets of each object identifier, sorted, each once;
    /// empty for any (RFC 5280 section 6.1.1(c)).
    package var certificatePolicies: [[UInt8]] = []
    /// `path.explicit-policy: required` (section 6.1.1(f)).
    package var requiresExplicitPolicy: Bool = false
    /// `path.policy-mapping: inhibited` (section 6.1.1(e)).
    package var inhibitsPolicyMapping: Bool = false
    /// `path.any-policy: inhibited` (section 6.1.1(g)).
    package var inhibitsAnyPolicy: Bool = false
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
    /// `validity.lifetime-steps` that hold, sorted by date, each date once: empty where a nearer layer
    /// wrote `maximum-lifetime`.
    package var lifetimeSteps: [LifetimeStep] = []
    package var revocation = RevocationRequirement()
    package var transparency = TransparencyRequirement()
    package var tls = TLSRequirement()
    /// `forbidden-keys` of every layer, sorted by id.
    package var forbiddenKeys: [ForbiddenKey] = []
    /// `checks`: names that the program registers; sorted, each once.
    package var checks: [String] = []

    package init() {}

    /// The longest lifetime of an end entity issued at `notBefore`, seconds: the latest step at or
    /// before that instant, else `maximumLifetime`; nil for none.
    package func maximumLifetime(issuedAt notBefore: UTCInstant) -> Int64? {
        lifetimeSteps.last { $0.issuedFrom <= notBefore }?.maximum ?? maximumLifetime
    }
}

/// An item of `validity.lifetime-steps`.
package struct LifetimeStep: Hashable, Sendable, BitwiseCopyable {
    /// First second of notBefore for which it holds.
    package var issuedFrom: UTCInstant
    /// Seconds.
    package var maximum: Int64

    package init(issuedFrom: UTCInstant, maximum: Int64) {
        self.issuedFrom = issuedFrom
        self.maximum = maximum
    }
}

/// What a demand does when it is not met for a cause that has an action.
package enum CauseAction: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case fail = 0
    case report = 1
    case pass = 2

    /// The word in a policy.
    package var name: String {
        switch self {
        case .fail: return "fail"
        case .report: return "report"
        case .pass: return "pass"
        }
    }
}

/// `revocation`.
package struct RevocationRequirement: Hashable, Sendable {
    /// The effective `preset`; what holds is `causes`.
    package var preset: RevocationPreset = .bestEffort
    package var causes: RevocationCauses = .bestEffort
    /// In the order of preference; each once.
    package var sources: [RevocationSource] = [.stapled, .crl, .ocsp]
    package var scope: RevocationScope = .leafAndIntermediates
    package var network: RevocationNetwork = .never
    /// `maximum-age`, seconds since thisUpdate; nil for none.
    package var maximumAge: Int64? = nil
    /// `short-lived`, seconds; nil for none.
    package var shortLived: Int64? = nil

    package init() {}
}

/// `revocation.preset`.
package enum RevocationPreset: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case bestEffort = 0
    case require = 1

    /// The word in a policy.
    package var name: String { self == .bestEffort ? "best-effort" : "require" }
}

/// The action of each cause.
package struct RevocationCauses: Hashable, Sendable {
    private var actions: [CauseAction]

    private init(_ actions: [CauseAction]) { self.actions = actions }

    /// What `preset: best-effort` stands for.
    package static let bestEffort = RevocationCauses(
        [.report, .pass, .report, .report, .report, .report])
    /// What `preset: require` stands for.
    package static let require = RevocationCauses([.fail, .fail, .fail, .fail, .fail, .fail])

    /// What a preset stands for.
    package init(_ preset: RevocationPreset) {
        self = preset == .bestEffort ? .bestEffort : .require
    }

    package subscript(cause: RevocationCause) -> CauseAction {
        get { actions[Int(cause.rawValue)] }
        set { actions[Int(cause.rawValue)] = newValue }
    }

    /// Whether some cause rejects.
    package var someFail: Bool { actions.contains(.fail) }
    /// Whether some cause is reported.
    package var someReport: Bool { actions.contains(.report) }
}

/// `revocation.scope`.
package enum RevocationScope: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case leaf = 0
    case leafAndIntermediates = 1
    /// An anchor of kind intermediate too.
    case chain = 2

    /// The word in a policy.
    package var name: String {
        switch self {
        case .leaf: return "leaf"
        case .leafAndIntermediates: return "leaf-and-intermediates"
        case .chain: return "chain"
        }
    }
}

/// `revocation.network`.
package enum RevocationNetwork: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case never = 0
    case prefetch = 1
    case wait = 2

    /// The word in a policy.
    package var name: String {
        switch self {
        case .never: return "never"
        case .prefetch: return "prefetch"
        case .wait: return "wait"
        }
    }
}

/// `transparency`.
package struct TransparencyRequirement: Hashable, Sendable {
    package var preset: TransparencyPreset = .none
    /// `minimum-scts` and `minimum-operators` where a layer refines the preset; nil for what the
    /// preset stands for.
    package var minimumSCTs: Int? = nil
    package var minimumOperators: Int? = nil
    /// SHA-256 of the log list, which the policy's `logLists` holds; nil only where nothing is
    /// demanded.
    package var logList: Digest? = nil
    /// `log-list-maximum-age`, seconds; 70 days.
    package var logListMaximumAge: Int64 = 70 * 86_400
    package var whenStale: CauseAction = .fail
    /// Ids of anchor sets, sorted, each once.
    package var exemptAnchors: [String] = []

    package init() {}

    /// Whether transparency is demanded at all.
    package var isDemanded: Bool { preset != .none }
}

/// `transparency.preset`.
package enum TransparencyPreset: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case none = 0
    case chrome = 1
    case apple = 2

    /// The word in a policy.
    package var name: String {
        switch self {
        case .none: return "none"
        case .chrome: return "chrome"
        case .apple: return "apple"
        }
    }
}

/// `tls`.
package struct TLSRequirement: Hashable, Sendable {
    package var minimumVersion: TLSVersion = .tls12
    package var maximumVersion: TLSVersion = .tls13
    package var requiresForwardSecrecy: Bool = false
    /// IANA names in the order of preference, each once; empty for the library's own.
    package var cipherSuites: [String] = []
    package var groups: [String] = []
    package var signatureSchemes: [String] = []
    /// Application protocols in the order of preference; empty for any.
    package var alpn: [String] = []

    package init() {}
}

/// An entry of `forbidden-keys`: a path that holds the key is never accepted.
package struct ForbiddenKey: Hashable, Sendable {
    package var id: String
    /// Any one of these on the path; sorted, at least one.
    package var matches: [KeyMatch]
    /// Only for an end entity whose notBefore lies in the window; nil for every one.
    package var notBefore: DateWindow?

    package init(id: String, matches: [KeyMatch], notBefore: DateWindow? = nil) {
        self.id = id
        self.matches = matches
        self.notBefore = notBefore
    }
}
