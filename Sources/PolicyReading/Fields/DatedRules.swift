package import TrustEngine

/// The rules of a table for many questions: which rule decides a host, and with which fields as of
/// an instant. Waivers, report modes and pin sets that no longer bind then are left out.
package struct DatedRules: Sendable {
    /// What decides a host.
    package struct Decision: Hashable, Sendable {
        /// The index of the rule; nil for `default`.
        package let rule: Int?
        /// The pattern of the rule; nil for `default`.
        package let pattern: HostPattern?

        package init(rule: Int?, pattern: HostPattern?) {
            self.rule = rule
            self.pattern = pattern
        }
    }

    package let table: PolicyTable
    package let contents: PolicyContents
    /// Where the policy writes its parts, by files as the reader names them.
    package let provenance: Provenance?
    private let crypto: any CryptoBackend
    private let places: PlaceFinder
    private let sets: EffectiveSets

    /// Prepares a table.
    ///
    /// - Parameter folder: the path of the unit's folder from the folder in which places are read;
    ///   empty if they are the same.
    package init(_ table: PolicyTable, below folder: String, crypto: any CryptoBackend) {
        self.table = table
        self.crypto = crypto
        contents = table.contents()
        var provenance = table.provenance()
        if !folder.isEmpty, let written = provenance {
            provenance?.locations = written.locations.mapValues {
                Provenance.Location(
                    file: "\(folder)/\($0.file)", line: $0.line, column: $0.column)
            }
        }
        self.provenance = provenance
        places = PlaceFinder(provenance: provenance, profile: "baseline")
        sets = EffectiveSets(contents, places: places, crypto: crypto)
    }

    /// What decides a host.
    package func decision(_ host: CanonicalHost, port: UInt16) -> Decision {
        guard let match = table.lookUp(host, port: port) else {
            return Decision(rule: nil, pattern: nil)
        }
        return Decision(
            rule: Int(match.rule), pattern: table.pattern(at: Int(match.pattern)))
    }

    // MARK: Rules

    /// The id of a rule; `default`, or `deny` where `default` is `deny`.
    package func name(of decision: Decision) -> String {
        guard let rule = decision.rule else {
            return body(of: decision) == nil ? DatedRules.denied : DatedRules.byDefault
        }
        return contents.rules[rule].id
    }

    /// The word for a host that no pattern matches, under a `default` with a body.
    package static let byDefault = "default"
    /// The word for a host that no pattern matches, where `default` is `deny`.
    package static let denied = "deny"

    /// Where the rule is written.
    package func origin(of decision: Decision) -> FieldOrigin? {
        places.rule(decision.rule.map { contents.rules[$0].id } ?? "").map {
            FieldOrigin(.named(""), $0)
        }
    }

    /// Where the pattern is written, or the rule where there is none.
    package func originOfPattern(_ decision: Decision) -> FieldOrigin? {
        guard let rule = decision.rule, let pattern = decision.pattern,
            let place = places.pattern(
                pattern.canonicalText, rule: contents.rules[rule].id)
        else { return origin(of: decision) }
        return FieldOrigin(.named(""), place)
    }

    /// The body of a rule as it is written; nil where `default` is `deny`.
    package func body(of decision: Decision) -> RuleBody? {
        if let rule = decision.rule { return contents.rules[rule].body }
        guard case .body(let body) = contents.defaultRule else { return nil }
        return body
    }

    /// The body of a rule as of an instant.
    package func body(of decision: Decision, at time: UTCInstant) -> RuleBody? {
        guard var body = body(of: decision) else { return nil }
        body.waivers.removeAll { !$0.isInForce(at: time) }
        body.reportOnly.removeAll { !DatedTerm.isInForce(until: $0.until, at: time) }
        body.pins.removeAll { id in
            guard let set = contents.pinSets.first(where: { $0.id == id }),
                let last = set.enforceUntil, set.onExpiry != .fail
            else { return false }
            return !DatedTerm.isInForce(until: last, at: time)
        }
        return body
    }

    // MARK: Fields

    /// The fields with a name, as `show` prints them, as of an instant: none where the host is
    /// denied or the rule has no such field, several for the members of an anchor set.
    package func fields(
        named name: String, of decision: Decision, at time: UTCInstant
    ) -> [EffectiveRule.Field] {
        guard let body = body(of: decision, at: time) else { return [] }
        let own = fields(of: decision, body)
        if let field = ProfileField(rawValue: name), field != .forbiddenKeys {
            return own.fields(field, of: body.requirements, waivers: body.waivers)
        }
        let forbidden = ProfileField.forbiddenKeys
        if name.hasPrefix(forbidden.rawValue) {
            return own.fields(forbidden, of: body.requirements, waivers: body.waivers)
                .filter { $0.name == name }
        }
        let hosts = name == "hosts" ? decision.rule.map { contents.rules[$0].hosts } ?? [] : []
        let isOfSet = name.hasPrefix("anchors.") || name.hasPrefix("pins.")
        return own.ruleFields(of: body, hosts: hosts, sets: isOfSet ? sets : nil)
            .filter { $0.name == name }
    }

    private func fields(of decision: Decision, _ body: RuleBody) -> EffectiveFields {
        let id = decision.rule.map { contents.rules[$0].id } ?? ""
        return EffectiveFields(
            base: id.isEmpty ? "/default" : "/rules/\(id)", own: .rule(id),
            places: PlaceFinder(provenance: provenance, profile: body.profile))
    }

    /// The fields of an anchor set (`anchors`) or a pin set (`pins`), as `show` prints them.
    package func fields(ofSet id: String, in section: String) -> [EffectiveRule.Field] {
        section == "anchors" ? sets.anchors(id) : sets.pins(id)
    }

    /// The names of the fields of an anchor set (`anchors`) or a pin set (`pins`).
    package func fieldNames(ofSet id: String, in section: String) -> [String] {
        (section == "anchors" ? sets.anchors(id) : sets.pins(id)).map(\.name)
    }
}
