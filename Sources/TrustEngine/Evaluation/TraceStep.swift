/// One step of a trace: an id and a typed payload, never a sentence. The steps of a trace, in
/// order, suffice to recompute the verdict (`Trace.replayedVerdict()`).
public enum TraceStep: Hashable, Sendable {
    /// The engine that judged.
    case engine(EngineStep)
    /// The request that was judged.
    case request(RequestStep)
    /// A pattern that matches the host. The deciding pattern comes first, then the others, the most
    /// specific first.
    case pattern(PatternStep)
    /// The rule that decides.
    case rule(RuleStep)
    /// One presented certificate; the steps come in wire order.
    case certificate(CertificateStep)
    /// The key of a presented certificate; the step follows the certificate's step.
    case presentedKey(PresentedKeyStep)
    /// The addresses at which a presented certificate says that its issuer's certificate is; the
    /// step follows the certificate's step.
    case issuerAddresses(IssuerAddressesStep)
    /// The chain begins with a CA, and another certificate is the server's own.
    case misplacedEndEntity(MisplacedEndEntityStep)
    /// One demand of the rule: the check, and what a failure of it does.
    case demand(DemandStep)
    /// A candidate path, complete or a dead end. The steps of its checks follow.
    case path(PathStep)
    /// The outcome of one check.
    case check(CheckStep)
    /// How the search ended.
    case search(SearchStep)
    /// What the evaluation cost.
    case work(WorkStep)

    /// The stable id of the kind of step.
    public var id: String {
        switch self {
        case .engine: return "engine"
        case .request: return "request"
        case .pattern: return "pattern"
        case .rule: return "rule"
        case .certificate: return "certificate"
        case .presentedKey: return "presented-key"
        case .issuerAddresses: return "issuer-addresses"
        case .misplacedEndEntity: return "misplaced-end-entity"
        case .demand: return "demand"
        case .path: return "path"
        case .check: return "check"
        case .search: return "search"
        case .work: return "work"
        }
    }
}

/// The engine that judged.
public struct EngineStep: Hashable, Sendable {
    /// Digest of the policy's meaning.
    public let policyDigest: Digest
    /// Digest of the system store, when the policy names it.
    public let systemStoreDigest: Digest?
    /// Until when the table is fresh; nil where the table never becomes stale.
    public let freshness: TableFreshness?

    /// Makes the step from its values.
    package init(
        policyDigest: Digest, systemStoreDigest: Digest?, freshness: TableFreshness? = nil
    ) {
        self.policyDigest = policyDigest
        self.systemStoreDigest = systemStoreDigest
        self.freshness = freshness
    }
}

/// The request that was judged.
public struct RequestStep: Hashable, Sendable {
    /// The host as the caller gave it.
    public let host: String
    /// The host in canonical form; nil when the given host is neither a name nor an address.
    public let canonicalHost: String?
    /// The port of the request.
    public let port: UInt16
    /// The instant at which the request was judged.
    public let time: UTCInstant
    /// How many certificates were presented.
    public let presented: Int
    /// The state of the TLS parameters.
    public let tls: TLSState

    /// Makes the step from its values.
    package init(
        host: String, canonicalHost: String?, port: UInt16, time: UTCInstant, presented: Int,
        tls: TLSState
    ) {
        self.host = host
        self.canonicalHost = canonicalHost
        self.port = port
        self.time = time
        self.presented = presented
        self.tls = tls
    }

    /// Makes the step of a request.
    init(_ request: TrustRequest, canonicalHost: String?) {
        self.init(
            host: request.host, canonicalHost: canonicalHost, port: request.port,
            time: request.time, presented: request.presentedChain.count, tls: request.tls)
    }
}

/// A pattern that matches the host.
public struct PatternStep: Hashable, Sendable {
    /// Whether the pattern decides, and if not, why not.
    public enum Outcome: String, Hashable, Sendable {
        case selected
        /// The deciding pattern names the host exactly.
        case exactWins = "exact-wins"
        /// The deciding pattern has more labels.
        case moreLabelsWin = "more-labels-win"
        /// The deciding pattern has `*` where this pattern has `**`.
        case oneLabelWins = "one-label-wins"
        /// The deciding pattern has a longer prefix.
        case longerPrefixWins = "longer-prefix-wins"
        /// The hosts are equal, and only the deciding pattern has a port.
        case portWins = "port-wins"
    }

