// Which hosts may be judged more strictly by one engine than by another: what a service looks at to
// close connections that would not be opened any more.
//
// The answer never misses a host and may name some that are judged as before. So it does not ask
// which of two demands is stricter. It asks of each pair of rules whether the later one is the
// earlier one, or differs only where less is demanded in a way that has no other side; everything
// else counts as stricter.
//
// Patterns stand for hosts. Take every pattern of both tables: each host falls to the most specific
// one of all of them that matches it, and under that pattern one rule decides before and one after.
// Which one is the same for all hosts of a pattern, but for the port: the other patterns that match
// such a host are less specific, and a less specific name or network that covers one host of a
// pattern covers them all (LANGUAGE section 11.4). So it is enough to look once for each pattern,
// and for those without a port once more for each port that a less specific pattern names.
//
// The work budget is left out: a rule that lets more paths be tried may run out of it on a chain
// made for that.

/// Hosts that an engine may judge more strictly than another one did. Never misses one; may name
/// others.
public struct StricterHosts: Hashable, Sendable {
    /// Canonical text of each pattern whose hosts may be, as far as no more specific pattern takes
    /// them from it; sorted.
    public let patterns: [String]
    /// Whether hosts that no pattern matches, before or after, may be.
    public let includesDefault: Bool

    /// No host.
    public static let none = StricterHosts(patterns: [], includesDefault: false)

    /// Whether there is no such host.
    public var isEmpty: Bool { patterns.isEmpty && !includesDefault }

    init(patterns: [String], includesDefault: Bool) {
        self.patterns = patterns
        self.includesDefault = includesDefault
    }

    /// The hosts that `later` may judge more strictly than `earlier`. Registered checks count as
    /// the same where they have the same name. Cost: linear in the patterns of both tables.
    public init(from earlier: Engine, to later: Engine) {
        if earlier.table.policyDigest == later.table.policyDigest,
            earlier.systemStoreDigest == later.systemStoreDigest,
            earlier.logListDigests == later.logListDigests
        {
            self = .none
            return
        }
        var search = StricterSearch(earlier, later)
        self = search.run()
    }
}

/// One comparison of two engines.
private struct StricterSearch {
    private var before: DecidingRules
    private var after: DecidingRules
    /// Answers by the rules' places, which repeat for most patterns.
    private var known: [Pair: Bool] = [:]
    private var found: [String] = []

    private struct Pair: Hashable {
        let before: Int
        let after: Int
    }

    init(_ earlier: Engine, _ later: Engine) {
        before = DecidingRules(earlier)
        after = DecidingRules(later)
    }

    mutating func run() -> StricterHosts {
        let (earlier, later) = (before.table, after.table)
        later.forEachPattern { pattern, rule in look(at: pattern, rule, isLater: true) }
        earlier.forEachPattern { pattern, rule in look(at: pattern, rule, isLater: false) }
        let includesDefault = isStricter(
            Pair(before: DecidingRules.byDefault, after: DecidingRules.byDefault))
        return StricterHosts(patterns: found.sorted(), includesDefault: includesDefault)
    }

    /// Lists a pattern of one table where it must be. What both tables have is looked at once.
    private mutating func look(at pattern: HostPattern, _ rule: UInt32, isLater: Bool) {
        let other = isLater ? before.table : after.table
        let rule = Int(rule)
        if let own = other.rule(of: pattern) {
            if isLater, isStricter(Pair(before: Int(own), after: rule)) {
                found.append(pattern.canonicalText)
            }
            return
        }
        func pair(at port: UInt16?) -> Pair {
            let decider = other.covering(pattern, port: port).first
            let place = decider.map { Int($0.rule) } ?? DecidingRules.byDefault
            return isLater
                ? Pair(before: place, after: rule) : Pair(before: rule, after: place)
        }
        var pairs: Set = [pair(at: pattern.port)]
        if pattern.port == nil {
            guard let ports = other.ports(covering: pattern) else {
                return found.append(pattern.canonicalText)
            }
            for port in ports { pairs.insert(pair(at: port)) }
        }
        if pairs.contains(where: { isStricter($0) }) { found.append(pattern.canonicalText) }
    }

    private mutating func isStricter(_ pair: Pair) -> Bool {
        if let answer = known[pair] { return answer }
        let answer: Bool
        switch (before.meaning(of: pair.before), after.meaning(of: pair.after)) {
        case (nil, _): answer = false
        case (_?, nil): answer = true
        case (let earlier?, let later?): answer = !later.demandsNoMore(than: earlier)
        }
        known[pair] = answer
        return answer
    }
}

/// The rules of an engine with everything that they refer to, read when they are asked for.
private struct DecidingRules {
    let table: PolicyTable
    private let engine: Engine
    private var meanings: [Int: RuleMeaning] = [:]
    /// What rules trust, by their sets: many have the same.
    private var trusted: [Sets: Trusted] = [:]
    /// Positions of the engine's anchors by set.
    private let anchors: [[Int]]

    private struct Sets: Hashable {
        let sets: [Int]
        /// Ids of those whose paths need no timestamps.
        let exempt: [String]
    }

