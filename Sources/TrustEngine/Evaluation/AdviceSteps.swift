// The steps that serve advice about a reject. The evaluation records them when it reads the
// presented certificates. Checks do not depend on them.

/// The key of a presented certificate, by which advice names who answered. The first eight
/// certificates of a chain have this step.
public struct PresentedKeyStep: Hashable, Sendable {
    /// Index of the certificate in the presented chain.
    public let index: Int
    /// SHA-256 of the certificate's SubjectPublicKeyInfo.
    public let key: Digest

    /// Makes the step from its values.
    package init(index: Int, key: Digest) {
        self.index = index
        self.key = key
    }
}

/// Where a presented certificate says that its issuer's certificate is (RFC 5280 section 4.2.2.1,
/// caIssuers). Whoever answers wrote the addresses, and nothing is fetched from them. Of the first
/// eight certificates of a chain, those that name such an address have this step.
public struct IssuerAddressesStep: Hashable, Sendable {
    /// Index of the certificate in the presented chain.
    public let index: Int
    /// The first addresses of the certificate that are printable ASCII and plain http, in its
    /// order; at least one.
    public let addresses: [String]

    /// Makes the step from its values.
    package init(index: Int, addresses: [String]) {
        self.index = index
        self.addresses = addresses
    }
}

/// The server's own certificate in a presented chain that begins with a CA. The evaluation judges
/// the first certificate as the server's own, whatever it is.
public struct MisplacedEndEntityStep: Hashable, Sendable {
    /// Index of the server's own certificate in the presented chain; not 0.
    public let index: Int

    /// Makes the step from its value.
    package init(index: Int) { self.index = index }
}
