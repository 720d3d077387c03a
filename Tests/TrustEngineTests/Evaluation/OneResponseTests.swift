import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// One OCSP response that speaks of a certificate twice, or that was produced after the instant to
/// judge at: its effect under `revocation.preset: require`, however it comes.
@Suite("one response, several words") struct OneResponseTests {
    private static let root = Scenario().root("Root W", key: .p256("one response root"))
    private static let issuing = root.issueCA("Issuing W", key: .p256("one response issuing"))
    private static let leaf = issuing.issueLeaf(dns: [World.host])
    private static let revokedAt = UTCInstant.at("2026-05-01T12:00:00Z")

    // MARK: How it comes

    /// The ways in which a response reaches an evaluation.
    enum Delivery: String, CaseIterable, Sendable {
        case stapled, supplied
        case prepared = "prepared under its signer"
        case unverified = "prepared without a signer"

        func hand(_ response: [UInt8], to evidence: inout Evidence) throws {
            func prepare(_ signers: [Certificate]) throws -> PreparedEvidence {
                try PreparedEvidence(
                    ocspResponse: response, signers: signers, crypto: LibCryptoBackend())
            }
            switch self {
            case .stapled: evidence.stapledOCSP = response
            case .supplied: evidence.ocspResponses = [response]
            case .prepared:
                evidence.prepared = [try prepare([issuing.certificate.parsed()])]
            case .unverified: evidence.prepared = [try prepare([])]
            }
        }
    }

    private static func judge(
        _ response: [UInt8], _ delivery: Delivery, about leaf: Minted = leaf,
        _ change: (inout World) -> Void = { _ in }
    ) throws -> [String] {
        var world = World([leaf.der, issuing.der], roots: [root.der])
        world.requirements.revocation.causes = .require
        world.requirements.revocation.scope = .leaf
        try delivery.hand(response, to: &world.evidence)
        change(&world)
        return try world.judge().outcome
    }

    // MARK: Two statuses