    /// The place of `default`.
    static let byDefault = -1

    init(_ engine: Engine) {
        self.engine = engine
        table = engine.table
        var anchors = [[Int]](repeating: [], count: engine.setIDs.count)
        for (index, anchor) in engine.anchors.anchors.enumerated() {
            anchors[anchor.set].append(index)
        }
        self.anchors = anchors
    }

    /// What a rule demands; nil where `default` denies.
    mutating func meaning(of place: Int) -> RuleMeaning? {
        if place == DecidingRules.byDefault, table.deniesByDefault { return nil }
        if let meaning = meanings[place] { return meaning }
        let rule = table.rule(at: place == DecidingRules.byDefault ? table.ruleCount : place)
        let exempt = engine.requirements[Int(rule.requirements)].transparency.exemptAnchors
        let sets = Sets(sets: engine.setsTrusted(by: rule), exempt: exempt)
        let trusted = trusted[sets] ?? trust(sets)
        self.trusted[sets] = trusted
        let meaning = RuleMeaning(engine, rule, trusted)
        meanings[place] = meaning
        return meaning
    }

    private func trust(_ sets: Sets) -> Trusted {
        let own = Set(sets.sets)
        return Trusted(
            anchors: Set(
                own.flatMap { anchors[$0] }.map { index in
                    let anchor = engine.anchors.anchors[index]
                    return Trusted.Anchor(
                        fingerprint: anchor.fingerprint, kind: anchor.kind,
                        standard: anchor.standard, ignoredLimits: anchor.ignoredLimits,
                        constraints: engine.anchorConstraints[anchor.group],
                        isOfStore: anchor.isOfStore,
                        isExempt: sets.exempt.contains(engine.setIDs[anchor.set]))
                }),
            offered: Set(
                engine.offered.entries.filter { !own.isDisjoint(with: $0.sets) }
                    .map(\.fingerprint)))
    }
}

/// What a rule builds paths of.
private struct Trusted: Hashable {
    /// An anchor on the terms of its set.
    struct Anchor: Hashable {
        let fingerprint: Digest
        let kind: AnchorKind
        let standard: Standard
        let ignoredLimits: AnchorLimits
        let constraints: [AnchorConstraints]
        let isOfStore: Bool
        /// Whether paths that end here need no timestamps.
        let isExempt: Bool
    }

    var anchors: Set<Anchor>
    /// Digests of the certificates that the sets offer.
    var offered: Set<Digest>
}

/// What a rule demands, by content: ids, owners and notes are left out, and what it refers to is
/// looked up.
private struct RuleMeaning: Hashable {
    private var trusted: Trusted
    private var anchorsArePinnedKeys: Bool
    private var pins: Set<PinSetContents>
    private var requirements: Requirements
    private var identity: IdentityRequirement
    private var waivers: Set<Waiver>
    private var reportOnly: Set<ReportOnly>
    /// Of the log list in use.
    private var logList: Digest?

    init(_ engine: Engine, _ rule: RuleRecord, _ trusted: Trusted) {
        let table = engine.table
        self.trusted = trusted
        anchorsArePinnedKeys = rule.anchorsArePinnedKeys
        pins = Set(
            (0..<Int(rule.pins.count)).map {
                RuleMeaning.bare(table.pinSetContents(at: table.index(rule.pins, $0)))
            })
        requirements = engine.requirements[Int(rule.requirements)]
        for index in requirements.forbiddenKeys.indices {
            requirements.forbiddenKeys[index].id = ""
        }
        logList = requirements.transparency.isDemanded ? engine.logList(of: rule)?.digest : nil
        requirements.transparency.logList = nil
        // They are said of each anchor.
        requirements.transparency.exemptAnchors = []
        identity = table.identity(at: Int(rule.identity))
        waivers = Set(
            (0..<Int(rule.waivers.count)).map { position in
                let waiver = table.waiver(rule, position)
                return Waiver(
                    tolerance: waiver.tolerance, until: waiver.until, reason: "", owner: "",
                    ticket: nil)
            })
        reportOnly = Set(
            (0..<Int(rule.reportModes.count)).map { position in
                let mode = table.reportMode(rule, position)
                return ReportOnly(check: mode.check, until: mode.until, note: nil)
            })
    }

    /// A pin set without names and notes: what it demands. When it begins to warn rejects nobody.
    private static func bare(_ set: PinSetContents) -> PinSetContents {
        func bare(_ pins: [PinContents]) -> [PinContents] {
            pins.map {
                PinContents(
                    id: "", matches: $0.matches, position: $0.position,
                    certificates: $0.certificates, note: nil)
            }
        }
        return PinSetContents(
            id: "", keys: bare(set.keys), backups: bare(set.backups), match: set.match,
            warnFrom: nil, enforceUntil: set.enforceUntil, onExpiry: set.onExpiry, owner: nil,
            note: nil)
    }

    /// Whether whatever the other rule accepts this one accepts as well. Each field that has a
    /// looser side is set to the other rule's value where it is looser or the same; what is left
    /// must be equal, fields that nobody thought of here included.
    func demandsNoMore(than other: RuleMeaning) -> Bool {
        var own = self
        own.loosenPath(to: other)
        own.loosenEvidence(to: other)
        own.loosenTLS(to: other)
        own.loosenExceptions(to: other)
        return own == other
    }

