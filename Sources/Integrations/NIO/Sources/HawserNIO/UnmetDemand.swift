#if NIO

public import Hawser
public import TrustEngine

/// A demand of a rule that this integration cannot meet or check. The verdicts of that rule fail
/// closed. This value reports the demand before the first connection is made.
public struct UnmetDemand: Hashable, Sendable {
    /// The kind of demand that cannot be met.
    public enum Demand: String, Hashable, Sendable, CaseIterable {
        /// Revocation evidence is demanded, and only a stapled response may supply it. NIOSSL
        /// neither requests nor shows a stapled response.
        case stapledOCSP = "stapled-ocsp"
        /// Revocation evidence is demanded. Here it can come from the program or from a fetcher,
        /// but not from a stapled response.
        case revocationEvidence = "revocation-evidence"
        /// Timestamps are demanded. Only timestamps in certificates are seen; those in the TLS
        /// extension and in a stapled response are not.
        case timestampExtension = "timestamp-extension"
        /// The rule's list of suites has some suites of TLS 1.3, but not all. Suites of TLS 1.3
        /// cannot be chosen, and the suite that was agreed on is not shown.
        case cipherSuite = "cipher-suite"
        /// BoringSSL knows none of the rule's suites in a version that the rule accepts.
        case noCipherSuite = "no-cipher-suite"
        /// BoringSSL knows none of the rule's key exchange groups.
        case group
        /// BoringSSL knows none of the rule's signature schemes.
        case signatureScheme = "signature-scheme"
        /// The program speaks none of the rule's application protocols.
        case applicationProtocol = "alpn"
        /// Suites, groups, schemes, protocols or forward secrecy are demanded. The TLS
        /// configuration is the program's own, and only the version can be seen.
        case parameters = "tls-parameters"
        /// Only the end entity's certificate is seen, and the rule's anchor sets offer no
        /// intermediates.
        case presentedChain = "presented-chain"
    }

    /// How much of the rule's traffic the demand concerns.
    public enum Reach: String, Hashable, Sendable {
        /// No connection under the rule can be accepted.
        case every
        /// Connections are refused that need the missing thing; others can be accepted.
        case some
    }

    /// Id of the rule; empty for the body of `default`.
    public let ruleID: String
    /// The demand that cannot be met.
    public let demand: Demand
    /// How much of the rule's traffic the demand concerns.
    public let reach: Reach

    /// Makes an unmet demand.
    public init(ruleID: String, demand: Demand, reach: Reach) {
        self.ruleID = ruleID
        self.demand = demand
        self.reach = reach
    }

    /// The consequence, and what to write or do: one line, lower case, no full stop.
    public var sentence: String {
        let rule = ruleID.isEmpty ? "`default`" : "rule `\(ruleID)`"
        let refused =
            reach == .every ? "every connection is refused" : "connections that need it are refused"
        return "\(rule): \(refused): \(problem); help: \(help)"
    }

    private var problem: String {
        switch demand {
        case .stapledOCSP:
            return "`revocation` asks for stapled responses alone, and NIOSSL has none"
        case .revocationEvidence:
            return
                "`revocation` rejects what has no evidence, NIOSSL has no stapled responses, and "
                + "no other evidence is configured"
        case .timestampExtension:
            return
                "`transparency` counts timestamps of the TLS extension and of stapled responses, "
                + "and NIOSSL shows neither"
        case .cipherSuite:
            return "`tls.cipher-suites` has some suites of TLS 1.3 and not all, and NIOSSL can "
                + "neither choose among them nor say which one was agreed on"
        case .noCipherSuite:
            return "`tls.cipher-suites` has no suite that NIOSSL has in the rule's versions"
        case .group:
            return "`tls.groups` has no group that NIOSSL has"
        case .signatureScheme:
            return "`tls.signature-schemes` has no scheme that NIOSSL has"
        case .applicationProtocol:
            return "`tls.alpn` has no protocol that this program speaks"
        case .parameters:
            return "`tls` demands more than versions, and this client is not configured by the rule"
        case .presentedChain:
            return "only the end entity's certificate is seen, and the rule's anchor sets offer no "
                + "intermediates"
        }
    }

    private var help: String {
        switch demand {
        case .stapledOCSP: return "add `ocsp` or `crl` to `revocation.sources`"
        case .revocationEvidence:
            return "give the client an `EvidenceFetcher` and the rule `network: wait`, or hand "
                + "evidence over"
        case .timestampExtension:
            return "use certificates that have their timestamps embedded"
        case .cipherSuite:
            return "list all of `TLS_AES_128_GCM_SHA256`, `TLS_AES_256_GCM_SHA384` and "
                + "`TLS_CHACHA20_POLY1305_SHA256`, or write `maximum-version: tls1.2`"
        case .noCipherSuite:
            return "list one such as `TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256`"
        case .group:
            return "list one of `x25519`, `secp256r1`, `secp384r1`, `secp521r1`, `X25519MLKEM768`"
        case .signatureScheme:
            return "list one such as `ecdsa_secp256r1_sha256` or `rsa_pss_rsae_sha256`"
        case .applicationProtocol: return "add one that the program speaks to `tls.alpn`"
        case .parameters:
            return "use `HawserHTTPClient`, which is configured by the rule"
        case .presentedChain:
            return "put the issuers into the anchor set's `intermediates`, or use "
                + "`HawserHTTPClient`, which sees the whole chain"
        }
    }
}

