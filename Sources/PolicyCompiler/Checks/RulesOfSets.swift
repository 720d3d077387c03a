internal import TrustEngine

/// How the rules of a policy judge the certificates of each anchor set.
struct RulesOfSets {
    private let policy: BoundPolicy
    private let layers: ProfileLayers
    /// The rules that name each set, by index; -1 stands for `default`.
    private var naming: [String: [Int]] = [:]
    /// The sets that include each set.
    private var including: [String: [String]] = [:]

    init(_ policy: BoundPolicy, _ layers: ProfileLayers) {
        self.policy = policy
        self.layers = layers
        for set in policy.anchorSets {
            for item in set.include?.items ?? [] {
                including[item.value, default: []].append(set.id.value)
            }
        }
        if case .body(let body)? = policy.defaults.first?.action { add(body.anchors, as: -1) }
        for index in policy.rules.indices { add(policy.rules[index].body.anchors, as: index) }
    }

    private mutating func add(_ anchors: BoundList<String>?, as index: Int) {
        for item in anchors?.items ?? [] { naming[item.value, default: []].append(index) }
    }

    /// The parameters of one rule that trusts a set, the baseline's if none does; nil if the rule
    /// could not be read.
    func first(of set: String) -> [PathParameters]? {
        parameters(bodies(of: set, atMost: 1))
    }

    /// The parameters of every rule that trusts a set; nil if one of them could not be read, and
    /// where there are too many.
    func all(of set: String) -> [PathParameters]? {
        let bodies = bodies(of: set, atMost: RulesOfSets.most + 1)
        return bodies.count > RulesOfSets.most ? nil : parameters(bodies)
    }

    /// The most rules that are asked about one set.
    private static let most = 100_000

    /// Whether a set may have more rules than are asked.
    var areTooMany: Bool { policy.rules.count >= RulesOfSets.most }

    /// The rules that name a set or a set that includes it. Stops when enough are found.
    private func bodies(of set: String, atMost limit: Int) -> [Int] {
        var open = [set]
        var seen = Set(open)
        var bodies: [Int] = []
        while let id = open.popLast(), bodies.count < limit {
            bodies += (naming[id] ?? []).prefix(limit - bodies.count)
            for next in including[id] ?? [] where seen.insert(next).inserted { open.append(next) }
        }
        return bodies
    }

    private func parameters(_ bodies: [Int]) -> [PathParameters]? {
        guard !bodies.isEmpty else {
            return [RulesOfSets.parameters(Requirements(), Leniency())]
        }
        var parameters: [PathParameters] = []
        var profiles: Set<String?> = []
        for index in bodies {
            guard let body = body(index), isKnown(body) else { return nil }
            // Most rules write nothing of their own over their profile.
            if body.fields.isEmpty, body.fields.reportOnly.isEmpty, body.waivers.isEmpty {
                guard profiles.insert(body.profile?.value).inserted else { continue }
            }
            parameters.append(self.parameters(body))
        }
        return parameters
    }

    private func body(_ index: Int) -> BoundBody? {
        if index >= 0 { return policy.rules[index].body }
        guard case .body(let body)? = policy.defaults.first?.action else { return nil }
        return body
    }

    /// Whether every field was read that decides which keys and purposes a body allows, and whether
    /// it enforces demands of issuance.
    private func isKnown(_ body: BoundBody) -> Bool {
        layers.isSound(body.profile?.value)
            && layers.isKnown(RulesOfSets.fields, in: body.fields, over: body.profile?.value)
            && body.waivers.allSatisfy { $0.waiver != nil }
    }

    private static let fields: [ProfileField] = [
        .keyPurposes, .keyTypes, .leafKeyTypes, .rsaMinimum, .enforcesIssuance,
    ]

    private func parameters(_ body: BoundBody) -> PathParameters {
        let requirements = layers.requirements(body.fields, over: body.profile?.value)
        let reported = layers.reportedChecks(
            of: body.fields, named: body.name, over: body.profile?.value,
            checks: requirements.checks)
        return RulesOfSets.parameters(
            requirements,
            Leniency(waivers: body.waivers.compactMap(\.waiver), reportOnly: reported))
    }

    /// Nothing that is asked here depends on a time.
    private static func parameters(
        _ requirements: Requirements, _ leniency: Leniency
    ) -> PathParameters {
        let time = UTCInstant(secondsSinceEpoch: 0)
        return PathParameters(requirements, leniency: leniency, issuedAt: time, at: time)
    }
}
