import TestPKI
import Testing
import TrustEngine

/// One kind of signer: a path, and evidence of the signer that says *not revoked* or *revoked* of
/// one certificate of the path.
struct VouchingRow: Sendable, CustomTestStringConvertible {
    /// The answers of `openssl verify -crl_check -extended_crl` or `openssl ocsp` about the same
    /// files: `good`, `revoked`, `error` with OpenSSL's number, or `refused`.
    /// `Tests/Integration/vouching.sh` asks for them again.
    struct OpenSSL: Sendable {
        let vouch: String
        let revoke: String

        init(_ vouch: String, _ revoke: String) {
            self.vouch = vouch
            self.revoke = revoke
        }
    }

    let testDescription: String
    /// The words about evidence that says *not revoked*, as `StatusWorld.words` writes them.
    let vouch: String
    /// The words about evidence that says *revoked*.
    let revoke: String
    let openSSL: OpenSSL
    /// The path, without the evidence.
    let world: StatusWorld
    /// The evidence, for a certificate that is revoked or not.
    let evidence: @Sendable (_ isRevoked: Bool) -> [UInt8]
    let source: RevocationSource
    /// The issuer of the certificate, whom `openssl ocsp` is told; nil for CRLs.
    let issuer: [UInt8]?
    /// For evidence about an intermediate: the CRL of the intermediate, which vouches for the end
    /// entity.
    var listBelow: [UInt8]?

    init(
        _ name: String, _ vouch: String, _ revoke: String, _ openSSL: OpenSSL,
        _ world: StatusWorld, _ source: RevocationSource = .crl, issuer: [UInt8]? = nil,
        evidence: @escaping @Sendable (_ isRevoked: Bool) -> [UInt8]
    ) {
        self.testDescription = name
        self.vouch = vouch
        self.revoke = revoke
        self.openSSL = openSSL
        self.world = world
        self.source = source
        self.issuer = issuer
        self.evidence = evidence
    }

    /// The path with the evidence.
    func world(isRevoked: Bool) -> StatusWorld {
        world.with {
            if source == .crl {
                $0.lists.append(evidence(isRevoked))
            } else {
                $0.responses.append(evidence(isRevoked))
            }
        }
    }
}

/// The kinds of signers: one table, whose lines in words are in `Deviations.md`. All authorities
/// have the usual extensions unless a row says otherwise: the keyUsage of a CA has cRLSign.
enum VouchingRows {
    private static let root = Scenario().root("Root V", key: .p256("vouching root"))
    private static let elsewhere = Scenario().root("Elsewhere V", key: .p256("vouching elsewhere"))
    private static let issuing = root.issueCA("Issuing V", key: .p256("vouching issuing"))
    private static let leafKey = TestKey.p256("vouching leaf")
    private static let leaf = issuing.issueLeaf(dns: [World.host], key: leafKey)
    /// A CA beside the issuer that may issue for one domain only.
    private static let sibling = root.issueCA("Sibling V", key: .p256("vouching sibling")) {
        $0.extensions.append(.nameConstraints(permitted: [.dns("s.example")]))
    }
    /// A CA between a root and an issuer of the same name and key as `issuing`.
    private static let middle = root.issueCA("Middle V", key: .p256("vouching middle"))
    private static let issuingBelowMiddle = middle.issueCA("Issuing V", key: issuing.key)
    private static let revocationDate = UTCInstant.at("2026-05-01T12:00:00Z")

    static let all = ownLists + namesakes + delegates + ofIntermediate + responses

    // MARK: Worlds

    /// The path of the end entity, with certificates that are sent along.
    private static func world(
        _ strays: [[UInt8]] = [], leaf: Minted = leaf, issuer: [UInt8] = issuing.der,
        roots: [[UInt8]] = [root.der], lists: [[UInt8]] = []
    ) -> StatusWorld {
        StatusWorld(chain: [leaf.der, issuer] + strays, roots: roots, lists: lists)
    }

