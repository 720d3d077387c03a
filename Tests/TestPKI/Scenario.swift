public import TrustEngine

/// A small world of certificates for one test or one policy example:
///
///     let pki = Scenario()
///     let root = pki.root("Root A", key: .rsa2048("root-a"))
///     let issuing = root.issueCA("Issuing 2", key: .p256("issuing-2"), pathLength: 0)
///     let api = issuing.issueLeaf(dns: ["api.acme.example"])
///     let chain = [api.der, issuing.der]
///
/// Everything is a value and a function of the written steps. Each step takes a closure that may
/// change the recipe before it is signed:
///
///     let old = issuing.issueLeaf(dns: ["old.acme.example"]) { $0.notAfter = .at("2026-04-01") }
public struct Scenario: Hashable, Sendable {
    /// Validity of roots and intermediates.
    public var authorityValidity: ClosedRange<UTCInstant>
    /// Validity of end entity certificates.
    public var leafValidity: ClosedRange<UTCInstant>

    /// The instant that examples are judged at, inside every default validity: 2026-06-01.
    public static let judgedAt = UTCInstant.at("2026-06-01T00:00:00Z")

    /// A world with the usual dates: authorities 2025 through 2034, leaves March through August
    /// 2026.
    public init() {
        self.authorityValidity = .at("2025-01-01")...(.at("2034-12-31T23:59:59Z"))
        self.leafValidity = .at("2026-03-01")...(.at("2026-08-31T23:59:59Z"))
    }

    /// A self-signed certification authority.
    public func root(
        _ name: TestName, key: TestKey, _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> Authority {
        var recipe = CertificateRecipe(
            issuer: name, subject: name, key: key, notBefore: authorityValidity.lowerBound,
            notAfter: authorityValidity.upperBound)
        recipe.extensions = [
            .basicConstraints(ca: true), .keyUsage([.keyCertSign, .cRLSign]),
            .subjectKeyIdentifier(key.keyIdentifier),
        ]
        change(&recipe)
        return Authority(
            name: recipe.subject, key: key, certificate: Minted(recipe, signedBy: key, key: key),
            world: self)
    }

    /// An end entity certificate that its own key signed, below no authority.
    public func selfSignedLeaf(
        dns: [String], key: TestKey? = nil,
        _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> Minted {
        let key = key ?? .p256("self-signed " + (dns.first ?? "nobody"))
        let name = TestName(dns.first ?? "nobody")
        var recipe = leafRecipe(issuer: name, subject: name, names: dns.map { .dns($0) }, key: key)
        change(&recipe)
        return Minted(recipe, signedBy: key, key: key)
    }

    /// The recipe of a good server certificate.
    fileprivate func leafRecipe(
        issuer: TestName, subject: TestName, names: [TestGeneralName], key: TestKey
    ) -> CertificateRecipe {
        var recipe = CertificateRecipe(
            issuer: issuer, subject: subject, key: key, notBefore: leafValidity.lowerBound,
            notAfter: leafValidity.upperBound)
        var usage: TestExtension.KeyUsage = [.digitalSignature]
        if case .rsa = key.kind { usage.insert(.keyEncipherment) }
        recipe.extensions = [
            .basicConstraints(ca: false), .keyUsage(usage), .extendedKeyUsage([OID.serverAuth]),
            .subjectKeyIdentifier(key.keyIdentifier),
        ]
        if !names.isEmpty { recipe.extensions.append(.subjectAltName(names)) }
        return recipe
    }
}

/// A certification authority: a name, a key, and a certificate that says they belong together.
public struct Authority: Hashable, Sendable {
    /// The subject of its certificates.
    public let name: TestName
    /// The key it signs with.
    public let key: TestKey
    /// The certificate this authority was made with.
    public let certificate: Minted
    /// Where the dates come from.
    public let world: Scenario

    init(name: TestName, key: TestKey, certificate: Minted, world: Scenario) {
        self.name = name
        self.key = key
        self.certificate = certificate
        self.world = world
    }

    /// The holder of a certificate, which signs with its key under its name: an end entity that
    /// acts as an authority.
    public init(holding certificate: Minted) {
        self.init(
            name: certificate.recipe.subject, key: certificate.key, certificate: certificate,
            world: Scenario())
    }

    /// The certificate's octets.
    public var der: [UInt8] { certificate.der }

    /// The certificate as PEM.
    public var pem: String { certificate.pem }

    /// An intermediate authority below this one.
    public func issueCA(
        _ name: TestName, key: TestKey, pathLength: Int? = nil,
        _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> Authority {
        var recipe = CertificateRecipe(
            issuer: self.name, subject: name, key: key,
            notBefore: world.authorityValidity.lowerBound,
            notAfter: world.authorityValidity.upperBound)
        recipe.extensions = [
            .basicConstraints(ca: true, pathLength: pathLength),
            .keyUsage([.keyCertSign, .cRLSign]), .subjectKeyIdentifier(key.keyIdentifier),
            .authorityKeyIdentifier(self.key.keyIdentifier),
        ]
        change(&recipe)
        return Authority(
            name: recipe.subject, key: key,
            certificate: Minted(recipe, signedBy: self.key, key: key), world: world)
    }

    /// A certificate of this authority's for the name and key of another, which thereby has one
    /// more: a cross-sign.
    public func crossSign(
        _ other: Authority, pathLength: Int? = nil,
        _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> Minted {
        issueCA(other.name, key: other.key, pathLength: pathLength, change).certificate
    }

    /// A server certificate. Its subject is its first name and its key a P-256 key labelled with
    /// that, unless said otherwise.
    public func issueLeaf(
        dns: [String] = [], ips: [String] = [], subject: TestName? = nil, key: TestKey? = nil,
        notBefore: UTCInstant? = nil, notAfter: UTCInstant? = nil,
        _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> Minted {
        let first = dns.first ?? ips.first ?? "nobody"
        let key = key ?? .p256("leaf " + first)
        var recipe = world.leafRecipe(
            issuer: name, subject: subject ?? TestName(first),
            names: dns.map { .dns($0) } + ips.map { .ip($0) }, key: key)
        recipe.extensions.append(.authorityKeyIdentifier(self.key.keyIdentifier))
        if let notBefore { recipe.notBefore = notBefore }
        if let notAfter { recipe.notAfter = notAfter }
        change(&recipe)
        return Minted(recipe, signedBy: self.key, key: key)
    }
}

/// A finished certificate.
public struct Minted: Hashable, Sendable {
    /// Its recipe.
    public let recipe: CertificateRecipe
    /// The subject's key pair.
    public let key: TestKey
    /// The octets.
    public let der: [UInt8]

    /// Writes and signs a recipe.
    public init(_ recipe: CertificateRecipe, signedBy signer: TestKey, key: TestKey) {
        self.recipe = recipe
        self.key = key
        self.der = recipe.certificate(signedBy: signer)
    }

    /// The certificate as PEM.
    public var pem: String { PEMWriter.block("CERTIFICATE", der) }

    /// The pin of its key, `sha256/BASE64`.
    public var pin: String { "sha256/" + PEMWriter.base64(TestHash.sha256.digest(recipe.spki)) }

    /// SHA-256 of the whole certificate.
    public var fingerprint: [UInt8] { TestHash.sha256.digest(der) }

    /// The certificate as the engine reads it.
    public func parsed() throws(CertificateError) -> Certificate {
        try Certificate(der: der)
    }
}

extension UTCInstant {
    /// The instant some days after the one that examples are judged at.
    public static func day(_ days: Int64) -> UTCInstant {
        Scenario.judgedAt.advanced(bySeconds: days * 86_400)
    }
}
