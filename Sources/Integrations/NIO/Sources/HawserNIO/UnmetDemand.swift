public import Hawser
public import TrustEngine

/// Something that a rule demands and that this integration cannot give or check. The verdicts of
/// such a rule fail closed; this says so before the first connection does.
public struct UnmetDemand: Hashable, Sendable {
    /// What cannot be met.
    public enum Demand: String, Hashable, Sendable, CaseIterable {
        /// Evidence of revocation is demanded and only a stapled response may give it: NIOSSL
        /// neither asks for one nor shows one.
        case stapledOCSP = "stapled-ocsp"
        /// Evidence of revocation is demanded, and here it comes from what the program hands over
        /// or fetches, and not from a staple.
        case revocationEvidence = "revocation-evidence"
        /// Timestamps are demanded, and those in the TLS extension and in a staple are not seen,
        /// only those in certificates.
        case timestampExtension = "timestamp-extension"
        /// The list of suites has some of TLS 1.3 and not all: they cannot be chosen, and the one
        /// that was agreed on is not shown.
        case cipherSuite = "cipher-suite"
        /// None of the suites is known to BoringSSL in a version that the rule accepts.
        case noCipherSuite = "no-cipher-suite"
        /// None of the key exchange groups is known to BoringSSL.
        case group
        /// None of the signature schemes is known to BoringSSL.
        case signatureScheme = "signature-scheme"
        /// The program speaks none of the application protocols.
        case applicationProtocol = "alpn"
        /// Suites, groups, schemes, protocols or forward secrecy are demanded, and the program's
        /// own TLS configuration holds, of which only the version is seen.
        case parameters = "tls-parameters"
        /// Only the end entity's certificate is seen, and the rule's sets offer no issuers.
        case presentedChain = "presented-chain"
    }

    /// How much of the rule's traffic it concerns.
    public enum Reach: String, Hashable, Sendable {
        /// No connection under the rule can be accepted.
        case every
        /// Those are refused that would need what is missing.
        case some
    }

    /// The rule; empty for the body of `default`.
    public let ruleID: String
    /// What cannot be met.
    public let demand: Demand
    /// How much it concerns.
    public let reach: Reach

    /// A demand.
    public init(ruleID: String, demand: Demand, reach: Reach) {
        self.ruleID = ruleID
        self.demand = demand
        self.reach = reach
    }

    /// What follows, and what to write or do: one line, lower case, no full stop.
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

/// What one way of connecting can see and give; what a table's rules are held against at load.
public struct IntegrationLimits: Hashable, Sendable {
    /// Certificates of the peer that are seen.
    public enum Chain: Hashable, Sendable {
        /// All that were presented.
        case whole
        /// The end entity's.
        case endEntity
    }

    /// Where a connection's TLS configuration comes from.
    public enum Configuration: Hashable, Sendable {
        /// It is derived from the rule.
        case derived
        /// It is the program's, whatever the rule says; of what was agreed on only the version is
        /// seen, and `h2` where it is spoken.
        case programs
    }

    /// Certificates that are seen.
    public var chain: Chain
    /// Where the TLS configuration comes from.
    public var configuration: Configuration
    /// Application protocols that the program speaks; empty where it speaks whatever a rule says.
    public var applicationProtocols: [String]
    /// Where evidence of revocation comes from that is no staple.
    public enum EvidenceSource: Hashable, Sendable {
        /// An `EvidenceFetcher`, as far as a rule lets it.
        case fetched
        /// The program hands it over with each request.
        case handedOver
    }

    /// Where evidence comes from; empty for nowhere.
    public var evidence: Set<EvidenceSource>

    /// Limits.
    public init(
        chain: Chain, configuration: Configuration = .derived,
        applicationProtocols: [String] = [], evidence: Set<EvidenceSource> = []
    ) {
        self.chain = chain
        self.configuration = configuration
        self.applicationProtocols = applicationProtocols
        self.evidence = evidence
    }

    /// What the rules of a table demand that cannot be met, rule by rule.
    ///
    /// Cost: linear in the rules.
    public func unmetDemands(of engine: Engine, at time: UTCInstant) -> [UnmetDemand] {
        ConnectionDemands.all(of: engine, at: time).flatMap { unmetDemands(of: $0) }
    }

    /// Refuses tables with rules that cannot be met, so that they never come into force:
    /// `PolicyStore.Configuration.admission`.
    public func admission(
        clock: @escaping @Sendable () -> UTCInstant = HandshakeSettings.systemClock
    ) -> @Sendable (Engine) -> String? {
        { engine in
            let unmet = unmetDemands(of: engine, at: clock())
            return unmet.isEmpty ? nil : UnmetDemandsError(demands: unmet).description
        }
    }

    /// What one rule demands that cannot be met.
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
