import LibCrypto
import TestPKI
import Testing

@testable import TrustEngine

/// One path and some evidence, open to change: asks the judge alone what the evidence says of a
/// certificate of the path, without a policy.
struct StatusWorld: Sendable {
    /// As the peer sent it, the end entity first; strays may follow.
    var chain: [[UInt8]]
    var roots: [[UInt8]]
    var lists: [[UInt8]] = []
    var responses: [[UInt8]] = []
    var staple: [UInt8]?
    /// Evidence that was prepared before the request.
    var prepared: [(PreparedEvidence, RevocationSource)] = []
    var time = Scenario.judgedAt
    var clockSkew: Int64 = 0
    var maximumAge: Int64?
    /// Weakest hash of signatures on evidence.
    var minimumHash = SignatureHash.sha256
    var workLimit = 1_000_000
    /// The certificate asked about, 0 the end entity.
    var position = 0

    /// What the judge says, with the work that it took.
    struct Outcome {
        /// In the words that tests ask for; see `Self.words`.
        var words: [String]
        var answers: [RevocationAnswer]
        var work: WorkBudget
    }

    /// The answers about the certificate on the first path that verifies.
    func judge() throws -> Outcome {
        let crypto = LibCryptoBackend()
        let pool = CertificatePool(
            presented: try chain.enumerated().map { index, der in
                CertificatePool.Presented(
                    certificate: try Certificate(der: der), wireIndex: index,
                    fingerprint: crypto.digest(.sha256, of: der.span))
            },
            offered: OfferedCertificates(),
            anchors: TrustAnchorIndex(
                try roots.enumerated().map { index, der in
                    TrustAnchor(
                        certificate: try Certificate(der: der), set: 0, kind: .root,
                        standard: .rfc5280, ignoredLimits: [], group: 0,
                        fingerprint: crypto.digest(.sha256, of: der.span), identity: index)
                }),
            sets: IndexView([0]), setIDs: ["corp"])
        let parameters = PathParameters(
            time: time, clockSkew: clockSkew, keyPurposes: KeyPurposes(serverAuth: true),
            maximumIntermediates: 8, keyTypes: .all, leafKeyTypes: .all, rsaMinimum: 2048,
            minimumHash: .sha256, signatureSchemes: .all, maximumLifetime: nil,
            certificatePolicies: CertificatePolicyGraph.Inputs(), enforcesIssuance: false,
            leniency: Leniency())
        var work = WorkBudget(limit: workLimit)
        let validator = PathValidator(pool: pool, parameters: parameters, crypto: crypto)
        var builder = PathBuilder(validator, pass: .search)
        // The search pays for these signatures, and the judge does not.
        var ledger = SignatureLedger()
        var searching = WorkBudget(limit: 1_000_000)
        var found: CandidatePath?
        while found == nil, let next = builder.next(ledger: ledger, budget: &work) {
            let failures = validator.failures(
                of: .signatures, on: next, ledger: &ledger, budget: &searching)
            if failures.isEmpty { found = next }
        }
        guard let path = found else { throw NoPath() }
        var evidence = RevocationEvidence()
        for (piece, source) in prepared { evidence.add(piece, from: source) }
        if let staple {
            try evidence.read(ocspResponse: staple, from: .stapled, crypto: crypto, budget: &work)
        }
        for der in responses {
            try evidence.read(ocspResponse: der, from: .ocsp, crypto: crypto, budget: &work)
        }
        for der in lists { try evidence.read(crl: der, crypto: crypto, budget: &work) }
        var judge = RevocationJudge(
            evidence: evidence, pool: pool, parameters: parameters, revoking: parameters,
            window: EvidenceWindow(time: time, clockSkew: clockSkew, maximumAge: maximumAge),
            minimumHash: minimumHash, crypto: crypto)
        let answers = try judge.answers(about: position, on: path, budget: &work)
        return Outcome(
            words: answers.map { StatusWorld.words($0.finding) }, answers: answers, work: work)
    }

    struct NoPath: Error {}

    /// `good`, `revoked keyCompromise`, or the cause and the problem: `stale expired`.
    static func words(_ finding: RevocationAnswer.Finding) -> String {
        switch finding {
        case .good: return "good"
        case .revoked(let reason, _): return "revoked \(reason.name)"
        case .revokedByFilter: return "revoked"
        case .unusable(.signerNotAllowed(let problem)):
            return "malformed \(problem.rawValue)"
        case .unusable(let problem):
            let name = String(describing: problem).prefix { $0 != "(" }
            return "\(problem.cause.name) \(name)"
        }
    }

    /// The same world, changed.
    func with(_ change: (inout StatusWorld) -> Void) -> StatusWorld {
        var world = self
        change(&world)
        return world
    }
}

/// One line of a table: the answer about a certificate.
struct StatusRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: [String]
    let world: StatusWorld

    init(_ name: String, _ expected: [String], _ world: StatusWorld) {
        self.testDescription = name
        self.expected = expected
        self.world = world
    }
}

/// A root, an issuing authority and its certificates, for tests of revocation.
struct RevocationAcme: Sendable {
    let root = Scenario().root("Root R", key: .p256("revocation root"))
    let issuing: Authority
    let leaf: Minted

    init() {
        issuing = root.issueCA("Issuing R", key: .p256("revocation issuing"))
        leaf = issuing.issueLeaf(dns: [World.host])
    }

    /// The good path with some CRLs.
    func world(lists: [[UInt8]] = [], responses: [[UInt8]] = []) -> StatusWorld {
        StatusWorld(
            chain: [leaf.der, issuing.der], roots: [root.der], lists: lists, responses: responses)
    }

    /// The path of another certificate of the issuing authority.
    func world(
        lists: [[UInt8]] = [], _ change: (inout CertificateRecipe) -> Void
    ) -> (world: StatusWorld, leaf: Minted) {
        let leaf = issuing.issueLeaf(dns: [World.host], change)
        return (
            StatusWorld(chain: [leaf.der, issuing.der], roots: [root.der], lists: lists), leaf
        )
    }
}
