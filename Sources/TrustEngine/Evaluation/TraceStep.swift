/// One entry of a trace: an id and a typed payload, never a sentence. The steps of a trace, in order,
/// suffice to recompute the verdict (`Trace.replayedVerdict()`).
public enum TraceStep: Hashable, Sendable {
    /// Which engine judged.
    case engine(EngineStep)
    /// What was asked.
    case request(RequestStep)
    /// A pattern that matches the host: the winner first, then the losers in order of specificity.
    case pattern(PatternStep)
    /// The rule that decides.
    case rule(RuleStep)
    /// One presented certificate, wire order.
    case certificate(CertificateStep)
    /// One demand of the rule: what is checked, and what a failure does.
    case demand(DemandStep)
    /// A candidate path, complete or a dead end; its checks follow.
    case path(PathStep)
    /// The outcome of one check.
    case check(CheckStep)
    /// How the search ended.
    case search(SearchStep)
    /// What it cost.
    case work(WorkStep)

    /// The stable id.
    public var id: String {
        switch self {
        case .engine: return "engine"
        case .request: return "request"
        case .pattern: return "pattern"
        case .rule: return "rule"
        case .certificate: return "certificate"
        case .demand: return "demand"
        case .path: return "path"
        case .check: return "check"
        case .search: return "search"
        case .work: return "work"
        }
    }
}

/// Which engine judged.
public struct EngineStep: Hashable, Sendable {
    /// Digest of the policy's meaning.
    public let policyDigest: Digest
    /// Digest of the system store, when the policy names it.
    public let systemStoreDigest: Digest?
    /// Until when the table is fresh; nil where it never is stale.
    public let freshness: TableFreshness?

    /// Which engine judged.
    package init(
        policyDigest: Digest, systemStoreDigest: Digest?, freshness: TableFreshness? = nil
    ) {
        self.policyDigest = policyDigest
        self.systemStoreDigest = systemStoreDigest
        self.freshness = freshness
    }
}

/// What was asked.
public struct RequestStep: Hashable, Sendable {
    /// The host as given.
    public let host: String
    /// The host as judged (canonical), or nil when it is none.
    public let canonicalHost: String?
    /// The port asked for.
    public let port: UInt16
    /// The instant judged at.
    public let time: UTCInstant
    /// How many certificates were presented.
    public let presented: Int
    /// What is known of the TLS parameters.
    public let tls: TLSState

    /// What was asked.
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
}

/// A pattern that matches the host.
public struct PatternStep: Hashable, Sendable {
    /// Why a pattern did not decide, or that it did.
    public enum Outcome: String, Hashable, Sendable {
        case selected
        /// The winner names the host exactly.
        case exactWins = "exact-wins"
        /// The winner has more labels.
        case moreLabelsWin = "more-labels-win"
        /// `*` comes before `**`.
        case oneLabelWins = "one-label-wins"
        /// The winner's prefix is longer.
        case longerPrefixWins = "longer-prefix-wins"
        /// Equal hosts: with port comes before without.
        case portWins = "port-wins"
    }

    /// Canonical text of the pattern.
    public let pattern: String
    /// The rule it belongs to.
    public let rule: String
    /// What became of it.
    public let outcome: Outcome

    /// A pattern that matches the host.
    package init(pattern: String, rule: String, outcome: Outcome) {
        self.pattern = pattern
        self.rule = rule
        self.outcome = outcome
    }
}

/// The rule that decides.
public struct RuleStep: Hashable, Sendable {
    /// How the rule was found.
    public enum Selection: Hashable, Sendable {
        /// By a pattern (canonical text).
        case pattern(String)
        /// No pattern matched; the body of `default` decides.
        case defaultBody
        /// No pattern matched and `default` is `deny`.
        case defaultDeny
    }

    /// The rule's id; empty for `default`.
    public let rule: String
    /// How the rule was found.
    public let selection: Selection
    /// The profile it names.
    public let profile: String
    /// Ids of its anchor sets.
    public let anchors: [String]
    /// Ids of its pin sets.
    public let pins: [String]
    /// How soon a revocation takes effect under it; nil for `default: deny`. Waivers and report-only are
    /// not in it.
    public let guarantee: RevocationGuarantee?
    /// Digest of its log list; nil where it has none.
    public let logListDigest: Digest?

    /// The rule that decides.
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
    /// What became of it.
    public enum Status: Hashable, Sendable {
        case read(subject: String, fingerprint: Digest)
        /// The same octets as an earlier one.
        case duplicate(of: Int)
        /// It does not parse and is not used.
        case setAside(CertificateError)
    }