    /// More anchors and more certificates on the way mean more paths; fewer pin sets, fewer
    /// demands. Where pins are the anchors both are in one, and must be equal.
    private mutating func loosenPath(to other: RuleMeaning) {
        if trusted.anchors.isSuperset(of: other.trusted.anchors) {
            trusted.anchors = other.trusted.anchors
        }
        if trusted.offered.isSuperset(of: other.trusted.offered) {
            trusted.offered = other.trusted.offered
        }
        if !anchorsArePinnedKeys, !other.anchorsArePinnedKeys, pins.isSubset(of: other.pins) {
            pins = other.pins
        }
        let theirs = other.requirements
        if requirements.maximumIntermediates >= theirs.maximumIntermediates {
            requirements.maximumIntermediates = theirs.maximumIntermediates
        }
        if requirements.lifetimeSteps == theirs.lifetimeSteps,
            requirements.maximumLifetime ?? .max >= theirs.maximumLifetime ?? .max
        {
            requirements.maximumLifetime = theirs.maximumLifetime
        }
        if Set(requirements.forbiddenKeys).isSubset(of: theirs.forbiddenKeys) {
            requirements.forbiddenKeys = theirs.forbiddenKeys
        }
        if Set(requirements.checks).isSubset(of: theirs.checks) {
            requirements.checks = theirs.checks
        }
    }

    /// What lets evidence count that did not count before is not looser: it may say `revoked`. So
    /// windows, ages, keys and signatures must be equal.
    private mutating func loosenEvidence(to other: RuleMeaning) {
        let theirs = other.requirements
        for cause in RevocationCause.allCases
        where requirements.revocation.causes[cause].rawValue
            >= theirs.revocation.causes[cause].rawValue
        {
            requirements.revocation.causes[cause] = theirs.revocation.causes[cause]
        }
        // The preset has said what it has to by its causes.
        requirements.revocation.preset = theirs.revocation.preset
        if requirements.revocation.scope.rawValue <= theirs.revocation.scope.rawValue {
            requirements.revocation.scope = theirs.revocation.scope
        }
        if !requirements.transparency.isDemanded {
            requirements.transparency = theirs.transparency
            logList = other.logList
        }
    }

    private mutating func loosenTLS(to other: RuleMeaning) {
        let theirs = other.requirements.tls
        var tls = requirements.tls
        if tls.minimumVersion <= theirs.minimumVersion {
            tls.minimumVersion = theirs.minimumVersion
        }
        if tls.maximumVersion >= theirs.maximumVersion {
            tls.maximumVersion = theirs.maximumVersion
        }
        if !tls.requiresForwardSecrecy {
            tls.requiresForwardSecrecy = theirs.requiresForwardSecrecy
        }
        tls.cipherSuites = RuleMeaning.looser(tls.cipherSuites, theirs.cipherSuites)
        tls.groups = RuleMeaning.looser(tls.groups, theirs.groups)
        tls.signatureSchemes = RuleMeaning.looser(tls.signatureSchemes, theirs.signatureSchemes)
        tls.alpn = RuleMeaning.looser(tls.alpn, theirs.alpn)
        requirements.tls = tls
    }

    /// The other list where this one allows all of it; an empty one allows anything.
    private static func looser(_ own: [String], _ other: [String]) -> [String] {
        own.isEmpty || (!other.isEmpty && Set(own).isSuperset(of: other)) ? other : own
    }

    /// Exceptions that are kept, at least as long and as wide, and others beside them. One of
    /// `keys` or `signatures` also decides what evidence counts, and must be equal.
    private mutating func loosenExceptions(to other: RuleMeaning) {
        if identity.reference == other.identity.reference,
            Set(identity.dns).isSuperset(of: other.identity.dns),
            Set(identity.ip).isSuperset(of: other.identity.ip),
            Set(identity.email).isSuperset(of: other.identity.email),
            Set(identity.uri).isSuperset(of: other.identity.uri)
        {
            identity = other.identity
        }
        let judged = waivers.filter(\.decidesEvidence) == other.waivers.filter(\.decidesEvidence)
        let isKept = other.waivers.allSatisfy { theirs in
            waivers.contains { $0.until >= theirs.until && $0.tolerance == theirs.tolerance }
        }
        if judged, isKept { waivers = other.waivers }
        let reports =
            reportOnly.filter(\.decidesEvidence) == other.reportOnly.filter(\.decidesEvidence)
        let isReported = other.reportOnly.allSatisfy { theirs in
            reportOnly.contains { $0.until >= theirs.until && $0.check == theirs.check }
        }
        if reports, isReported { reportOnly = other.reportOnly }
    }
}

extension Waiver {
    fileprivate var decidesEvidence: Bool {
        switch tolerance {
        case .keys, .signatures: return true
        default: return false
        }
    }
}

extension ReportOnly {
    fileprivate var decidesEvidence: Bool { check == .keys || check == .signatures }
}
