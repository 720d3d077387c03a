package import TrustEngine

/// A field in which one body demands less than another.
package struct WeakerField: Hashable {
    /// Dotted, as the language has it: `keys.rsa-minimum`.
    package let name: String
    /// What the weaker body has, and what the other one, as the language writes them.
    package let here: String
    package let there: String
    /// What follows from it, or of what it holds, to stand behind the comparison; may be empty.
    package var remark = ""
}

/// Which fields of one body demand less than those of another, field by field and exactly: what a
/// path or connection may be under the one, and not under the other. Every field of the language
/// has its entry here; those that have none say why:
///
/// - `revocation.preset` is the actions of its causes, and those are compared.
/// - `revocation.network` demands nothing: who may fetch is the program's, and a verdict is on what
///   it got.
/// - `transparency.log-list`: two lists imply nothing of each other by their digests.
/// - `transparency.preset` between `chrome` and `apple`: each asks for what the other does not.
/// - `waivers` and `report-only` have dates, and findings of their own.
/// - `intermediates` of an anchor set: whatever they lead to, the peer could have sent them.
/// - What a pin set holds: the sets of one unit are compared by their names.
/// - `owner`, `note` and the names of things demand nothing.
package struct Weakening {
    /// What is told where neither body implies the other, as with two lists of which each has what
    /// the other lacks.
    package enum Sense: Hashable, Sendable {
        /// Nothing; of anchors, that public authorities are trusted where none was.
        case weaker
        /// Nothing; of anchors, every authority that the other body does not trust.
        case weakerOrOtherAnchors
        /// Every field, exceptions among them; of anchors, every authority that the other body does
        /// not trust, but for private ones in place of public ones.
        case notAsStrict
    }

    private let sets: TrustedSets
    private let sense: Sense

    /// Compares bodies of one policy.
    package init(_ sets: TrustedSets, _ sense: Sense) {
        self.sets = sets
        self.sense = sense
    }

    /// The fields in which `body` is weaker than `other`, in the order of the language.
    package func fields(of body: RuleBody, against other: RuleBody) -> [WeakerField] {
        anchors(body, other) + pins(body, other) + identity(body.identity, other.identity)
            + (sense == .notAsStrict ? exceptions(body, other) : [])
            + demands(of: body.requirements, against: other.requirements)
    }

    /// The same for what a profile writes.
    package func demands(of own: Requirements, against other: Requirements) -> [WeakerField] {
        path(own, other) + keys(own, other) + lifetimes(own, other)
            + revocation(own.revocation, other.revocation)
            + transparency(own.transparency, other.transparency) + tls(own.tls, other.tls)
            + lists(own, other)
    }

    /// What a profile writes, where no set is at hand.
    package static func demands(of own: Requirements, against other: Requirements) -> [WeakerField]
    {
        Weakening(TrustedSets(anchorSets: [], pinSets: []), .weaker)
            .demands(of: own, against: other)
    }

    // MARK: Who

    private func anchors(_ own: RuleBody, _ other: RuleBody) -> [WeakerField] {
        let (here, there) = (
            EffectiveFields.anchors(of: own), EffectiveFields.anchors(of: other)
        )
        guard here != there else { return [] }
        let found = sets.difference(of: own.anchors, from: other.anchors)
        let keepsAll = !found.dropsSome && !other.anchorsArePinnedKeys
        // The anchors that pins make are whatever is pinned; they compare with nothing else.
        let isTold =
            own.anchorsArePinnedKeys
            ? sense == .notAsStrict && !found.othersArePublic
            : !found.new.isEmpty && (keepsAll || isTold(found, own, other))
        guard isTold else { return found.looser }
        var field = WeakerField("anchors", .strings(here), .strings(there))
        if !found.new.isEmpty {
            field.remark = ", so \(found.names) may vouch\(keepsAll ? ", too" : "")"
        }
        return [field] + found.looser
    }

    /// Whether it is told that a body trusts authorities in place of those of the other one.
    private func isTold(
        _ found: TrustedSets.Difference, _ own: RuleBody, _ other: RuleBody
    ) -> Bool {
        switch sense {
        case .weakerOrOtherAnchors: return true
        case .notAsStrict: return !found.othersArePublic || found.new.contains(where: \.isPublic)
        case .weaker:
            // Public authorities vouch for strangers. Where pins bind, only for keys that the rule
            // names.
            guard found.addsPublic, sets.pinsBind(own) else { return found.addsPublic }
            return other.anchorsArePinnedKeys && !Set(other.pins).isSubset(of: own.pins)
        }
    }

    private func pins(_ own: RuleBody, _ other: RuleBody) -> [WeakerField] {
        let (here, there) = (Set(own.pins), Set(other.pins))
        guard !there.isSubset(of: here), sense == .notAsStrict || here.isSubset(of: there) else {
            return []
        }
        return [
            WeakerField("pins", EffectiveFields.list(own.pins), EffectiveFields.list(other.pins))
        ]
    }

    private func identity(
        _ own: IdentityRequirement, _ other: IdentityRequirement
    ) -> [WeakerField] {
        var found: [WeakerField] = []
        let dropsHost = own.reference == .listed && other.reference != .listed
        let dropsNames = own.reference == .host && other.reference == .hostAndListed
        let isOther = own.reference == .host && other.reference == .listed
        if dropsHost || dropsNames || (isOther && sense == .notAsStrict) {
            found.append(
                WeakerField(
                    "identity.reference", .string(own.reference.name),
                    .string(other.reference.name)))
        }
        guard own.reference != .host, other.reference != .host else { return found }
        // Any one name of all the lists suffices.
        let lists = zip(Weakening.lists(of: own), Weakening.lists(of: other))
        let dropsSome = lists.contains { !Set($1.names).isSubset(of: $0.names) }
        guard !dropsSome || sense == .notAsStrict else { return found }
        for (here, there) in lists where !Set(here.names).isSubset(of: there.names) {
            found.append(
                WeakerField(
                    here.field, EffectiveFields.list(here.names),
                    EffectiveFields.list(there.names)))
        }
        return found
    }

    private static func lists(
        of identity: IdentityRequirement
    ) -> [(field: String, names: [String])] {
        [
            ("identity.dns", identity.dns), ("identity.ip", identity.ip.map(\.description)),
            ("identity.email", identity.email), ("identity.uri", identity.uri),
        ]
    }

    /// Exceptions that the other body does not have, told without their dates.
    private func exceptions(_ own: RuleBody, _ other: RuleBody) -> [WeakerField] {
        let waivers = own.waivers.filter { waiver in
            !other.waivers.contains {
                $0.tolerance == waiver.tolerance && $0.until >= waiver.until
            }
        }
        let reports = own.reportOnly.filter { entry in
            !other.reportOnly.contains { $0.check == entry.check && $0.until >= entry.until }
        }
        return waivers.map {
            WeakerField("waivers.\($0.tolerance.name)", .string("waived"), .null)
        }
            + reports.map {
                WeakerField("report-only.\($0.check.name)", .string("reported"), .null)
            }
    }

    // MARK: How strictly

    private func path(_ own: Requirements, _ other: Requirements) -> [WeakerField] {
        let purposes = { (value: Requirements) in EffectiveFields.purposes(value.keyPurposes) }
        return [
            larger("path.maximum-intermediates", own, other, \.maximumIntermediates) { .whole($0) },
            wider("path.key-purposes", purposes(own), purposes(other)),
            wider(
                "path.certificate-policies", own.certificatePolicies.map(dotted),
                other.certificatePolicies.map(dotted), isAllWhenEmpty: true),
            undone("path.explicit-policy", own, other, \.requiresExplicitPolicy) {
                EffectiveFields.demand($0)
            },
            undone("path.policy-mapping", own, other, \.inhibitsPolicyMapping, permission),
            undone("path.any-policy", own, other, \.inhibitsAnyPolicy, permission),
        ].compactMap { $0 }
    }

    private func keys(_ own: Requirements, _ other: Requirements) -> [WeakerField] {
        [
            wider("keys.types", own.keyTypes.names, other.keyTypes.names),
            wider("keys.leaf-types", own.leafKeyTypes.names, other.leafKeyTypes.names),
            larger("keys.rsa-minimum", other, own, \.rsaMinimum) { .whole($0) }?.turned,
            larger("signatures.minimum-hash", other, own, \.minimumHash) { .string($0.name) }?
                .turned,
            wider(
                "signatures.schemes", own.signatureSchemes.names, other.signatureSchemes.names),
            larger("validity.clock-skew", own, other, \.clockSkew, EffectiveFields.duration),
        ].compactMap { $0 }
    }

    /// The longest lifetime is a function of the day of issue, compared at every day on which
    /// either side changes: before the first of them by `maximum-lifetime` alone, from each of them
    /// on by the steps.
    private func lifetimes(_ own: Requirements, _ other: Requirements) -> [WeakerField] {
        let days = Set((own.lifetimeSteps + other.lifetimeSteps).map(\.issuedFrom)).sorted()
        let start = days.first?.advanced(bySeconds: -1) ?? UTCInstant(secondsSinceEpoch: 0)
        let atStart = limit(
            "validity.maximum-lifetime", own.maximumLifetime(issuedAt: start),
            other.maximumLifetime(issuedAt: start))
        for day in days {
            guard
                var field = limit(
                    "validity.lifetime-steps", own.maximumLifetime(issuedAt: day),
                    other.maximumLifetime(issuedAt: day))
            else { continue }
            field.remark = " for what is issued from \(ViolationSentences.day(day)) on"
            return [atStart, field].compactMap { $0 }
        }
        return [atStart].compactMap { $0 }
    }

    private func revocation(
        _ own: RevocationRequirement, _ other: RevocationRequirement
    ) -> [WeakerField] {
        let causes = RevocationCause.allCases.map { cause -> WeakerField? in
            let (here, there) = (own.causes[cause], other.causes[cause])
            // `fail`, `report`, `pass`: in the order of what they let through.
            guard here.rawValue > there.rawValue else { return nil }
            return WeakerField(
                "revocation.causes.\(cause.name)", .string(here.name), .string(there.name))
        }
        let rest = [
            sources(own, other),
            larger("revocation.scope", other, own, \.scope.rawValue) {
                .string(RevocationScope(rawValue: $0)?.name ?? "")
            }?.turned,
            limit("revocation.maximum-age", own.maximumAge, other.maximumAge),
            larger("revocation.short-lived", own, other, { $0.shortLived ?? 0 }) {
                EffectiveFields.duration($0 == 0 ? nil : $0)
            },
        ]
        return (causes + rest).compactMap { $0 }
    }

    /// One more source can say `good` where no other does. It can also bring a cause with a harsher
    /// action than those that are there, so more sources are weaker only where every cause has one
    /// action.
    private func sources(
        _ own: RevocationRequirement, _ other: RevocationRequirement
    ) -> WeakerField? {
        let actions = Set(RevocationCause.allCases.map { other.causes[$0] })
        let isOne = actions.count == 1 && actions != [.pass]
        let (here, there) = (own.sources.map(\.name), other.sources.map(\.name))
        if isOne { return wider("revocation.sources", here, there) }
        guard sense == .notAsStrict, Set(here) != Set(there) else { return nil }
        return WeakerField("revocation.sources", .strings(here), .strings(there))
    }

    private func transparency(
        _ own: TransparencyRequirement, _ other: TransparencyRequirement
    ) -> [WeakerField] {
        guard other.isDemanded else { return [] }
        let presets = WeakerField(
            "transparency.preset", .string(own.preset.name), .string(other.preset.name))
        guard own.isDemanded else { return [presets] }
        let isOther = sense == .notAsStrict
        return [
            isOther && own.preset != other.preset ? presets : nil,
            fewer("transparency.minimum-scts", own, other, \.minimumSCTs) { $0.needs($1).logs },
            fewer("transparency.minimum-operators", own, other, \.minimumOperators) {
                $0.needs($1).operators
            },
            isOther && own.logList != other.logList
                ? WeakerField("transparency.log-list", .string("another"), .string("this")) : nil,
            larger("transparency.when-stale", own, other, \.whenStale.rawValue) {
                .string(CauseAction(rawValue: $0)?.name ?? "")
            },
            larger(
                "transparency.log-list-maximum-age", own, other, \.logListMaximumAge,
                EffectiveFields.duration),
            wider("transparency.exempt-anchors", own.exemptAnchors, other.exemptAnchors),
        ].compactMap { $0 }
    }

    /// Weaker where fewer timestamps or operators are wanted of some certificate. A number that is
    /// written is wanted of every one; what a preset wants depends on the lifetime and on how they
    /// come. Where neither side writes a number, the presets differ or nothing does.
    private func fewer(
        _ name: String, _ own: TransparencyRequirement, _ other: TransparencyRequirement,
        _ written: (TransparencyRequirement) -> Int?,
        _ byPreset: (TransparencyPreset, TransparencyWay) -> Int
    ) -> WeakerField? {
        guard written(own) != nil || written(other) != nil else { return nil }
        func needs(_ value: TransparencyRequirement) -> TransparencyNeeds {
            written(value).map { TransparencyNeeds($0) }
                ?? TransparencyNeeds { byPreset(value.preset, $0) }
        }
        let (here, there) = (needs(own), needs(other))
        return here.isLess(than: there)
            ? WeakerField(name: name, here: here.text, there: there.text) : nil
    }

    private func tls(_ own: TLSRequirement, _ other: TLSRequirement) -> [WeakerField] {
        [
            larger("tls.minimum-version", other, own, \.minimumVersion) { .string($0.name) }?
                .turned,
            // What refuses newer versions accepts less.
            larger("tls.maximum-version", own, other, \.maximumVersion) { .string($0.name) },
            undone("tls.forward-secrecy", own, other, \.requiresForwardSecrecy) {
                EffectiveFields.demand($0)
            },
            wider(
                "tls.cipher-suites", own.cipherSuites, other.cipherSuites, isAllWhenEmpty: true),
            wider("tls.groups", own.groups, other.groups, isAllWhenEmpty: true),
            wider(
                "tls.signature-schemes", own.signatureSchemes, other.signatureSchemes,
                isAllWhenEmpty: true),
            wider("tls.alpn", own.alpn, other.alpn, isAllWhenEmpty: true),
        ].compactMap { $0 }
    }

    /// Demands that come one by one: each that the other body has and this one lacks.
    private func lists(_ own: Requirements, _ other: Requirements) -> [WeakerField] {
        let keys = other.forbiddenKeys.filter { key in
            !own.forbiddenKeys.contains { $0.forbids(all: key) }
        }.map { key in
            WeakerField(
                "forbidden-keys.\(key.id)",
                own.forbiddenKeys.contains { $0.id == key.id }
                    ? .string("forbidden in part") : .null, .string("forbidden"))
        }
        let (here, there) = (Set(own.checks), Set(other.checks))
        guard !there.isSubset(of: here), sense == .notAsStrict || here.isSubset(of: there) else {
            return keys
        }
        let checks = WeakerField(
            "checks", EffectiveFields.list(own.checks), EffectiveFields.list(other.checks))
        return keys + [checks]
    }

    // MARK: Comparing

    /// Weaker where the number is larger; `turned` where it is smaller.
    private func larger<Body, Value: Comparable>(
        _ name: String, _ own: Body, _ other: Body, _ value: (Body) -> Value,
        _ text: (Value) -> JSONValue
    ) -> WeakerField? {
        let (here, there) = (value(own), value(other))
        return here > there ? WeakerField(name, text(here), text(there)) : nil
    }

    /// Weaker where a demand of yes or no is gone.
    private func undone<Body>(
        _ name: String, _ own: Body, _ other: Body, _ value: (Body) -> Bool,
        _ text: (Bool) -> JSONValue
    ) -> WeakerField? {
        value(other) && !value(own) ? WeakerField(name, text(false), text(true)) : nil
    }

    /// Weaker where the limit is gone or larger.
    private func limit(_ name: String, _ here: Int64?, _ there: Int64?) -> WeakerField? {
        guard let there, here.map({ $0 > there }) ?? true else { return nil }
        return WeakerField(name, EffectiveFields.duration(here), EffectiveFields.duration(there))
    }

    /// Weaker where a list of what is allowed has all of the other one, and more.
    private func wider(
        _ name: String, _ here: [String], _ there: [String], isAllWhenEmpty: Bool = false
    ) -> WeakerField? {
        let (own, other) = (Set(here), Set(there))
        let isWider: Bool
        if isAllWhenEmpty, here.isEmpty || there.isEmpty {
            isWider = here.isEmpty && !there.isEmpty
        } else {
            isWider = !own.isSubset(of: other) && (sense == .notAsStrict || other.isSubset(of: own))
        }
        let absent = isAllWhenEmpty ? "any" : "none"
        return isWider
            ? WeakerField(
                name, EffectiveFields.list(here), EffectiveFields.list(there), absent: absent)
            : nil
    }

    private func dotted(_ content: [UInt8]) -> String {
        ObjectIdentifier.text(of: content.span)
    }

    private func permission(_ isInhibited: Bool) -> JSONValue {
        .string(isInhibited ? "inhibited" : "allowed")
    }
}

