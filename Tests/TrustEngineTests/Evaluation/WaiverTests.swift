import TestPKI
import Testing
import TrustEngine

/// What a waiver lets through, to the second (LANGUAGE section 10), and how it steers (12.1).
@Suite("waivers") struct WaiverTests {
    private static let acme = Acme()
    private static let last = UTCInstant.at("2026-06-10T23:59:59Z")
    private static let stranger = Scenario().root("Root S", key: .p256("evaluation stranger"))
    private static let estranged = stranger.issueLeaf(
        dns: [World.host], key: .p256("evaluation estranged"))

    private static func waived(_ tolerance: Waiver.Tolerance, _ world: World) -> World {
        world.with {
            $0.waive(tolerance, until: last)
            $0.time = last
            $0.requirements.clockSkew = 3_600
        }
    }

    private static let rows: [Row] = [
        Row(
            "identity", ["name-mismatch"],
            waived(
                .identity,
                acme.presenting { $0.set(.subjectAltName([.dns("www.acme.example")])) })),
        Row(
            "path: unknown issuer", ["issuer-not-found"],
            waived(.path, World([estranged.der], roots: [acme.root.der]))),
        Row(
            "path: stranger sent", ["issuer-not-found"],
            waived(.path, World([estranged.der, stranger.der], roots: [acme.root.der]))),
        Row(
            "path: self-signed", ["self-signed-leaf"],
            waived(
                .path,
                World(
                    [Scenario().selfSignedLeaf(dns: [World.host]).der], roots: [acme.root.der]))),
        Row(
            "expired", ["expired"],
            waived(
                .expired(seconds: 2 * 86_400), acme.presenting { $0.notAfter = .at("2026-06-10") })),
        Row(
            "keys", ["key-too-small"],
            waived(
                .keys(rsaMinimum: 1024),
                World([small.der, acme.issuing.der], roots: [acme.root.der]))),
        Row(
            "signatures", ["hash-too-weak"],
            waived(
                .signatures(minimumHash: .sha1),
                acme.presenting { $0.signature = .ecdsa(.sha1) })),
        Row(
            "tls", ["tls-version"],
            waived(
                .tls(minimumVersion: .tls10),
                acme.world.with { $0.tls = .observed(TLSParameters(version: .tls10)) })),
        Row(
            "revocation: a staple that is demanded", ["revocation-undetermined", "staple-missing"],
            waived(.revocation, acme.presenting { $0.set(.tlsFeatures([5])) })),
        Row(
            "revocation: causes that fail",
            ["revocation-undetermined", "revocation-undetermined"],
            waived(
                .revocation, acme.world.with { $0.requirements.revocation.causes = .require })),
        Row(
            "revocation: revoked", ["revoked"],
            waived(
                .revocation,
                acme.world.with { $0.evidence.crls = [acme.issuing.revocationList([acme.good])] }
            )),
        Row(
            "transparency", ["transparency-not-met"],
            waived(
                .transparency,
                acme.world.with { $0.requirements.transparency.preset = .apple })),
        Row(
            "cleartext", ["cleartext"],
            waived(
                .cleartext,
                acme.world.with {
                    $0.tls = .cleartext
                    $0.chain = []
                })),
        Row(
            "pins", ["pin-mismatch"],
            waived(.pins, acme.world.with { $0.pin([(stranger.certificate, .any)]) })),
    ]

    @Test("reported through the last second, as if absent in the next", arguments: rows)
    func boundary(_ row: Row) throws {
        let inForce = try row.world.judge()
        #expect(inForce.outcome == ["accept"])
        #expect(inForce.reported == row.expected)
        // A cause that the rule only reports needs no waiver.
        for reported in inForce.acceptance?.reported ?? []
        where reported.reason != .reportOnly(until: nil) {
            #expect(reported.reason == .waived(until: WaiverTests.last))
        }
        let after = row.world.at(WaiverTests.last.advanced(bySeconds: 1))
        let absent = after.with { $0.waivers = [] }
        #expect(try !after.judge().verdict.isAccept)
        #expect(try after.judge().outcome == absent.judge().outcome)
    }

    private static let small = acme.issuing.issueLeaf(
        dns: [World.host], key: .rsa1024("evaluation small"))

