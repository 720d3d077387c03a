import TestPKI
import TrustEngine

// What an authority or an end entity says of itself, but for names and constraints.

extension Oddity {
    static let version: [Oddity] = [
        ofVersion1([.anchor]),
        ofVersion1([.intermediate], "RFC 5280 §6.1.4(k): nothing says that it is a CA"),
        ofVersion1(.servers, "RFC 9525 §6: no name is presented"),
    ]

    private static func ofVersion1(_ roles: [Role], _ refusal: String? = nil) -> Oddity {
        Oddity("of version 1", roles, refused: refusal, isAlone: true) { draft, position in
            if position == draft.end { draft.names = nil }
            draft.versionOne.insert(position)
        }
    }

    // MARK: The CA bit and path lengths

    static let basicConstraints: [Oddity] = [
        .recipe(
            "basicConstraints absent", .authorities,
            refused: "RFC 5280 §6.1.4(k): nothing says that it is a CA", own: ["basic"]
        ) { $0.remove(OID.basicConstraints) },
        .recipe(
            "basicConstraints without the CA bit", .authorities,
            refused: "RFC 5280 §6.1.4(k): it is no CA", own: ["basic"]
        ) { $0.set(.basicConstraints(ca: false)) },
        .recipe("basicConstraints not critical", .authorities, own: ["basic"]) {
            $0.set(.basicConstraints(ca: true).critical(false))
        },
        .recipe(
            "basicConstraints twice", .authorities,
            refused: "RFC 5280 §4.2: an extension stands once", own: ["basic"]
        ) { $0.extensions.append(.basicConstraints(ca: true)) },
        .recipe("basicConstraints absent", .servers, own: ["basic"]) {
            $0.remove(OID.basicConstraints)
        },
        .recipe("basicConstraints not critical", .servers, own: ["basic"]) {
            $0.set(.basicConstraints(ca: false).critical(false))
        },
        .recipe("a CA by basicConstraints", .servers, own: ["basic"]) {
            $0.set(.basicConstraints(ca: true))
        },
        .recipe("a path length without the CA bit", .servers, own: ["basic"]) {
            $0.set(.basicConstraints(ca: false, pathLength: 0))
        },
        Oddity("a path length that is just met", .authorities, own: ["basic"]) { draft, position in
            draft.path[position].recipe.set(
                .basicConstraints(ca: true, pathLength: draft.end - 1 - position))
        },
        Oddity(
            "a path length that is exceeded", .authorities,
            refused: "RFC 5280 §6.1.4(l): the path is too long", own: ["basic"],
            fits: { $0.intermediatesBelow > 0 }
        ) { draft, position in
            draft.path[position].recipe.set(
                .basicConstraints(ca: true, pathLength: draft.end - 2 - position))
        },
    ]

    // MARK: What the key is for

    static let keyUsage: [Oddity] = [
        .recipe("keyUsage absent", .everyone, own: ["usage"]) { $0.remove(OID.keyUsage) },
        .recipe("keyUsage not critical", .everyone, own: ["usage"]) { recipe in
            for index in recipe.extensions.indices
            where recipe.extensions[index].oid == OID.keyUsage {
                recipe.extensions[index].isCritical = false
            }
        },
        .recipe(
            "keyUsage without keyCertSign", .authorities,
            refused: "RFC 5280 §6.1.4(n): the key signs no certificates", own: ["usage"]
        ) { $0.set(.keyUsage([.digitalSignature, .cRLSign])) },
        .recipe("keyUsage with keyCertSign", .servers, own: ["usage"]) {
            $0.set(.keyUsage([.digitalSignature, .keyEncipherment, .keyCertSign]))
        },
        .recipe("keyUsage of keyEncipherment alone", .servers, own: ["usage"]) {
            $0.set(.keyUsage(.keyEncipherment))
        },
        .recipe("keyUsage of cRLSign alone", .servers, own: ["usage"]) {
            $0.set(.keyUsage(.cRLSign))
        },
        .recipe("keyUsage without bits", .servers, own: ["usage"]) { $0.set(.keyUsage([])) },
    ]

