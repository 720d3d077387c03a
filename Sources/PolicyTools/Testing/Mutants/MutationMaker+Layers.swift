import Rendering
import TrustEngine

/// What a rule or a profile writes: the fields of LANGUAGE section 8, `waivers` and `report-only`.
extension MutationMaker {
    /// The rules in which one layer writes one field, with the same value.
    private struct Written: Hashable {
        let path: String
        /// The place of the field; nil where a built-in profile writes it, and where no places are
        /// known.
        let location: Provenance.Location?
        /// The rule, where the place is missing.
        let rule: Int?
        let value: FieldValue?
    }

    private struct Group {
        var rules: [Int]
        let origin: FieldOrigin?
    }

    /// The groups in the order in which their first rules come.
    private struct Groups {
        private(set) var keys: [Written] = []
        private(set) var groups: [Written: Group] = [:]

        mutating func add(_ key: Written, _ rule: Int, _ origin: FieldOrigin?) {
            if groups[key] == nil {
                keys.append(key)
                groups[key] = Group(rules: [], origin: origin)
            }
            groups[key]?.rules.append(rule)
        }
    }

    // MARK: Fields

    func ofFields() -> [Mutation] {
        var groups = Groups()
        var fields: [Written: ProfileField] = [:]
        for index in rules {
            guard let body = body(index) else { continue }
            let rule = places.rule(index)
            for field in ProfileField.allCases {
                for path in MutationMaker.paths(field, body) {
                    let origin = rule.origin(of: path)
                    let value = body.requirements.value(of: field)
                    guard
                        let layer = self.layer(
                            origin,
                            isBaseline: value
                                == Requirements.baseline.value(of: field))
                    else { continue }
                    let key = Written(
                        path: path, location: layer ? origin?.location : nil,
                        rule: layer ? nil : index, value: value)
                    fields[key] = field
                    groups.add(key, index, origin)
                }
            }
        }
        return groups.keys.flatMap { key -> [Mutation] in
            guard let field = fields[key], let group = groups.groups[key],
                let first = group.rules.first, let body = body(first)
            else { return [] }
            return WeakerValue.all(of: field, in: body).filter { weaker in
                // A forbidden key has a place of its own.
                field != .forbiddenKeys || key.path == "\(field.rawValue).\(weaker.lost ?? "")"
            }.map { weaker in
                mutation(
                    sentence(field, from: body, to: weaker, group),
                    key.location ?? places.location(of: first),
                    changed(group.rules) { body in
                        body.requirements.mutate(
                            field, weaker.value, keptCauses: causes(writtenBeside: field, first))
                    })
            }
        }
    }

    /// The paths under which a field is written: each forbidden key by itself.
    private static func paths(_ field: ProfileField, _ body: RuleBody) -> [String] {
        guard field == .forbiddenKeys else { return [field.rawValue] }
        return body.requirements.forbiddenKeys.map { "\(field.rawValue).\($0.id)" }
    }

    /// Whether a layer writes a field: true for a layer with a place, false for a built-in profile
    /// and where no places are known. Nil where no layer writes it, or another key stands for it.
    private func layer(_ origin: FieldOrigin?, isBaseline: Bool) -> Bool? {
        guard hasPlaces else { return isBaseline ? nil : false }
        guard let origin, origin.by == nil else { return nil }
        switch origin.layer {
        case .rule, .profile: return true
        case .builtIn(let id): return id == BuiltInProfile.baseline.rawValue ? nil : false
        case .named, .included, .byDefault, .unknown: return nil
        }
    }

    /// The causes that layers write beside the preset of revocation.
    private func causes(writtenBeside field: ProfileField, _ index: Int) -> Set<ProfileField> {
        guard field == .revocationPreset else { return [] }
        let rule = places.rule(index)
        return Set(
            ProfileField.allCases.filter { cause in
                cause.section == "revocation.causes"
                    && layer(rule.origin(of: cause.rawValue), isBaseline: true) != nil
            })
    }

