package import PolicyCompiler
import Rendering
package import TrustEngine

/// How a run of the linter looks at a unit.
package struct LintOptions: Sendable {
    /// The time at which dates are judged.
    package var time: UTCInstant
    /// How far ahead of `time` an end is told, seconds.
    package var horizon: Int64 = 90 * 86_400
    package var level: LintLevel = .default
    /// Where it is not empty: the codes that are looked for, at whatever level they begin.
    package var selected: Set<DiagnosticCode> = []
    /// Codes that are not looked for.
    package var ignored: Set<DiagnosticCode> = []

    package init(time: UTCInstant) { self.time = time }

    /// Whether a code is looked for. What a load refuses always is.
    func looksFor(_ code: DiagnosticCode) -> Bool {
        if !code.isOfLint, code.severity == .error { return true }
        if ignored.contains(code) { return false }
        return selected.isEmpty || selected.contains(code)
    }

    /// Whether a rule speaks.
    func wants(_ rule: LintRule) -> Bool {
        looksFor(rule.code) && (rule.level <= level || selected.contains(rule.code))
    }
}

/// What rules look at: a unit as it was written and as far as it could be read, and the time. Rules
/// run on policies with errors too, so that one run tells everything: a rule that concludes from
/// something missing asks first whether it may have been there (`PolicyParts`).
///
/// What several rules need is made once, when the first asks for it.
final class LintContext {
    let compilation: Compilation
    let parts: PolicyParts
    let options: LintOptions
    let crypto: any CryptoBackend

    init(
        _ compilation: Compilation, _ parts: PolicyParts, _ options: LintOptions,
        crypto: any CryptoBackend
    ) {
        self.compilation = compilation
        self.parts = parts
        self.options = options
        self.crypto = crypto
    }

    var bound: BoundPolicy { parts.bound }
    var trees: [SyntaxTree] { compilation.trees }
    var time: UTCInstant { options.time }
    /// The end of what is looked ahead for.
    var horizon: UTCInstant { time.advanced(bySeconds: options.horizon) }

    /// Every pattern of every rule, by the hosts that they decide.
    private(set) lazy var coverage = HostCoverage(bound.rules)
    /// Whether `coverage` was never too much work, and the anchors were not either.
    var sawEveryPattern: Bool { !coverage.isExhausted && !anchorWork.isExhausted }
    /// How the rules judge the certificates that they trust.
    private(set) lazy var anchorUses = AnchorUses(self)
    /// What the rules on anchors may spend together: names are compared with constraints, and both
    /// are as many as a file holds. A rule in use takes a handful of units, of about a microsecond
    /// each.
    lazy var anchorWork = WorkBudget(limit: 50_000 + 50 * bound.rules.count)
    private var bodies: [Int: RuleBody] = [:]
    /// What rules trust, for comparing them; nothing where that is too much to look at.
    private lazy var trustedSets: TrustedSets = {
        let members = bound.anchorSets.reduce(0) { count, set in
            count
                + (parts.anchorSets[set.id.value]?.groups.reduce(0) { $0 + $1.members.count } ?? 0)
        }
        guard anchorWork.spend(members) else { return TrustedSets(anchorSets: [], pinSets: []) }
        let sets = parts.loweredSets
        return TrustedSets(anchorSets: sets.anchors, pinSets: sets.pins)
    }()

    /// A rule as it lowers, or `default`; nil where it denies or could not be read so far.
    func body(of decider: HostCoverage.Decider) -> RuleBody? {
        let place: Int
        let written: BoundBody
        switch decider {
        case .rule(let index):
            place = index
            written = bound.rules[index].body
        case .fallback:
            guard let body = fallback else { return nil }
            place = -1
            written = body
        }
        if let body = bodies[place] { return body }
        guard isKnown(written) else { return nil }
        let body = parts.lowered(written)
        bodies[place] = body
        return body
    }

    /// The fields in which a body is weaker than another one; none where telling takes too much
    /// work.
    func weaker(
        _ body: RuleBody, than other: RuleBody, _ sense: Weakening.Sense = .weaker
    ) -> [WeakerField] {
        let sets = trustedSets
        guard anchorWork.spend(sets.cost(of: body, from: other)) else { return [] }
        return Weakening(sets, sense).fields(of: body, against: other)
    }

    /// Every port that a pattern names, and one that none names.
    private lazy var ports: Set<UInt16> = bound.rules.reduce(into: [0]) { ports, rule in
        for host in rule.hosts { if let port = host.pattern.port { ports.insert(port) } }
    }

    /// Whether a rule, if it were to decide a name, would demand of it no less than what decides it
    /// now, in every field and on every port; false where that cannot be known.
    func demandsNoLess(_ rule: Int, ofName name: String, on port: UInt16?) -> Bool {
        guard let own = body(of: .rule(rule)), port != nil || ports.count <= LintContext.mostPorts
        else { return false }
        return (port.map { [$0] } ?? ports).allSatisfy { port in
            let decider = coverage.decider(ofName: name, port: port)
            if decider?.rule == rule { return true }
            guard let other = body(of: decider.map { .rule($0.rule) } ?? .fallback) else {
                return false
            }
            return weaker(own, than: other, .notAsStrict).isEmpty && !anchorWork.isExhausted
        }
    }

    /// Ports that are gone through for one name.
    private static let mostPorts = 64

    /// The body of `default`; nil where it denies, is missing or could not be read.
    var fallback: BoundBody? {
        guard let only = bound.defaults.first, case .body(let body) = only.action else {
            return nil
        }
        return body
    }

    /// Every certificate that the unit names.
    lazy var known = KnownCertificates(bound, crypto: crypto)

    /// Whether a waiver of one of some checks is in force in a body, or may be.
    func isTolerated(_ checks: Set<WaivedCheck>, by body: BoundBody) -> Bool {
        body.waivers.contains { written in
            checks.contains(written.check)
                && written.waiver.map { DatedTerm.isInForce(until: $0.until, at: time) } ?? true
        }
    }

    /// Whether a body, or a layer under it, only reports what a check finds, or may.
    func isReported(_ check: ReportOnly.Check, by body: BoundBody) -> Bool {
        parts.layers.reportOnly(of: body.fields, named: body.name, over: body.profile?.value)
            .contains { item in
                (item.entry.check == nil || item.entry.check == check)
                    && item.entry.until.map { DatedTerm.isInForce(until: $0, at: time) } ?? true
            }
    }

    /// Whether all that decides what a body comes to could be read.
    func isKnown(_ body: BoundBody) -> Bool {
        let anchors = body.anchors?.items ?? []
        return !anchors.isEmpty && !body.mayHavePins
            && anchors.allSatisfy { id in
                ["system", "pinned-keys"].contains(id.value)
                    || parts.anchorSets[id.value]?.isComplete == true
            }
            && areDemandsKnown(of: body)
    }

    /// How strictly a body judges; nil where some of it could not be read.
    func requirements(of body: BoundBody) -> Requirements? {
        areDemandsKnown(of: body)
            ? parts.layers.requirements(body.fields, over: body.profile?.value) : nil
    }

    private func areDemandsKnown(of body: BoundBody) -> Bool {
        parts.layers.isKnown(ProfileField.allCases, in: body.fields, over: body.profile?.value)
    }
}