    /// What lies beyond what a waiver in force tolerates.
    private static let beyond: [Row] = [
        Row(
            "keys: fewer bits than it says", ["key-too-small"],
            waived(
                .keys(rsaMinimum: 1025),
                World([small.der, acme.issuing.der], roots: [acme.root.der]))),
        Row(
            "keys: another type", ["key-type-not-allowed"],
            waived(
                .keys(rsaMinimum: 1024),
                acme.world.with { $0.requirements.leafKeyTypes = KeyTypeSet(.p384) })),
        Row(
            "keys: another type, and small as well", ["key-type-not-allowed"],
            waived(
                .keys(rsaMinimum: 1024),
                World([small.der, acme.issuing.der], roots: [acme.root.der])
                    .with { $0.requirements.leafKeyTypes = KeyTypeSet(.p384) })),
        Row(
            "signatures: another scheme", ["signature-scheme-not-allowed"],
            waived(
                .signatures(minimumHash: .sha1),
                acme.presenting { $0.signature = .ecdsa(.sha1) }
                    .with { $0.requirements.signatureSchemes = [.rsaPSS] }
            ).with { $0.chain.removeLast() }.with {
                $0.trust("issuing", [acme.issuing.der], kind: .intermediate)
            }),
        Row(
            "tls: a version below it", ["tls-version"],
            waived(
                .tls(minimumVersion: .tls11),
                acme.world.with { $0.tls = .observed(TLSParameters(version: .tls10)) })),
        Row(
            "tls: a version that nobody knows", ["tls-not-supplied"],
            waived(.tls(minimumVersion: .tls10), acme.world.with { $0.tls = .notSupplied })),
        Row(
            "tls: a version above the maximum", ["tls-version"],
            waived(
                .tls(minimumVersion: .tls10),
                acme.world.with { $0.requirements.tls.maximumVersion = .tls12 })),
        Row(
            "tls: forward secrecy", ["tls-forward-secrecy"],
            waived(
                .tls(minimumVersion: .tls10),
                acme.world.with {
                    $0.requirements.tls.requiresForwardSecrecy = true
                    $0.tls = .observed(
                        TLSParameters(
                            version: .tls11, cipherSuite: "TLS_RSA_WITH_AES_128_CBC_SHA"))
                })),
        Row(
            "cleartext: TLS of which nothing is known", ["tls-not-supplied"],
            waived(.cleartext, acme.world.with { $0.tls = .notSupplied })),
        Row(
            "cleartext: no certificate", ["nothing-presented"],
            waived(.cleartext, acme.world.with { $0.chain = [] })),
        Row(
            "cleartext: a request with TLS", ["name-mismatch"],
            waived(
                .cleartext,
                acme.presenting { $0.set(.subjectAltName([.dns("www.acme.example")])) })),
        Row(
            "cleartext: a host that no rule is for", ["no-applicable-rule"],
            waived(
                .cleartext,
                acme.world.with {
                    $0.tls = .cleartext
                    $0.host = "other.example"
                })),
    ]

