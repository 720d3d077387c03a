/// Everything but the engine that one verdict depends on: the host, the presented chain, the
/// evidence, and the instant to judge at. A plain value; the engine fetches nothing.
public struct TrustRequest: Hashable, Sendable {
    /// The host as the caller has it: a name in ASCII or an address (LANGUAGE section 12.9). Any
    /// other text is rejected with `bad-host`.
    public var host: String
    /// The port of the connection.
    public var port: UInt16
    /// DER of each certificate the peer sent, wire order, untrusted; the first is the end entity.
    public var presentedChain: [[UInt8]]
    /// The instant at which the request is judged.
    public var time: UTCInstant
    /// The state of the connection's TLS parameters.
    public var tls: TLSState
    /// Evidence for revocation and transparency.
    public var evidence: Evidence

    /// Makes a request; by default without evidence and with TLS parameters not supplied.
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

/// The part of a request that selects the rule, and the instant. Callers that copy lazily supply
/// the rest only if a rule matches.
package struct RequestHead: Sendable {
    /// As `TrustRequest.host`.
    package let host: String
    /// As `TrustRequest.port`.
    package let port: UInt16
    /// As `TrustRequest.time`.
    package let time: UTCInstant

    /// Makes a head from its values.
    package init(host: String, port: UInt16, time: UTCInstant) {
        self.host = host
        self.port = port
        self.time = time
    }
}

/// How the caller knows a connection's TLS parameters (LANGUAGE section 12.3).
public enum TLSState: Hashable, Sendable {
    /// The parameters were read from a completed handshake.
    case observed(TLSParameters)
    /// A configuration imposes the parameters. It was derived from the rule with this id under the
    /// policy with this digest. When another rule or policy decides, the parameters count as not
    /// supplied.
    case enforced(TLSParameters, ruleID: String, policyDigest: Digest)
    /// The caller assumes the parameters without having seen them. An accept lists the assumption
    /// as a notice.
    case assumed(TLSParameters)
    /// Nothing is known of the parameters. Each demanded parameter is a violation.
    case notSupplied
    /// The connection has no TLS. Only a waiver of `cleartext` accepts it. No other part of the
    /// request is judged then.
    case cleartext
}

/// Negotiated TLS parameters; nil where a parameter is unknown.
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

    /// Makes parameters; nil where a parameter is unknown.
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

/// Evidence supplied with a request: octets as received, evidence that was prepared before
/// (`PreparedEvidence`) and need not be parsed for each request, or filters that the engine asks.
public struct Evidence: Hashable, Sendable {
    /// The OCSP response stapled to the handshake.
    public var stapledOCSP: [UInt8]?
    /// Further OCSP responses, each as DER.
    public var ocspResponses: [[UInt8]]
    /// CRLs, each as DER.
    public var crls: [[UInt8]]
    /// CRLs and OCSP responses that were prepared before. A prepared response does not count as a
    /// staple.
    public var prepared: [PreparedEvidence]
    /// The SignedCertificateTimestampList of the TLS extension, as received.
    public var sctList: [UInt8]?
    /// CRLite filters. Nil where the program has none.
    public var filters: SuppliedFilters?
    /// Replies of CRLite filters that were recorded before. A recorded reply counts in place of
    /// asking. It has no signature: whoever hands it over vouches for it.
    package var filterReplies: [RevocationFilterQuestion: RevocationFilterReply] = [:]

    /// Makes evidence; by default none.
    public init(
        stapledOCSP: [UInt8]? = nil, ocspResponses: [[UInt8]] = [], crls: [[UInt8]] = [],
        prepared: [PreparedEvidence] = [], sctList: [UInt8]? = nil,
        filters: SuppliedFilters? = nil
    ) {
        self.stapledOCSP = stapledOCSP
        self.ocspResponses = ocspResponses
        self.crls = crls
        self.prepared = prepared
        self.sctList = sctList
        self.filters = filters
    }
}

extension Evidence {
    /// Adds a reply of filters. Of two replies to one question the one that says *revoked* stays,
    /// then the newer one.
    ///
    /// - Parameter isRevokedOnly: whether only a reply that says *revoked* is added.
    package mutating func add(
        _ reply: RevocationFilterReply, to question: RevocationFilterQuestion,
        isRevokedOnly: Bool = false
    ) {
        guard !isRevokedOnly || reply.status == .revoked else { return }
        guard let other = filterReplies[question] else {
            filterReplies[question] = reply
            return
        }
        guard other.status != .revoked else { return }
        if reply.status == .revoked || other.isOlder(than: reply) {
            filterReplies[question] = reply
        }
    }

    /// Recorded replies, and the filters for all other questions; nil without both.
    ///
    /// - Parameter otherwise: the filters where the request has none.
    package func filterSource(otherwise: SuppliedFilters?) -> FilterSource? {
        let filters = filters ?? otherwise
        guard filters != nil || !filterReplies.isEmpty else { return nil }
        return FilterSource(recorded: filterReplies, filters: filters?.filters)
    }
}

extension RevocationFilterReply {
    /// Whether the newest time that the filters cover is earlier than another reply's.
    fileprivate func isOlder(than other: RevocationFilterReply) -> Bool {
        guard let newest = other.newest else { return false }
        return self.newest.map { $0 < newest } ?? true
    }
}