    /// Place in the presented chain, 0 first.
    public let index: Int
    /// What became of it.
    public let status: Status

    /// One presented certificate.
    package init(index: Int, status: Status) {
        self.index = index
        self.status = status
    }
}

/// One demand.
public struct DemandStep: Hashable, Sendable {
    /// What a failure does.
    public enum Enforcement: Hashable, Sendable {
        case enforced
        /// Reported while the waiver is in force, as far as its limit where it has one.
        case waived(until: UTCInstant, limit: WaiverLimit?)
        /// Reported, by `report-only` to its last second; nil for what never rejects. Some failures of
        /// the check may reject all the same: another pin set, another of several registered checks,
        /// what fails the baseline.
        case reported(until: UTCInstant?)
    }

    /// How far a waiver goes.
    public enum WaiverLimit: Hashable, Sendable {
        /// `expired`: seconds past notAfter.
        case tolerance(seconds: Int64)
        /// `keys`: fewest bits of an RSA key.
        case rsaMinimum(Int)
        /// `signatures`: weakest hash.
        case minimumHash(SignatureHash)
        /// `tls`: lowest version.
        case minimumVersion(TLSVersion)
    }

    /// The check.
    public let check: Check
    /// What a failure does.
    public let enforcement: Enforcement
    /// Where the demand is written: a JSON pointer of `Provenance` whose layers a renderer resolves
    /// (`/rules/api/pins`), or nil where the standard makes it.
    public let pointer: String?

    /// One demand.
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
        /// At an anchor of the rule, on that set's terms.
        case anchor(set: String, standard: Standard)
        /// Nothing further was found.
        case deadEnd
        /// The end entity alone, tried under a waiver of `path`.
        case endEntityAlone
    }

    /// Counts from 1 in the order of trying.
    public let number: Int
    /// End entity first.
    public let certificates: [CertificateReference]
    /// How it ends.
    public let end: End

    /// A candidate path.
    package init(number: Int, certificates: [CertificateReference], end: End) {
        self.number = number
        self.certificates = certificates
        self.end = end
    }
}

/// The outcome of one check.
public struct CheckStep: Hashable, Sendable {
    /// What was found.
    public enum Outcome: Hashable, Sendable {
        /// It holds; `found` names both sides where there is something to name (wanted, found).
        case passed(Passed?)
        /// It does not.
        case failed([Violation])
        /// It does not, and what failed is within what a waiver or report mode lets through.
        case tolerated([Reported])
        /// It was not asked, as it rests on a check that failed.
        case notAsked
    }

    /// What made a check pass, where that is worth saying.
    public enum Passed: Hashable, Sendable {
        /// The reference identifier and the presented identifier that matched it.
        case identity(reference: String, presented: String)
        /// The pin set, and the entries that matched with the place of the path they matched at.
        case pins([PinHit])
        /// Validation time within the validity period of every certificate; the narrowest bounds.
        case validity(notBefore: UTCInstant, notAfter: UTCInstant)
        /// How many signatures were verified.
        case signatures(Int)
        /// The anchor set that holds the anchor.
        case anchor(set: String)
        /// The anchor set whose constraints the end entity meets, and the keys it writes.
        case constraints(set: String, keys: [String])
        /// Certificates between end entity and anchor.
        case intermediates(maximum: Int, actual: Int)
        /// The purposes wanted, and those that the end entity names (none: it allows any).
        case purposes(wanted: [String], allowed: [String])
        /// The key types and RSA size wanted, and the key of each certificate, end entity first:
        /// `p256`, `rsa 2048`.
        case keys(types: [String], rsaMinimum: Int, found: [String])
        /// The hash and schemes wanted, and each signature below the anchor, end entity first:
        /// `ecdsa sha256`.
        case signatureAlgorithms(minimumHash: String, schemes: [String], found: [String])
        /// The end entity's validity period, seconds.
        case lifetime(maximum: Int64, actual: Int64)
        /// A negotiated version and its bounds, and both sides of whatever else is demanded.
        case tls(
            version: TLSVersion, minimum: TLSVersion, maximum: TLSVersion, parameters: [TLSMatch])
        /// Ids of the forbidden keys, none of which is on the path.
        case forbiddenKeys([String])
        /// The certificate policies wanted (any, where the list is empty) and those that the end
        /// entity asserts; dotted identifiers.
        case certificatePolicies(wanted: [String], found: [String])
        /// Names of the registered checks that passed.
        case checks([String])
        /// The anchor set whose paths need no timestamps.
        case exempt(set: String)
        /// What the end entity's timestamps come to; they need not meet the demand where the log list is
        /// too old and the rule lets that pass.
        case transparency(TransparencyReport)
        /// What the evidence says of each certificate that is asked about, end entity first.
        case revocation([RevocationStanding])
        /// The revocation evidence that was handed over.
        case evidence([EvidenceRecord])
    }

