package import TrustEngine

/// A field in which one body demands less than another.
package struct WeakerField: Hashable {
    /// Dotted, as the language has it: `keys.rsa-minimum`.
    package let name: String
    /// What the weaker body has, and what the other one, as the language writes them.
    package let here: String
    package let there: String
}

/// Which fields of one body demand less than those of another, field by field and exactly: what a path or
/// connection may be under the one, and not under the other. Where neither implies the other, as with
/// two lists of which each has what the other lacks, nothing is said. Waivers and `report-only` have
/// dates and are not compared.
package enum Weakening {
    /// What to make of anchors that are not the same.
    package enum Anchors {
        /// Weaker is what trusts all that the other one does, and more.
        case moreOnly
        /// Weaker is whatever trusts something that the other one does not.
        case anyOther
    }

    /// The fields in which `body` is weaker than `other`, in the order of the language.
    package static func fields(
        of body: RuleBody, against other: RuleBody, anchors rule: Anchors
    ) -> [WeakerField] {
        who(body, other, rule) + demands(of: body.requirements, against: other.requirements)
    }

    /// The same for what a profile writes.
    package static func demands(of own: Requirements, against other: Requirements) -> [WeakerField]
    {
        path(own, other) + keys(own, other) + revocation(own.revocation, other.revocation)
            + transparency(own.transparency, other.transparency) + tls(own.tls, other.tls)
            + lists(own, other)
    }

    // MARK: Who

    private static func who(
        _ own: RuleBody, _ other: RuleBody, _ rule: Anchors
    ) -> [WeakerField] {
        var found: [WeakerField] = []
        let (here, there) = (
            EffectiveFields.anchors(of: own), EffectiveFields.anchors(of: other)
        )
        let adds = !Set(here).isSubset(of: there)
        let keeps = Set(there).isSubset(of: here)
        // The anchors that pins make are whatever is pinned; they compare with nothing else.
        let isPinned = own.anchorsArePinnedKeys
        if adds, !isPinned, rule == .anyOther || keeps {
            found.append(WeakerField("anchors", .strings(here), .strings(there)))
        }
        if !Set(other.pins).isSubset(of: own.pins), Set(own.pins).isSubset(of: other.pins) {
            found.append(
                WeakerField(
                    "pins", EffectiveFields.list(own.pins), EffectiveFields.list(other.pins)))
        }
        let demandsHost = { (body: RuleBody) in body.identity.reference != .listed }
        if !demandsHost(own), demandsHost(other) {
            found.append(
                WeakerField(
                    "identity.reference", .string(own.identity.reference.name),
                    .string(other.identity.reference.name)))
        }
        return found
    }

    // MARK: How strictly

    private static func path(_ own: Requirements, _ other: Requirements) -> [WeakerField] {
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

    private static func keys(_ own: Requirements, _ other: Requirements) -> [WeakerField] {
        [
            wider("keys.types", own.keyTypes.names, other.keyTypes.names),
            wider("keys.leaf-types", own.leafKeyTypes.names, other.leafKeyTypes.names),
            larger("keys.rsa-minimum", other, own, \.rsaMinimum) { .whole($0) }?.turned,
            larger("signatures.minimum-hash", other, own, \.minimumHash) { .string($0.name) }?
                .turned,
            wider(
                "signatures.schemes", own.signatureSchemes.names, other.signatureSchemes.names),
            larger("validity.clock-skew", own, other, \.clockSkew, EffectiveFields.duration),
            limit("validity.maximum-lifetime", own.maximumLifetime, other.maximumLifetime),
        ].compactMap { $0 }
    }

    private static func revocation(
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

    private static func transparency(
        _ own: TransparencyRequirement, _ other: TransparencyRequirement
    ) -> [WeakerField] {
        guard other.isDemanded else { return [] }
        guard own.isDemanded else {
            return [
                WeakerField(
                    "transparency.preset", .string(own.preset.name), .string(other.preset.name))
            ]
        }
        return [
            larger("transparency.when-stale", own, other, \.whenStale.rawValue) {
                .string(CauseAction(rawValue: $0)?.name ?? "")
            },
            larger(
                "transparency.log-list-maximum-age", own, other, \.logListMaximumAge,
                EffectiveFields.duration),
            wider("transparency.exempt-anchors", own.exemptAnchors, other.exemptAnchors),
        ].compactMap { $0 }
    }

    private static func tls(_ own: TLSRequirement, _ other: TLSRequirement) -> [WeakerField] {
        [
            larger("tls.minimum-version", other, own, \.minimumVersion) { .string($0.name) }?
                .turned,
            undone("tls.forward-secrecy", own, other, \.requiresForwardSecrecy) {
                EffectiveFields.demand($0)
            },
            wider(
                "tls.cipher-suites", own.cipherSuites, other.cipherSuites, isAllWhenEmpty: true),
            wider("tls.groups", own.groups, other.groups, isAllWhenEmpty: true),
            wider(
                "tls.signature-schemes", own.signatureSchemes, other.signatureSchemes,
                isAllWhenEmpty: true),
        ].compactMap { $0 }
    }

    /// Demands that come one by one: each that the other body has and this one lacks.
    private static func lists(_ own: Requirements, _ other: Requirements) -> [WeakerField] {
        let forbidden = Set(own.forbiddenKeys.map(\.id))
        let keys = other.forbiddenKeys.filter { !forbidden.contains($0.id) }.map {
            WeakerField("forbidden-keys.\($0.id)", .null, .string("forbidden"))
        }
        guard Set(own.checks).isStrictSubset(of: other.checks) else { return keys }
        let checks = WeakerField(
            "checks", EffectiveFields.list(own.checks), EffectiveFields.list(other.checks))
        return keys + [checks]
    }

    // MARK: Comparing

    /// Weaker where the number is larger; `turned` where it is smaller.
    private static func larger<Body, Value: Comparable>(
        _ name: String, _ own: Body, _ other: Body, _ value: (Body) -> Value,
        _ text: (Value) -> JSONValue
    ) -> WeakerField? {
        let (here, there) = (value(own), value(other))
        return here > there ? WeakerField(name, text(here), text(there)) : nil
    }

    /// Weaker where a demand of yes or no is gone.
    private static func undone<Body>(
        _ name: String, _ own: Body, _ other: Body, _ value: (Body) -> Bool,
        _ text: (Bool) -> JSONValue
    ) -> WeakerField? {
        value(other) && !value(own) ? WeakerField(name, text(false), text(true)) : nil
    }

    /// Weaker where the limit is gone or larger.
    private static func limit(_ name: String, _ here: Int64?, _ there: Int64?) -> WeakerField? {
        guard let there, here.map({ $0 > there }) ?? true else { return nil }
        return WeakerField(name, EffectiveFields.duration(here), EffectiveFields.duration(there))
    }

    /// Weaker where a list of what is allowed has all of the other one, and more.
    private static func wider(
        _ name: String, _ here: [String], _ there: [String], isAllWhenEmpty: Bool = false
    ) -> WeakerField? {
        let isWider =
            isAllWhenEmpty && (here.isEmpty || there.isEmpty)
            ? here.isEmpty && !there.isEmpty : Set(there).isStrictSubset(of: here)
        let absent = isAllWhenEmpty ? "any" : "none"
        return isWider
            ? WeakerField(
                name, EffectiveFields.list(here), EffectiveFields.list(there), absent: absent)
            : nil
    }

    private static func dotted(_ content: [UInt8]) -> String {
        ObjectIdentifier.text(of: content.span)
    }

    private static func permission(_ isInhibited: Bool) -> JSONValue {
        .string(isInhibited ? "inhibited" : "allowed")
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
    package var comparison: String { "`\(name)` is \(quoted(here)) instead of \(quoted(there))" }

    private func quoted(_ text: String) -> String { text == "none" ? text : "`\(text)`" }
}
