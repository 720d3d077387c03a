/// Both sides of an entry of `forbidden-keys` that a path holds.
public struct ForbiddenKeyFound: Hashable, Sendable {
    /// The entry's id.
    public let entry: String
    /// The digest that matched, as policies write it: `sha256/…` or `sha256:…`.
    public let digest: String
    /// The certificate of the path that it matched.
    public let certificate: CertificateReference
    /// The first and the last notBefore of an end entity that the entry speaks of; both nil when it
    /// speaks of every one.
    public let from: UTCInstant?
    /// Its last second; nil where it has no end.
    public let until: UTCInstant?
    /// The end entity's notBefore.
    public let issued: UTCInstant

    /// A forbidden key that was found.
    public init(
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