    static let keyPurposes: [Oddity] = [
        .recipe("extendedKeyUsage absent", .servers, own: ["purpose"]) {
            $0.remove(OID.extendedKeyUsage)
        },
        purposes("of serverAuth", [OID.serverAuth], .authorities),
        purposes("of serverAuth, critical", [OID.serverAuth], .everyone, critical: true),
        purposes("of serverAuth and clientAuth", [OID.serverAuth, OID.clientAuth], .everyone),
        purposes("of any", [OID.anyExtendedKeyUsage], .everyone),
        purposes("of serverAuth and any", [OID.serverAuth, OID.anyExtendedKeyUsage], .servers),
        purposes("of serverAuth and OCSPSigning", [OID.serverAuth, OID.ocspSigning], .servers),
        purposes(
            "of clientAuth alone", [OID.clientAuth], .everyone,
            "RFC 5280 §4.2.1.12: the key is for no server"),
        purposes(
            "of clientAuth alone, critical", [OID.clientAuth], .everyone,
            "RFC 5280 §4.2.1.12: the key is for no server", critical: true),
        purposes(
            "of codeSigning alone", [OID.codeSigning], .servers,
            "RFC 5280 §4.2.1.12: the key is for no server"),
        purposes(
            "without purposes", [], .everyone, "RFC 5280 §4.2.1.12: the key is for nothing"),
    ]

    private static func purposes(
        _ name: String, _ list: [String], _ roles: [Role], _ refusal: String? = nil,
        critical: Bool = false
    ) -> Oddity {
        .recipe("extendedKeyUsage " + name, roles, refused: refusal, own: ["purpose"]) {
            $0.set(.extendedKeyUsage(list).critical(critical))
        }
    }

    // MARK: Key identifiers

    static let keyIdentifiers: [Oddity] = [
        .recipe("subjectKeyIdentifier absent", .everyone, own: ["ski"]) {
            $0.remove(OID.subjectKeyIdentifier)
        },
        .recipe("subjectKeyIdentifier critical", .everyone, own: ["ski"]) {
            let identifier = $0.extensions.first { $0.oid == OID.subjectKeyIdentifier }
            if let identifier { $0.set(identifier.critical(true)) }
        },
        .recipe("subjectKeyIdentifier without octets", .everyone, own: ["ski"]) {
            $0.set(.subjectKeyIdentifier([]))
        },
        Oddity("subjectKeyIdentifier of eight octets", .authorities, own: ["ski"]) {
            draft, position in
            let identifier = Array(draft.path[position].key.keyIdentifier.prefix(8))
            draft.path[position].recipe.set(.subjectKeyIdentifier(identifier))
            draft.path[position + 1].recipe.set(.authorityKeyIdentifier(identifier))
        },
        .recipe("authorityKeyIdentifier absent", .issued, own: ["aki"]) {
            $0.remove(OID.authorityKeyIdentifier)
        },
        authorityKey("of the issuer's key, issuer and serial number", .issued) {
            keyIdentifier($0) + issuerAndSerial($0)
        },
        authorityKey("of issuer and serial number alone", .issued, issuerAndSerial),
        authorityKey("of issuer and another serial number", .issued) {
            issuerAndSerial($0, another: true)
        },
        authorityKey("of another key", .issued + [.anchor]) { _ in
            DER.contextPrimitive(0, [UInt8](repeating: 0x5A, count: 20))
        },
        authorityKey("of its own key", [.anchor, .trusted], keyIdentifier),
        authorityKey("of its own key, issuer and serial number", [.anchor, .trusted]) {
            keyIdentifier($0) + issuerAndSerial($0)
        },
        authorityKey("empty", .everyone) { _ in [] },
        authorityKey("critical", .everyone, critical: true, keyIdentifier),
    ]

    /// An authorityKeyIdentifier of what an issuer's certificate says.
    private static func authorityKey(
        _ name: String, _ roles: [Role], critical: Bool = false,
        _ content: @escaping @Sendable (ShapeDraft.Link) -> [UInt8]
    ) -> Oddity {
        Oddity(
            "authorityKeyIdentifier " + name, roles, own: ["aki"], stage: .referring
        ) { draft, position in
            draft.path[position].recipe.set(
                .raw(
                    OID.authorityKeyIdentifier, critical: critical,
                    DER.sequence(content(draft.path[max(position - 1, 0)]))))
        }
    }

