import PolicyCompiler
import Rendering
package import TrustEngine

// The dates of a policy at which it decides otherwise.
//
// Every date of a rule is a candidate. A candidate is kept only where the engine's own answer
// differs between the second before it and the instant itself: the order of behaviours for what
// the policy demands, the rules of certificates for anchors, the notices for pins, and the
// functions that judge steps, windows and log lists. An end that changes nothing, for example of a
// waiver of pins in a rule without pins, is left out.

/// Finds the instants at which a table decides hosts otherwise.
package struct PolicyForecaster {
    private let behaviours: PolicyBehaviours
    private let places: FieldPlaces
    private let terms: TableTerms?
    private let since: UTCInstant
    private let until: UTCInstant
    private let crypto: any CryptoBackend

    /// Prepares a table.
    ///
    /// - Parameter terms: the signed terms of the table.
    package init(
        _ table: PolicyTable, terms: TableTerms?, since: UTCInstant, until: UTCInstant,
        crypto: any CryptoBackend
    ) {
        behaviours = PolicyBehaviours(table, since: since)
        places = FieldPlaces(table, behaviours.contents)
        self.terms = terms
        self.since = since
        self.until = until
        self.crypto = crypto
    }

    /// One date of one rule.
    struct Point: Hashable {
        let instant: UTCInstant
        let kind: Forecast.Kind
        let effect: Forecast.Effect
        let subject: String
        let sentence: String
        var details: [String] = []
        let owner: String?
        let origin: FieldOrigin?
    }

    /// What makes the same change of several rules one.
    private struct Key: Hashable {
        let instant: UTCInstant
        let effect: Forecast.Effect
        let subject: String
        let sentence: String
    }

    /// The changes of the hosts' rules; of every rule that decides a host, where none is asked.
    ///
    /// - Throws: `AnswerFailure` where there are too many classes.
    package func changes(
        of hosts: [(host: CanonicalHost, port: UInt16)]
    ) throws(AnswerFailure) -> [Forecast.Change] {
        let all = HostClasses([behaviours.table])
        let every = try all.everyClass()
        let asked = hosts.isEmpty ? every : PolicyForecaster.classes(of: hosts, every, behaviours)
        let nesting = HostNesting(all, every)
        var found: [Key: (change: Forecast.Change, classes: [HostClass])] = [:]
        var order: [Key] = []
        var rules: [Key: Set<RuleReference>] = [:]
        var points: [Int: [Point]] = [:]
        for one in HostOrder.sorted(asked, by: { $0 }) {
            let index = one.deciders[0]
            let own = points[index] ?? self.points(of: index)
            points[index] = own
            let rule = places.rule(index).reference
            for point in own {
                let key = Key(
                    instant: point.instant, effect: point.effect, subject: point.subject,
                    sentence: point.sentence)
                if found[key] == nil {
                    order.append(key)
                    found[key] = (
                        Forecast.Change(
                            instant: point.instant, kind: point.kind, effect: point.effect,
                            subject: point.subject, sentence: point.sentence, details: [],
                            rules: [], hosts: [], owner: point.owner, origin: point.origin,
                            verdict: nil), []
                    )
                }
                found[key]?.classes.append(one)
                if found[key]?.change.owner != point.owner { found[key]?.change.owner = nil }
                if rules[key, default: []].insert(rule).inserted {
                    found[key]?.change.rules.append(rule)
                }
                for detail in point.details
                where found[key]?.change.details.contains(detail) == false {
                    found[key]?.change.details.append(detail)
                }
            }
        }
        return order.compactMap { key in
            guard let (change, classes) = found[key] else { return nil }
            var whole = change
            whole.hosts = nesting.texts(of: classes)
            return whole
        }
    }

    /// The classes of some hosts.
    private static func classes(
        of hosts: [(host: CanonicalHost, port: UInt16)], _ all: [HostClass],
        _ behaviours: PolicyBehaviours
    ) -> [HostClass] {
        let table = behaviours.table
        let wanted = hosts.map { host, port in
            (table.lookUp(host, port: port).map { table.pattern(at: Int($0.pattern)) }, port)
        }
        return all.filter { one in
            wanted.contains { pattern, port in
                one.pattern == pattern && (one.port == nil || one.port == port)
            }
        }
    }

    // MARK: One rule

    private func points(of index: Int) -> [Point] {
        guard let body = behaviours.body(of: index) else { return [] }
        let rule = RulePoints(
            body: body, index: index, behaviours: behaviours, place: places.rule(index),
            places: places, since: since, until: until, crypto: crypto)
        return rule.exceptions() + rule.pins() + rule.anchors() + rule.lifetimes()
            + rule.windows() + rule.logList() + tableEnd()
    }

    private func tableEnd() -> [Point] {
        guard let terms, let freshness = terms.freshness, let last = terms.expires else {
            return []
        }
        let instant = last.advanced(bySeconds: 1)
        guard since < instant, instant <= until,
            !freshness.rejects(at: last), freshness.rejects(at: instant)
        else { return [] }
        return [
            Point(
                instant: instant, kind: .table, effect: .rejects, subject: "table",
                sentence: ForecastSentences.table(until: last, at: since), owner: nil, origin: nil)
        ]
    }
}