    /// Canonical text of the pattern.
    public let pattern: String
    /// Id of the rule that the pattern belongs to.
    public let rule: String
    /// Whether the pattern decides, and if not, why not.
    public let outcome: Outcome

    /// Makes the step from its values.
    package init(pattern: String, rule: String, outcome: Outcome) {
        self.pattern = pattern
        self.rule = rule
        self.outcome = outcome
    }
}

/// The rule that decides.
public struct RuleStep: Hashable, Sendable {
    /// How the rule was selected.
    public enum Selection: Hashable, Sendable {
        /// By a pattern, given in its canonical text.
        case pattern(String)
        /// No pattern matches the host, and the body of `default` decides.
        case defaultBody
        /// No pattern matches the host, and `default` is `deny`.
        case defaultDeny
    }

    /// The rule's id; empty for `default`.
    public let rule: String
    /// How the rule was selected.
    public let selection: Selection
    /// Id of the profile that the rule names.
    public let profile: String
    /// Ids of the rule's anchor sets.
    public let anchors: [String]
    /// Ids of the rule's pin sets.
    public let pins: [String]
    /// How soon a revocation takes effect under the rule, without its waivers and `report-only`.
    /// Nil for `default: deny`.
    public let guarantee: RevocationGuarantee?
    /// Digest of the rule's log list; nil where the rule has none.
    public let logListDigest: Digest?

    /// Makes the step from its values.
    package init(
        rule: String, selection: Selection, profile: String, anchors: [String], pins: [String],
        guarantee: RevocationGuarantee?, logListDigest: Digest? = nil
    ) {
        self.rule = rule
        self.selection = selection
        self.profile = profile
        self.anchors = anchors
        self.pins = pins
        self.guarantee = guarantee
        self.logListDigest = logListDigest
    }
}

/// One presented certificate.
public struct CertificateStep: Hashable, Sendable {
    /// Whether the certificate could be used.
    public enum Status: Hashable, Sendable {
        case read(subject: String, fingerprint: Digest)
        /// The certificate has the same octets as the earlier certificate with this index.
        case duplicate(of: Int)
        /// The certificate does not parse and is not used.
        case setAside(CertificateError)
    }

    /// Index in the presented chain; the end entity has 0.
    public let index: Int
    /// Whether the certificate could be used.
    public let status: Status

    /// Makes the step from its values.
    package init(index: Int, status: Status) {
        self.index = index
        self.status = status
    }
}

/// One demand of the rule.
public struct DemandStep: Hashable, Sendable {
    /// What a failure of the check does.
    public enum Enforcement: Hashable, Sendable {
        case enforced
        /// A failure is reported while the waiver is in force, as far as the waiver's limit allows.
        case waived(until: UTCInstant, limit: WaiverLimit?)
        /// A failure is reported: by `report-only` up to and including the instant, or always where
        /// the instant is nil. Some failures of the check may still reject: a failure of another
        /// pin set, of another registered check, and a failure of the baseline.
        case reported(until: UTCInstant?)
    }

    /// The limit of a waiver.
    public enum WaiverLimit: Hashable, Sendable {
        /// `expired`: seconds after notAfter.
        case tolerance(seconds: Int64)
        /// `keys`: fewest bits of an RSA key.
        case rsaMinimum(Int)
        /// `demands`: ids of the demands whose breach is let through.
        case demands([String])
        /// `signatures`: weakest hash.
        case minimumHash(SignatureHash)
        /// `tls`: lowest version.
        case minimumVersion(TLSVersion)
    }

    /// The check that the demand is about.
    public let check: Check
    /// What a failure of the check does.
    public let enforcement: Enforcement
    /// Where the demand is written: a JSON pointer of `Provenance`, such as `/rules/api/pins`,
    /// whose layers a renderer resolves. Nil where the standard makes the demand.
    public let pointer: String?

    /// Makes the step from its values.
    package init(check: Check, enforcement: Enforcement, pointer: String?) {
        self.check = check
        self.enforcement = enforcement
        self.pointer = pointer
    }
}

