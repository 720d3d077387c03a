package import TrustEngine

/// What one host gets: the rule that decides, flattened, every field with the place that wrote it,
/// and the patterns that lost. `default` and profiles are flattened the same way.
package struct EffectiveRule: Sendable {
    /// What is flattened.
    package enum Subject: Hashable, Sendable {
        /// The rule that decides a host, `default` included.
        case host(CanonicalHost, port: UInt16)
        /// What hosts get that no rule matches.
        case fallback
        /// A profile, with what it extends.
        case profile(String)
    }

    /// One field of LANGUAGE sections 4 to 10 with the value that holds.
    package struct Field: Hashable, Sendable {
        /// Dotted, as the language writes it: `keys.rsa-minimum`, `pins.acme.keys.issuing`. Only
        /// the members of an anchor set share one name.
        package let name: String
        package let value: JSONValue
        /// The word for a value that is null.
        package let absent: String
        /// What a reader of the value has to know besides.
        package let remark: String?
        package let origin: FieldOrigin

        init(
            _ name: String, _ value: JSONValue, _ origin: FieldOrigin, absent: String = "none",
            remark: String? = nil
        ) {
            self.name = name
            self.value = value
            self.absent = absent
            self.remark = remark
            self.origin = origin
        }

        /// The value on one line; of a list at most so many items.
        package func text(most: Int = .max) -> String {
            let shown = value == .null ? absent : FlowText.render(value, most: most)
            return shown + (remark.map { " (\($0))" } ?? "")
        }
    }

    /// A pattern that matches the host.
    package struct Pattern: Hashable, Sendable {
        package let text: String
        /// Id of its rule.
        package let rule: String
        package let outcome: PatternStep.Outcome
        package let location: Provenance.Location?
    }

    package let subject: Subject
    /// Empty for `default` and for a profile.
    package let rule: String
    /// Whether nothing matches and `default` is `deny`: then there is no field.
    package let isDenied: Bool
    package let location: Provenance.Location?
    /// The profiles that the fields are looked up in, nearest first, `baseline` last.
    package let layers: [String]
    /// The winner first; empty where `default` decides.
    package let patterns: [Pattern]
    /// In the order of the language: those of the rule, then those of LANGUAGE section 8.
    package let fields: [Field]
    /// How many of `fields` come before those of LANGUAGE section 8.
    package let ruleFieldCount: Int
    /// Nil for a profile, which no table holds.
    package let policyDigest: Digest?

    /// Looks a host up in a table.
    package init(
        table: PolicyTable, host: CanonicalHost, port: UInt16, crypto: any CryptoBackend
    ) {
        let matches = table.candidates(host, port: port)
        let id = matches.first.map { table.text(table.rule(at: Int($0.rule)).id) } ?? ""
        self.init(
            table: table, subject: .host(host, port: port), rule: id, matches: matches,
            crypto: crypto)
    }

    /// Flattens `default`.
    package init(defaultOf table: PolicyTable, crypto: any CryptoBackend) {
        self.init(table: table, subject: .fallback, rule: "", matches: [], crypto: crypto)
    }

    private init(
        table: PolicyTable, subject: Subject, rule id: String, matches: [PatternMatch],
        crypto: any CryptoBackend
    ) {
        let contents = table.contents()
        var hosts: [HostPattern] = []
        var body: RuleBody?
        if id.isEmpty {
            if case .body(let fallback) = contents.defaultRule { body = fallback }
        } else if let rule = contents.rules.first(where: { $0.id == id }) {
            hosts = rule.hosts
            body = rule.body
        }
        let places = PlaceFinder(
            provenance: table.provenance(), profile: body?.profile ?? "baseline")
        let base = id.isEmpty ? "/default" : "/rules/\(id)"
        let own = EffectiveFields(base: base, own: .rule(id), places: places)
        let sets = EffectiveSets(contents, places: places, crypto: crypto)
        let ruleFields = body.map { own.ruleFields(of: $0, hosts: hosts, sets: sets) } ?? []
        self.subject = subject
        self.rule = id
        self.isDenied = body == nil
        self.location = places.rule(id)
        self.layers = body == nil ? [] : EffectiveRule.whole(places.layers)
        self.patterns = EffectiveRule.patterns(matches, table: table, places: places)
        self.fields =
            ruleFields
            + (body.map { own.profileFields(of: $0.requirements, waivers: $0.waivers) } ?? [])
        self.ruleFieldCount = ruleFields.count
        self.policyDigest = table.policyDigest
    }

    /// Flattens a profile: what a rule under it that writes nothing itself is judged by.
    ///
    /// - Parameter parent: what it extends; nil for the baseline, and for a built-in profile.
    package init(
        profile id: String, parent: String?, requirements: Requirements,
        reportOnly: [ReportOnly], provenance: Provenance
    ) {
        let places = PlaceFinder(provenance: provenance, profile: parent ?? id)
        let own = EffectiveFields(
            base: "/profiles/\(id)", own: .profile(id, extendedBy: nil), places: places)
        let modes = reportOnly.map(own.reportOnly)
        self.subject = .profile(id)
        self.rule = ""
        self.isDenied = false
        self.location = places.named("profiles", id)
        self.layers = EffectiveRule.whole(parent == nil ? [id] : [id] + places.layers)
        self.patterns = []
        self.fields = modes + own.profileFields(of: requirements)
        self.ruleFieldCount = modes.count
        self.policyDigest = nil
    }

    /// The layers down to the baseline, which every chain ends at.
    static func whole(_ layers: [String]) -> [String] {
        layers.last == "baseline" ? layers : layers + ["baseline"]
    }

    private static func patterns(
        _ matches: [PatternMatch], table: PolicyTable, places: PlaceFinder
    ) -> [Pattern] {
        guard let winner = matches.first else { return [] }
        let selected = table.pattern(at: Int(winner.pattern))
        return matches.enumerated().map { position, match in
            let pattern = table.pattern(at: Int(match.pattern))
            let rule = table.text(table.rule(at: Int(match.rule)).id)
            return Pattern(
                text: pattern.canonicalText, rule: rule,
                outcome: position == 0
                    ? .selected : selected.precedence(over: pattern),
                location: places.pattern(pattern.canonicalText, rule: rule))
        }
    }
}
