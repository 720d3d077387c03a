import Hawser
import NIOSSL
import TrustEngine

/// What a rule demands of TLS, as far as a `TLSConfiguration` can impose it: nothing that the rule
/// refuses is offered. What is left over is named, and then nothing is claimed to be enforced, so
/// that the verdict refuses it.
struct DerivedTLS {
    private let demands: ConnectionDemands
    /// What cannot be imposed, and how much of the rule's traffic that concerns.
    private(set) var unmet: [(UnmetDemand.Demand, UnmetDemand.Reach)] = []
    /// Versions to offer.
    private(set) var versions: ClosedRange<TrustEngine.TLSVersion>
    /// Suites of TLS 1.2 to offer; nil for the library's own.
    private(set) var suites: [NIOTLSCipher]?
    /// Groups to offer; nil for the library's own.
    private(set) var groups: [NIOTLSCurve]?
    /// Schemes to verify the peer's signature by; nil for the library's own.
    private(set) var schemes: [NIOSSL.SignatureAlgorithm]?
    /// Application protocols to offer, in order.
    private(set) var applicationProtocols: [String]

    /// - Parameter applicationProtocols: those that the program speaks; empty where it speaks
    ///   whatever the rule says.
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
        // Before TLS 1.2 nothing negotiates a scheme. A rule's maximum is never below that.
        versions = max(.tls12, versions.lowerBound)...max(.tls12, versions.upperBound)
    }

    private mutating func deriveGroups() {
        guard !demands.groups.isEmpty else { return }
        let known = demands.groups.compactMap { TLSNames.groups[$0] }
        guard !known.isEmpty else { return unmet.append((.group, .every)) }
        groups = known
    }

    /// Whether a key exchange by RSA, which has no group and which the server does not sign, would
    /// get around a demand.
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
        // Versions without a suite of the rule are not offered.
        let lowest = known.isEmpty ? max(.tls13, versions.lowerBound) : versions.lowerBound
        let highest = ofTLS13.isEmpty ? min(.tls12, versions.upperBound) : versions.upperBound
        guard lowest <= highest else { return unmet.append((.noCipherSuite, .every)) }
        versions = lowest...highest
        if highest == .tls13, !choosesSuitesOfTLS13 {
            unmet.append((.cipherSuite, lowest == .tls13 ? .every : .some))
        }
    }

    /// Whether each suite of TLS 1.3 that may be agreed on is one of the rule's.
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

    /// Imposes what can be imposed. Verification stays on, without BoringSSL's own: it has no
    /// anchors and compares no names, and whoever makes a handler of this brings the verification.
    func impose(on configuration: inout TLSConfiguration) {
        configuration.minimumTLSVersion = DerivedTLS.version(versions.lowerBound)
        configuration.maximumTLSVersion = DerivedTLS.version(versions.upperBound)
        if let suites { configuration.cipherSuiteValues = suites }
        configuration.curves = groups
        configuration.verifySignatureAlgorithms = schemes
        configuration.applicationProtocols = applicationProtocols
        configuration.renegotiationSupport = .none
    }

    /// What a request may say of a connection that was configured so and agreed on a version.
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
    /// The engine's name for what NIOSSL says.
    init(_ version: NIOSSL.TLSVersion) {
        switch version {
        case .tlsv1: self = .tls10
        case .tlsv11: self = .tls11
        case .tlsv12: self = .tls12
        case .tlsv13: self = .tls13
        }
    }
}