/// A candidate path.
public struct PathStep: Hashable, Sendable {
    /// How a candidate path ends.
    public enum End: Hashable, Sendable {
        /// At an anchor of the rule, which belongs to `set` and is judged by `standard`.
        case anchor(set: String, standard: Standard)
        /// At a certificate for which no issuer was found.
        case deadEnd
        /// At the end entity, which is tried alone under a waiver of `path`.
        case endEntityAlone
    }

    /// Number of the path, from 1 in the order in which paths were tried.
    public let number: Int
    /// The certificates of the path, end entity first.
    public let certificates: [CertificateReference]
    /// How the path ends.
    public let end: End

    /// Makes the step from its values.
    package init(number: Int, certificates: [CertificateReference], end: End) {
        self.number = number
        self.certificates = certificates
        self.end = end
    }
}

/// The outcome of one check.
public struct CheckStep: Hashable, Sendable {
    /// The outcome of a check.
    public enum Outcome: Hashable, Sendable {
        /// The demand is met. The value names both sides, demanded and found, where there is
        /// something to name.
        case passed(Passed?)
        /// The demand is not met, for each of these violations.
        case failed([Violation])
        /// The demand is not met, and a waiver or `report-only` lets every failure through.
        case tolerated([Reported])
        /// The check was not made, because it rests on another check that failed.
        case notAsked
    }

    /// The values that made a check pass. Each value is a box of its own: a step is copied far more
    /// often than its values are read, and one pointer has no octets that nobody has written.
    public indirect enum Passed: Hashable, Sendable {
        /// The reference identifier and the presented identifier that matched it.
        case identity(reference: String, presented: String)
        /// The entries of pin sets that matched.
        case pins([PinHit])
        /// The validation time lies within the validity period of every certificate. The values are
        /// the latest notBefore and the earliest notAfter.
        case validity(notBefore: UTCInstant, notAfter: UTCInstant)
        /// The number of signatures that verify.
        case signatures(Int)
        /// The anchor set that the anchor belongs to.
        case anchor(set: String)
        /// The anchor set whose constraints the end entity meets, and the keys of `constraints`
        /// that the set writes.
        case constraints(set: String, keys: [String])
        /// The limit and the number of certificates between the end entity and the anchor.
        case intermediates(maximum: Int, actual: Int)
        /// The demanded purposes, and the purposes that the end entity names; empty where the end
        /// entity allows any purpose.
        case purposes(wanted: [String], allowed: [String])
        /// The demanded key types and RSA size, and the key of each certificate, end entity first:
        /// `p256`, `rsa 2048`.
        case keys(types: [String], rsaMinimum: Int, found: [String])
        /// The demanded hash and schemes, and each signature below the anchor, end entity first:
        /// `ecdsa sha256`.
        case signatureAlgorithms(minimumHash: String, schemes: [String], found: [String])
        /// The longest lifetime that is allowed and the end entity's lifetime, in seconds.
        case lifetime(maximum: Int64, actual: Int64)
        /// The negotiated version and its bounds, and each other demanded parameter with the value
        /// that was found.
        case tls(
            version: TLSVersion, minimum: TLSVersion, maximum: TLSVersion, parameters: [TLSMatch])
        /// Ids of the entries of `forbidden-keys`; none of their keys is on the path.
        case forbiddenKeys([String])
        /// The demanded certificate policies, empty for any, and the certificate policies that the
        /// end entity asserts; dotted identifiers.
        case certificatePolicies(wanted: [String], found: [String])
        /// Names of the registered checks that passed.
        case checks([String])
        /// The anchor set whose paths need no timestamps.
        case exempt(set: String)
        /// The end entity's timestamps. They may fall short of the demand where the log list is too
        /// old and the rule lets that pass.
        case transparency(TransparencyReport)
        /// The revocation status of each certificate in scope, end entity first.
        case revocation([RevocationStanding])
        /// The revocation evidence that the caller supplied.
        case evidence([EvidenceRecord])
    }

    /// A negotiated TLS parameter that the rule allows.
    public struct TLSMatch: Hashable, Sendable {
        /// `cipher-suite`, `group`, `signature-scheme`, `alpn`, or `forward-secrecy`, which the
        /// suite decides.
        public let parameter: String
        /// The negotiated value.
        public let found: String
        /// The values that the policy lists; empty for `forward-secrecy`.
        public let allowed: [String]

