package import PolicyCompiler
import Rendering
package import TrustEngine

/// The options of one run of the linter.
package struct LintOptions: Sendable {
    /// The time at which dates are judged.
    package var time: UTCInstant
    /// Seconds ahead of `time` within which a coming end is reported.
    package var horizon: Int64 = 90 * 86_400
    package var level: LintLevel = .default
    /// The only codes that are looked for, whatever their level; empty where `level` decides.
    package var selected: Set<DiagnosticCode> = []
    /// Codes that are not looked for.
    package var ignored: Set<DiagnosticCode> = []

    /// The policies before the change; empty where nothing is compared (`--base`).
    package var bases: [LintBase] = []
    /// The unit's files of assertions; nil where none are looked for.
    package var assertions: AssertionInputs?

    /// The test files of the unit; nil where it has none.
    package var tests: LintedTests?

    package init(time: UTCInstant) { self.time = time }

    /// Whether a code is looked for. Codes that make a load fail are always looked for.
    func looksFor(_ code: DiagnosticCode) -> Bool {
        if code.finder == .check, code.severity == .error { return true }
        if ignored.contains(code) { return false }
        return selected.isEmpty || selected.contains(code)
    }

    /// Whether a rule reports findings.
    func wants(_ rule: LintRule) -> Bool {
        looksFor(rule.code) && (rule.level <= level || selected.contains(rule.code))
    }
}

