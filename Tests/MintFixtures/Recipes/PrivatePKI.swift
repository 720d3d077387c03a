import TestPKI
import TrustEngine

/// Chains as the tools of private certification authorities make them, byte for byte but for keys,
/// numbers and dates: the same extensions in the same order, with the same critical flags. The
/// profile of each tool, with its source, stands in `policies/private-pki/README.md`.
///
/// Beside them stand hostile chains that look like the chains of a tool and must stay rejected.
let privatePKI = FixtureRecipe(
    "private-pki", intent: "what private CAs issue is accepted, what nobody vouched for is not"
) { files in
    mintOpenSSLStyles(&files)
    mintOldAuthorities(&files)
    mintOtherTools(&files)
    mintGoTools(&files)
    mintKubernetes(&files)
    mintMeshes(&files)
    mintActiveDirectory(&files)
    mintDevelopmentCertificates(&files)
}

// MARK: - Certificates with exactly what a tool writes

/// What a tool puts into a certificate, the extensions apart.
struct PrivateProfile {
    /// Whom the certificate names.
    var subject: TestName
    var key: TestKey
    /// First second of the validity period.
    var from = UTCInstant.at("2026-03-01T09:30:00Z")
    /// Length of the validity period.
    var days: Int64 = 365
    /// Octets of the serial number.
    var serialOctets = 20
    /// A serial number that the tool does not draw at random.
    var serial: [UInt8]?
    /// What the certificate is signed with; nil is the signer's usual algorithm.
    var signature: TestSignature?

    fileprivate func fill(
        _ recipe: inout CertificateRecipe, _ extensions: (CertificateRecipe) -> [TestExtension]
    ) {
        recipe.notBefore = from
        recipe.notAfter = from.advanced(bySeconds: days * 86_400)
        recipe.signature = signature
        recipe.setSerial(octets: serialOctets)
        if let serial { recipe.serial = serial }
        recipe.extensions = extensions(recipe)
    }
}

extension Scenario {
    /// A root with these extensions and no others. The closure may look at the names and the
    /// serial number that the certificate will have.
    func root(
        _ profile: PrivateProfile, _ extensions: (CertificateRecipe) -> [TestExtension]
    ) -> Authority {
        root(profile.subject, key: profile.key) { profile.fill(&$0, extensions) }
    }
}

extension Authority {
    /// An intermediate authority with these extensions and no others.
    func issueCA(_ profile: PrivateProfile, _ extensions: [TestExtension]) -> Authority {
        issueCA(profile.subject, key: profile.key) { recipe in
            profile.fill(&recipe) { _ in extensions }
        }
    }

    /// An end entity certificate with these extensions and no others.
    func issue(_ profile: PrivateProfile, _ extensions: [TestExtension]) -> Minted {
        issueLeaf(subject: profile.subject, key: profile.key) { recipe in
            profile.fill(&recipe) { _ in extensions }
        }
    }

    /// authorityKeyIdentifier with only this authority's key identifier.
    var keyOnly: TestExtension { .authorityKeyIdentifier(key.sha1Identifier) }

    /// authorityKeyIdentifier with key identifier, issuer and serial number of this authority's
    /// certificate.
    var keyIssuerAndSerial: TestExtension {
        .authorityKeyIdentifier(
            key.sha1Identifier, issuer: certificate.recipe.issuer,
            serial: certificate.recipe.serialOctets)
    }
}

extension Scenario {
    /// The holder of a server certificate, who signs as if the certificate were an authority's.
    func holder(of server: Minted) -> Authority { root(server.recipe.subject, key: server.key) }
}

extension TestKey {
    /// SHA-1 over the public key's bits: method 1 of RFC 5280 section 4.2.1.2, which all of these
    /// tools use.
    var sha1Identifier: [UInt8] { TestHash.sha1.digest(publicKeyBits) }

    /// subjectKeyIdentifier of `sha1Identifier`.
    var sha1SubjectKeyIdentifier: TestExtension { .subjectKeyIdentifier(sha1Identifier) }
}

extension TestName {
    /// A name with only this common name, a PrintableString: how Go, Java and GnuTLS write text
    /// that allows it.
    static func printable(_ commonName: String) -> TestName {
        TestName(.text("2.5.4.3", commonName, tag: 0x13))
    }
}

extension TestName.Attribute {
    /// organizationName, a PrintableString.
    static func printableOrganization(_ value: String) -> Self {
        text("2.5.4.10", value, tag: 0x13)
    }

    /// commonName, a PrintableString.
    static func printableName(_ value: String) -> Self { text("2.5.4.3", value, tag: 0x13) }
}
