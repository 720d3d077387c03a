import TestPKI
import TrustEngine

// Certificates that lead around the path, off it or in a circle: further certificates for the name
// and key of an authority of the path.

extension WorldDraft {
    /// Who signs a further certificate of an authority.
    private enum Signer {
        case position(Int)
        case secondRoot
        case stranger
    }

    private static let second = ShapeDraft.world.root(
        "Second Root", key: .p256("private pki second way"))
    private static let stranger = ShapeDraft.world.root(
        "Strange Root", key: .p256("private pki strange way"))

    /// Faults of a further certificate; most have none.
    private static let faults:
        [(name: String, change: @Sendable (inout CertificateRecipe) -> Void)] =
            [
                ("sound", { _ in }), ("sound", { _ in }), ("sound", { _ in }), ("sound", { _ in }),
                ("sound", { _ in }), ("sound", { _ in }),
                ("expired", { $0.notAfter = .day(-30) }),
                ("not yet valid", { $0.notBefore = .day(30) }),
                ("no CA", { $0.set(.basicConstraints(ca: false)) }),
                ("path length 0", { $0.set(.basicConstraints(ca: true, pathLength: 0)) }),
                ("for clients", { $0.set(.extendedKeyUsage([OID.clientAuth])) }),
                ("bad signature", { $0.damage = .otherMessage }),
                (
                    "for another domain",
                    { $0.set(.nameConstraints(permitted: [.dns("other.example")])) }
                ),
                ("without keyCertSign", { $0.set(.keyUsage([.cRLSign])) }),
                ("unknown critical extension", { $0.set(.unknown(critical: true)) }),
                ("key identifier of another key", { $0.set(.authorityKeyIdentifier([1, 2, 3])) }),
                (
                    "without key identifiers",
                    {
                        $0.remove(OID.subjectKeyIdentifier)
                        $0.remove(OID.authorityKeyIdentifier)
                    }
                ),
                ("signed with SHA-1", { $0.signature = .ecdsa(.sha1) }),
            ]

    mutating func drawWays() {
        let count = 1 + random.below(4)
        var trustsSecond = false
        for number in 0..<count {
            // More for those whose certificate is presented.
            let subject = random.below(3) == 0 ? 0 : random.below(shape.end)
            let (signer, words) = drawSigner(of: subject, &trustsSecond)
            let fault = WorldDraft.faults[random.below(WorldDraft.faults.count)]
            if fault.name == "signed with SHA-1", case .position(let position) = signer,
                ![.p256, .p384].contains(shape.path[position].key.kind)
            {
                continue
            }
            let isAfresh = random.below(2) == 0
            let original = pristine[subject].recipe
            let (name, key) = names(of: signer)
            shape.twins.append(
                (
                    subject, key,
                    { recipe in
                        if isAfresh { recipe = original }
                        recipe.issuer = name
                        recipe.serial = [0x60, UInt8(number)]
                        recipe.rawSerial = nil
                        recipe.set(.authorityKeyIdentifier(key.keyIdentifier))
                        recipe.signature = nil
                        fault.change(&recipe)
                    }
                ))
            facts.append(
                "way: \(place(subject)) by \(words), \(fault.name)\(isAfresh ? ", afresh" : "")")
        }
        if shape.end > 1, random.below(2) == 0 {
            shape.absent.insert(1 + random.below(shape.end - 1))
            facts.append("way: an intermediate's own certificate is absent")
        }
        if trustsSecond, random.below(3) == 0 {
            shape.trustsAnchor = false
            facts.append("way: the root of the path is not trusted")
        }
    }

    private mutating func drawSigner(
        of subject: Int, _ trustsSecond: inout Bool
    ) -> (Signer, String) {
        switch random.below(7) {
        case 0: return (.stranger, "a stranger")
        case 1, 2, 3:
            if !trustsSecond {
                trustsSecond = true
                shape.trusted.append(WorldDraft.second.der)
            }
            return (.secondRoot, "another trusted root")
        default:
            let position = random.below(shape.end)
            if position == subject { return (.position(position), "itself") }
            if position > subject { return (.position(position), "an authority below") }
            return (
                .position(position),
                position == subject - 1 ? "its issuer" : "an authority above"
            )
        }
    }

    private func names(of signer: Signer) -> (TestName, TestKey) {
        switch signer {
        case .position(let position):
            let link = shape.path[position]
            return (link.recipe.subject, link.key)
        case .secondRoot: return (WorldDraft.second.name, WorldDraft.second.key)
        case .stranger: return (WorldDraft.stranger.name, WorldDraft.stranger.key)
        }
    }
}