/// How many timestamps, or operators of logs, are wanted of a certificate, in each way of meeting
/// the demand.
private struct TransparencyNeeds {
    private let numbers: [TransparencyWay: Int]

    init(_ number: Int) {
        self.init { _ in number }
    }

    init(_ number: (TransparencyWay) -> Int) {
        numbers = Dictionary(
            uniqueKeysWithValues: TransparencyWay.allCases.map { ($0, number($0)) })
    }

    private subscript(way: TransparencyWay) -> Int { numbers[way, default: 0] }

    /// Whether less is wanted of some certificate.
    func isLess(than other: TransparencyNeeds) -> Bool {
        TransparencyWay.allCases.contains { self[$0] < other[$0] }
    }

    var text: String {
        let (short, long) = (self[.embeddedShortLived], self[.embeddedLongLived])
        let embedded = short == long ? "\(short)" : "\(short), \(long) of what lives long"
        return self[.beside] == short ? embedded : "\(embedded), \(self[.beside]) beside it"
    }
}

extension ForbiddenKey {
    /// Whether every path that the other entry forbids is forbidden by this one.
    fileprivate func forbids(all other: ForbiddenKey) -> Bool {
        guard Set(other.matches).isSubset(of: matches) else { return false }
        guard let notBefore else { return true }
        return other.notBefore.map { $0.lies(in: notBefore) } ?? false
    }
}

extension DateWindow {
    /// Whether every instant of the window lies in another one.
    func lies(in other: DateWindow) -> Bool {
        if let start = other.from { guard let from, from >= start else { return false } }
        if let end = other.until { guard let until, until <= end else { return false } }
        return true
    }
}

extension WeakerField {
    init(_ name: String, _ here: JSONValue, _ there: JSONValue, absent: String = "none") {
        func text(_ value: JSONValue) -> String {
            value == .null ? absent : FlowText.render(value, most: 120)
        }
        self.init(name: name, here: text(here), there: text(there))
    }

    /// The same with the two sides exchanged.
    fileprivate var turned: WeakerField { WeakerField(name: name, here: there, there: here) }

    /// For messages: `keys.rsa-minimum` is 2048 here and 3072 there.
    package var comparison: String {
        "`\(name)` is \(quoted(here)) instead of \(quoted(there))\(remark)"
    }

    private func quoted(_ text: String) -> String { text == "none" ? text : "`\(text)`" }
}