        /// Makes a match from its values.
        package init(parameter: String, found: String, allowed: [String]) {
            self.parameter = parameter
            self.found = found
            self.allowed = allowed
        }
    }

    /// One entry of a pin set that matched.
    public struct PinHit: Hashable, Sendable {
        /// Id of the pin set.
        public let set: String
        /// Id of the entry.
        public let entry: String
        /// Whether the entry stands in `backups`.
        public let isBackup: Bool
        /// Position on the path at which the entry matched; the end entity has 0.
        public let position: Int

        /// Makes a hit from its values.
        package init(set: String, entry: String, isBackup: Bool, position: Int) {
            self.set = set
            self.entry = entry
            self.isBackup = isBackup
            self.position = position
        }
    }

    /// Number of the path that was checked; 0 for a check of the request itself.
    public let path: Int
    /// The check that was made.
    public let check: Check
    /// The outcome of the check.
    public let outcome: Outcome
    /// Notices that an accept of this path carries.
    public let notices: [Notice]
    /// Evidence that the check would have used and that was not supplied.
    public let wanted: [WantedEvidence]

    /// Makes the step from its values.
    package init(
        path: Int, check: Check, outcome: Outcome, notices: [Notice] = [],
        wanted: [WantedEvidence] = []
    ) {
        self.path = path
        self.check = check
        self.outcome = outcome
        self.notices = notices
        self.wanted = wanted
    }
}

/// Why revocation lets one certificate of a path pass.
public struct RevocationStanding: Hashable, Sendable {
    /// Why the certificate passes.
    public enum Finding: Hashable, Sendable {
        /// Evidence of this source says that the certificate is not revoked.
        case good(RevocationSource)
        /// The certificate's lifetime is within `revocation.short-lived`.
        case shortLived
        /// The certificate's status is not known, and the rule lets this cause pass.
        case letPass(RevocationCause)
    }

    /// The certificate that passes.
    public let certificate: CertificateReference
    /// Why the certificate passes.
    public let finding: Finding
    /// Every answer of the evidence about the certificate.
    public let answers: [RevocationAnswer]

    /// Makes a standing from its values.
    package init(
        certificate: CertificateReference, finding: Finding, answers: [RevocationAnswer]
    ) {
        self.certificate = certificate
        self.finding = finding
        self.answers = answers
    }
}

/// One piece of revocation evidence as the caller supplied it.
public struct EvidenceRecord: Hashable, Sendable {
    /// How the evidence came.
    public let source: RevocationSource
    /// SHA-256 of the evidence's octets.
    public let digest: Digest
    /// Why the evidence does not parse; nil when it parses.
    public let problem: EvidenceError?

    /// Makes a record from its values.
    package init(source: RevocationSource, digest: Digest, problem: EvidenceError?) {
        self.source = source
        self.digest = digest
        self.problem = problem
    }
}

/// How the search ended.
public struct SearchStep: Hashable, Sendable {
    /// Why the search stopped.
    public enum End: Hashable, Sendable {
        /// The path with this number meets every demand.
        case satisfied(path: Int)
        /// Every candidate path was judged.
        case exhausted
        /// The work budget ran out.
        case budget
        /// The search never began, because the request itself decides.
        case notBegun
    }

    /// Why the search stopped.
    public let end: End
    /// The work budget of the evaluation, in cost units.
    public let limit: Int

    /// Makes the step from its values.
    package init(end: End, limit: Int) {
        self.end = end
        self.limit = limit
    }
}

/// What an evaluation cost.
public struct WorkStep: Hashable, Sendable {
    /// Cost units spent.
    public let spent: Int
    /// Cost units that the evaluation could spend.
    public let limit: Int
    /// Signatures verified, or charged as verified.
    public let signatures: Int
    /// Candidate paths judged.
    public let paths: Int

    /// Makes the step from its values.
    package init(spent: Int, limit: Int, signatures: Int, paths: Int) {
        self.spent = spent
        self.limit = limit
        self.signatures = signatures
        self.paths = paths
    }
}
