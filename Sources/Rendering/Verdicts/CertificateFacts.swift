package import PolicyReading
package import TrustEngine

/// What pages and JSON tell of a certificate beside its name: the same facts, in the same words.
package struct CertificateFacts: Sendable {
    /// One fact.
    package struct Fact: Sendable {
        /// The key in JSON.
        package let key: String
        /// The words for a reader.
        package let title: String
        package let values: [String]
        /// Whether JSON has a list.
        let isList: Bool
    }

    package let fingerprint: Digest
    package let subject: String
    package let notBefore: UTCInstant
    package let notAfter: UTCInstant
    /// In the order of a certificate.
    package let facts: [Fact]

    package init(_ certificate: Certificate, crypto: any CryptoBackend) {
        let der = certificate.der
        let spki = certificate.spkiBytes
        fingerprint = crypto.digest(.sha256, of: der.span)
        subject = certificate.subjectText
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
        let pin = KeyMatch(kind: .spki, digest: crypto.digest(.sha256, of: spki.span))
        func one(_ key: String, _ title: String, _ value: String) -> Fact {
            Fact(key: key, title: title, values: [value], isList: false)
        }
        func list(_ key: String, _ title: String, _ values: [String]) -> Fact {
            Fact(key: key, title: title, values: values, isList: true)
        }
        facts = [
            one("subject", "subject", subject),
            one("issuer", "issuer", certificate.issuerText),
            one("serial", "serial number", Hexadecimal.encode(certificate.serialBytes)),
            one("notBefore", "valid from", notBefore.description),
            one("notAfter", "valid until", notAfter.description),
            list("names", "names", ServiceIdentity.presentedNames(of: certificate)),
            list("purposes", "key purposes", certificate.purposeNames),
            one("pin", "pin of its key", pin.text),
            one("fingerprint", "SHA-256", fingerprint.text),
        ]
    }

    /// Certificates by their fingerprints.
    static func byFingerprint(_ certificates: [CertificateFacts]) -> [Digest: CertificateFacts] {
        Dictionary(
            certificates.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The facts as JSON.
    package var json: JSONValue {
        .object(
            facts.map { fact in
                (
                    fact.key,
                    fact.isList
                        ? .array(fact.values.map { .string($0) })
                        : .string(fact.values.first ?? "")
                )
            })
    }
}
