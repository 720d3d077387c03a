/// A key of `forbidden-keys` that a path holds, with both sides: the entry and the certificate.
package struct ForbiddenKeyFound: Hashable, Sendable {
    /// Id of the entry.
    package let entry: String
    /// The digest that matched, written as in a policy: `sha256/…` or `sha256:…`.
    package let digest: String
    /// The certificate of the path that the entry matched.
    package let certificate: CertificateReference
    /// The first second of the entry's window of notBefore. Both ends are nil when the entry
    /// applies to every end entity.
    package let from: UTCInstant?
    /// The last second of the entry's window of notBefore; nil where the window has no end.
    package let until: UTCInstant?
    /// The end entity's notBefore.
    package let issued: UTCInstant

    /// Makes the value from its parts.
    package init(
        entry: String, digest: String, certificate: CertificateReference, from: UTCInstant?,
        until: UTCInstant?, issued: UTCInstant
    ) {
        self.entry = entry
        self.digest = digest
        self.certificate = certificate
        self.from = from
        self.until = until
        self.issued = issued
    }
}
