import TestPKI

/// One thing about a chain that the plainest chain does not have, such as an extension that is not
/// marked critical. Most are what tools for private PKIs make; those with a `refusal` are attacks
/// or accidents that no validator may accept.
package struct Oddity: Sendable {
    /// What a certificate is in its shape.
    package enum Role: String, CaseIterable, Sendable {
        case anchor = "root"
        case intermediate
        case endEntity = "end entity"
        /// An end entity that is trusted as itself.
        case trusted = "trusted end entity"
        /// No certificate: the whole shape, its bag or the host that is asked for.
        case shape
    }

    /// When it is put in, before or after the parts that it depends on.
    enum Stage: Int, Comparable, Sendable {
        /// Everything that an authority's key identifiers or constraints refer to.
        case usual
        /// What refers to it.
        case referring

        static func < (one: Stage, other: Stage) -> Bool { one.rawValue < other.rawValue }
    }

    /// Where an oddity would stand.
    struct Surroundings: Sendable {
        let keys: [ShapePlan.KeyKind]
        let roles: [Role?]
        let position: Int?

        /// Intermediates between the certificate and the end entity.
        var intermediatesBelow: Int { position.map { roles.count - 2 - $0 } ?? 0 }
        /// The kind of key that signs the certificate.
        var signer: ShapePlan.KeyKind? { position.map { keys[max($0 - 1, 0)] } }
        var hasIntermediate: Bool { roles.contains(.intermediate) }
    }

    package let name: String
    package let roles: [Role]
    /// Why no validator may accept it; nil where one may, or may not.
    package let refusal: String?
    /// How often it is chosen beside others.
    let weight: Int
    let stage: Stage
    /// Its changes in its certificate; two oddities of one certificate never change the same part.
    let own: Set<String>
    /// Its changes in the shape; two oddities of one shape never change the same part.
    let shared: Set<String>
    /// Whether its certificate has no other oddity.
    let isAlone: Bool
    let fits: @Sendable (Surroundings) -> Bool
    /// Puts it into the certificate at a position, which is 0 for the whole shape.
    let apply: @Sendable (inout ShapeDraft, Int) -> Void

    init(
        _ name: String, _ roles: [Role], refused refusal: String? = nil, own: Set<String> = [],
        shared: Set<String> = [], isAlone: Bool = false, weight: Int = 4, stage: Stage = .usual,
        fits: @escaping @Sendable (Surroundings) -> Bool = { _ in true },
        apply: @escaping @Sendable (inout ShapeDraft, Int) -> Void
    ) {
        self.name = name
        self.roles = roles
        self.refusal = refusal
        self.weight = weight
        self.stage = stage
        self.own = own
        self.shared = shared
        self.isAlone = isAlone
        self.fits = fits
        self.apply = apply
    }

    /// An oddity of only one certificate.
    static func recipe(
        _ name: String, _ roles: [Role], refused refusal: String? = nil, own: Set<String>,
        shared: Set<String> = [],
        fits: @escaping @Sendable (Surroundings) -> Bool = { _ in true },
        _ change: @escaping @Sendable (inout CertificateRecipe) -> Void
    ) -> Oddity {
        Oddity(name, roles, refused: refusal, own: own, shared: shared, fits: fits) {
            draft, position in change(&draft.path[position].recipe)
        }
    }

    /// Every oddity. Names may stand twice: in other roles, where the answer is another.
    package static let all: [Oddity] =
        version + basicConstraints + keyUsage + keyPurposes + keyIdentifiers + serialNumbers
        + validity + signatures + subjects + presentedNames + nameConstraints
        + certificatePolicies + otherExtensions + bag
}

extension Oddity: Hashable {
    package static func == (one: Oddity, other: Oddity) -> Bool {
        one.name == other.name && one.roles == other.roles
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(roles)
    }
}

extension [Oddity.Role] {
    /// Those who issue.
    static let authorities: Self = [.anchor, .intermediate]
    /// Those who are asked for a name.
    static let servers: Self = [.endEntity, .trusted]
    /// Those whose signature is verified.
    static let issued: Self = [.intermediate, .endEntity]
    static let everyone: Self = [.anchor, .intermediate, .endEntity, .trusted]
}
