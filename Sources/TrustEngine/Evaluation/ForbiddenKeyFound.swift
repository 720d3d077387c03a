/// Both sides of an entry of `forbidden-keys` that a path holds.
package struct ForbiddenKeyFound: Hashable, Sendable {
    /// The entry's id.
    package let entry: String
    /// The digest that matched, as policies write it: `sha256/…` or `sha256:…`.
    package let digest: String
    /// The certificate of the path that it matched.
    package let certificate: CertificateReference
    /// The first and the last notBefore of an end entity that the entry speaks of; both nil when it
    /// speaks of every one.
    package let from: UTCInstant?
    /// Its last second; nil where it has no end.
    package let until: UTCInstant?
    /// The end entity's notBefore.
    package let issued: UTCInstant

    /// A forbidden key that was found.
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
