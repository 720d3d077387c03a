/// Everything one verdict depends on besides the engine: the host asked for, what the peer presented,
/// the evidence at hand, and the instant to judge at. A plain value; nothing is fetched.
public struct TrustRequest: Hashable, Sendable {
    /// The host as the caller has it: a name in ASCII, or an address. Judged by LANGUAGE section 12.9;
    /// what is neither rejects with `bad-host`.
    public var host: String
    /// The port.
    public var port: UInt16
    /// DER of each certificate the peer sent, wire order, untrusted; the first is the end entity.
    public var presentedChain: [[UInt8]]
    /// The instant to judge at.
    public var time: UTCInstant
    /// What is known of the connection's TLS parameters.
    public var tls: TLSState
    /// Revocation and transparency evidence.
    public var evidence: Evidence

    /// A request; evidence defaults to none, TLS parameters to not supplied.
    public init(
        host: String, port: UInt16, presentedChain: [[UInt8]], time: UTCInstant,
        tls: TLSState = .notSupplied, evidence: Evidence = Evidence()
    ) {
        self.host = host
        self.port = port
        self.presentedChain = presentedChain
        self.time = time
        self.tls = tls
        self.evidence = evidence
    }
}

/// What the caller can say of a connection's TLS parameters (LANGUAGE section 12.3).
public enum TLSState: Hashable, Sendable {
    /// Read from a completed handshake.
    case observed(TLSParameters)
    /// Imposed by a configuration derived from the rule with this id under the policy with this
    /// digest; any other rule or policy counts as not supplied.
    case enforced(TLSParameters, ruleID: String, policyDigest: Digest)
    /// Said by the caller without having seen it; listed as a notice.
    case assumed(TLSParameters)
    /// Nothing is known: each demanded parameter is a violation.
    case notSupplied
    /// The connection has no TLS. Only a waiver of `cleartext` accepts it, and nothing else of the
    /// request is then looked at.
    case cleartext
}

/// Negotiated TLS parameters; nil where unknown.
public struct TLSParameters: Hashable, Sendable {
    /// The protocol version.
    public var version: TLSVersion?
    /// IANA name of the cipher suite.
    public var cipherSuite: String?
    /// IANA name of the key exchange group.
    public var group: String?
    /// IANA name of the scheme that the server signed the handshake with.
    public var signatureScheme: String?
    /// The negotiated application protocol.
    public var alpn: String?

    /// Parameters; nil where unknown.
    public init(
        version: TLSVersion? = nil, cipherSuite: String? = nil, group: String? = nil,
        signatureScheme: String? = nil, alpn: String? = nil
    ) {
        self.version = version
        self.cipherSuite = cipherSuite
        self.group = group
        self.signatureScheme = signatureScheme
        self.alpn = alpn
    }
}

/// Evidence handed over with a request: as received, or prepared before (`PreparedEvidence`), which
/// spares each request the reading.
public struct Evidence: Hashable, Sendable {
    /// The OCSP response stapled to the handshake.
    public var stapledOCSP: [UInt8]?
    /// Further OCSP responses, DER.
    public var ocspResponses: [[UInt8]]
    /// CRLs, DER.
    public var crls: [[UInt8]]
    /// CRLs and OCSP responses that were prepared; a prepared response does not count as a staple.
    public var prepared: [PreparedEvidence]
    /// The SignedCertificateTimestampList of the TLS extension, as received.
    public var sctList: [UInt8]?

    /// Evidence; by default none.
    public init(
        stapledOCSP: [UInt8]? = nil, ocspResponses: [[UInt8]] = [], crls: [[UInt8]] = [],
        prepared: [PreparedEvidence] = [], sctList: [UInt8]? = nil
    ) {
        self.stapledOCSP = stapledOCSP
        self.ocspResponses = ocspResponses
        self.crls = crls
        self.prepared = prepared
        self.sctList = sctList
    }
}
