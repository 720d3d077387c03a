public import TrustEngine

/// What a rule demands of a connection before anybody has presented anything: enough to configure a
/// TLS library by it, and to say what a library cannot give. A connection that is configured by it
/// is still judged: nothing here is a verdict.
public struct ConnectionDemands: Hashable, Sendable {
    /// The rule's id; empty for the body of `default`.
    public let ruleID: String
    /// Digest of the policy that the rule belongs to. With `ruleID` it makes up the claim
    /// `TLSState.enforced`.
    public let policyDigest: Digest
    /// The host as the peer is asked for it in `server_name` (RFC 6066): canonical, without a dot
    /// at its end. Nil for an address, which that extension does not carry, and where no host was
    /// asked for.
    public let serverName: String?
    /// The versions that the rule may accept at the instant asked about: its own, widened by a
    /// waiver or by report mode in force. What is negotiated within them is judged all the same.
    public let versions: ClosedRange<TLSVersion>
    /// Whether `forward-secrecy` is required.
    public let requiresForwardSecrecy: Bool
    /// IANA names, in the rule's order; empty for any.
    public let cipherSuites: [String]
    /// IANA names of key exchange groups, in the rule's order; empty for any.
    public let groups: [String]
    /// IANA names of the schemes that a server may sign its handshake with; empty for any.
    public let signatureSchemes: [String]
    /// Application protocols, in the rule's order; empty for any.
    public let alpn: [String]
    /// Where evidence of revocation may come from, in the rule's order.
    public let revocationSources: [RevocationSource]
    /// Whether missing evidence of revocation rejects: some cause of its absence has the action
    /// `fail`.
    public let rejectsWithoutRevocationEvidence: Bool
    /// Whether the rule lets evidence be fetched while a connection waits (`network: wait`), or in
    /// the background (`prefetch`).
    public let mayFetchRevocationEvidence: Bool
    /// Whether signed certificate timestamps are demanded.
    public let demandsTransparency: Bool
    /// Whether the rule's own sets offer issuers, so that a path may be found though the
    /// intermediates that a peer sends are not seen.
    public let offersIntermediates: Bool

    /// The demands of the rule that decides for a host; nil where none does, or the host is none.
    /// Then every verdict is a reject, and evaluating any request for the host says why.
    ///
    /// `time` is the instant at which waivers and report modes are looked at.
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

    /// The demands of every rule, and last those of the body of `default`, if it has one.
    ///
    /// Cost: linear in the rules.
    public static func all(of engine: Engine, at time: UTCInstant) -> [ConnectionDemands] {
        let count = engine.table.ruleCount + (engine.table.deniesByDefault ? 0 : 1)
        let offering = offeringSets(of: engine)
        return (0..<count).map {
            ConnectionDemands(
                of: engine, rule: $0, offering: offering, serverName: nil, at: time)
        }
    }

    /// Indices of the sets that offer some issuer.
    private static func offeringSets(of engine: Engine) -> Set<Int> {
        engine.offered.entries.reduce(into: []) { $0.formUnion($1.sets) }
    }

    private init(
        of engine: Engine, rule index: Int, offering: Set<Int>, serverName: String?,
        at time: UTCInstant
    ) {
        let table = engine.table
        let rule = table.rule(at: index)
        let requirements = engine.requirements[Int(rule.requirements)]
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

    /// A waiver lowers the least version; report mode lets pass what the baseline allows (LANGUAGE
    /// sections 9 and 10).
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