    private static func keyIdentifier(_ issuer: ShapeDraft.Link) -> [UInt8] {
        DER.contextPrimitive(0, issuer.key.keyIdentifier)
    }

    private static func issuerAndSerial(_ issuer: ShapeDraft.Link) -> [UInt8] {
        issuerAndSerial(issuer, another: false)
    }

    private static func issuerAndSerial(_ issuer: ShapeDraft.Link, another: Bool) -> [UInt8] {
        DER.context(1, TestGeneralName.directory(issuer.recipe.issuer).der)
            + DER.contextPrimitive(
                2, another ? [0x77] : Array(issuer.recipe.serialInteger.dropFirst(2)))
    }

    // MARK: Numbers, dates, signatures

    static let serialNumbers: [Oddity] = [
        .recipe("serial number 0", .everyone, own: ["serial"]) { $0.serial = [0] },
        .recipe("a negative serial number", .everyone, own: ["serial"]) {
            $0.rawSerial = [0x02, 0x02, 0x80, 0x01]
        },
        .recipe("a serial number of 21 octets", .everyone, own: ["serial"]) {
            $0.serial = [UInt8](repeating: 0x11, count: 21)
        },
    ]

    static let validity: [Oddity] = [
        .recipe(
            "expired", .everyone, refused: "RFC 5280 §6.1.3(a)(2): expired", own: ["dates"]
        ) { $0.notAfter = .day(-10) },
        .recipe(
            "not yet valid", .everyone, refused: "RFC 5280 §6.1.3(a)(2): not yet valid",
            own: ["dates"]
        ) { $0.notBefore = .day(10) },
        .recipe("an end after its issuer's", .issued, own: ["dates"]) {
            $0.notAfter = .at("2049-06-01")
        },
        .recipe("without an end, 9999-12-31", .everyone, own: ["dates"]) {
            $0.notAfter = .at("9999-12-31T23:59:59Z")
        },
        .recipe("GeneralizedTime before 2050", .everyone, own: ["dates"]) {
            $0.rawValidity = DER.sequence(
                DER.generalizedTime($0.notBefore), DER.generalizedTime($0.notAfter))
        },
    ]

    static let signatures: [Oddity] = [
        .recipe(
            "a bad signature", .issued, refused: "RFC 5280 §6.1.3(a)(1): bad signature",
            own: ["signature"]
        ) { $0.damage = .otherMessage },
        .recipe("a bad signature of its own", [.anchor, .trusted], own: ["signature"]) {
            $0.damage = .otherMessage
        },
        sha1("signed with SHA-1", .issued, "SHA-1: below every baseline"),
        sha1("signed by itself with SHA-1", [.anchor, .trusted]),
        .recipe(
            "another algorithm inside than beside the signature", .issued,
            refused: "RFC 5280 §4.1.1.2: two algorithms are named", own: ["signature"]
        ) { $0.innerAlgorithm = TestSignature.ecdsa(.sha512).algorithmIdentifier },
        .recipe(
            "an RSA key of 1024 bits", [.endEntity],
            refused: "keys.rsa-minimum: below every baseline", own: ["key"]
        ) { $0.spki = TestKey.rsa1024("private pki").spki },
    ]

    private static func sha1(_ name: String, _ roles: [Role], _ refusal: String? = nil) -> Oddity {
        Oddity(
            name, roles, refused: refusal, own: ["signature"], fits: { $0.signer != .ed25519 }
        ) { draft, position in
            if case .rsa = draft.path[max(position - 1, 0)].key.kind {
                draft.path[position].recipe.signature = .rsaPKCS1(.sha1)
            } else {
                draft.path[position].recipe.signature = .ecdsa(.sha1)
            }
        }
    }

    // MARK: Further extensions