    /// What stands beside a current `good`, and the verdict on both together.
    struct Beside: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: String
        let change: @Sendable (inout OCSPResponseRecipe.Single) -> Void
    }

    private static func beside(
        _ name: String, _ expected: String,
        _ change: @escaping @Sendable (inout OCSPResponseRecipe.Single) -> Void
    ) -> Beside {
        Beside(testDescription: name, expected: expected, change: change)
    }

    private static func isOver(_ single: inout OCSPResponseRecipe.Single) {
        single.thisUpdate = .day(-30)
        single.nextUpdate = .day(-20)
    }

    private static func isAhead(_ single: inout OCSPResponseRecipe.Single) {
        single.thisUpdate = .day(2)
        single.nextUpdate = .day(9)
    }

    static let others: [Beside] = [
        beside("good again", "accept") { _ in },
        beside("good, its window over", "accept") { isOver(&$0) },
        beside("good, its window ahead", "accept") { isAhead(&$0) },
        beside("good with a critical extension that nobody knows", "revocation-undetermined") {
            $0.extensions = [.unknown(critical: true)]
        },
        beside("unknown", "revocation-undetermined") { $0.status = .unknown },
        beside("unknown, its window over", "revocation-undetermined") {
            $0.status = .unknown
            isOver(&$0)
        },
        beside("unknown, its window ahead", "revocation-undetermined") {
            $0.status = .unknown
            isAhead(&$0)
        },
        beside("revoked", "revoked") { $0.status = .revoked(nil, at: revokedAt) },
        beside("revoked, its window over", "revoked") {
            $0.status = .revoked(.keyCompromise, at: revokedAt)
            isOver(&$0)
        },
        beside("revoked, its window ahead", "revocation-undetermined") {
            $0.status = .revoked(.keyCompromise, at: revokedAt)
            isAhead(&$0)
        },
        beside("revoked with a critical extension that nobody knows", "revocation-undetermined") {
            $0.status = .revoked(.keyCompromise, at: revokedAt)
            $0.extensions = [.unknown(critical: true)]
        },
        beside("on hold", "revoked") { $0.status = .revoked(.certificateHold, at: revokedAt) },
        beside("on hold, its window over", "accept") {
            $0.status = .revoked(.certificateHold, at: revokedAt)
            isOver(&$0)
        },
        beside("on hold, its window ahead", "revocation-undetermined") {
            $0.status = .revoked(.certificateHold, at: revokedAt)
            isAhead(&$0)
        },
        beside("unknown, of another certificate", "accept") {
            $0.status = .unknown
            $0.serial = [7]
        },
        beside("revoked, by a hash that nobody knows", "accept") {
            $0.status = .revoked(nil, at: revokedAt)
            $0.hash = .md5
        },
    ]

    /// Each status beside a current `good`, in both orders, with every pair of hashes that name the
    /// issuer, in every way of coming: always the same verdict.
    @Test("the strictest word of a response counts", arguments: others, Delivery.allCases)
    func strictest(other: Beside, delivery: Delivery) throws {
        let pairs: [(TestHash, TestHash)] = [
            (.sha1, .sha1), (.sha1, .sha256), (.sha256, .sha1), (.sha384, .sha512),
        ]
        for (hash, otherHash) in pairs {
            var good = OCSPResponseRecipe.Single(Self.leaf, of: Self.issuing)
            good.hash = hash
            var second = OCSPResponseRecipe.Single(Self.leaf, of: Self.issuing)
            second.hash = otherHash
            other.change(&second)
            for singles in [[good, second], [second, good]] {
                let response = Self.issuing.ocspResponse(for: Self.leaf) { $0.singles = singles }
                #expect(
                    try Self.judge(response, delivery) == [other.expected],
                    "\(hash) says good, \(otherHash) \(other.testDescription)")
            }
        }
    }

    @Test(
        "a response that contradicts itself vouches no better from a delegate",
        arguments: Delivery.allCases)
    func delegated(delivery: Delivery) throws {
        let delegate = Self.issuing.issueResponder("Responder", key: .p256("one response delegate"))
        for status in [OCSPResponseRecipe.Single.Status.good, .unknown] {
            let response = Self.issuing.ocspResponse(for: Self.leaf, by: delegate) {
                var second = $0.singles[0]
                second.status = status
                $0.singles.append(second)
            }
            #expect(
                try Self.judge(response, delivery)
                    == [status == .good ? "accept" : "revocation-undetermined"])
        }
    }

    @Test(
        "no key vouches for the status of its own certificate, whatever its purposes",
        arguments: Delivery.allCases)
    func ofItself(delivery: Delivery) throws {
        let leaf = Self.issuing.issueLeaf(dns: [World.host]) {
            $0.set(.extendedKeyUsage([OID.serverAuth, OID.ocspSigning]))
        }
        let good = Self.issuing.ocspResponse(for: leaf, by: leaf)
        #expect(try Self.judge(good, delivery, about: leaf) == ["revocation-undetermined"])
        let revoked = Self.issuing.ocspResponse(
            for: leaf, .revoked(nil, at: Self.revokedAt), by: leaf)
        #expect(try Self.judge(revoked, delivery, about: leaf) == ["revoked"])
    }

    @Test("another response still vouches")
    func anotherResponse() throws {
        let contradicting = Self.issuing.ocspResponse(for: Self.leaf) {
            var second = $0.singles[0]
            second.status = .unknown
            $0.singles.append(second)
        }
        #expect(
            try Self.judge(contradicting, .stapled) {
                $0.evidence.ocspResponses = [Self.issuing.ocspResponse(for: Self.leaf)]
            } == ["accept"])
    }

    // MARK: From the future

    private static let noon = Scenario.judgedAt

    /// producedAt and the clock skew, both in seconds, and what `good` is worth.
    static let instants: [(ahead: Int64, skew: Int64, isGood: Bool)] = [
        (-86_400, 0, true), (0, 0, true), (1, 0, false), (1, 1, true), (60, 60, true),
        (61, 60, false), (86_400 * 365, 60, false),
    ]

    @Test(
        "what is produced after the instant to judge at vouches for nothing",
        arguments: instants.indices, Delivery.allCases)
    func produced(index: Int, delivery: Delivery) throws {
        let (ahead, skew, isGood) = Self.instants[index]
        func outcome(_ status: OCSPResponseRecipe.Single.Status) throws -> [String] {
            let response = Self.issuing.ocspResponse(for: Self.leaf, status) {
                $0.producedAt = Self.noon.advanced(bySeconds: ahead)
            }
            return try Self.judge(response, delivery) { $0.requirements.clockSkew = skew }
        }
        #expect(try outcome(.good) == [isGood ? "accept" : "revocation-undetermined"])
        #expect(try outcome(.unknown) == ["revocation-undetermined"])
        #expect(try outcome(.revoked(.keyCompromise, at: Self.revokedAt)) == ["revoked"])
        #expect(try outcome(.revoked(.certificateHold, at: Self.revokedAt)) == ["revoked"])
    }

    @Test("it is kept from when it was produced, and until its window ends")
    func keeping() throws {
        func validity(producedAt: UTCInstant) throws -> ClosedRange<UTCInstant>? {
            try PreparedEvidence(
                ocspResponse: Self.issuing.ocspResponse(for: Self.leaf) {
                    $0.producedAt = producedAt
                }, signers: [], crypto: LibCryptoBackend()
            ).validity
        }
        #expect(try validity(producedAt: .day(-1)) == .day(-1)...(.day(6)))
        #expect(try validity(producedAt: .day(-2)) == .day(-1)...(.day(6)))
        #expect(try validity(producedAt: .day(1)) == .day(1)...(.day(6)))
        #expect(try validity(producedAt: .day(7)) == nil)
    }

    // MARK: Staples

    @Test("such a staple is not the good one that a certificate demands")
    func mustStaple() throws {
        let leaf = Self.issuing.issueLeaf(dns: [World.host]) {
            $0.extensions.append(.tlsFeatures([5]))
        }
        let changes: [(String, [String], (inout OCSPResponseRecipe) -> Void)] = [
            ("good", ["accept"], { _ in }),
            (
                "good and unknown", ["staple-missing"],
                {
                    $0.singles.append($0.singles[0])
                    $0.singles[1].status = .unknown
                }
            ),
            (
                "unknown by SHA-256 and good by SHA-1", ["staple-missing"],
                {
                    $0.singles.insert($0.singles[0], at: 0)
                    $0.singles[0].hash = .sha256
                    $0.singles[0].status = .unknown
                }
            ),
            (
                "good and revoked", ["revoked", "staple-missing"],
                {
                    $0.singles.append($0.singles[0])
                    $0.singles[1].status = .revoked(nil, at: Self.revokedAt)
                }
            ),
            (
                "produced tomorrow", ["staple-missing"],
                { $0.producedAt = Self.noon.advanced(bySeconds: 86_400) }
            ),
        ]
        for (name, expected, change) in changes {
            let staple = Self.issuing.ocspResponse(for: leaf, .good, change)
            let outcome = try Self.judge(staple, .stapled, about: leaf) {
                for cause in RevocationCause.allCases {
                    $0.requirements.revocation.causes[cause] = .pass
                }
            }
            #expect(outcome == expected, "\(name)")
        }
    }
}