/// The dates of one rule.
private struct RulePoints {
    typealias Point = PolicyForecaster.Point

    let body: RuleBody
    let index: Int
    let behaviours: PolicyBehaviours
    let place: FieldPlaces.Rule
    let places: FieldPlaces
    let since: UTCInstant
    let until: UTCInstant
    let crypto: any CryptoBackend

    private var name: String { place.id.isEmpty ? "default" : place.id }
    private var path: String { place.id.isEmpty ? "default" : "rules.\(place.id)" }

    private func isAsked(_ instant: UTCInstant) -> Bool { since < instant && instant <= until }

    /// The first second after the last one of a term.
    private func after(_ last: UTCInstant) -> UTCInstant { last.advanced(bySeconds: 1) }

    /// What follows where the behaviour would be `kept` if the date were later.
    private func effect(
        keeping kept: RuleBody, at instant: UTCInstant
    ) -> Forecast.Effect? {
        let order = BehaviourOrder()
        let own = behaviours.behaviour(ofBody: body)
        let before = instant.advanced(bySeconds: -1)
        guard order.relation(own.asOf(instant), own.asOf(before)) != .equal else { return nil }
        let other = behaviours.behaviour(ofBody: kept)
        switch order.relation(own.asOf(instant), other.asOf(instant)) {
        case .equal: return nil
        case .stricter, .incomparable: return .rejects
        case .weaker: return .accepts
        }
    }

    // MARK: Exceptions

    func exceptions() -> [Point] {
        let waivers = body.waivers.enumerated().compactMap { number, waiver -> Point? in
            let instant = after(waiver.until)
            var kept = body
            kept.waivers[number].until = RulePoints.never
            guard isAsked(instant), let effect = effect(keeping: kept, at: instant) else {
                return nil
            }
            let check = waiver.tolerance.name
            return Point(
                instant: instant, kind: .waiver, effect: effect,
                subject: "\(path).waivers.\(check)",
                sentence: DateSentences.exception(
                    DateSentences.waiver(check, of: name),
                    WaivedCheck(rawValue: check)?.effect ?? "", until: waiver.until),
                details: ForecastSentences.background(waiver), owner: waiver.owner,
                origin: place.origin(of: "waivers.\(check)"))
        }
        let reports = body.reportOnly.enumerated().compactMap { number, entry -> Point? in
            let instant = after(entry.until)
            var kept = body
            kept.reportOnly[number].until = RulePoints.never
            guard isAsked(instant), let effect = effect(keeping: kept, at: instant) else {
                return nil
            }
            let check = entry.check.name
            let origin = place.origin(of: "report-only.\(check)")
            return Point(
                instant: instant, kind: .reportOnly, effect: effect,
                subject: "\(layer(of: origin).path).report-only.\(check)",
                sentence: DateSentences.exception(
                    DateSentences.reportOnly(check, of: layer(of: origin).name),
                    entry.check.effect, until: entry.until),
                details: entry.note.map { ["its note: `\($0)`"] } ?? [], owner: place.owner,
                origin: origin)
        }
        return waivers + reports
    }

    /// The rule or profile that writes a field, by its name and its path.
    private func layer(of origin: FieldOrigin?) -> (name: String, path: String) {
        switch origin?.layer {
        case .profile(let id, _): return (id, "profiles.\(id)")
        case .builtIn, .named, .included, .byDefault, .unknown, .rule, nil: return (name, path)
        }
    }

    // MARK: Pins