/// The limits of one way of connecting: the facts that it can see and supply. The rules of a table
/// are compared with them when the table is loaded.
public struct IntegrationLimits: Hashable, Sendable {
    /// The certificates of the peer that are seen.
    public enum Chain: Hashable, Sendable {
        /// All certificates that the peer presents.
        case whole
        /// Only the end entity's certificate.
        case endEntity
    }

    /// Where a connection's TLS configuration comes from.
    public enum Configuration: Hashable, Sendable {
        /// It is derived from the rule.
        case derived
        /// It is the program's own, whatever the rule says. Of the negotiated parameters only the
        /// version is seen, and `h2` where it was selected.
        case programs
    }

    /// The certificates of the peer that are seen.
    public var chain: Chain
    /// Where the TLS configuration comes from.
    public var configuration: Configuration
    /// The application protocols that the program speaks; empty where it speaks every protocol that
    /// a rule names.
    public var applicationProtocols: [String]
    /// A source of revocation evidence other than a stapled response.
    public enum EvidenceSource: Hashable, Sendable {
        /// An `EvidenceFetcher`, as far as a rule permits fetching.
        case fetched
        /// The program supplies the evidence with each request.
        case handedOver
    }

    /// The sources of revocation evidence; empty where there is none.
    public var evidence: Set<EvidenceSource>

    /// Makes limits.
    public init(
        chain: Chain, configuration: Configuration = .derived,
        applicationProtocols: [String] = [], evidence: Set<EvidenceSource> = []
    ) {
        self.chain = chain
        self.configuration = configuration
        self.applicationProtocols = applicationProtocols
        self.evidence = evidence
    }

    /// The demands that cannot be met, in the rules of a table for some hosts, rule by rule.
    ///
    /// Cost: linear in the number of listed hosts; for every host, in the number of rules.
    public func unmetDemands(
        of engine: Engine, for hosts: AskedHosts, at time: UTCInstant
    ) -> [UnmetDemand] {
        hosts.demands(of: engine, at: time).flatMap { unmetDemands(of: $0) }
    }

    /// An admission that refuses tables whose rules for some hosts have demands that cannot be met,
    /// so that such tables never come into force. It is for `PolicyStore.Configuration.admission`.
    ///
    /// The hosts have no default. With every host, a rule that this service never needs can keep a
    /// whole table out, even a table that is stricter for the service's own hosts. With a list, a
    /// host that was forgotten is not tested here. That accepts nothing: its connections are
    /// judged, and a verdict whose demands cannot be met rejects.
    public func admission(
        for hosts: AskedHosts,
        clock: @escaping @Sendable () -> UTCInstant = { .now }
    ) -> @Sendable (Engine) -> PolicyStore.Admission {
        { engine in
            let unmet = unmetDemands(of: engine, for: hosts, at: clock())
            return unmet.isEmpty
                ? .admitted : .refused(reason: UnmetDemandsError(demands: unmet).context)
        }
    }

    /// The demands of one rule that cannot be met.
    public func unmetDemands(of demands: ConnectionDemands) -> [UnmetDemand] {
        var unmet: [UnmetDemand] = []
        func add(_ demand: UnmetDemand.Demand, _ reach: UnmetDemand.Reach) {
            unmet.append(UnmetDemand(ruleID: demands.ruleID, demand: demand, reach: reach))
        }
        if demands.rejectsWithoutRevocationEvidence {
            if demands.revocationSources.allSatisfy({ $0 == .stapled }) {
                add(.stapledOCSP, .some)
            } else if !evidence.contains(.handedOver),
                !(evidence.contains(.fetched) && demands.mayFetchRevocationEvidence)
            {
                add(.revocationEvidence, .some)
            }
        }
        if demands.demandsTransparency { add(.timestampExtension, .some) }
        switch configuration {
        case .derived:
            let derived = DerivedTLS(demands, applicationProtocols: applicationProtocols)
            for (demand, reach) in derived.unmet { add(demand, reach) }
        case .programs:
            let lists = [demands.cipherSuites, demands.groups, demands.signatureSchemes]
            if lists.contains(where: { !$0.isEmpty }) {
                add(.parameters, .every)
            } else if !demands.alpn.isEmpty
                || demands.requiresForwardSecrecy && demands.versions.lowerBound < .tls13
            {
                add(.parameters, .some)
            }
        }
        if chain == .endEntity, !demands.offersIntermediates { add(.presentedChain, .some) }
        return unmet
    }
}

#endif
