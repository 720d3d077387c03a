#if NIO

import Hawser
import NIOSSL
import TrustEngine

/// The TLS demands of a rule, as far as a `TLSConfiguration` can impose them. Nothing that the rule
/// refuses is offered. Demands that cannot be imposed are named in `unmet`; then no demand is said
/// to be enforced, so the verdict refuses.
struct DerivedTLS {
    private let demands: ConnectionDemands
    /// The demands that cannot be imposed, and how much of the rule's traffic they concern.
    private(set) var unmet: [(UnmetDemand.Demand, UnmetDemand.Reach)] = []
    /// The versions to offer.
    private(set) var versions: ClosedRange<TrustEngine.TLSVersion>
    /// The suites of TLS 1.2 to offer; nil for the library's own list.
    private(set) var suites: [NIOTLSCipher]?
    /// The groups to offer; nil for the library's own list.
    private(set) var groups: [NIOTLSCurve]?
    /// The schemes by which the peer's signature is verified; nil for the library's own list.
    private(set) var schemes: [NIOSSL.SignatureAlgorithm]?
    /// The application protocols to offer, in order.
    private(set) var applicationProtocols: [String]

    /// - Parameter applicationProtocols: the protocols that the program speaks; empty where it
    ///   speaks every protocol that a rule names.
    init(_ demands: ConnectionDemands, applicationProtocols: [String]) {
        self.demands = demands
        self.versions = demands.versions
        self.applicationProtocols = applicationProtocols
        deriveSchemes()
        deriveGroups()
        deriveSuites()
        deriveProtocols(spoken: applicationProtocols)
    }

    private mutating func deriveSchemes() {
        guard !demands.signatureSchemes.isEmpty else { return }
        let known = demands.signatureSchemes.compactMap { TLSNames.signatureSchemes[$0] }
        guard !known.isEmpty else { return unmet.append((.signatureScheme, .every)) }
        schemes = known
        // Before TLS 1.2 no signature scheme is negotiated. The maximum of a rule is never below
        // TLS 1.2.
        versions = max(.tls12, versions.lowerBound)...max(.tls12, versions.upperBound)
    }

    private mutating func deriveGroups() {
        guard !demands.groups.isEmpty else { return }
        let known = demands.groups.compactMap { TLSNames.groups[$0] }
        guard !known.isEmpty else { return unmet.append((.group, .every)) }
        groups = known
    }

    /// Whether the rule has a demand that an RSA key exchange would evade: RSA key exchange has no
    /// group, and the server does not sign it.
    private var demandsEphemeralKeys: Bool {
        demands.requiresForwardSecrecy || !demands.groups.isEmpty
            || !demands.signatureSchemes.isEmpty
    }

    private mutating func deriveSuites() {
        let demanded = demands.cipherSuites
        let names =
            demanded.isEmpty && demandsEphemeralKeys ? TLSNames.ephemeralSuites : demanded
        let known =
            names.filter { !demandsEphemeralKeys || $0.hasPrefix("TLS_ECDHE_") }
            .compactMap { TLSNames.cipherSuites[$0] }
        if !known.isEmpty { suites = known }
        guard !demanded.isEmpty else { return }
        let ofTLS13 = TLSNames.cipherSuitesOfTLS13.intersection(demanded)
        // A version for which the rule has no suite is not offered.
        let lowest = known.isEmpty ? max(.tls13, versions.lowerBound) : versions.lowerBound
        let highest = ofTLS13.isEmpty ? min(.tls12, versions.upperBound) : versions.upperBound
        guard lowest <= highest else { return unmet.append((.noCipherSuite, .every)) }
        versions = lowest...highest
        if highest == .tls13, !choosesSuitesOfTLS13 {
            unmet.append((.cipherSuite, lowest == .tls13 ? .every : .some))
        }
    }

    /// Whether the rule allows every suite of TLS 1.3 that may be agreed on.
    private var choosesSuitesOfTLS13: Bool {
        demands.cipherSuites.isEmpty
            || TLSNames.cipherSuitesOfTLS13.isSubset(of: demands.cipherSuites)
    }

    private mutating func deriveProtocols(spoken: [String]) {
        guard !demands.alpn.isEmpty else { return }
        applicationProtocols =
            spoken.isEmpty ? demands.alpn : demands.alpn.filter { spoken.contains($0) }
        if applicationProtocols.isEmpty { unmet.append((.applicationProtocol, .every)) }
    }

    /// Imposes the demands that can be imposed on a configuration. It does not change how the
    /// configuration verifies certificates: whoever makes a handler with the configuration must
    /// replace BoringSSL's verification, which has no anchors and compares no names.
    func impose(on configuration: inout TLSConfiguration) {
        configuration.minimumTLSVersion = DerivedTLS.version(versions.lowerBound)
        configuration.maximumTLSVersion = DerivedTLS.version(versions.upperBound)
        if let suites { configuration.cipherSuiteValues = suites }
        configuration.curves = groups
        configuration.verifySignatureAlgorithms = schemes
        configuration.applicationProtocols = applicationProtocols
        configuration.renegotiationSupport = .none
    }

    /// The TLS state of a request, for a connection that was configured by this value and agreed on
    /// a version.
    func state(agreedOn version: TrustEngine.TLSVersion?) -> TLSState {
        guard let version else { return .notSupplied }
        let parameters = TLSParameters(version: version)
        let isMet = unmet.allSatisfy { demand, _ in
            demand == .cipherSuite && version != .tls13
        }
        guard isMet else { return .observed(parameters) }
        return .enforced(
            parameters, ruleID: demands.ruleID, policyDigest: demands.policyDigest)
    }

    private static func version(_ version: TrustEngine.TLSVersion) -> NIOSSL.TLSVersion {
        switch version {
        case .tls10: return .tlsv1
        case .tls11: return .tlsv11
        case .tls12: return .tlsv12
        case .tls13: return .tlsv13
        }
    }
}

extension TrustEngine.TLSVersion {
    /// The engine's name of a version of NIOSSL.
    init(_ version: NIOSSL.TLSVersion) {
        switch version {
        case .tlsv1: self = .tls10
        case .tlsv11: self = .tls11
        case .tlsv12: self = .tls12
        case .tlsv13: self = .tls13
        }
    }
}

#endif
