public import TrustEngine

/// One decision, written down so that it can be made again: by which table, on which inputs, with
/// which verdict and trace. Compact: inputs stand there by their digests, unless the receipt is
/// self-contained.
///
/// A receipt is no proof against whoever writes it; keep it where it cannot be altered. It is a
/// plain value: nothing is evaluated to make one of an `Explanation`.
public struct DecisionReceipt: Hashable, Sendable {
    /// The name and version of the format.
    public static let schema = "hawser/receipt/1"

    /// What judged.
    public struct Table: Hashable, Sendable {
        /// Digest of the policy's meaning.
        public var policyDigest: Digest
        /// Digest of the table's octets. Tables of one meaning may differ in it, by where the
        /// policy was written or who owns its rules.
        public var fileDigest: Digest
        /// Digest of the system store, where the policy names it.
        public var systemStoreDigest: Digest?
        /// Digest of the log list of the rule that decided, where it has one.
        public var logListDigest: Digest?
        /// The table's revision, where it came with one.
        public var revision: UInt64?
        /// Until when the table was fresh, where it could become stale.
        public var freshness: TableFreshness?
    }

    /// The host, as far as it may be known.
    public enum Host: Hashable, Sendable {
        /// As it was asked for.
        case text(String)
        /// HMAC-SHA-256 under a key of the program's.
        case keyed(Digest)
        /// Left out.
        case dropped
    }

    /// The mark of the trace: a digest of its canonical JSON, without sentences.
    public enum Trace: Hashable, Sendable {
        /// SHA-256.
        case digest(Digest)
        /// HMAC-SHA-256 under the key of the host: a trace holds the host, so that its plain digest
        /// would tell a guessed one.
        case keyed(Digest)
        /// Left out, where something is redacted and there is no key.
        case dropped
    }

    /// One piece of evidence of the request.
    public struct Piece: Hashable, Sendable {
        /// How a piece was handed over. What was prepared costs an evaluation less, and says so in
        /// its trace.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// The OCSP response of the handshake.
            case staple
            /// A prepared OCSP response.
            case preparedResponse = "prepared-ocsp"
            /// A prepared CRL.
            case preparedList = "prepared-crl"
            /// A prepared OCSP response of which preparation verified no signature.
            case unverifiedResponse = "prepared-ocsp-unverified"
            /// A prepared CRL of which preparation did not verify the signature.
            case unverifiedList = "prepared-crl-unverified"
            /// A CRL of a revocation set; the digest is that of the CRL.
            case revocationSet = "revocation-set"
            /// An OCSP response as received.
            case response = "ocsp"
            /// A CRL as received.
            case list = "crl"
            /// The timestamps of the TLS extension.
            case timestamps = "sct-list"
        }

        /// How it was handed over.
        public var kind: Kind
        /// SHA-256 of its octets.
        public var digest: Digest
    }

    /// A failure that did not reject.
    public struct ReportedFailure: Hashable, Sendable {
        /// Why it did not.
        public enum Reason: String, Hashable, Sendable, CaseIterable {
            /// A waiver was in force.
            case waived
            /// It is only reported.
            case reportOnly = "report-only"
        }

        /// The violation's id.
        public var violation: String
        /// Why it did not reject.
        public var reason: Reason
    }

    /// The octets of the inputs, in a self-contained receipt.
    public struct Inputs: Hashable, Sendable {
        /// The presented chain, wire order.
        public var chain: [[UInt8]]
        /// The evidence in the receipt's order; nil for a CRL of a revocation set, which is too
        /// large to stand in a receipt.
        public var evidence: [[UInt8]?]
    }

    /// What judged.
    public var table: Table
    /// The host.
    public var host: Host
    /// The port; nil where it is redacted.
    public var port: UInt16?
    /// The instant judged at.
    public var time: UTCInstant
    /// What was known of the TLS parameters.
    public var tls: TLSState
    /// SHA-256 of each presented certificate, wire order; nil where the chain is redacted.
    public var chain: [Digest]?
    /// The evidence, in the order in which a request holds it; nil where the chain is redacted.
    public var evidence: [Piece]?
    /// Whether the verdict is an accept.
    public var isAccept: Bool
    /// Ids of the violations of a reject, in the verdict's order.
    public var violations: [String]
    /// What was reported of an accept.
    public var reported: [ReportedFailure]
    /// The mark of the trace.
    public var trace: Trace
    /// The inputs themselves; nil unless the receipt is self-contained.
    public var inputs: Inputs?
}
