import TestPKI

// Certificates that are presented or trusted beside the path. Nothing here is a reason to refuse
// the path.

extension Oddity {
    static let bag: [Oddity] = [
        shape("an unreadable certificate in the bag") {
            $0.beside.append(Array("no certificate".utf8))
        },
        shape("a twin of an intermediate that cannot be read", fits: \.hasIntermediate) {
            $0.twins.append(
                (1, nil, { $0.set(.raw(OID.basicConstraints, critical: true, [0x30, 0x01])) }))
        },
        shape("a certificate that ends early in the bag") {
            let root = ShapeDraft.world.root("Cut Root", key: .p256("private pki cut"))
            $0.beside.append(Array(root.der.dropLast(9)))
        },
        shape("strangers in the bag") {
            let root = ShapeDraft.world.root("Strange Root", key: .p256("private pki stranger"))
            let issuing = root.issueCA("Strange Issuing", key: .p256("private pki stranger 2"))
            $0.beside += [issuing.der, root.der]
        },
        shape("the end entity twice in the bag") { $0.repeatsEndEntity = true },
        shape("the root in the bag") { $0.presentsAnchor = true },
        shape("another trusted root") {
            $0.trusted.append(
                ShapeDraft.world.root("Second Root", key: .p256("private pki second")).der)
        },
        shape("another trusted root of the same name", fits: { $0.roles.count > 1 }) {
            $0.trusted.append(
                ShapeDraft.world.root($0.path[0].recipe.subject, key: .p256("private pki same"))
                    .der)
        },
        shape("an intermediate of the same name with another key", fits: \.hasIntermediate) {
            $0.twins.append(
                (1, nil, { $0.spki = TestKey.p256("private pki other").spki }))
        },
        shape("an expired twin of an intermediate", fits: \.hasIntermediate) {
            $0.twins.append(
                (
                    1, nil,
                    {
                        $0.notAfter = .day(-30)
                        $0.serial = [0x51]
                    }
                ))
        },
        shape("a twin of an intermediate that a stranger signed", fits: \.hasIntermediate) {
            $0.twins.append((1, .p256("private pki stranger"), { $0.serial = [0x52] }))
        },
        shape("a twin of an intermediate that is no CA", fits: \.hasIntermediate) {
            $0.twins.append(
                (
                    1, nil,
                    {
                        $0.set(.basicConstraints(ca: false))
                        $0.serial = [0x53]
                    }
                ))
        },
    ]

    private static func shape(
        _ name: String, fits: @escaping @Sendable (Surroundings) -> Bool = { _ in true },
        _ change: @escaping @Sendable (inout ShapeDraft) -> Void
    ) -> Oddity {
        Oddity(name, [.shape], fits: fits) { draft, _ in change(&draft) }
    }
}
