public import TrustEngine

/// A server whose certificate has a timestamp, and filters that say whether it is revoked.
public struct FilteredSite: Sendable {
    /// The host of the certificate.
    public let host: String
    /// The authority that issued the certificate.
    public let root: Authority
    /// The certificate.
    public let leaf: Minted
    /// The log of the timestamp.
    public let log: TestLog
    /// The time of the timestamp.
    public static let logged = UTCInstant.at("2026-05-10T01:00:00Z")

    /// Mints the certificates.
    public init(host: String = "api.filtered.example") {
        let log = TestLog("Larch 2026", of: "Larch")
        let root = Scenario().root("Filtered Root", key: .p256("filtered-root"))
        self.host = host
        self.log = log
        self.root = root
        leaf = root.issueLeaf(dns: [host]) { recipe in
            recipe.embed([log.timestamp(at: FilteredSite.logged)], issuedBy: root.key)
        }
    }

    /// A policy that demands a good answer of filters. It names the file `root.pem`.
    public var policy: String {
        """
        hawser: 1
        default: deny
        anchors:
          filtered: { files: [root.pem] }
        rules:
          api:
            hosts: ["\(host)"]
            anchors: [filtered]
            revocation: { preset: require, sources: [crlite], scope: leaf }

        """
    }

    /// A filter that covers the certificate, in which it is revoked or not.
    ///
    /// - Parameter until: the newest time that the filter covers; two hours before requests are
    ///   judged.
    public func filter(
        isRevoked: Bool, until: UTCInstant = .at("2026-05-31T22:00:00Z")
    ) throws -> FilterRecipe {
        let serial = try leaf.parsed().serialBytes
        let others: [[UInt8]] = (0..<40).map { [1, UInt8($0)] }
        return FilterRecipe(
            [
                FilterRecipe.Issuer(
                    root.key.spkiSHA256, revoked: isRevoked ? [serial] : [],
                    good: isRevoked ? others : others + [serial])
            ],
            coverage: [
                FilterRecipe.Coverage(
                    log: log.key.spkiSHA256,
                    low: UInt64(UTCInstant.at("2026-01-01").secondsSinceEpoch) * 1_000,
                    high: UInt64(until.secondsSinceEpoch) * 1_000)
            ])
    }
}