    /// A CRL of a signer that lists the certificate or nothing.
    private static func list(
        of certificate: Minted, by signer: Authority, named issuer: TestName? = nil,
        isRevoked: Bool
    ) -> [UInt8] {
        signer.revocationList(isRevoked ? [certificate] : []) {
            if let issuer { $0.issuer = issuer }
        }
    }

    private static func row(
        _ name: String, _ vouch: String, _ revoke: String, _ openSSL: VouchingRow.OpenSSL,
        _ world: StatusWorld, of certificate: Minted = leaf, by signer: Authority
    ) -> VouchingRow {
        VouchingRow(name, vouch, revoke, openSSL, world) {
            list(of: certificate, by: signer, isRevoked: $0)
        }
    }

    /// An end entity certificate of an authority that is not a server's, as the authority that
    /// signs with its key.
    private static func signer(
        of authority: Authority, named name: TestName, key: TestKey,
        _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> Authority {
        let certificate = authority.issueLeaf(subject: name, key: key) {
            $0.remove(OID.extendedKeyUsage)
            $0.set(.keyUsage([.cRLSign]))
            change(&$0)
        }
        return Authority(holding: certificate)
    }

    private static func withoutKeyUsage(_ recipe: inout CertificateRecipe) {
        recipe.remove(OID.keyUsage)
    }

    // MARK: The issuer's own key

    private static let ownLists: [VouchingRow] = [
        row(
            "the issuer's own key", "good", "revoked unspecified", .init("good", "revoked"),
            world(), by: issuing),
        row(
            "the issuer's own key, no keyUsage", "good", "revoked unspecified",
            .init("good", "revoked"),
            world(issuer: root.issueCA("Issuing V", key: issuing.key, withoutKeyUsage).der),
            by: issuing),
        row(
            "the issuer's own key, keyUsage without cRLSign", "malformed no-crl-sign",
            "malformed no-crl-sign", .init("error 35", "error 35"),
            world(
                issuer: root.issueCA("Issuing V", key: issuing.key) {
                    $0.set(.keyUsage([.keyCertSign]))
                }.der),
            by: issuing),
        row(
            "the issuer's own key, which a renewed certificate lets sign CRLs", "good",
            "revoked unspecified", .init("error 35", "error 35"),
            world(
                [root.issueCA("Issuing V", key: issuing.key) { $0.notBefore = .day(-9) }.der],
                issuer: root.issueCA("Issuing V", key: issuing.key) {
                    $0.set(.keyUsage([.keyCertSign]))
                }.der),
            by: issuing),
        row(
            "the issuer's own key, which is the certificate's key", "malformed own-key",
            "revoked unspecified", .init("good", "revoked"),
            world(leaf: leafOfIssuersKey), of: leafOfIssuersKey, by: issuing),
    ]

    private static let leafOfIssuersKey = issuing.issueLeaf(dns: [World.host], key: issuing.key)

    // MARK: Another signer of the issuer's name

    private static let second = root.issueCA("Issuing V", key: .p256("vouching second key"))
    private static let listKey = TestKey.p256("vouching list key")

    /// The signer of a row, and the path with the certificates that the signer needs.
    private static func namesake(
        _ name: String, _ vouch: String, _ revoke: String, _ openSSL: VouchingRow.OpenSSL,
        _ signer: Authority, _ others: [Authority] = [], roots: [[UInt8]] = [root.der]
    ) -> VouchingRow {
        row(
            name, vouch, revoke, openSSL,
            world([signer.der] + others.map(\.der), roots: roots), by: signer)
    }

    private static let namesakes: [VouchingRow] = [
        namesake(
            "a second key of the issuer, by the name and key that issued the issuer", "good",
            "revoked unspecified", .init("good", "revoked"), second),
        namesake(
            "a second key that is not a CA, by the name and key that issued the issuer", "good",
            "revoked unspecified", .init("good", "revoked"),
            signer(of: root, named: "Issuing V", key: listKey)),
        namesake(
            "a key for CRLs that the issuer itself certified", "good", "revoked unspecified",
            .init("good", "revoked"), signer(of: issuing, named: "Issuing V", key: listKey)),
        namesake(
            "a second key of the issuer, no keyUsage", "malformed no-key-usage",
            "revoked unspecified", .init("good", "revoked"),
            root.issueCA("Issuing V", key: second.key, withoutKeyUsage)),
        namesake(
            "a second key of the issuer, keyUsage without cRLSign", "malformed no-crl-sign",
            "malformed no-crl-sign", .init("error 26", "error 26"),
            root.issueCA("Issuing V", key: second.key) { $0.set(.keyUsage([.keyCertSign])) }),
        namesake(
            "a second key of the issuer, expired", "malformed no-path", "malformed no-path",
            .init("error 10", "error 10"),
            root.issueCA("Issuing V", key: second.key) { $0.notAfter = .day(-1) }),
        namesake(
            "a server that a constrained CA named as the issuer, no keyUsage",
            "malformed no-key-usage", "revoked unspecified", .init("good", "revoked"),
            server(named: "Issuing V", withoutKeyUsage), [sibling]),
        namesake(
            "a server that a constrained CA named as the issuer, with cRLSign",
            "malformed not-appointed", "revoked unspecified", .init("good", "revoked"),
            server(named: "Issuing V") { $0.set(.keyUsage([.cRLSign])) }, [sibling]),
        namesake(
            "a CA of the issuer's name beside the issuer", "malformed not-appointed",
            "revoked unspecified", .init("good", "revoked"),
            middle.issueCA("Issuing V", key: second.key), [middle]),
        namesake(
            "a CA of the issuer's name, by another key of the name that issued the issuer",
            "malformed not-appointed", "revoked unspecified", .init("good", "revoked"),
            falseRoot.issueCA("Issuing V", key: second.key), [falseRoot, sibling]),
        namesake(
            "a CA of the issuer's name under another anchor", "malformed not-appointed",
            "revoked unspecified", .init("error 54", "error 54"),
            elsewhere.issueCA("Issuing V", key: second.key), roots: [root.der, elsewhere.der]),
        row(
            "an anchor of the issuer's name that is not on the path", "malformed not-appointed",
            "revoked unspecified", .init("error 3", "error 3"),
            world(roots: [root.der, anchorOfName.der]), by: anchorOfName),
        namesake(
            "a CA of the issuer's name under no anchor", "malformed no-path", "malformed no-path",
            .init("error 20", "error 20"), elsewhere.issueCA("Issuing V", key: second.key)),
        row(
            "a CA of the issuer's name, by the CA two above the issuer",
            "malformed not-appointed", "revoked unspecified", .init("good", "revoked"),
            world([middle.der, second.der], issuer: issuingBelowMiddle.der), by: second),
        row(
            "a CA of the issuer's name, two above the issuer on the path",
            "malformed not-appointed", "revoked unspecified", .init("good", "revoked"),
            world([middleOfNamesake.der, second.der], issuer: issuingBelowNamesake.der),
            by: second),
        namesake(
            "the key that issued the issuer, under another name", "malformed no-path",
            "malformed no-path", .init("error 20", "error 20"),
            Authority(holding: aliasOfRoot).issueCA("Issuing V", key: second.key)),
        row(
            "the key that issued the issuer, of the same name", "good", "revoked unspecified",
            .init("good", "revoked"), world([second.der], issuer: oldWithNew.der), by: second),
        row(
            "the key that issued the issuer, of the same name, no keyUsage",
            "malformed no-key-usage", "revoked unspecified", .init("good", "revoked"),
            world(
                [root.issueCA("Issuing V", key: second.key, withoutKeyUsage).der],
                issuer: oldWithNew.der), by: second),
        row(
            "a second key of the issuer that its issuer has revoked", "malformed revoked",
            "malformed revoked", .init("good", "revoked"),
            world([second.der], lists: [root.revocationList([second.certificate])]), by: second),
        row(
            "the certificate's own key", "malformed own-key", "revoked unspecified",
            .init("good", "revoked"), world(leaf: namedAsIssuer), of: namedAsIssuer,
            by: Authority(holding: namedAsIssuer)),
        namesake(
            "another certificate for the certificate's key", "malformed own-key",
            "revoked unspecified", .init("good", "revoked"),
            signer(of: issuing, named: "Issuing V", key: leafKey)),
        namesake(
            "another certificate for the certificate's key, as a compressed point",
            "malformed own-key", "revoked unspecified", .init("good", "revoked"),
            signer(of: issuing, named: "Issuing V", key: leafKey) {
                $0.spki = compressed(leafKey)
            }),
    ]

    private static let anchorOfName = Scenario().root(
        "Issuing V", key: .p256("vouching anchor of the name"))

    /// A server of the constrained CA with a name of its choice.
    private static func server(
        named name: TestName, _ change: (inout CertificateRecipe) -> Void
    ) -> Authority {
        let key = TestKey.p256("vouching server")
        let certificate = sibling.issueLeaf(dns: ["x.s.example"], subject: name, key: key, change)
        return Authority(holding: certificate)
    }

    /// A CA of the issuer's name, above a CA that issued the issuer.
    private static let middleOfNamesake = second.issueCA(
        "Middle V", key: .p256("vouching middle"))
    private static let issuingBelowNamesake = middleOfNamesake.issueCA(
        "Issuing V", key: issuing.key)

    /// The root's key under a name that no certificate of the path has.
    private static let aliasOfRoot = Scenario().root("Alias V", key: root.key).certificate

    /// The root's name with a key of the constrained CA.
    private static let falseRoot = sibling.issueCA("Root V", key: .p256("vouching false root"))

    /// The issuer's key after the CA has got a new one, certified by the new one (RFC 4210 section
    /// 4.4).
    private static let oldWithNew = second.crossSign(issuing)

    /// A leaf with the issuer's name that may sign CRLs.
    private static let namedAsIssuer = issuing.issueLeaf(
        dns: [World.host], subject: "Issuing V", key: leafKey
    ) { $0.set(.keyUsage([.digitalSignature, .cRLSign])) }

    /// The SubjectPublicKeyInfo of a P-256 key with its point in compressed form.
    private static func compressed(_ key: TestKey) -> [UInt8] {
        let point = key.publicKeyBits
        return CurvePoint.spki([2 + point[64] % 2] + point[1...32], on: .p256)
    }

    // MARK: The CRL issuer that a distribution point names

    private static let clerk = root.issueCA("Clerk V", key: .p256("vouching clerk"))

    /// A leaf whose status a clerk keeps.
    private static func leafOfClerk(
        _ name: TestName = "Clerk V", by issuer: Authority = issuing
    ) -> Minted {
        issuer.issueLeaf(dns: [World.host], key: leafKey) { naming(name)(&$0) }
    }

    private static func naming(_ name: TestName) -> (inout CertificateRecipe) -> Void {
        { $0.extensions.append(.distributionPoints([TestPoint(issuer: [.directory(name)])])) }
    }

    /// An indirect CRL of a clerk.
    private static func indirect(
        _ certificate: Minted, of issuer: TestName, by clerk: Authority, isRevoked: Bool
    ) -> [UInt8] {
        clerk.revocationList {
            $0.set(.issuingDistributionPoint(TestIssuingPoint { $0.isIndirect = true }))
            guard isRevoked else { return }
            $0.entries = [
                .init(
                    certificate.recipe.serialOctets, at: revocationDate,
                    [.certificateIssuer(issuer)])
            ]
        }
    }

    private static func delegate(
        _ name: String, _ vouch: String, _ revoke: String, _ openSSL: VouchingRow.OpenSSL,
        _ clerk: Authority, _ others: [Authority] = [], issuer: [[UInt8]] = [issuing.der],
        roots: [[UInt8]] = [root.der]
    ) -> VouchingRow {
        let leaf = leafOfClerk(clerk.name)
        let world = StatusWorld(
            chain: [leaf.der] + issuer + [clerk.der] + others.map(\.der), roots: roots)
        return VouchingRow("named by a point: " + name, vouch, revoke, openSSL, world) {
            indirect(leaf, of: "Issuing V", by: clerk, isRevoked: $0)
        }
    }

    private static let delegates: [VouchingRow] = [
        delegate(
            "a CA by the name and key that issued the issuer", "good", "revoked unspecified",
            .init("good", "revoked"), clerk),
        delegate(
            "a certificate that is not a CA, by the issuer itself", "good", "revoked unspecified",
            .init("good", "revoked"),
            signer(of: issuing, named: "Clerk V", key: clerk.key)),
        delegate(
            "a CA by the CA two above the issuer", "good", "revoked unspecified",
            .init("good", "revoked"), clerk, [],
            issuer: [issuingBelowMiddle.der, middle.der]),
        delegate(
            "the CA that issued the issuer", "good", "revoked unspecified",
            .init("good", "revoked"), middle, issuer: [issuingBelowMiddle.der]),
        delegate(
            "the anchor of the path", "good", "revoked unspecified", .init("good", "revoked"),
            root, issuer: [issuingBelowMiddle.der, middle.der]),
        delegate(
            "no keyUsage", "malformed no-key-usage", "revoked unspecified",
            .init("good", "revoked"),
            root.issueCA("Clerk V", key: clerk.key, withoutKeyUsage)),
        delegate(
            "keyUsage without cRLSign", "malformed no-crl-sign", "malformed no-crl-sign",
            .init("error 26", "error 26"),
            root.issueCA("Clerk V", key: clerk.key) { $0.set(.keyUsage([.keyCertSign])) }),
        delegate(
            "a server of a constrained CA, no keyUsage", "malformed no-key-usage",
            "revoked unspecified", .init("good", "revoked"),
            server(named: "Clerk V", withoutKeyUsage), [sibling]),
        delegate(
            "a CA below a CA beside the issuer", "malformed not-appointed",
            "revoked unspecified", .init("good", "revoked"),
            sibling.issueCA("Clerk V", key: clerk.key), [sibling]),
        delegate(
            "a CA under another anchor", "malformed not-appointed", "revoked unspecified",
            .init("error 54", "error 54"), elsewhere.issueCA("Clerk V", key: clerk.key),
            roots: [root.der, elsewhere.der]),
        delegate(
            "a certificate for the certificate's key", "malformed own-key",
            "revoked unspecified", .init("good", "revoked"),
            signer(of: issuing, named: "Clerk V", key: leafKey)),
    ]

    // MARK: Evidence about an intermediate

    /// The intermediate whose key is stolen, with a point that names a clerk.
    private static func stolen(_ clerk: TestName? = nil) -> Authority {
        root.issueCA("Stolen V", key: .p256("vouching stolen")) { recipe in
            if let clerk { naming(clerk)(&recipe) }
        }
    }

    private static func aboutIntermediate(
        _ name: String, _ vouch: String, _ revoke: String, _ openSSL: VouchingRow.OpenSSL,
        _ intermediate: Authority, by signer: Authority, _ others: [Authority] = [],
        above: [Authority] = [], roots: [[UInt8]] = [root.der], isIndirect: Bool = false
    ) -> VouchingRow {
        let leaf = intermediate.issueLeaf(dns: [World.host], key: leafKey)
        let world = StatusWorld(
            chain: [leaf.der, intermediate.der] + (above + [signer] + others).map(\.der),
            roots: roots, position: 1)
        let issuer = intermediate.certificate.recipe.issuer
        var row = VouchingRow("of an intermediate: " + name, vouch, revoke, openSSL, world) {
            isIndirect
                ? indirect(intermediate.certificate, of: issuer, by: signer, isRevoked: $0)
                : list(of: intermediate.certificate, by: signer, isRevoked: $0)
        }
        row.listBelow = intermediate.revocationList()
        return row
    }

    /// An intermediate below a CA that has the intermediate's key and can make the CA between them.
    private static let circleTop = root.issueCA("Top V", key: .p256("vouching stolen"))
    private static let circleMiddle = circleTop.issueCA("Circle V", key: .p256("vouching circle"))
    private static let circleEnd = circleMiddle.issueCA("Stolen V", key: circleTop.key)

    /// Another intermediate of the root. Its key issues signers of the names that speak for the
    /// first one, as the first one's key could for it.
    private static let other = root.issueCA("Other V", key: .p256("vouching other"))

    private static let ofIntermediate: [VouchingRow] = [
        aboutIntermediate(
            "the root", "good", "revoked unspecified", .init("good", "revoked"), stolen(),
            by: root),
        aboutIntermediate(
            "a certificate that the intermediate named as the root, with cRLSign",
            "malformed not-appointed", "revoked unspecified", .init("good", "revoked"), stolen(),
            by: signer(of: stolen(), named: "Root V", key: listKey)),
        aboutIntermediate(
            "a certificate that the intermediate named as the root, no keyUsage",
            "malformed no-key-usage", "revoked unspecified", .init("good", "revoked"), stolen(),
            by: signer(of: stolen(), named: "Root V", key: listKey, withoutKeyUsage)),
        aboutIntermediate(
            "a CA that a twin of the root issued, which the intermediate made",
            "malformed not-appointed", "revoked unspecified", .init("good", "revoked"), stolen(),
            by: twinOfRoot.issueCA("Root V", key: listKey), [twinOfRoot]),
        aboutIntermediate(
            "a certificate that the intermediate named as its CRL issuer",
            "malformed not-appointed",
            "revoked unspecified", .init("good", "revoked"), stolen("Clerk V"),
            by: signer(of: stolen("Clerk V"), named: "Clerk V", key: clerk.key),
            isIndirect: true),
        aboutIntermediate(
            "itself, which its point names", "malformed own-key", "revoked unspecified",
            .init("good", "revoked"), stolen("Stolen V"), by: stolen("Stolen V"),
            isIndirect: true),
        aboutIntermediate(
            "a certificate of another CA that the other CA named as the root",
            "malformed not-appointed", "revoked unspecified", .init("good", "revoked"), stolen(),
            by: signer(of: other, named: "Root V", key: listKey), [other]),
        aboutIntermediate(
            "a certificate of another CA that the other CA named as the CRL issuer",
            "malformed not-appointed", "revoked unspecified", .init("good", "revoked"),
            stolen("Clerk V"), by: signer(of: other, named: "Clerk V", key: clerk.key), [other],
            isIndirect: true),
        aboutIntermediate(
            "the issuer, whose path holds the intermediate's key", "malformed own-key",
            "revoked unspecified", .init("good", "revoked"), circleEnd, by: circleMiddle,
            above: [circleTop]),
        aboutIntermediate(
            "a second key of the issuer, by a CA that has the intermediate's key",
            "malformed not-appointed", "revoked unspecified", .init("good", "revoked"), circleEnd,
            by: circleTop.issueCA("Circle V", key: listKey), above: [circleMiddle, circleTop]),
    ]

    private static let twinOfRoot = stolen().issueCA("Root V", key: .p256("vouching twin"))

    // MARK: OCSP

    private static func response(
        _ name: String, _ vouch: String, _ revoke: String, _ openSSL: VouchingRow.OpenSSL,
        _ world: StatusWorld = world(), of certificate: Minted = leaf,
        issuer: Authority = issuing, by delegate: Minted? = nil
    ) -> VouchingRow {
        VouchingRow("OCSP: " + name, vouch, revoke, openSSL, world, .ocsp, issuer: issuer.der) {
            issuer.ocspResponse(
                for: certificate, $0 ? .revoked(nil, at: revocationDate) : .good, by: delegate)
        }
    }

    private static let responderKey = TestKey.p256("vouching responder")

    private static let responses: [VouchingRow] = [
        response(
            "the issuer's own key", "good", "revoked unspecified", .init("good", "revoked")),
        response(
            "the issuer's own key, which is the certificate's key", "malformed own-key",
            "revoked unspecified", .init("good", "revoked"), world(leaf: leafOfIssuersKey),
            of: leafOfIssuersKey),
        response(
            "a delegate of the issuer", "good", "revoked unspecified", .init("good", "revoked"),
            by: issuing.issueResponder("Responder V", key: responderKey)),
        response(
            "a delegate whose key is the certificate's", "malformed own-key",
            "revoked unspecified", .init("good", "revoked"),
            by: issuing.issueResponder("Responder V", key: leafKey)),
        response(
            "a delegate whose key is the certificate's, as a compressed point",
            "malformed own-key", "revoked unspecified", .init("good", "revoked"),
            by: issuing.issueResponder("Responder V", key: leafKey) {
                $0.spki = compressed(leafKey)
            }),
        response(
            "a delegate that has expired since", "malformed not-valid", "revoked unspecified",
            .init("refused", "refused"),
            by: issuing.issueResponder("Responder V", key: responderKey) {
                $0.notAfter = .day(0).advanced(bySeconds: -1)
            }),
        response(
            "a certificate of the issuer's that may not sign responses",
            "malformed not-delegated", "malformed not-delegated", .init("refused", "refused"),
            by: issuing.issueLeaf(subject: "Responder V", key: responderKey)),
        response(
            "a responder of the root", "malformed not-delegated", "malformed not-delegated",
            .init("refused", "refused"),
            by: root.issueResponder("Responder V", key: responderKey)),
        response(
            "a responder of a CA that has the issuer's name and another key",
            "malformed not-delegated", "malformed not-delegated", .init("refused", "refused"),
            world([second.der]), by: second.issueResponder("Responder V", key: responderKey)),
        response(
            "a certificate that the certificate's own key issued", "malformed not-delegated",
            "malformed not-delegated", .init("refused", "refused"),
            by: Authority(holding: namedAsIssuer).issueResponder("Responder V", key: responderKey)),
        responseAboutIntermediate(
            "the root", "good", "revoked unspecified", .init("good", "revoked"), stolen(),
            issuer: root),
        responseAboutIntermediate(
            "a delegate of the root", "good", "revoked unspecified", .init("good", "revoked"),
            stolen(), issuer: root,
            by: root.issueResponder("Responder V", key: responderKey)),
        responseAboutIntermediate(
            "a delegate of the root whose key is the intermediate's", "malformed own-key",
            "revoked unspecified", .init("good", "revoked"), stolen(), issuer: root,
            by: root.issueResponder("Responder V", key: stolen().key)),
        responseAboutIntermediate(
            "the intermediate's own delegate", "malformed not-delegated",
            "malformed not-delegated", .init("refused", "refused"), stolen(), issuer: root,
            by: stolen().issueResponder("Responder V", key: responderKey)),
        responseAboutIntermediate(
            "a delegate of a twin of the root, which the intermediate made",
            "malformed not-delegated", "malformed not-delegated", .init("refused", "refused"),
            stolen(), issuer: root, by: twinOfRoot.issueResponder("Responder V", key: responderKey),
            others: [twinOfRoot.der]),
        responseAboutIntermediate(
            "the issuer, whose path holds the intermediate's key", "malformed own-key",
            "revoked unspecified", .init("good", "revoked"), circleEnd, issuer: circleMiddle,
            others: [circleMiddle.der, circleTop.der]),
        responseAboutIntermediate(
            "a delegate of the issuer, whose path holds the intermediate's key",
            "malformed own-key", "revoked unspecified", .init("good", "revoked"), circleEnd,
            issuer: circleMiddle,
            by: circleMiddle.issueResponder("Responder V", key: responderKey),
            others: [circleMiddle.der, circleTop.der]),
    ]

    private static func responseAboutIntermediate(
        _ name: String, _ vouch: String, _ revoke: String, _ openSSL: VouchingRow.OpenSSL,
        _ intermediate: Authority, issuer: Authority, by delegate: Minted? = nil,
        others: [[UInt8]] = []
    ) -> VouchingRow {
        let leaf = intermediate.issueLeaf(dns: [World.host], key: leafKey)
        var row = response(
            "of an intermediate: " + name, vouch, revoke, openSSL,
            StatusWorld(
                chain: [leaf.der, intermediate.der] + others, roots: [root.der], position: 1),
            of: intermediate.certificate, issuer: issuer, by: delegate)
        row.listBelow = intermediate.revocationList()
        return row
    }
}
