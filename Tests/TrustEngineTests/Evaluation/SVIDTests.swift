import TestPKI
import Testing
import TrustEngine

/// A `spiffe://` pattern is met by an X509-SVID alone (LANGUAGE section 7; X509-SVID sections 2 and
/// 5.2).
@Suite("X509-SVIDs") struct SVIDTests {
    private static let acme = Acme()
    private static let id = "spiffe://mesh.example/ns/pay/sa/api"

    private static func world(
        _ names: [TestGeneralName], wanted: IdentityRequirement,
        _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> World {
        acme.presenting {
            $0.set(.subjectAltName(names))
            change(&$0)
        }.with { $0.identity = wanted }
    }

    private static let listed = IdentityRequirement(reference: .listed, uri: [id])

    private static let rows: [Row] = [
        Row("2 one URI name", ["accept"], world([.uri(id)], wanted: listed)),
        Row(
            "2 other names beside it", ["accept"],
            world([.dns(World.host), .uri(id), .dns("b.example")], wanted: listed)),
        Row(
            "2 a second URI name behind it", ["not-x509-svid"],
            world([.uri(id), .uri("spiffe://evil.example/admin")], wanted: listed)),
        Row(
            "2 a second URI name before it", ["not-x509-svid"],
            world([.uri("spiffe://evil.example/admin"), .uri(id)], wanted: listed)),
        Row(
            "2 the same name twice", ["not-x509-svid"],
            world([.uri(id), .uri(id)], wanted: listed)),
        Row(
            "2 a second name of another scheme", ["not-x509-svid"],
            world([.uri(id), .uri("https://mesh.example/")], wanted: listed)),
        Row(
            "2 a second name that is no URI", ["not-x509-svid"],
            world([.uri(id), .uri("no uri")], wanted: listed)),
        Row(
            "5.2 the CA bit", ["not-x509-svid"],
            world([.uri(id)], wanted: listed) {
                $0.set(.basicConstraints(ca: true))
                $0.set(.keyUsage([.digitalSignature]))
            }),
        Row(
            "5.2 keyCertSign", ["not-x509-svid"],
            world([.uri(id)], wanted: listed) {
                $0.set(.keyUsage([.digitalSignature, .keyCertSign]))
            }),
        Row(
            "5.2 cRLSign", ["not-x509-svid"],
            world([.uri(id)], wanted: listed) { $0.set(.keyUsage([.digitalSignature, .cRLSign])) }),
        Row(
            "5.2 no key usage", ["accept"],
            world([.uri(id)], wanted: listed) { $0.remove(OID.keyUsage) }),
        Row(
            "7 a pattern with a wildcard", ["not-x509-svid"],
            world(
                [.uri(id), .uri("spiffe://mesh.example/ns/pay/sa/b")],
                wanted: IdentityRequirement(
                    reference: .listed, uri: ["spiffe://mesh.example/ns/pay/**"]))),
        Row(
            "7 another listed name suffices", ["accept"],
            world(
                [.uri(id), .uri("spiffe://evil.example/admin"), .dns("b.example")],
                wanted: IdentityRequirement(reference: .listed, dns: ["b.example"], uri: [id]))),
        Row(
            "7 a listed URI of another scheme suffices", ["accept"],
            world(
                [.uri(id), .uri("https://mesh.example/")],
                wanted: IdentityRequirement(
                    reference: .listed, uri: [id, "https://mesh.example/"]))),
        Row(
            "7 a listed URI of another scheme suffices, behind the pattern too", ["accept"],
            world(
                [.uri(id), .uri("wss://mesh.example/api")],
                wanted: IdentityRequirement(
                    reference: .listed, uri: [id, "wss://mesh.example/api"]))),
        Row(
            "7 no pattern of another scheme asks for an SVID", ["accept"],
            world(
                [.uri("https://mesh.example/a"), .uri("https://mesh.example/b")],
                wanted: IdentityRequirement(
                    reference: .listed, uri: ["https://mesh.example/a"]))),
        Row(
            "7 host and listed", ["not-x509-svid"],
            world(
                [.dns(World.host), .uri(id), .uri("spiffe://evil.example/admin")],
                wanted: IdentityRequirement(reference: .hostAndListed, uri: [id]))),
        Row(
            "7 no listed name at all", ["name-mismatch"],
            world(
                [.uri("spiffe://mesh.example/b"), .uri("spiffe://mesh.example/c")], wanted: listed)),
        Row(
            "10 waived with the name", ["accept", "not-x509-svid"],
            world([.uri(id), .uri("spiffe://evil.example/admin")], wanted: listed)
                .with { $0.waive(.identity) }),
    ]

    @Test("one URI name, no CA bit, no key usage of signers", arguments: rows)
    func judged(_ row: Row) throws {
        let judged = try row.world.judge()
        #expect(judged.outcome + judged.reported == row.expected)
    }

    @Test("the violation names every fault")
    func faults() throws {
        let world = Self.world([.uri(Self.id), .uri("b:c")], wanted: Self.listed) {
            $0.set(.basicConstraints(ca: true))
            $0.set(.keyUsage([.digitalSignature, .keyCertSign, .cRLSign]))
        }
        let violation = try #require(try world.judge().verdict.violations.first)
        #expect(violation["uri"]?.text == Self.id)
        #expect(violation["uris"]?.list == [Self.id, "b:c"])
        #expect(
            violation["faults"]?.list == ["several-uris", "ca", "key-cert-sign", "crl-sign"])
    }
}