    func pins() -> [Point] {
        let sets = behaviours.contents.pinSets.filter { body.pins.contains($0.id) }
        return sets.flatMap { set -> [Point] in
            func notice(_ time: UTCInstant) -> Notice? {
                Notice.ofPins(
                    set.id, warnFrom: set.warnFrom, enforceUntil: set.enforceUntil, at: time)
            }
            func point(_ instant: UTCInstant, _ key: String, _ sentence: String) -> Point? {
                guard isAsked(instant) else { return nil }
                var effect = Forecast.Effect.tells
                let isEnd = set.enforceUntil.map(after) == instant
                if isEnd, let found = self.effect(ofEndOf: set, at: instant) {
                    effect = found
                } else if notice(instant) == notice(instant.advanced(bySeconds: -1)) {
                    return nil
                }
                return Point(
                    instant: instant, kind: .pins, effect: effect, subject: "pins.\(set.id).\(key)",
                    sentence: sentence, owner: set.owner ?? place.owner,
                    origin: origin(ofSet: "pins", set.id))
            }
            let warning = set.warnFrom.flatMap {
                point($0, "warn-from", ForecastSentences.pinWarning(set, from: $0))
            }
            let end = set.enforceUntil.flatMap {
                point(
                    after($0), "enforce-until",
                    DateSentences.pins(set.id, until: $0, set.onExpiry, at: since))
            }
            return [warning, end].compactMap(\.self)
        }
    }

    private func effect(ofEndOf set: PinSetContents, at instant: UTCInstant) -> Forecast.Effect? {
        let own = behaviours.behaviour(ofBody: body)
        guard case .body(var kept) = own else { return nil }
        var lasting = set
        lasting.enforceUntil = nil
        kept.pins = kept.pins.map { $0.id == set.id ? PinDemand(lasting) : $0 }
        let order = BehaviourOrder()
        let before = instant.advanced(bySeconds: -1)
        guard order.relation(own.asOf(instant), own.asOf(before)) != .equal else { return nil }
        switch order.relation(own.asOf(instant), Behaviour.body(kept).asOf(instant)) {
        case .equal: return nil
        case .stricter, .incomparable: return .rejects
        case .weaker: return .accepts
        }
    }

    private func origin(ofSet section: String, _ id: String) -> FieldOrigin? {
        places.set(section, id).location.map { FieldOrigin(.named("\(section) \(id)"), $0) }
    }

    // MARK: Anchors

    func anchors() -> [Point] {
        let sets = behaviours.contents.anchorSets.filter { body.anchors.contains($0.id) }
        let members = sets.flatMap { set in
            set.groups.flatMap { group in
                RulePoints.certificates(of: group).map { (set: set, group: group, $0) }
            }
        }
        let holdsStore = sets.contains(where: \.namesSystemStore)
        return members.flatMap { set, group, certificate -> [Point] in
            guard !group.ignoredLimits.contains(.dates) else { return [] }
            return turns(of: certificate).compactMap { instant in
                let ends = isRejected(certificate, at: instant)
                guard ends != isRejected(certificate, at: instant.advanced(bySeconds: -1)) else {
                    return nil
                }
                let left = members.contains { _, group, other in
                    group.ignoredLimits.contains(.dates) || !isRejected(other, at: instant)
                }
                let isLast = ends && !left && !holdsStore
                return Point(
                    instant: instant, kind: .anchor, effect: ends ? .rejects : .accepts,
                    subject: "anchors.\(set.id)",
                    sentence: ends
                        ? DateSentences.anchor(
                            certificate.shortSubject, until: certificate.notAfter, at: since)
                        : ForecastSentences.anchorBegins(certificate, at: since),
                    details: isLast ? [ForecastSentences.nothingLeft(name)] : [],
                    owner: set.owner ?? place.owner, origin: origin(ofSet: "anchors", set.id))
            }
        }
    }

    private static func certificates(of group: AnchorGroup) -> [Certificate] {
        guard case .members(let list) = group.source else { return [] }
        return list.compactMap { try? Certificate(der: $0) }
    }

    /// The instants at which the rule may judge the dates of a certificate otherwise: its dates
    /// with the clock skew, and those after which a waiver no longer lets them pass.
    private func turns(of certificate: Certificate) -> [UTCInstant] {
        let skew = body.requirements.clockSkew
        var turns = [
            certificate.notBefore.advanced(bySeconds: -skew),
            after(certificate.notAfter.advanced(bySeconds: skew)),
        ]
        for waiver in body.waivers {
            turns.append(after(waiver.until))
            guard case .expired(let seconds) = waiver.tolerance else { continue }
            for extra in [0, skew] {
                turns.append(after(certificate.notAfter.advanced(bySeconds: seconds + extra)))
            }
        }
        return Set(turns).filter(isAsked).sorted()
    }