    private func sentence(
        _ field: ProfileField, from body: RuleBody, to weaker: WeakerValue, _ group: Group
    ) -> String {
        let who = name(group.rules, group.origin)
        if let lost = weaker.lost {
            switch field.check {
            case .forbiddenKeys: return "\(who) no longer forbids the key `\(lost)`"
            case .checks: return "\(who) no longer asks the check `\(lost)`"
            case .lifetime: return "\(who) loses the step of `\(field.rawValue)` from \(lost)"
            case .host, .freshness, .rule, .cleartext, .endEntity, .tls, .evidence, .anchor,
                .anchorConstraints, .signatures, .algorithmAgreement, .validity, .basicConstraints,
                .pathLength, .keyUsage, .extendedKeyUsage, .nameConstraints, .certificatePolicies,
                .criticalExtensions, .keys, .signatureAlgorithms, .standard, .identity, .pins,
                .transparency, .revocation:
                return "\(who) loses `\(lost)` of `\(field.rawValue)`"
            }
        }
        let was = FieldTexts.members(of: body.requirements.value(of: field), field)
        let now = FieldTexts.members(of: weaker.value, field)
        guard !now.isEmpty else { return "\(who) no longer has `\(field.rawValue)`" }
        let added = now.filter { !was.contains($0) }
        if now.count > 1 || was.count > 1, added.count < now.count {
            return "\(who) has \(added.map { "`\($0)`" }.joined(separator: ", ")) too in "
                + "`\(field.rawValue)`"
        }
        return "\(who) has `\(field.rawValue): \(now.joined(separator: " "))` in place of "
            + "`\(was.isEmpty ? "none" : was.joined(separator: " "))`"
    }

    // MARK: Exceptions

    /// The end of every waiver and of every entry of `report-only` moved out by a year.
    func ofExceptions() -> [Mutation] {
        var waivers = Groups()
        var modes = Groups()
        for index in rules {
            guard let body = body(index) else { continue }
            let rule = places.rule(index)
            func key(_ path: String) -> (Written, FieldOrigin?) {
                let origin = rule.origin(of: path)
                let location = hasPlaces ? origin?.location : nil
                return (
                    Written(
                        path: path, location: location, rule: location == nil ? index : nil,
                        value: nil), origin
                )
            }
            for waiver in body.waivers {
                let (written, origin) = key("waivers.\(waiver.tolerance.name)")
                waivers.add(written, index, origin)
            }
            for mode in body.reportOnly {
                let (written, origin) = key("report-only.\(mode.check.name)")
                modes.add(written, index, origin)
            }
        }
        return longer(waivers) { body, path, move in
            for index in body.waivers.indices
            where "waivers.\(body.waivers[index].tolerance.name)" == path {
                move(&body.waivers[index].until)
            }
        }
            + longer(modes) { body, path, move in
                for index in body.reportOnly.indices
                where "report-only.\(body.reportOnly[index].check.name)" == path {
                    move(&body.reportOnly[index].until)
                }
            }
    }

    private func longer(
        _ groups: Groups,
        _ each: (inout RuleBody, String, (inout UTCInstant) -> Void) -> Void
    ) -> [Mutation] {
        groups.keys.compactMap { key in
            guard let group = groups.groups[key] else { return nil }
            var ends: (was: UTCInstant, now: UTCInstant)?
            let contents = changed(group.rules) { body in
                each(&body, key.path) { until in
                    let now = until.advanced(bySeconds: MutationMaker.year)
                    ends = (until, now)
                    until = now
                }
            }
            guard let ends else { return nil }
            return mutation(
                "`\(key.path)` of \(name(group.rules, group.origin)) lasts until "
                    + "\(DiffSentences.last(ends.now)) and not until \(DiffSentences.last(ends.was))",
                key.location ?? group.rules.first.flatMap { places.location(of: $0) }, contents)
        }
    }

    /// Seconds of 365 days.
    private static let year: Int64 = 365 * 86_400
}
