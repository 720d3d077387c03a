import TestPKI

/// The certificates of a shape while oddities are put into them.
struct ShapeDraft {
    /// One certificate of the path.
    struct Link {
        var recipe: CertificateRecipe
        let key: TestKey
    }

    /// The host that is asked for, unless an oddity says otherwise.
    static let host = "www.shop.example"
    static let world = Scenario()

    /// Anchor first.
    var path: [Link]
    /// Further trusted certificates.
    var trusted: [[UInt8]] = []
    /// Certificates that are presented beside the path.
    var beside: [[UInt8]] = []
    /// Certificates that are presented beside the path and made from its recipes, once these are
    /// finished: a position, a change and the signer.
    var twins: [(position: Int, signer: TestKey?, change: (inout CertificateRecipe) -> Void)] = []
    /// Positions on the path whose certificates are not presented: only a twin leads past them.
    var absent: Set<Int> = []
    /// Whether the path's own anchor is trusted, and not only those in `trusted`.
    var trustsAnchor = true
    /// The end entity is presented again.
    var repeatsEndEntity = false
    /// The anchor is presented too.
    var presentsAnchor = false
    var host = ShapeDraft.host
    var hostIsAddress = false
    /// What the end entity presents; nil for no subjectAltName.
    var names: [TestGeneralName]? = [.dns(ShapeDraft.host)]
    var namesAreCritical = false
    private var subjectIsOdd = false
    /// Extensions that stand in their certificate twice.
    var repeated: [(position: Int, oid: String)] = []
    /// A certificate of version 1 has no extensions.
    var versionOne: Set<Int> = []

    /// The plainest chain of a form.
    init(_ plan: ShapePlan) {
        let keys = plan.keys.enumerated().map { ShapeDraft.key($1, at: $0) }
        let world = ShapeDraft.world
        func named(_ commonName: String) -> TestName {
            TestName(.organization("Shop"), .commonName(commonName))
        }
        let names = [ShapeDraft.host]
        if plan.form == .trustedEndEntity {
            let leaf = world.selfSignedLeaf(dns: names, key: keys[0]) {
                $0.subject = named(ShapeDraft.host)
                $0.issuer = $0.subject
            }
            path = [Link(recipe: leaf.recipe, key: keys[0])]
        } else {
            let isCrossed = plan.form == .crossSignedRoot
            let root = world.root(named(isCrossed ? "Old Root" : "Private Root"), key: keys[0])
            var authorities = [root]
            for index in keys.indices.dropFirst().dropLast() {
                let name = isCrossed && index == 1 ? "New Root" : "Issuing \(index)"
                authorities.append(
                    authorities[index - 1].issueCA(named(name), key: keys[index]))
            }
            path = zip(authorities, keys).map { Link(recipe: $0.certificate.recipe, key: $1) }
            let last = authorities[authorities.count - 1]
            let leafKey = keys[keys.count - 1]
            let leaf = last.issueLeaf(dns: names, subject: named(ShapeDraft.host), key: leafKey)
            path.append(Link(recipe: leaf.recipe, key: leafKey))
            switch plan.form {
            case .crossSignedRoot: beside.append(world.root(authorities[1].name, key: keys[1]).der)
            case .twoTrustedRoots:
                let old = world.root(named("Old Root"), key: .p256("private pki old root"))
                trusted.append(old.der)
                beside.append(old.crossSign(root).der)
            default: break
            }
        }
        for index in path.indices {
            path[index].recipe.remove(OID.subjectAltName)
            if plan.keys[max(index - 1, 0)] == .rsaPSS {
                path[index].recipe.signature = .rsaPSS(.sha256)
            }
        }
    }

    private static func key(_ kind: ShapePlan.KeyKind, at position: Int) -> TestKey {
        let label = "private pki \(position)"
        switch kind {
        case .p256: return .p256(label)
        case .p384: return .p384(label)
        case .ed25519: return .ed25519(label)
        case .rsa, .rsaPSS: return .rsa2048(label)
        }
    }

    var end: Int { path.count - 1 }

    /// Names the end entity. `isOdd` keeps the name from being changed with the host.
    mutating func nameEnd(_ name: TestName, isOdd: Bool = true) {
        guard isOdd || !subjectIsOdd else { return }
        path[end].recipe.subject = name
        if end == 0 { path[end].recipe.issuer = name }
        subjectIsOdd = isOdd
    }

    /// One more name that the end entity presents.
    mutating func present(_ name: TestGeneralName) { names = (names ?? []) + [name] }

    /// Signs everything. The bag holds the intermediates from below, then the rest.
    mutating func finish() -> (trusted: [[UInt8]], bag: [[UInt8]], peer: [UInt8]) {
        if let names {
            path[end].recipe.extensions.append(
                .subjectAltName(names).critical(namesAreCritical))
        }
        for (position, oid) in repeated {
            path[position].recipe.extensions += path[position].recipe.extensions
                .filter { $0.oid == oid }
        }
        for position in versionOne {
            path[position].recipe.version = 1
            path[position].recipe.extensions = []
        }
        let ders = path.indices.map { path[$0].recipe.certificate(signedBy: signer(of: $0)) }
        let presented = ders.indices.dropFirst().dropLast().filter { !absent.contains($0) }
        var bag = presented.reversed().map { ders[$0] } + beside
        for twin in twins {
            var recipe = path[twin.position].recipe
            // The key of another signer decides the algorithm, unless the change asks for one.
            if twin.signer != nil { recipe.signature = nil }
            twin.change(&recipe)
            bag.append(
                recipe.certificate(signedBy: twin.signer ?? signer(of: twin.position)))
        }
        if repeatsEndEntity { bag.append(ders[end]) }
        if presentsAnchor { bag.append(ders[0]) }
        return ((trustsAnchor ? [ders[0]] : []) + trusted, bag, ders[end])
    }

    /// The name that is asked for.
    var name: VectorLine.Name {
        VectorLine.Name(kind: hostIsAddress ? "IP" : "DNS", value: host)
    }

    /// Puts oddities in, those last that refer to others.
    mutating func apply(_ choices: [ShapePlan.Choice]) {
        for choice in choices.sorted(by: { $0.oddity.stage < $1.oddity.stage }) {
            choice.oddity.apply(&self, choice.position ?? 0)
        }
    }

    func signer(of position: Int) -> TestKey { path[max(position - 1, 0)].key }
}
