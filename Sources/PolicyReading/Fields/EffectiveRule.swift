package import TrustEngine

/// What the policy demands of one host: the rule that decides, flattened, each field with the place
/// that wrote it, and the patterns that match the host and lose. `default` and profiles are
/// flattened in the same way.
package struct EffectiveRule: Sendable {
    /// The thing that is flattened.
    package enum Subject: Hashable, Sendable {
        /// The rule that decides a host, `default` included.
        case host(CanonicalHost, port: UInt16)
        /// `default`, which decides hosts that no rule matches.
        case fallback
        /// A profile, with everything that it extends.
        case profile(String)
    }

    /// One field of LANGUAGE sections 4 to 10 with the value that holds.
    package struct Field: Hashable, Sendable {
        /// The name with dots, as the language writes it: `keys.rsa-minimum`,
        /// `pins.acme.keys.issuing`. Names are unique but for the members of an anchor set, which
        /// share one name.
        package let name: String
        package let value: JSONValue
        /// What a value that is null means.
        package let absence: Absence
        /// The value that holds after an exception, where an exception decides now.
        package let exception: Exception?
        package let origin: FieldOrigin

        /// What a value that is null means.
        package enum Absence: Hashable, Sendable {
            /// Nothing is demanded or listed.
            case none
            /// Everything is allowed.
            case any
            /// The preset with this name decides.
            case asPreset(String)
        }

        /// An exception that gives a field its value up to an instant.
        package struct Exception: Hashable, Sendable {
            /// The last second of the exception.
            package let until: UTCInstant
            /// The value that holds after it.
            package let then: String
        }

        init(
            _ name: String, _ value: JSONValue, _ origin: FieldOrigin, absence: Absence = .none,
            exception: Exception? = nil
        ) {
            self.name = name
            self.value = value
            self.absence = absence
            self.exception = exception
            self.origin = origin
        }
    }

    /// A pattern that matches the host.
    package struct Pattern: Hashable, Sendable {
        package let text: String
        /// Id of the rule that the pattern belongs to.
        package let rule: String
        package let outcome: PatternStep.Outcome
        package let location: Provenance.Location?
    }

    package let subject: Subject
    /// Id of the rule; empty for `default` and for a profile.
    package let rule: String
    /// Whether no rule matches and `default` is `deny`. `fields` is empty then.
    package let isDenied: Bool
    package let location: Provenance.Location?
    /// The profiles that the fields are looked up in, nearest first, `baseline` last.
    package let layers: [String]
    /// The patterns that match the host, the winner first; empty where `default` decides.
    package let patterns: [Pattern]
    /// The patterns that come near to the host, where no pattern matches it; nil if the subject is
    /// not a host.
    package let near: NearPatterns?
    /// The fields in the order of the language: first the fields that only a rule has, then the
    /// fields of LANGUAGE section 8.
    package let fields: [Field]
    /// The number of fields that come before the fields of LANGUAGE section 8.
    package let ruleFieldCount: Int
    /// The digest of the table; nil for a profile, which is not part of a table.
    package let policyDigest: Digest?

    /// Flattens the rule that decides a host in a table.
    package init(
        table: PolicyTable, host: CanonicalHost, port: UInt16, crypto: any CryptoBackend
    ) {
        let matches = table.candidates(host, port: port)
        let id = matches.first.map { table.text(table.rule(at: Int($0.rule)).id) } ?? ""
        self.init(
            table: table, subject: .host(host, port: port), rule: id, matches: matches,
            near: NearPatterns(table: table, host: host, port: port), crypto: crypto)
    }

    /// Flattens `default`.
    package init(defaultOf table: PolicyTable, crypto: any CryptoBackend) {
        self.init(table: table, subject: .fallback, rule: "", matches: [], crypto: crypto)
    }

    private init(
        table: PolicyTable, subject: Subject, rule id: String, matches: [PatternMatch],
        near: NearPatterns? = nil, crypto: any CryptoBackend
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
        self.near = near
        self.policyDigest = table.policyDigest
    }

    /// Flattens a profile, as it judges a rule that names the profile and writes no field itself.
    ///
    /// - Parameter parent: the profile that this profile extends; nil for the baseline and for a
    ///   built-in profile.
    package init(
        profile id: String, parent: String?, requirements: Requirements,
        reportOnly: [ReportOnly], provenance: Provenance
    ) {
        let places = PlaceFinder(provenance: provenance, profile: parent ?? id)
        let own = EffectiveFields(
            base: "/profiles/\(id)", own: .profile(id, extendedBy: nil), places: places)
        let modes = reportOnly.flatMap(own.reportOnly)
        self.subject = .profile(id)
        self.rule = ""
        self.isDenied = false
        self.location = places.named("profiles", id)
        self.layers = EffectiveRule.whole(parent == nil ? [id] : [id] + places.layers)
        self.patterns = []
        self.fields = modes + own.profileFields(of: requirements)
        self.ruleFieldCount = modes.count
        self.near = nil
        self.policyDigest = nil
    }

    /// The layers with `baseline`, where every line of profiles ends.
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
