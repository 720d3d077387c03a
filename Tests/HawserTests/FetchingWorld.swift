import EvidenceServer
import Foundation
import HawserYAML
import Synchronization
import TestPKI
import TrustEngine

@testable import Hawser

/// A chain whose certificates name a server on loopback, a policy that wants evidence, and a
/// fetcher with a clock of the test's.
struct FetchingWorld {
    static let pki = Scenario()
    static let host = "api.fetch.example"

    let root: Authority
    let issuing: Authority
    let leaf: Minted
    let engine: Engine
    var policy: PolicySnapshot { PolicySnapshot(engine) }
    let clock = TestClock()
    var request: TrustRequest

    /// - Parameters:
    ///   - server: `http://HOST:PORT`; the end entity names `/leaf.crl` and `/ocsp` beneath it.
    ///   - policy: the fields of `revocation`.
    init(
        server: String, policy: String = "preset: require, network: wait, sources: [crl, ocsp]",
        urls: Int = 1
    ) throws {
        root = Self.pki.root("Fetch Root", key: .p256("fetch root"))
        issuing = root.issueCA("Fetch Issuing", key: .p256("fetch issuing"), pathLength: 0)
        leaf = issuing.issueLeaf(dns: [Self.host]) { recipe in
            recipe.extensions += [
                .crlDistributionPoints(
                    (0..<urls).map { "\(server)/leaf\($0 == 0 ? "" : "\($0)").crl" }),
                .authorityInfoAccess(ocsp: ["\(server)/ocsp"], issuers: []),
            ]
        }
        let folder = try TemporaryFolder()
        try folder.write("root.pem", root.pem)
        try folder.write(
            "policy.yaml",
            """
            hawser: 1
            default: deny
            anchors:
              root: { files: [root.pem] }
            rules:
              api:
                hosts: ["\(Self.host)"]
                anchors: [root]
                revocation: { scope: leaf, \(policy) }

            """)
        engine = try TrustPolicy.load(folder.path).engine
        request = TrustRequest(
            host: Self.host, port: 443, presentedChain: [leaf.der, issuing.der],
            time: Scenario.judgedAt, tls: .observed(TLSParameters(version: .tls13)))
    }

    /// The same without a server that is reached: for transports of a test's own.
    init(policy: String = "preset: require, network: wait, sources: [crl, ocsp]") throws {
        try self.init(server: "http://crl.fetch.example", policy: policy)
    }

    /// The need of a CRL at a URL, about the end entity.
    func need(_ url: String) throws -> EvidenceNeed {
        try EvidenceNeed(
            WantedEvidence(
                source: .crl, url: url, certificate: leaf.parsed(),
                issuer: issuing.certificate.parsed(),
                issuerKey: Digest(.sha256, bytes: [UInt8](repeating: 0, count: 32))!,
                network: .wait),
            ports: [80], crypto: crypto)
    }

    /// A fetcher that may ask loopback at the server's port.
    func fetcher(
        _ server: EvidenceServer?, folder: String? = nil,
        transport: (any EvidenceTransport)? = nil,
        consent: FetchPermissions.Consent = .policy,
        _ change: (inout FetchLimits) -> Void = { _ in }
    ) throws -> EvidenceFetcher {
        var limits = FetchLimits()
        // A busy machine may take longer than a user would wait.
        limits.timePerExchange = .seconds(60)
        limits.timePerRequest = .seconds(120)
        change(&limits)
        var permissions = FetchPermissions()
        permissions.consent = consent
        if let server {
            permissions.networks = [AddressRange("127.0.0.0/8")!]
            permissions.ports = [server.port]
        }
        return EvidenceFetcher(
            limits: limits, permissions: permissions,
            folder: try folder.map {
                try EvidenceFolder(path: $0, limit: limits.diskOctets, crypto: crypto)
            },
            transport: transport
                ?? HTTPTransport(
                    vetting: AddressVetting(allowed: permissions.networks),
                    resolution: NameResolution()),
            clock: clock.now)
    }
}

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
    private let seconds = Mutex((wall: Scenario.judgedAt.secondsSinceEpoch, steady: Int64(0)))

    var now: @Sendable () -> UTCInstant {
        { self.seconds.withLock { UTCInstant(secondsSinceEpoch: $0.wall) } }
    }

    /// The clock that nobody sets.
    var steady: @Sendable () -> Duration {
        { self.seconds.withLock { .seconds($0.steady) } }
    }

    /// Lets time pass.
    func advance(_ by: Int64) {
        seconds.withLock {
            $0.wall += by
            $0.steady += by
        }
    }

    /// Sets the wall clock forward, or back.
    func set(_ by: Int64) { seconds.withLock { $0.wall += by } }
}

/// A transport that answers from a closure and remembers the questions.
final class ScriptedTransport: EvidenceTransport {
    private let asked = Mutex<[EvidenceQuestion]>([])
    private let script: @Sendable (EvidenceQuestion, Int) -> Result<[UInt8], FetchFailure>

    init(
        _ script: @escaping @Sendable (EvidenceQuestion, Int) -> Result<[UInt8], FetchFailure>
    ) {
        self.script = script
    }

    var questions: [EvidenceQuestion] { asked.withLock { $0 } }

    func answer(
        to question: EvidenceQuestion, maximumOctets: Int, by deadline: Deadline
    ) throws(FetchFailure) -> [UInt8] {
        asked.withLock { $0.append(question) }
        let answer = try script(question, maximumOctets).get()
        guard answer.count <= maximumOctets else { throw .tooLarge(limit: maximumOctets) }
        return answer
    }
}

extension Decision {
    /// `good`, or what rejects.
    var word: String {
        verdict.isAccept ? "accept" : verdict.violations.map(\.id).joined(separator: " ")
    }

    /// How every attempt ended: `kept`, `fetched`, or the failure's id.
    var outcomes: [String] {
        attempts.map { attempt in
            switch attempt.outcome {
            case .kept: return "kept"
            case .fetched: return "fetched"
            case .failed(let failure): return failure.code.rawValue
            }
        }
    }
}