    /// A TLS parameter that is among those allowed.
    public struct TLSMatch: Hashable, Sendable {
        /// `cipher-suite`, `group`, `signature-scheme`, `alpn`; `forward-secrecy` by the suite.
        public let parameter: String
        /// What was negotiated.
        public let found: String
        /// What the policy lists; empty for forward secrecy.
        public let allowed: [String]

        /// A parameter that is allowed.
        package init(parameter: String, found: String, allowed: [String]) {
            self.parameter = parameter
            self.found = found
            self.allowed = allowed
        }
    }

    /// One pin that matched.
    public struct PinHit: Hashable, Sendable {
        /// The pin set.
        public let set: String
        /// The entry's id.
        public let entry: String
        /// Whether it stands in `backups`.
        public let isBackup: Bool
        /// Place on the path, 0 the end entity.
        public let position: Int

        /// One pin that matched.
        package init(set: String, entry: String, isBackup: Bool, position: Int) {
            self.set = set
            self.entry = entry
            self.isBackup = isBackup
            self.position = position
        }
    }

    /// The path it was asked of; 0 for the request itself.
    public let path: Int
    /// The check.
    public let check: Check
    /// What became of it.
    public let outcome: Outcome
    /// Notices that an accept of this path carries.
    public let notices: [Notice]
    /// Evidence that would have been used.
    public let wanted: [WantedEvidence]

    /// The outcome of one check.
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

/// What revocation came to for one certificate of a path that passes.
public struct RevocationStanding: Hashable, Sendable {
    /// Why it passes.
    public enum Finding: Hashable, Sendable {
        /// Evidence of this kind says that it is not revoked.
        case good(RevocationSource)
        /// Its lifetime is within `revocation.short-lived`.
        case shortLived
        /// Its status is not known, and the rule lets this cause pass.
        case letPass(RevocationCause)
    }

    /// The certificate.
    public let certificate: CertificateReference
    /// Why it passes.
    public let finding: Finding
    /// Everything that the evidence says of it.
    public let answers: [RevocationAnswer]

    /// What revocation came to for a certificate.
    package init(
        certificate: CertificateReference, finding: Finding, answers: [RevocationAnswer]
    ) {
        self.certificate = certificate
        self.finding = finding
        self.answers = answers
    }
}

/// One piece of revocation evidence as it was handed over.
public struct EvidenceRecord: Hashable, Sendable {
    /// How it came.
    public let source: RevocationSource
    /// SHA-256 of its octets.
    public let digest: Digest
    /// Why it does not parse; nil when it does.
    public let problem: EvidenceError?

    /// A piece of evidence.
    package init(source: RevocationSource, digest: Digest, problem: EvidenceError?) {
        self.source = source
        self.digest = digest
        self.problem = problem
    }
}

/// How the search ended.
public struct SearchStep: Hashable, Sendable {
    /// Why it stopped.
    public enum End: Hashable, Sendable {
        /// This path meets every demand.
        case satisfied(path: Int)
        /// Every candidate path was tried.
        case exhausted
        /// The budget ran out.
        case budget
        /// It never began: the request itself decides.
        case notBegun
    }

    /// How it ends.
    public let end: End
    /// The budget, cost units.
    public let limit: Int

    /// How the search ended.
    package init(end: End, limit: Int) {
        self.end = end
        self.limit = limit
    }
}

/// What an evaluation cost.
public struct WorkStep: Hashable, Sendable {
    /// Cost units spent.
    public let spent: Int
    /// Units that might be spent.
    public let limit: Int
    /// Signatures verified, or charged as verified.
    public let signatures: Int
    /// Candidate paths judged.
    public let paths: Int

    /// What an evaluation cost.
    package init(spent: Int, limit: Int, signatures: Int, paths: Int) {
        self.spent = spent
        self.limit = limit
        self.signatures = signatures
        self.paths = paths
    }
}

/// A recorded evaluation.
public struct Trace: Hashable, Sendable {
    /// In the order in which they happened.
    public let steps: [TraceStep]

    /// A trace of steps.
    public init(steps: [TraceStep]) { self.steps = steps }
}
