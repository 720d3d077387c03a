public import TrustEngine

/// A record of one decision, from which the decision can be made again: the table, the inputs, the
/// verdict and the trace. The inputs are present only as digests, unless the receipt is
/// self-contained.
///
/// A receipt proves nothing against its writer. Keep it in storage that cannot be changed. A
/// receipt is a plain value, and making one from an `Explanation` evaluates nothing.
public struct DecisionReceipt: Hashable, Sendable {
    /// The name and version of the format.
    public static let schema = "hawser/receipt/1"

    /// The table that judged.
    public struct Table: Hashable, Sendable {
        /// Digest of the meaning of the policy.
        public var policyDigest: Digest
        /// Digest of the table's octets. Tables of one meaning may differ in it, for example in the
        /// file names of the policy or the owners of its rules.
        public var fileDigest: Digest
        /// Digest of the system store; nil when the policy does not name it.
        public var systemStoreDigest: Digest?
        /// Digest of the log list of the rule that decided; nil when the rule has none.
        public var logListDigest: Digest?
        /// The table's revision; nil when the table states none.
        public var revision: UInt64?
        /// Until when the table was fresh; nil when it could not become stale.
        public var freshness: TableFreshness?
    }

    /// The host, as far as the redaction keeps it.
    public enum Host: Hashable, Sendable {
        /// The host as the request names it.
        case text(String)
        /// HMAC-SHA-256 of the host under the program's key.
        case keyed(Digest)
        /// The host is left out.
        case dropped
    }

    /// The digest of the trace: of its canonical JSON, without sentences.
    public enum Trace: Hashable, Sendable {
        /// SHA-256.
        case digest(Digest)
        /// HMAC-SHA-256 under the key of the host. A trace contains the host, so a plain digest
        /// would let a reader test a guessed host.
        case keyed(Digest)
        /// The digest is left out, because something is redacted and no key is given.
        case dropped
    }

    /// One piece of evidence of the request.
    public struct EvidenceDigest: Hashable, Sendable {
        /// How a piece was handed over. Prepared evidence costs an evaluation less work, and its
        /// trace says so.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// The OCSP response of the handshake.
            case staple
            /// A prepared OCSP response.
            case preparedResponse = "prepared-ocsp"
            /// A prepared CRL.
            case preparedList = "prepared-crl"
            /// A prepared OCSP response. The preparation verified no signature of it.
            case unverifiedResponse = "prepared-ocsp-unverified"
            /// A prepared CRL. The preparation did not verify its signature.
            case unverifiedList = "prepared-crl-unverified"
            /// A CRL of a revocation set. The digest is the CRL's.
            case revocationSet = "revocation-set"
            /// An OCSP response as it was received.
            case response = "ocsp"
            /// A CRL as it was received.
            case list = "crl"
            /// The timestamps of the TLS extension.
            case timestamps = "sct-list"
            /// The reply of CRLite filters to a question about the end entity
            /// (`grammar/filter-reply.schema.json`).
            case filterReply = "filter-reply"
        }

        /// How the piece was handed over.
        public var kind: Kind
        /// SHA-256 of the piece's octets.
        public var digest: Digest
    }

    /// A failure of an accepted path that did not reject.
    public struct ReportedFailure: Hashable, Sendable {
        /// Why the failure did not reject.
        public enum Reason: String, Hashable, Sendable, CaseIterable {
            /// A waiver was in force.
            case waived
            /// The rule only reports the demand.
            case reportOnly = "report-only"
        }

        /// The violation.
        public var violation: RecordedViolation
        /// Why the failure did not reject.
        public var reason: Reason
        /// The last second at which the failure does not reject; nil when it never rejects.
        public var until: UTCInstant?
    }

    /// The octets of the inputs, in a self-contained receipt.
    public struct Inputs: Hashable, Sendable {
        /// The presented chain, in wire order.
        public var chain: [[UInt8]]
        /// The evidence, in the receipt's order. An element is nil for a CRL of a revocation set,
        /// which is too large for a receipt.
        public var evidence: [[UInt8]?]
    }

    /// The id of the decision; nil where the redaction leaves it out.
    public var id: DecisionID?
    /// Who made the decision.
    public var decisionMaker: DecisionMaker
    /// The table that judged.
    public var table: Table
    /// The rule that decided; empty for `default`. Nil when no rule decided and when the host is
    /// redacted.
    public var rule: String?
    /// The host of the request.
    public var host: Host
    /// The port; nil when it is redacted.
    public var port: UInt16?
    /// The validation time.
    public var time: UTCInstant
    /// The TLS parameters, as far as they were known.
    public var tls: TLSState
    /// SHA-256 of each presented certificate, in wire order; nil when the chain is redacted.
    public var chain: [Digest]?
    /// The evidence, in the order of the request; nil when the chain is redacted.
    public var evidence: [EvidenceDigest]?
    /// Whether the verdict is an accept.
    public var isAccept: Bool
    /// The violations of a reject, in the verdict's order.
    public var violations: [RecordedViolation]
    /// The failures that an accept reports.
    public var reported: [ReportedFailure]
    /// The digest of the trace.
    public var trace: Trace
    /// The inputs; nil unless the receipt is self-contained.
    public var inputs: Inputs?
}
