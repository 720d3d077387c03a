/// Both sides of a failed pin set.
public struct PinMismatch: Hashable, Sendable {
    /// One pin that was wanted.
    public struct Wanted: Hashable, Sendable {
        /// The entry's id.
        public let id: String
        /// Whether it stands in `backups`.
        public let isBackup: Bool
        /// The word of `at`.
        public let position: String
        /// Every digest that would satisfy it, as policies write them: `sha256/…` or `sha256:…`.
        public let digests: [String]
        /// Whether it matched.
        public let matched: Bool

        /// A wanted pin.
        public init(id: String, isBackup: Bool, position: String, digests: [String], matched: Bool)
        {
            self.id = id
            self.isBackup = isBackup
            self.position = position
            self.digests = digests
            self.matched = matched
        }
    }

    /// One key that was found on the path.
    public struct Found: Hashable, Sendable {
        /// The certificate that carries it.
        public let certificate: CertificateReference
        /// Its SPKI pin, `sha256/…`.
        public let spki: String

        /// A found key.
        public init(certificate: CertificateReference, spki: String) {
            self.certificate = certificate
            self.spki = spki
        }
    }

    /// The pin set's id.
    public let set: String
    /// Distinct keys that must match.
    public let needed: Int
    /// Distinct keys that did.
    public let matched: Int
    /// Keys first, then backups.
    public let wanted: [Wanted]
    /// End entity first.
    public let found: [Found]

    /// A mismatch.
    public init(set: String, needed: Int, matched: Int, wanted: [Wanted], found: [Found]) {
        self.set = set
        self.needed = needed
        self.matched = matched
        self.wanted = wanted
        self.found = found
    }
}