    @Test("exactly what it names is let through", arguments: beyond)
    func limits(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    @Test("10 identity: names that the budget does not hold are no mismatch that is waived")
    func identityBudget() throws {
        let names = [World.host] + (0..<3_000).map { "n\($0).acme.example" }
        let leaf = Self.stranger.issueLeaf(dns: names)
        var world = World([leaf.der], roots: [Self.acme.root.der])
        world.waive(.identity)
        world.waive(.path)
        world.workLimit = 200
        #expect(try !world.judge().verdict.isAccept)
    }

    @Test("10 cleartext: nothing else is asked, and no path is accepted") func cleartext() throws {
        let world = WaiverTests.waived(
            .cleartext,
            WaiverTests.acme.world.with {
                $0.tls = .cleartext
                $0.evidence.crls = [[0x30, 0]]
                $0.requirements.checks = ["never"]
                $0.checks = [
                    "never": CustomCheck { _ in
                        Issue.record("a check was asked of a connection without TLS")
                        return .fail(reason: "asked")
                    }
                ]
            })
        let judged = try world.judge()
        #expect(judged.acceptance?.path == [])
        #expect(judged.reported == ["cleartext"])
        #expect(judged.work?.paths == 0)
    }

    private static let aloneRows: [Row] = {
        func of(_ change: (inout CertificateRecipe) -> Void) -> World {
            let leaf = stranger.issueLeaf(dns: [World.host], change)
            return World([leaf.der], roots: [acme.root.der]).with { $0.waive(.path) }
        }
        let good = of { _ in }
        return [
            Row("10 name", ["name-mismatch"], of { $0.remove(OID.subjectAltName) }),
            Row("10 dates", ["expired"], of { $0.notAfter = .at("2026-05-01") }),
            Row(
                "10 purposes", ["purpose-not-allowed"], of { $0.set(.extendedKeyUsage(["1.2.3"])) }),
            Row(
                "10 critical extensions", ["unknown-critical-extension"],
                of { $0.set(.unknown(critical: true)) }),
            Row(
                "10 keys", ["key-type-not-allowed"],
                good.with { $0.requirements.leafKeyTypes = KeyTypeSet(.ed25519) }),
            Row("10 hashes", ["hash-too-weak"], of { $0.signature = .ecdsa(.sha1) }),
            Row(
                "10 a pin of the issuer", ["pin-mismatch"],
                good.with {
                    $0.chain.append(stranger.der)
                    $0.pin([(stranger.certificate, .any)])
                }),
        ]
    }()

    @Test("path: the certificate's own checks still hold", arguments: aloneRows)
    func alone(_ row: Row) throws {
        let violations = try row.world.judge().outcome
        #expect(violations.contains(row.expected[0]))
        #expect(!violations.contains("accept"))
    }

    @Test("path: the end entity alone is the path, and a pin matches only it") func pinned() throws
    {
        let leaf = WaiverTests.estranged
        var world = World(
            [leaf.der, WaiverTests.stranger.der], roots: [WaiverTests.acme.root.der])
        world.waive(.path)
        world.pin([(leaf, .leaf)])
        #expect(try world.judge().path == [World.host])
    }

    @Test("path: the end entity alone comes last") func aloneLast() throws {
        let world = WaiverTests.acme.world.with { $0.waive(.path) }
        let judged = try world.judge()
        #expect(judged.path == [World.host, "Issuing A", "Root A"])
        #expect(judged.reported.isEmpty)
    }

    @Test("expired: tolerance is from notAfter, the skew not added") func tolerance() throws {
        let end = UTCInstant.at("2026-06-01T00:00:00Z")
        let world = WaiverTests.acme.presenting { $0.notAfter = end }.with {
            $0.waive(.expired(seconds: 7_200))
            $0.requirements.clockSkew = 3_600
        }
        let rows: [(seconds: Int64, outcome: String, reported: [String])] = [
            (3_600, "accept", []), (3_601, "accept", ["expired"]), (7_200, "accept", ["expired"]),
            (7_201, "expired", []),
        ]
        for row in rows {
            let judged = try world.at(end.advanced(bySeconds: row.seconds)).judge()
            #expect(judged.outcome == [row.outcome], "after \(row.seconds) s")
            #expect(judged.reported == row.reported, "after \(row.seconds) s")
        }
    }

    @Test("expired: notBefore is not waived") func notYetValid() throws {
        let world = WaiverTests.acme.presenting { $0.notBefore = .at("2026-06-02") }.with {
            $0.waive(.expired(seconds: 1_000_000))
        }
        #expect(try world.judge().outcome == ["not-yet-valid"])
    }

    @Test("12.1 a clean path is preferred over a tolerated one", arguments: [true, false])
    func steering(expiredFirst: Bool) throws {
        let acme = WaiverTests.acme
        let old = acme.root.issueCA("Issuing A", key: acme.issuing.key) {
            $0.notAfter = .at("2026-05-31")
        }
        let both =
            expiredFirst ? [old.der, acme.issuing.der] : [acme.issuing.der, old.der]
        let world = World([acme.good.der] + both, roots: [acme.root.der]).with {
            $0.waive(.expired(seconds: 7 * 86_400))
        }
        let judged = try world.judge()
        #expect(judged.outcome == ["accept"])
        #expect(judged.reported.isEmpty)
        let only = try world.with { $0.chain = [acme.good.der, old.der] }.judge()
        #expect(only.reported == ["expired"])
    }

    @Test("12.1 a waived pin steers to the path that has it") func pinSteering() throws {
        let acme = WaiverTests.acme
        let other = Scenario().root("Root B", key: .p256("evaluation root b"))
        let world = World(
            [acme.good.der, acme.issuing.der, other.crossSign(acme.root).der],
            roots: [acme.root.der, other.der].sorted { $0.lexicographicallyPrecedes($1) }
        ).with {
            $0.pin([(other.certificate, .anchor)])
            $0.waive(.pins)
        }
        let judged = try world.judge()
        #expect(judged.path.last == "Root B")
        #expect(judged.reported.isEmpty)
    }
}
