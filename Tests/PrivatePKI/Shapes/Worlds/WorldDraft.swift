import TestPKI
import TrustEngine

/// A world while it is drawn.
struct WorldDraft {
    var random: SplitMix
    let plan: ShapePlan
    /// The path and the certificates that are presented beside it.
    var shape: ShapeDraft
    /// The path before any oddity was put into it.
    var pristine: [ShapeDraft.Link]
    /// Everything that was drawn, each with its place.
    var facts: [String] = []
    var crls: [[UInt8]] = []
    var revocationScope: String?
    var time = Scenario.judgedAt
    var isForClients = false
    var policies: VectorLine.Policies?
    private let tower: Int

    var isShuffled: Bool { plan.order != nil }
    var isTrustedEndEntity: Bool { plan.form == .trustedEndEntity }

    init(number: Int, seed: UInt64) {
        random = SplitMix(state: seed &+ UInt64(number) &* 0x9E37_79B9)
        random.state = random.next()
        // Half of the worlds have no oddity, and a quarter only those that may be accepted.
        let kind = random.below(4)
        var plan = WorldDraft.plan(number, 0, seed)
        for attempt in 1..<6 where kind == 2 {
            guard plan.choices.contains(where: { $0.oddity.refusal != nil }) else { break }
            plan = WorldDraft.plan(number, attempt, seed)
        }
        if kind < 2 {
            plan = ShapePlan(form: plan.form, keys: plan.keys, choices: [], order: plan.order)
        }
        tower =
            plan.form == .trustedEndEntity
            ? 0 : random.pick([0, 0, 0, 0, 0, 1, 1, 2, 3, 6]) { _ in 1 }
        shape = ShapeDraft(plan)
        self.plan = plan
        pristine = []
        shape.raise(by: tower)
        pristine = shape.path
    }

    private static func plan(_ number: Int, _ attempt: Int, _ seed: UInt64) -> ShapePlan {
        ShapePlan(number: ShapePlan.single.count + number * 6 + attempt, seed: seed)
    }

    mutating func draw() {
        facts.append("form: \(plan.form.rawValue)")
        if tower > 0 { facts.append("tower: \(tower) more intermediates") }
        for (position, kind) in plan.keys.enumerated() where kind != .p256 {
            facts.append("\(place(moved(position))): key \(kind.rawValue)")
        }
        let choices = plan.choices.map { choice in
            ShapePlan.Choice(
                oddity: choice.oddity, position: choice.position.map(moved), role: choice.role)
        }
        shape.apply(choices)
        facts += choices.map(\.text)
        if random.below(12) == 0 {
            isForClients = true
            facts.append("question: for clients")
        }
        if !isTrustedEndEntity {
            if random.below(4) == 0 { drawPathLengths() }
            if random.below(5) == 0 { drawPolicies() }
        }
        if random.below(2) == 0 { drawNames() }
        if !isTrustedEndEntity {
            if random.below(5) < 2 { drawWays() }
            if random.below(4) == 0 { drawLists() }
        }
        if random.below(8) == 0 { drawTime() }
    }

    /// The position of a certificate of the plan, which the tower pushes down.
    private func moved(_ position: Int) -> Int { position == 0 ? 0 : position + tower }

    /// The authorities on the path, the anchor's position first.
    var authorities: Range<Int> { 0..<shape.end }

    /// A certificate of the path in words.
    func place(_ position: Int) -> String {
        if isTrustedEndEntity { return Oddity.Role.trusted.rawValue }
        if position == shape.end { return Oddity.Role.endEntity.rawValue }
        return position == 0 ? Oddity.Role.anchor.rawValue : Oddity.Role.intermediate.rawValue
    }

    /// Whether an oddity was drawn that changes one of these parts of a shape or certificate.
    func hasOddity(of parts: Set<String>) -> Bool {
        plan.choices.contains {
            !$0.oddity.shared.isDisjoint(with: parts) || !$0.oddity.own.isDisjoint(with: parts)
        }
    }

    /// Whether a certificate has no extensions, so that nothing can be put into it.
    func isBare(_ position: Int) -> Bool { shape.versionOne.contains(position) }

    // MARK: Path lengths and time

    private mutating func drawPathLengths() {
        guard !hasOddity(of: ["basic"]) else { return }
        for position in random.some(Array(authorities), atMost: 2) where !isBare(position) {
            let below = shape.end - 1 - position
            let length = random.below(below + 2)
            shape.path[position].recipe.set(.basicConstraints(ca: true, pathLength: length))
            let word = length < below ? "too short" : "long enough"
            facts.append("\(place(position)): a path length that is \(word)")
        }
    }

