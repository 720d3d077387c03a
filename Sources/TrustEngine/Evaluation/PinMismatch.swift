/// A pin set that a path does not satisfy, with both sides: the wanted pins and the keys that were
/// found.
public struct PinMismatch: Hashable, Sendable {
    /// One entry of the pin set.
    public struct Wanted: Hashable, Sendable {
        /// Id of the entry.
        public let id: String
        /// Whether the entry stands in `backups`.
        public let isBackup: Bool
        /// The value of `at`.
        public let position: String
        /// Every digest that would satisfy the entry, written as in a policy: `sha256/…` or
        /// `sha256:…`.
        public let digests: [String]
        /// Whether the entry matched.
        public let matched: Bool

        /// Makes the value from its parts.
        public init(id: String, isBackup: Bool, position: String, digests: [String], matched: Bool)
        {
            self.id = id
            self.isBackup = isBackup
            self.position = position
            self.digests = digests
            self.matched = matched
        }
    }

    /// One key of the path.
    public struct Found: Hashable, Sendable {
        /// The certificate that holds the key.
        public let certificate: CertificateReference
        /// The SPKI pin of the key, `sha256/…`.
        public let spki: String

        /// Makes the value from its parts.
        public init(certificate: CertificateReference, spki: String) {
            self.certificate = certificate
            self.spki = spki
        }
    }

    /// Id of the pin set.
    public let set: String
    /// Number of distinct keys that must match.
    public let needed: Int
    /// Number of distinct keys that matched.
    public let matched: Int
    /// The entries of the pin set, `keys` first, then `backups`.
    public let wanted: [Wanted]
    /// The keys of the path, end entity first.
    public let found: [Found]

    /// Makes a mismatch from its values.
    public init(set: String, needed: Int, matched: Int, wanted: [Wanted], found: [Found]) {
        self.set = set
        self.needed = needed
        self.matched = matched
        self.wanted = wanted
        self.found = found
    }
}
