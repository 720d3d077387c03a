import PolicyCompiler
package import Rendering
package import TrustEngine

/// Gathers what a report says of a table, from what `show`, `forecast` and `lint` say of it.
package struct UnitReporter {
    private let table: PolicyTable
    private let behaviours: PolicyBehaviours
    private let places: FieldPlaces
    private let rules: DatedRules
    private let terms: TableTerms?
    private let time: UTCInstant
    private let until: UTCInstant
    private let crypto: any CryptoBackend
    private let order = BehaviourOrder()
    private let pinSets: BindingPins

    /// Prepares a table.
    ///
    /// - Parameters:
    ///   - terms: the signed terms of the table.
    ///   - time: the instant at which the policy is looked at.
    ///   - until: what ends up to then is told as ending.
    package init(
        _ table: PolicyTable, terms: TableTerms?, at time: UTCInstant, until: UTCInstant,
        crypto: any CryptoBackend
    ) {
        self.table = table
        self.terms = terms
        self.time = time
        self.until = until
        self.crypto = crypto
        behaviours = PolicyBehaviours(table, since: time)
        places = FieldPlaces(table, behaviours.contents)
        pinSets = BindingPins(behaviours.contents.pinSets)
        rules = DatedRules(table, below: "", crypto: crypto)
    }

    /// The report.
    ///
    /// - Parameters:
    ///   - name: the unit or the table, as the reader named it.
    ///   - findings: the linter's; nil for a table.
    ///   - files: the files of the unit.
    /// - Throws: `AnswerFailure` where the hosts are of too many classes.
    ///
    /// Cost: linear in the classes, and a comparison for each pair of rules of which one lies
    /// inside the other.
    package func report(
        name: String, findings: FindingReport?, files: [PolicySourceFile]
    ) throws(AnswerFailure) -> UnitReport {
        let all = try PolicyClasses(table, inside: nil, crypto: crypto)
        let tree = ClassTree(all, table)
        let exceptions = exceptions(tree)
        var demands = all.groups.map(demands)
        let classes = classes(tree, exceptions.indices, &demands)
        let changes = try PolicyForecaster(
            table, terms: terms, since: time, until: until, crypto: crypto
        ).changes(of: [])
        let next = changes.filter { $0.effect == .rejects }
            .min { ($0.instant, $0.subject) < ($1.instant, $1.subject) }
        let bodies = tree.entries.map { behaviours.body(of: $0.entry.hostClass.deciders[0]) }
        return UnitReport(
            name: name, policyDigest: table.policyDigest, time: time, until: until,
            ruleCount: all.ruleCount, classes: classes, demands: demands,
            anchors: anchors(classes, demands), pins: pins(classes, demands),
            exceptions: exceptions.list,
            surface: TrustSurfaceRows(
                behaviours, classes: zip(classes, bodies).map { ($0, $1) }, pins: pinSets,
                at: time
            ).rows,
            next: next.map {
                UnitReport.NextReject(
                    instant: $0.instant, subject: $0.subject, sentence: $0.sentence)
            }, findings: findings, files: files)
    }

    // MARK: Hosts

    private func demands(_ group: PolicyClasses.Group) -> UnitReport.Demands {
        let index = group.entries.first?.hostClass.deciders[0] ?? HostClass.byDefault
        guard let body = behaviours.body(of: index) else {
            return UnitReport.Demands(
                isDenied: true, anchors: [], arePinnedKeys: false, pins: [], pinsBind: false,
                fields: [],
                strictness: [], guarantee: nil, classes: [])
        }
        return UnitReport.Demands(
            isDenied: false, anchors: body.anchors, arePinnedKeys: body.anchorsArePinnedKeys,
            pins: body.pins, pinsBind: pinSets.bind(body, at: time), fields: group.demands,
            strictness: UnitReport.strictness.map { field in
                let members = FieldTexts.members(
                    of: body.requirements.value(of: field), field)
                return (field, members.isEmpty ? "none" : members.joined(separator: ", "))
            }, guarantee: GuaranteeSentences.rule(body, at: time), classes: [])
    }

    /// The classes in the order of the tree. Their numbers are added to their demands.
    private func classes(
        _ tree: ClassTree, _ exceptions: [Int: [Int]], _ demands: inout [UnitReport.Demands]
    ) -> [UnitReport.HostEntry] {
        var compared: [[Int]: UnitReport.Comparison] = [:]
        return tree.entries.enumerated().map { index, node in
            demands[node.group].classes.append(index + 1)
            let decider = node.entry.hostClass.deciders[0]
            let around = node.outer.map { tree.entries[$0 - 1].entry.hostClass.deciders[0] }
            let other =
                around ?? (node.entry.pattern == nil ? nil : HostClass.byDefault)
            var comparison: UnitReport.Comparison?
            if let other, other != decider {
                comparison = compared[[decider, other]] ?? self.comparison(decider, with: other)
                compared[[decider, other]] = comparison
            }
            return UnitReport.HostEntry(
                hosts: node.entry.hosts, depth: node.depth, outer: node.outer,
                pattern: node.entry.pattern?.canonicalText, location: node.entry.location,
                rule: node.entry.rule, note: behaviours.body(of: decider)?.note,
                witness: node.entry.witness, demands: node.group,
                exceptions: exceptions[decider] ?? [], comparison: comparison)
        }
    }

    /// Nil where the other denies: everything is weaker than that.
    private func comparison(_ decider: Int, with other: Int) -> UnitReport.Comparison? {
        guard case .body = behaviours.behaviour(of: other) else { return nil }
        let found = order.compare(
            behaviours.behaviour(of: decider).asOf(time), behaviours.behaviour(of: other).asOf(time)
        )
        return UnitReport.Comparison(
            relation: found.direction, rule: places.rule(other).id,
            fields: found.fields.filter { $0.relation != .equal }.map { field in
                UnitReport.ComparedField(
                    path: field.path, relation: field.relation,
                    sentence: WeakerField(field).comparison)
            })
    }

    // MARK: Sets

    private func uses(
        _ classes: [UnitReport.HostEntry], _ demands: [UnitReport.Demands],
        _ sets: (UnitReport.Demands) -> [String]
    ) -> [String: UnitReport.Uses] {
        var rules: [String: Set<String>] = [:]
        var counts: [String: Int] = [:]
        for one in classes {
            for id in sets(demands[one.demands]) {
                rules[id, default: []].insert(one.rule.id)
                counts[id, default: 0] += 1
            }
        }
        return counts.mapValues { UnitReport.Uses(rules: [], classes: $0) }
            .merging(rules.mapValues { UnitReport.Uses(rules: $0.sorted(), classes: 0) }) {
                UnitReport.Uses(rules: $1.rules, classes: $0.classes)
            }
    }

    private func anchors(
        _ classes: [UnitReport.HostEntry], _ demands: [UnitReport.Demands]
    ) -> [UnitReport.AnchorEntry] {
        let uses = uses(classes, demands, \.anchors)
        return behaviours.contents.anchorSets.map { set in
            let members = set.groups.flatMap { group -> [UnitReport.AnchorCertificate] in
                guard case .members(let list) = group.source else { return [] }
                return list.compactMap { der in
                    // A certificate that cannot be read is not an anchor, and the check has refused
                    // it.
                    guard let certificate = try? Certificate(der: der) else { return nil }
                    let (standing, sentence) = UnitReportSentences.certificate(
                        certificate, ignoresDates: group.ignoredLimits.contains(.dates), at: time,
                        until: until)
                    return UnitReport.AnchorCertificate(
                        facts: CertificateFacts(certificate, crypto: crypto), standing: standing,
                        sentence: sentence)
                }
            }
            return UnitReport.AnchorEntry(
                id: set.id, owner: set.owner, location: places.set("anchors", set.id).location,
                fields: rules.fields(ofSet: set.id, in: "anchors").filter {
                    !$0.name.hasSuffix(".members") && !$0.name.hasSuffix(".owner")
                }, certificates: members, uses: uses[set.id] ?? UnitReport.Uses())
        }
    }

    private func pins(
        _ classes: [UnitReport.HostEntry], _ demands: [UnitReport.Demands]
    ) -> [UnitReport.PinEntry] {
        let uses = uses(classes, demands, \.pins)
        return behaviours.contents.pinSets.map { set in
            let (standing, sentences) = UnitReportSentences.pins(set, at: time, until: until)
            return UnitReport.PinEntry(
                id: set.id, owner: set.owner, location: places.set("pins", set.id).location,
                fields: rules.fields(ofSet: set.id, in: "pins").filter {
                    !$0.name.hasSuffix(".owner")
                }, standing: standing, sentences: sentences,
                uses: uses[set.id] ?? UnitReport.Uses())
        }
    }

    // MARK: Exceptions

    /// What makes the exceptions of several rules one: a profile wrote it.
    private struct Key: Hashable {
        let kind: UnitReport.ExceptionEntry.Kind
        let check: String
        let until: UTCInstant
        let place: String
        /// The rule where no profile wrote it.
        let rule: String?
    }

    /// The exceptions of all rules that decide hosts, by end, and their indices by the index of
    /// the rule.
    private func exceptions(
        _ tree: ClassTree
    ) -> (list: [UnitReport.ExceptionEntry], indices: [Int: [Int]]) {
        var found: [UnitReport.ExceptionEntry] = []
        var known: [Key: Int] = [:]
        var ids: [Set<String>] = []
        var perRule: [Int: [Int]] = [:]
        for node in tree.entries {
            let decider = node.entry.hostClass.deciders[0]
            if perRule[decider] == nil {
                perRule[decider] = exceptions(ofRule: decider).map { key, exception in
                    let index = known[key] ?? found.count
                    if index == found.count {
                        known[key] = index
                        found.append(exception)
                        ids.append([])
                    }
                    ids[index].insert(node.entry.rule.id)
                    return index
                }
            }
            for index in perRule[decider] ?? [] { found[index].uses.classes += 1 }
        }
        for index in found.indices { found[index].uses.rules = ids[index].sorted() }
        let sorted = found.indices.sorted {
            (found[$0].until, $0) < (found[$1].until, $1)
        }
        var moved = [Int](repeating: 0, count: found.count)
        for (index, old) in sorted.enumerated() { moved[old] = index }
        return (sorted.map { found[$0] }, perRule.mapValues { $0.map { moved[$0] }.sorted() })
    }

    private func exceptions(
        ofRule index: Int
    ) -> [(key: Key, exception: UnitReport.ExceptionEntry)] {
        guard let body = behaviours.body(of: index) else { return [] }
        let place = places.rule(index)
        let name = UnitReportSentences.rule(place.id)
        let waivers = body.waivers.map { waiver in
            let check = waiver.tolerance.name
            let origin = place.origin(of: "waivers.\(check)")
            return (
                Key(
                    kind: .waiver, check: check, until: waiver.until, place: "", rule: place.id),
                UnitReport.ExceptionEntry(
                    kind: .waiver, check: check,
                    sentence: DateSentences.exception(
                        DateSentences.waiver(check, of: name),
                        WaivedCheck(rawValue: check)?.effect ?? "", until: waiver.until),
                    until: waiver.until, standing: standing(waiver.until), owner: waiver.owner,
                    reason: waiver.reason, ticket: waiver.ticket, limit: waiver.tolerance.limitText,
                    note: nil, origin: origin, uses: UnitReport.Uses())
            )
        }
        let reports = body.reportOnly.map { entry in
            let check = entry.check.name
            let origin = place.origin(of: "report-only.\(check)")
            var profile: String?
            if case .profile(let id, _) = origin?.layer { profile = id }
            return (
                Key(
                    kind: .reportOnly, check: check, until: entry.until,
                    place: origin?.location?.description ?? "",
                    rule: profile == nil ? place.id : nil),
                UnitReport.ExceptionEntry(
                    kind: .reportOnly, check: check,
                    sentence: DateSentences.exception(
                        DateSentences.reportOnly(check, of: profile ?? name), entry.check.effect,
                        until: entry.until),
                    until: entry.until, standing: standing(entry.until),
                    owner: profile == nil ? place.owner : nil, reason: nil, ticket: nil,
                    limit: nil, note: entry.note, origin: origin, uses: UnitReport.Uses())
            )
        }
        return waivers + reports
    }

    private func standing(_ last: UTCInstant) -> UnitReport.ExceptionStanding {
        UnitReportSentences.standing(until: last, at: time, horizon: until)
    }
}
