import TrustEngine

/// Digests of what a field lets through, for fields whose printed values do not say all of it: the
/// name of a set or of a rule may stand for anything. A digest covers the value of this field, or
/// the body of the rule, with the sets that it names, and nothing else of the policy.
struct ValueDigest {
    private let contents: PolicyContents
    private let crypto: any CryptoBackend
    private var known: [Key: Digest] = [:]
    /// The rules by their ids; nil until one is looked up.
    private var bodies: [String: RuleBody]?

    private struct Key: Hashable {
        let path: String
        let body: RuleBody
    }

    /// - Parameter contents: the new policy.
    init(of contents: PolicyContents, crypto: any CryptoBackend) {
        self.contents = contents
        self.crypto = crypto
    }

    /// What an allowance must hold of each weakened field of a change, by the field's path: one
    /// line for each value that the rules have.
    ///
    /// Cost: a table of one body for each rule of the change, bodies that are equal once.
    mutating func lines(
        _ intervals: [PolicyDiff.Interval], of source: PolicyDiff.Source,
        by rules: [PolicyDiff.RulePair]
    ) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for field in intervals.flatMap(\.fields)
        where !field.relation.isNoWeaker && !field.saysAll && found[field.path] == nil {
            found[field.path] = lines(field.path, of: source, by: rules)
        }
        return found
    }

    private mutating func lines(
        _ path: String, of source: PolicyDiff.Source, by rules: [PolicyDiff.RulePair]
    ) -> [String] {
        switch source {
        case .anchors(let id): return [line("value", digest(anchors: [id]))]
        case .pins(let id): return [line("value", digest(pins: [id]))]
        case .rules:
            let word = path == PolicyDiff.Field.decision ? "body" : "value"
            var lines: Set<String> = []
            for pair in rules {
                guard let body = body(of: pair.new.id) else {
                    lines.insert("new body deny")
                    continue
                }
                lines.insert(line(word, digest(path, body)))
            }
            return lines.sorted()
        }
    }

    private func line(_ word: String, _ digest: Digest) -> String { "new \(word) \(digest.text)" }

    private mutating func body(of id: String) -> RuleBody? {
        if id.isEmpty {
            guard case .body(let body) = contents.defaultRule else { return nil }
            return body
        }
        if let bodies { return bodies[id] }
        let made = Dictionary(uniqueKeysWithValues: contents.rules.map { ($0.id, $0.body) })
        bodies = made
        return made[id]
    }

    // MARK: Digests

    private mutating func digest(_ path: String, _ body: RuleBody) -> Digest {
        var body = body
        body.owner = nil
        body.note = nil
        body.profile = BuiltInProfile.baseline.rawValue
        let key = Key(path: path, body: part(path, of: body))
        if let digest = known[key] { return digest }
        let digest = digest(of: key.body)
        known[key] = digest
        return digest
    }

    /// The body with the value of one field, and otherwise without demands; the whole body for a
    /// path that does not name a field.
    private func part(_ path: String, of body: RuleBody) -> RuleBody {
        var part = RuleBody(
            anchors: [], pins: [], profile: BuiltInProfile.baseline.rawValue,
            requirements: .baseline, identity: IdentityRequirement(), waivers: [], owner: nil,
            note: nil)
        if let field = ProfileField(rawValue: path) {
            part.requirements.write(field, body.requirements.value(of: field))
            if field == .forbiddenKeys {
                part.requirements.forbiddenKeys = body.requirements.forbiddenKeys
            }
        } else if path.hasPrefix("anchors") {
            part.anchors = body.anchors
            part.anchorsArePinnedKeys = body.anchorsArePinnedKeys
            part.pins = body.anchorsArePinnedKeys ? body.pins : []
        } else if path.hasPrefix("pins") {
            part.pins = body.pins
        } else if path.hasPrefix("identity") {
            part.identity = body.identity
        } else {
            return body
        }
        return part
    }

    /// The digest of the meaning of a policy that has only this body and the sets that it names.
    private func digest(of body: RuleBody) -> Digest {
        let exempt = body.requirements.transparency.exemptAnchors
        let sets = contents.anchorSets.filter {
            body.anchors.contains($0.id) || exempt.contains($0.id)
        }
        let list = body.requirements.transparency.logList
        return digest(
            PolicyContents(
                defaultRule: .body(body), rules: [], anchorSets: sets,
                pinSets: contents.pinSets.filter { body.pins.contains($0.id) },
                logLists: contents.logLists.filter { $0.digest == list }))
    }

    private func digest(anchors: Set<String> = [], pins: Set<String> = []) -> Digest {
        digest(
            PolicyContents(
                defaultRule: .deny, rules: [],
                anchorSets: contents.anchorSets.filter { anchors.contains($0.id) },
                pinSets: contents.pinSets.filter { pins.contains($0.id) }))
    }

    private func digest(_ contents: PolicyContents) -> Digest {
        PolicyTable.encode(contents, provenance: nil, crypto: crypto).policyDigest
    }
}

extension PolicyDiff.Field {
    /// Whether the printed values say everything that the field lets through. Names of sets, of
    /// rules and of authorities do not: what stands behind them may be anything. An allowance of
    /// this field holds the digest of the value or body (`ValueDigest`).
    var saysAll: Bool {
        guard from != to, !from.isEmpty, !to.isEmpty else { return false }
        if path.hasPrefix("waivers.") || path.hasPrefix("report-only.") { return true }
        guard let field = ProfileField(rawValue: path) else { return false }
        // Object identifiers with a long arc are printed alike, whatever the arc is.
        if [from, to].contains(where: { $0.contains(ObjectIdentifier.longArc) }) { return false }
        let others: Set<ProfileField> = [
            .forbiddenKeys, .transparencyLogList, .transparencyExemptAnchors,
        ]
        return !others.contains(field)
    }
}