    private func isRejected(_ certificate: Certificate, at time: UTCInstant) -> Bool {
        let parameters = body.parameters(at: time)
        guard let problem = CertificateRules.validity(certificate, parameters) else { return false }
        return parameters.leniency.excuse(problem, of: certificate, at: time) == nil
    }

    // MARK: Dates of the end entity

    func lifetimes() -> [Point] {
        body.requirements.lifetimeSteps.compactMap { step -> Point? in
            let instant = step.issuedFrom
            let before = body.requirements.maximumLifetime(
                issuedAt: instant.advanced(bySeconds: -1))
            let now = body.requirements.maximumLifetime(issuedAt: instant)
            guard isAsked(instant), before != now, let now else { return nil }
            let isShorter = before.map { now < $0 } ?? true
            let origin = place.origin(of: ProfileField.lifetimeSteps.rawValue)
            return Point(
                instant: instant, kind: .lifetime,
                effect: isReported(.lifetime, at: instant)
                    ? .tells : isShorter ? .rejects : .accepts,
                subject: "\(layer(of: origin).path).\(ProfileField.lifetimeSteps.rawValue)",
                sentence: ForecastSentences.lifetime(from: instant, before: before, now: now),
                owner: place.owner, origin: origin)
        }
    }

    private func isReported(_ check: ReportOnly.Check, at time: UTCInstant) -> Bool {
        body.reportOnly.contains {
            $0.check == check && DatedTerm.isInForce(until: $0.until, at: time)
        }
    }

    func windows() -> [Point] {
        let sets = behaviours.contents.anchorSets.filter { body.anchors.contains($0.id) }
        return sets.flatMap { set in
            set.groups.flatMap { group in
                group.constraints.flatMap { constraints -> [Point] in
                    points(of: constraints.notBefore, .notBefore, set)
                        + points(of: constraints.sct, .sct, set)
                }
            }
        }
    }

    private func points(
        of window: DateWindow?, _ key: AnchorConstraints.Key, _ set: AnchorSetContents
    ) -> [Point] {
        guard let window else { return [] }
        let turns = [window.from, window.until.map(after)].compactMap(\.self)
        return turns.compactMap { instant in
            let opens = window.contains(instant)
            guard isAsked(instant), opens != window.contains(instant.advanced(bySeconds: -1))
            else { return nil }
            return Point(
                instant: instant, kind: .window, effect: opens ? .accepts : .rejects,
                subject: "anchors.\(set.id).constraints.\(key.rawValue)",
                sentence: ForecastSentences.window(key, of: set.id, at: instant, opens: opens),
                owner: set.owner ?? place.owner, origin: origin(ofSet: "anchors", set.id))
        }
    }

    // MARK: The log list

    func logList() -> [Point] {
        let requirement = body.requirements.transparency
        guard let digest = requirement.logList,
            let contents = behaviours.contents.logLists.first(where: { $0.digest == digest }),
            let list = try? LogList(json: contents.bytes, crypto: crypto)
        else { return [] }
        let last = requirement.isFreshUntil(listOf: list.issued)
        let instant = after(last)
        guard isAsked(instant), requirement.isStale(listOf: list.issued, at: instant),
            !requirement.isStale(listOf: list.issued, at: last)
        else { return [] }
        let hasWindow = behaviours.contents.anchorSets.contains { set in
            body.anchors.contains(set.id)
                && set.groups.contains { $0.constraints.contains { $0.sct != nil } }
        }
        let effect: Forecast.Effect
        switch requirement.whenStale {
        case .pass: return []
        case .report:
            guard requirement.isDemanded else { return [] }
            effect = .tells
        case .fail:
            guard requirement.isDemanded || hasWindow else { return [] }
            effect = isReported(.transparency, at: instant) && !hasWindow ? .tells : .rejects
        }
        let origin = place.origin(of: "transparency.log-list")
        return [
            Point(
                instant: instant, kind: .logList, effect: effect,
                subject: "\(layer(of: origin).path).transparency.log-list",
                sentence: ForecastSentences.logList(
                    issued: list.issued, maximumAge: requirement.logListMaximumAge, until: last,
                    at: since, rejects: effect == .rejects),
                owner: place.owner, origin: origin)
        ]
    }

    /// The end of what never ends.
    private static let never = UTCInstant(secondsSinceEpoch: UTCInstant.calendarSeconds.upperBound)
}