/// The input of lint rules: a policy as it was written and as far as it could be read, and the
/// time. Rules also run on policies with errors, so that one run reports everything. A rule that
/// concludes something from a missing part must first ask whether the part may have been there
/// (`PolicyParts`).
///
/// Values that several rules need are computed once, when the first rule asks.
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
    /// The instant up to which coming ends are reported.
    var horizon: UTCInstant { time.advanced(bySeconds: options.horizon) }

    /// Every pattern of every rule, by the hosts that the patterns decide.
    private(set) lazy var coverage = HostCoverage(bound.rules, names)
    /// The names of every pattern.
    private(set) lazy var names = NameTree(bound.rules)
    /// Whether no work limit was reached, neither by `coverage` nor by the rules on anchors.
    var sawEveryPattern: Bool { !coverage.isExhausted && !anchorWork.isExhausted }
    /// How the policy's rules judge the certificates that they trust.
    private(set) lazy var anchorUses = AnchorUses(self)
    /// The work that the lint rules on anchors may spend together. Names are compared with
    /// constraints, and a file can hold many of both. A usual rule of a policy takes a handful of
    /// units; a unit is about a microsecond.
    lazy var anchorWork = WorkBudget(limit: 50_000 + 50 * bound.rules.count)
    /// The rules that enforce demands on issuers.
    private(set) lazy var issuanceEnforcers = IssuanceEnforcers(self)
    /// The certificates of anchor sets that do not meet a demand on their issuer.
    private(set) lazy var issuanceBreaches = computeIssuanceBreaches()
    private var bodies: [Int: RuleBody] = [:]
    /// The demands of bodies by the spans of their keys; nil where a part could not be read. Many
    /// rules of the linter ask for them, and many rules of a policy write the same.
    private var demands: [SourceSpan: ProfileLayers.Flattened?] = [:]
    private var writtenDemands: [WrittenDemands: ProfileLayers.Flattened] = [:]
    private var comparedDemands: [ComparedDemands: [WeakerField]] = [:]
    /// The anchor sets and pin sets for comparing rules; empty where they are too much work.
    private lazy var trustedSets: TrustedSets = {
        let members = bound.anchorSets.reduce(0) { count, set in
            count
                + (parts.anchorSets[set.id.value]?.groups.reduce(0) { $0 + $1.members.count } ?? 0)
        }
        guard anchorWork.spend(members) else { return TrustedSets(anchorSets: [], pinSets: []) }
        let sets = parts.loweredSets
        return TrustedSets(anchorSets: sets.anchors, pinSets: sets.pins)
    }()

    /// A rule as it is lowered, or `default`. Nil where `default` denies, and where the rule could
    /// not be read completely.
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

    /// The fields in which a body is weaker than another body; empty where comparing takes too much
    /// work.
    func weaker(
        _ body: RuleBody, than other: RuleBody, _ sense: Weakening.Sense = .weaker
    ) -> [WeakerField] {
        let sets = trustedSets
        guard anchorWork.spend(sets.cost(of: body, from: other)) else { return [] }
        return Weakening(sets, sense).fields(of: body, against: other)
    }

    /// Every port that a pattern names, and one port that no pattern names.
    private lazy var ports: Set<UInt16> = bound.rules.reduce(into: [0]) { ports, rule in
        for host in rule.hosts { if let port = host.pattern.port { ports.insert(port) } }
    }

    /// Whether a rule would demand no less of a name than the rule that decides the name now, in
    /// every field and on every port. False where that cannot be known.
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

    /// Most ports that are compared for one name.
    private static let mostPorts = 64

    /// The body of `default`; nil where `default` denies, is missing or could not be read.
    var fallback: BoundBody? {
        guard let only = bound.defaults.first, case .body(let body) = only.action else {
            return nil
        }
        return body
    }

    /// The tests of the policy; nil where it has none, or does not compile.
    private(set) lazy var tester: PolicyTester? = {
        guard let tests = options.tests, let policy = compilation.policy else { return nil }
        return tests.tester(
            of: CompilerPipeline.table(of: policy, crypto: crypto), crypto: crypto)
    }()

    /// The log lists of the policy, by their SHA-256.
    private(set) lazy var logLists: [Digest: LogList] = bound.logLists.compactMapValues {
        try? LogList(json: $0, crypto: crypto)
    }

    /// Every certificate that the policy names.
    lazy var known = KnownCertificates(bound, crypto: crypto)

    /// Whether a body has a waiver of one of these checks that is in force, or that may be, because
    /// its end could not be read.
    func isTolerated(_ checks: [WaivedCheck], by body: BoundBody) -> Bool {
        body.waivers.contains { written in
            checks.contains(written.check)
                && written.waiver.map { DatedTerm.isInForce(until: $0.until, at: time) } ?? true
        }
    }

    /// Whether a body, or a layer under it, only reports failures of a check now, or may do so,
    /// because an entry could not be read.
    func isReported(_ check: ReportOnly.Check, by body: BoundBody) -> Bool {
        parts.layers.reportOnly(of: body.fields, named: body.name, over: body.profile?.value)
            .contains { item in
                (item.entry.check == nil || item.entry.check == check)
                    && item.entry.until.map { DatedTerm.isInForce(until: $0, at: time) } ?? true
            }
    }

    /// Whether everything was read that decides the demands of a body.
    func isKnown(_ body: BoundBody) -> Bool {
        let anchors = body.anchors?.items ?? []
        return !anchors.isEmpty && !body.mayHavePins
            && anchors.allSatisfy { id in
                ["system", "pinned-keys"].contains(id.value)
                    || parts.anchorSets[id.value]?.isComplete == true
            }
            && areDemandsKnown(of: body)
    }

    /// The resolved demands of a body; nil where a part of them could not be read.
    func requirements(of body: BoundBody) -> Requirements? { flattened(body)?.requirements.value }

    /// As `requirements(of:)`, without a copy. Bodies that write the same values over the same
    /// profile have the same object.
    func flattened(_ body: BoundBody) -> ProfileLayers.Flattened? {
        if let known = demands[body.key] { return known }
        let found =
            areDemandsKnown(of: body) ? flatten(body.fields, over: body.profile?.value) : nil
        demands[body.key] = .some(found)
        return found
    }

    /// The demands of a layer over a profile.
    func flatten(_ fields: BoundFields, over profile: String?) -> ProfileLayers.Flattened {
        guard !fields.settings.isEmpty, fields.forbiddenKeys.isEmpty else {
            return parts.layers.flatten(fields, over: profile)
        }
        let written = WrittenDemands(profile: profile, settings: fields.settings)
        if let known = writtenDemands[written] { return known }
        let found = parts.layers.flatten(fields, over: profile)
        writtenDemands[written] = found
        return found
    }

    /// What decides the demands of a layer that forbids no key: its profile, and the fields that it
    /// writes with their values.
    private struct WrittenDemands: Hashable {
        let profile: String?
        let settings: [BoundSetting]

        static func == (left: WrittenDemands, right: WrittenDemands) -> Bool {
            left.profile == right.profile
                && left.settings.elementsEqual(right.settings) {
                    $0.field == $1.field && $0.value == $1.value
                }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(profile)
            for setting in settings {
                hasher.combine(setting.field)
                hasher.combine(setting.value)
            }
        }
    }

    /// The fields in which the demands of a body are weaker than in its profile, or have
    /// other lists; nil for a body without a profile, and where a part could not be read.
    func weakerThanProfile(_ body: BoundBody) -> [WeakerField]? {
        guard let profile = body.profile?.value, let own = flattened(body)?.requirements else {
            return nil
        }
        let pair = ComparedDemands(own: Swift.ObjectIdentifier(own), profile: profile)
        if let known = comparedDemands[pair] { return known }
        let found = Weakening.demands(
            of: own.value, against: parts.layers.requirements(of: profile), .weakerOrOtherLists)
        comparedDemands[pair] = found
        return found
    }

    /// The demands of a body and the profile that they are compared with. `demands` holds the
    /// object, so its identifier stays valid.
    private struct ComparedDemands: Hashable {
        let own: Swift.ObjectIdentifier
        let profile: String
    }

    private func areDemandsKnown(of body: BoundBody) -> Bool {
        parts.layers.isKnown(ProfileField.allCases, in: body.fields, over: body.profile?.value)
    }
}
