public import TrustEngine

/// The demands of a rule on a connection, before the peer has presented anything. They are enough
/// to configure a TLS library, and to find demands that the library cannot meet. They are not a
/// verdict: a connection that is configured by them is still judged.
public struct ConnectionDemands: Hashable, Sendable {
    /// The rule's id; empty for the body of `default`.
    public let ruleID: String
    /// Digest of the policy that the rule belongs to. With `ruleID` it makes the claim
    /// `TLSState.enforced`.
    public let policyDigest: Digest
    /// The host for the extension `server_name` (RFC 6066): canonical, without a dot at its end.
    /// Nil for an address, which the extension does not carry, and when the demands are not for a
    /// host.
    public let serverName: String?
    /// The versions that the rule may accept at the given instant: its own versions, widened by a
    /// waiver or report mode in force. A version within this range is still judged.
    public let versions: ClosedRange<TLSVersion>
    /// Whether the rule requires `forward-secrecy`.
    public let requiresForwardSecrecy: Bool
    /// IANA names of cipher suites, in the rule's order; empty for any.
    public let cipherSuites: [String]
    /// IANA names of key exchange groups, in the rule's order; empty for any.
    public let groups: [String]
    /// IANA names of the signature schemes for the server's handshake; empty for any.
    public let signatureSchemes: [String]
    /// Application protocols, in the rule's order; empty for any.
    public let alpn: [String]
    /// Sources of revocation evidence, in the rule's order.
    public let revocationSources: [RevocationSource]
    /// Whether missing revocation evidence rejects: at least one cause of its absence has the
    /// action `fail`.
    public let rejectsWithoutRevocationEvidence: Bool
    /// Whether the rule permits fetching evidence: while a connection waits (`network: wait`), or
    /// in the background (`prefetch`).
    public let mayFetchRevocationEvidence: Bool
    /// Whether the rule demands signed certificate timestamps.
    public let demandsTransparency: Bool
    /// Whether the rule's own anchor sets offer issuers. Then a path may be found without the
    /// intermediates that the peer sends.
    public let offersIntermediates: Bool

    /// The demands of the rule that decides for a host. Nil when no rule decides, and when the text
    /// is not a host. Then every verdict for the host is a reject, and evaluating a request says
    /// why.
    ///
    /// - Parameters:
    ///   - engine: the engine whose table has the rule.
    ///   - host: a name or an address, as in a request.
    ///   - port: the port of the connection.
    ///   - time: the instant at which waivers and report modes are judged.
    public init?(of engine: Engine, host: String, port: UInt16, at time: UTCInstant) {
        let canonical: CanonicalHost
        do throws(HostProblem) {
            canonical = try CanonicalHost(text: host)
        } catch {
            return nil
        }
        let winner = engine.table.lookUp(canonical, port: port)
        guard winner != nil || !engine.table.deniesByDefault else { return nil }
        var name: String?
        if case .name(let text) = canonical { name = text }
        self.init(
            of: engine, rule: winner.map { Int($0.rule) } ?? engine.table.ruleCount,
            offering: ConnectionDemands.offeringSets(of: engine), serverName: name, at: time)
    }

    /// Whether the rule that decides for a host may be another at another port: a pattern with a
    /// port matches the host, and a more specific pattern that matches the host at every port does
    /// not exist. A connection whose port is not known then has no rule. False where the text is
    /// not a host.
    public static func dependOnPort(of engine: Engine, host: String) -> Bool {
        guard let canonical = try? CanonicalHost(text: host) else { return false }
        return engine.table.dependsOnPort(canonical)
    }

    /// The demands of every rule, in the table's order, and last of the body of `default`, if there
    /// is one.
    ///
    /// Cost: linear in the number of rules.
    public static func all(of engine: Engine, at time: UTCInstant) -> [ConnectionDemands] {
        let count = engine.table.ruleCount + (engine.table.deniesByDefault ? 0 : 1)
        let offering = offeringSets(of: engine)
        return (0..<count).map {
            ConnectionDemands(
                of: engine, rule: $0, offering: offering, serverName: nil, at: time)
        }
    }

    /// Indices of the sets that offer at least one issuer.
    private static func offeringSets(of engine: Engine) -> Set<Int> {
        engine.offered.entries.reduce(into: []) { $0.formUnion($1.sets) }
    }

    private init(
        of engine: Engine, rule index: Int, offering: Set<Int>, serverName: String?,
        at time: UTCInstant
    ) {
        let table = engine.table
        let rule = table.rule(at: index)
        let requirements = engine.requirements(of: rule)
        self.ruleID = table.text(rule.id)
        self.policyDigest = table.policyDigest
        self.serverName = serverName
        let tls = requirements.tls
        self.versions = ConnectionDemands.versions(of: tls, table, rule, at: time)
        self.requiresForwardSecrecy = tls.requiresForwardSecrecy
        self.cipherSuites = tls.cipherSuites
        self.groups = tls.groups
        self.signatureSchemes = tls.signatureSchemes
        self.alpn = tls.alpn
        self.revocationSources = requirements.revocation.sources
        self.rejectsWithoutRevocationEvidence = requirements.revocation.causes.someFail
        self.mayFetchRevocationEvidence = requirements.revocation.network != .never
        self.demandsTransparency = requirements.transparency.isDemanded
        self.offersIntermediates = engine.setsTrusted(by: rule).contains { offering.contains($0) }
    }

    /// A waiver lowers the minimum version. Report mode permits the versions of the baseline
    /// (LANGUAGE sections 9 and 10).
    private static func versions(
        of tls: TLSRequirement, _ table: PolicyTable, _ rule: RuleRecord, at time: UTCInstant
    ) -> ClosedRange<TLSVersion> {
        var lowest = tls.minimumVersion
        var highest = tls.maximumVersion
        for position in 0..<Int(rule.reportModes.count) {
            let mode = table.reportMode(rule, position)
            guard mode.check == .tls, DatedTerm.isInForce(until: mode.until, at: time) else {
                continue
            }
            let baseline = TLSRequirement()
            lowest = min(lowest, baseline.minimumVersion)
            highest = max(highest, baseline.maximumVersion)
        }
        for position in 0..<Int(rule.waivers.count) {
            let waiver = table.waiver(rule, position)
            guard waiver.isInForce(at: time), case .tls(let tolerated) = waiver.tolerance else {
                continue
            }
            lowest = min(lowest, tolerated)
        }
        return lowest...max(lowest, highest)
    }
}