    /// A second at the edge of a validity period.
    private mutating func drawTime() {
        let position = random.below(shape.path.count)
        let recipe = shape.path[position].recipe
        let edges: [(String, UTCInstant)] = [
            ("before the first second", recipe.notBefore.advanced(bySeconds: -1)),
            ("at the first second", recipe.notBefore),
            ("at the last second", recipe.notAfter),
            ("after the last second", recipe.notAfter.advanced(bySeconds: 1)),
        ]
        let (word, instant) = edges[random.below(edges.count)]
        // RFC 3339 has years of four digits.
        guard instant <= .at("9999-12-31T23:59:59Z") else { return }
        time = instant
        facts.append("time: \(word) of the \(place(position))")
    }

    // MARK: Certificate policies

    private mutating func drawPolicies() {
        guard !hasOddity(of: ["policies", "policyConstraints", "inhibit"]) else { return }
        let (red, blue) = ("1.3.6.1.4.1.32473.9.1", "1.3.6.1.4.1.32473.9.2")
        let names = [red: "red", blue: "blue", OID.anyPolicy: "any"]
        for position in shape.path.indices where !isBare(position) {
            if random.below(6) > 0 {
                let list = random.some([red, blue, OID.anyPolicy], atMost: 2)
                shape.path[position].recipe.set(.certificatePolicies(list))
                let words = list.compactMap { names[$0] }.joined(separator: ", ")
                facts.append("\(place(position)): policies \(words)")
            }
            guard position < shape.end else { continue }
            if random.below(6) == 0 {
                shape.path[position].recipe.set(.policyMappings([(red, blue)]))
                facts.append("\(place(position)): maps red to blue")
            }
            if random.below(5) == 0 {
                let explicit = random.below(3) > 0 ? random.below(4) : nil
                let mapping = explicit == nil || random.below(3) == 0 ? random.below(3) : nil
                shape.path[position].recipe.set(
                    .policyConstraints(requireExplicit: explicit, inhibitMapping: mapping))
                facts.append("\(place(position)): policyConstraints")
            }
            if random.below(6) == 0 {
                shape.path[position].recipe.set(.inhibitAnyPolicy(random.below(3)))
                facts.append("\(place(position)): inhibitAnyPolicy")
            }
        }
        guard random.below(3) > 0 else { return }
        var asked = VectorLine.Policies()
        if random.below(2) == 0 { asked.initial = [random.below(2) == 0 ? red : blue] }
        asked.requiresExplicit = random.below(2) == 0
        asked.inhibitsMapping = random.below(4) == 0
        asked.inhibitsAny = random.below(4) == 0
        policies = asked
        let demands = [
            (asked.requiresExplicit, "explicit"), (asked.inhibitsMapping, "no mapping"),
            (asked.inhibitsAny, "no any"),
        ]
        let words = asked.initial.map { names[$0] ?? $0 } + demands.filter(\.0).map(\.1)
        facts.append("question: certificate policies \(words.joined(separator: ", "))")
    }
}

extension ShapeDraft {
    /// Puts more intermediates between the anchor and the certificate below it.
    fileprivate mutating func raise(by count: Int) {
        guard count > 0, path.count > 1 else { return }
        var above = path[0]
        let usual = path[1].recipe.signature
        var tower: [Link] = []
        for number in 1...count {
            let key = TestKey.p256("private pki tower \(number)")
            var recipe = CertificateRecipe(
                issuer: above.recipe.subject,
                subject: TestName(.organization("Shop"), .commonName("Tower \(number)")),
                key: key, notBefore: above.recipe.notBefore, notAfter: above.recipe.notAfter)
            recipe.extensions = [
                .basicConstraints(ca: true), .keyUsage([.keyCertSign, .cRLSign]),
                .subjectKeyIdentifier(key.keyIdentifier),
                .authorityKeyIdentifier(above.key.keyIdentifier),
            ]
            if number == 1 { recipe.signature = usual }
            above = Link(recipe: recipe, key: key)
            tower.append(above)
        }
        path[1].recipe.issuer = above.recipe.subject
        path[1].recipe.signature = nil
        path[1].recipe.set(.authorityKeyIdentifier(above.key.keyIdentifier))
        path.insert(contentsOf: tower, at: 1)
    }
}

extension SplitMix {
    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

    /// Some elements of a list, at least one of them, in the order of the list.
    mutating func some<Element>(_ list: [Element], atMost most: Int) -> [Element] {
        let count = 1 + below(min(most, list.count))
        return list.indices.shuffled(using: &self).prefix(count).sorted().map { list[$0] }
    }
}
