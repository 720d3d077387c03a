import TestPKI
import Testing
import TrustEngine

/// Demands of the Baseline Requirements that no standard makes here (`Deviations.md`).
@Suite("demands that are not made") struct UnaskedDemandsTests {
    private static let acme = Acme()
    private static let standards: [Standard] = [.rfc5280, .webPKI]

    @Test("BR 6.3.2: a long lifetime rejects where the rule asks, and under no standard")
    func lifetime() throws {
        for standard in Self.standards {
            var world = Self.acme.presenting {
                $0.notBefore = .at("2025-01-01")
                $0.notAfter = .at("2035-01-01")
            }
            world.sets[0].standard = standard
            #expect(try world.judge().outcome == ["accept"], "\(standard)")
            world.requirements.maximumLifetime = 398 * 86_400
            #expect(try world.judge().outcome == ["lifetime-too-long"], "\(standard)")
        }
    }

    @Test("BR 4.2.2: internal names and reserved addresses are names like others")
    func privateNames() throws {
        for standard in Self.standards {
            for host in ["server.internal", "db.corp.local", "printer"] {
                let leaf = Self.acme.issuing.issueLeaf(dns: [host])
                try Self.expectAccept(
                    leaf, standard, IdentityRequirement(reference: .listed, dns: [host]))
            }
            for address in ["10.0.0.1", "127.0.0.1", "192.168.1.1", "fd00::1"] {
                let leaf = Self.acme.issuing.issueLeaf(ips: [address])
                let ip = try #require(IPAddress(text: address))
                try Self.expectAccept(
                    leaf, standard, IdentityRequirement(reference: .listed, ip: [ip]))
            }
        }
    }

    private static func expectAccept(
        _ leaf: Minted, _ standard: Standard, _ identity: IdentityRequirement
    ) throws {
        var world = World([leaf.der, acme.issuing.der], roots: [acme.root.der])
        world.sets[0].standard = standard
        world.identity = identity
        #expect(try world.judge().outcome == ["accept"], "\(identity), \(standard)")
    }
}
