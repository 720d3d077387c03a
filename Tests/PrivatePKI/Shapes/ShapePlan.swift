import TestPKI

/// What one shape is made of, before anything is signed: a form of chain, kinds of keys, and the
/// oddities with the certificates that have them. A function of its number and a seed.
package struct ShapePlan: Hashable, Sendable {
    /// How the certificates of a shape stand to each other.
    package enum Form: String, CaseIterable, Sendable {
        case trustedEndEntity = "a self-signed end entity that is trusted as itself"
        case noIntermediate = "root, end entity"
        case oneIntermediate = "root, intermediate, end entity"
        case twoIntermediates = "root, two intermediates, end entity"
        /// The old root is trusted; the new one has a certificate of the old one's besides its own.
        case crossSignedRoot = "old root, cross-signed new root, intermediate, end entity"
        /// The same, and both roots are trusted, so that two paths can be accepted.
        case twoTrustedRoots = "cross-signed root that is trusted too, intermediate, end entity"

        /// The roles of the certificates of the path, the anchor's first. In nil no oddity is put:
        /// another path leads around that certificate.
        package var roles: [Oddity.Role?] {
            switch self {
            case .trustedEndEntity: return [.trusted]
            case .noIntermediate: return [.anchor, .endEntity]
            case .oneIntermediate: return [.anchor, .intermediate, .endEntity]
            case .twoIntermediates: return [.anchor, .intermediate, .intermediate, .endEntity]
            case .crossSignedRoot: return [.anchor, .intermediate, .intermediate, .endEntity]
            case .twoTrustedRoots: return [nil, .intermediate, .endEntity]
            }
        }

        fileprivate var weight: Int {
            switch self {
            case .oneIntermediate: return 8
            case .noIntermediate: return 4
            case .twoIntermediates: return 3
            case .trustedEndEntity, .crossSignedRoot: return 2
            case .twoTrustedRoots: return 1
            }
        }
    }

    /// A kind of key, and how it signs.
    package enum KeyKind: String, CaseIterable, Sendable {
        case p256, p384, ed25519
        case rsa = "rsa2048"
        case rsaPSS = "rsa2048 with PSS"

        fileprivate var weight: Int {
            switch self {
            case .p256: return 10
            case .rsa: return 6
            case .p384: return 3
            case .ed25519, .rsaPSS: return 1
            }
        }
    }

    /// An oddity in its place.
    package struct Choice: Hashable, Sendable {
        package let oddity: Oddity
        /// Index on the path, the anchor's 0; nil for what concerns the whole shape.
        package let position: Int?
        package let role: Oddity.Role
    }

    package let form: Form
    /// In the order of the path.
    package let keys: [KeyKind]
    package let choices: [Choice]
    /// What shuffles the bag; nil leaves it in the order of the path.
    package let order: UInt64?

    /// The shapes with one oddity, each of them in each of its roles, among P-256 keys.
    package static let single: [ShapePlan] = Oddity.all.flatMap { oddity in
        oddity.roles.compactMap { role in
            let forms: [Form] =
                role == .trusted ? [.trustedEndEntity] : [.oneIntermediate, .twoIntermediates]
            for form in forms {
                let keys = form.roles.map { _ in KeyKind.p256 }
                let place = places(form, keys, of: oddity).first { $0.role == role }
                guard let place else { continue }
                return ShapePlan(form: form, keys: keys, choices: [place], order: nil)
            }
            return nil
        }
    }

    /// The shape of a number: first `single`, one after the other, then by chance.
    package init(number: Int, seed: UInt64) {
        guard number >= ShapePlan.single.count else {
            self = ShapePlan.single[number]
            return
        }
        var random = SplitMix(state: seed)
        random.state = random.next() ^ UInt64(number)
        _ = random.next()
        self.init(by: &random)
    }

    init(form: Form, keys: [KeyKind], choices: [Choice], order: UInt64?) {
        self.form = form
        self.keys = keys
        self.choices = choices
        self.order = order
    }

    /// Most shapes have one to three oddities, and a third has none that must be refused.
    private init(by random: inout SplitMix) {
        form = random.pick(Form.allCases, \.weight)
        var keys: [KeyKind] = []
        for _ in form.roles { keys.append(random.pick(KeyKind.allCases, \.weight)) }
        self.keys = keys
        order = Int.random(in: 0..<3, using: &random) == 0 ? random.next() : nil
        let count = random.pick([0, 1, 1, 1, 2, 2, 2, 3, 3, 4]) { _ in 1 }
        let hasRefusal = Int.random(in: 0..<3, using: &random) > 0
        var choices: [Choice] = []
        while choices.count < count {
            let wantsRefusal = hasRefusal && choices.isEmpty
            let oddities = Oddity.all.filter { oddity in
                wantsRefusal ? oddity.refusal != nil : hasRefusal || oddity.refusal == nil
            }
            let oddity = random.pick(oddities, \.weight)
            let places = ShapePlan.places(form, keys, of: oddity)
            guard !places.isEmpty else { continue }
            let choice = random.pick(places) { _ in 1 }
            guard !choices.contains(where: { ShapePlan.clash($0, choice) }) else { continue }
            choices.append(choice)
        }
        self.choices = choices
    }

    /// Where an oddity can stand.
    private static func places(_ form: Form, _ keys: [KeyKind], of oddity: Oddity) -> [Choice] {
        let roles = form.roles
        if oddity.roles.contains(.shape) {
            return oddity.fits(Oddity.Surroundings(keys: keys, roles: roles, position: nil))
                ? [Choice(oddity: oddity, position: nil, role: .shape)] : []
        }
        return roles.indices.compactMap { position in
            guard let role = roles[position], oddity.roles.contains(role),
                oddity.fits(Oddity.Surroundings(keys: keys, roles: roles, position: position))
            else { return nil }
            return Choice(oddity: oddity, position: position, role: role)
        }
    }

    /// Whether one of two choices would undo what the other is about.
    private static func clash(_ one: Choice, _ other: Choice) -> Bool {
        if !one.oddity.shared.isDisjoint(with: other.oddity.shared) { return true }
        guard one.position == other.position, one.position != nil else { return false }
        return one.oddity.isAlone || other.oddity.isAlone
            || !one.oddity.own.isDisjoint(with: other.oddity.own)
    }

    /// The shape in words.
    package var description: String {
        let shuffled = order == nil ? "" : ", shuffled"
        let head =
            "\(form.rawValue) (\(keys.map(\.rawValue).joined(separator: ", "))\(shuffled))"
        return ([head] + choices.map(\.text)).joined(separator: "; ")
    }
}

extension ShapePlan.Choice {
    /// The oddity with the certificate that has it.
    package var text: String {
        role == .shape ? oddity.name : "\(role.rawValue): \(oddity.name)"
    }
}

extension SplitMix {
    /// One of a list, each as often as it weighs.
    mutating func pick<Element>(_ list: [Element], _ weight: (Element) -> Int) -> Element {
        var left = Int.random(in: 0..<list.reduce(0) { $0 + weight($1) }, using: &self)
        for element in list {
            left -= weight(element)
            if left < 0 { return element }
        }
        preconditionFailure("the list is empty")
    }
}