    static let certificatePolicies: [Oddity] = [
        .recipe("certificatePolicies", .everyone, own: ["policies"], shared: ["policies"]) {
            $0.set(.certificatePolicies([policy]))
        },
        .recipe("certificatePolicies critical", .everyone, own: ["policies"], shared: ["policies"])
        {
            $0.set(.certificatePolicies([policy]).critical(true))
        },
        .recipe(
            "certificatePolicies of anyPolicy", .authorities, own: ["policies"],
            shared: ["policies"]
        ) {
            $0.set(.certificatePolicies([OID.anyPolicy]))
        },
        .recipe("certificatePolicies empty", .everyone, own: ["policies"], shared: ["policies"]) {
            $0.set(.certificatePolicies([]))
        },
        Oddity(
            "policyConstraints that the path meets", [.intermediate], own: ["policyConstraints"],
            shared: ["policies"]
        ) { draft, position in
            for index in draft.path.indices {
                draft.path[index].recipe.set(.certificatePolicies([policy]))
            }
            draft.path[position].recipe.set(.policyConstraints(requireExplicit: 0))
        },
        explicitPolicy("policyConstraints that the path does not meet", critical: true),
        explicitPolicy(
            "policyConstraints that the path does not meet, not critical", critical: false),
        .recipe("policyConstraints inhibiting mappings", .authorities, own: ["policyConstraints"]) {
            $0.set(.policyConstraints(inhibitMapping: 0))
        },
        .recipe(
            "policyConstraints inhibiting mappings, not critical", .authorities,
            own: ["policyConstraints"]
        ) { $0.set(.policyConstraints(inhibitMapping: 0).critical(false)) },
        .recipe("inhibitAnyPolicy", .authorities, own: ["inhibit"]) {
            $0.set(.inhibitAnyPolicy(0))
        },
        .recipe("inhibitAnyPolicy not critical", .authorities, own: ["inhibit"]) {
            $0.set(.inhibitAnyPolicy(0).critical(false))
        },
    ]

    private static let policy = "1.3.6.1.4.1.32473.9.1"

    /// Nobody of the path asserts a certificate policy.
    private static func explicitPolicy(_ name: String, critical: Bool) -> Oddity {
        Oddity(
            name, .authorities,
            refused: "RFC 5280 §6.1.5(g): a certificate policy is required and none is valid",
            own: ["policies", "policyConstraints"], shared: ["policies"], stage: .referring
        ) { draft, position in
            for index in draft.path.indices {
                draft.path[index].recipe.remove(OID.certificatePolicies)
            }
            draft.path[position].recipe.set(
                .policyConstraints(requireExplicit: 0).critical(critical))
        }
    }

    static let otherExtensions: [Oddity] = [
        .recipe("an unknown extension", .everyone, own: ["unknown"]) {
            $0.set(.unknown(critical: false))
        },
        .recipe(
            "an unknown critical extension", .issued + [.trusted],
            refused: "RFC 5280 §6.1.4(o), §6.1.5(f): unprocessed critical extension",
            own: ["unknown"]
        ) { $0.set(.unknown(critical: true)) },
        .recipe("an unknown critical extension", [.anchor], own: ["unknown"]) {
            $0.set(.unknown(critical: true))
        },
        .recipe("authorityInfoAccess", .everyone, own: ["aia"]) { $0.set(access) },
        .recipe("authorityInfoAccess critical", .everyone, own: ["aia"]) {
            $0.set(access.critical(true))
        },
        .recipe("authorityInfoAccess empty", .everyone, own: ["aia"]) {
            $0.set(.authorityInfoAccess())
        },
        .recipe("cRLDistributionPoints", .everyone, own: ["points"]) { $0.set(points) },
        .recipe("cRLDistributionPoints critical", .everyone, own: ["points"]) {
            $0.set(points.critical(true))
        },
        .recipe("cRLDistributionPoints empty", .everyone, own: ["points"]) {
            $0.set(.crlDistributionPoints([]))
        },
        .recipe("issuerAltName", .everyone, own: ["issuerAltName"]) {
            $0.set(issuerAltName(false))
        },
        .recipe("issuerAltName critical", .everyone, own: ["issuerAltName"]) {
            $0.set(issuerAltName(true))
        },
        .recipe("must-staple", .servers, own: ["feature"]) { $0.set(.tlsFeatures([5])) },
    ]

    private static let access = TestExtension.authorityInfoAccess(
        ocsp: ["http://ocsp.shop.example/"], issuers: ["http://shop.example/ca.der"])
    private static let points = TestExtension.crlDistributionPoints(["http://shop.example/ca.crl"])

    private static func issuerAltName(_ critical: Bool) -> TestExtension {
        .raw(
            "2.5.29.18", critical: critical,
            DER.sequence(TestGeneralName.uri("http://shop.example/").der))
    }
}
