internal import TrustEngine

/// Checks that each certificate of an anchor set is of the set's kind (LANGUAGE section 5): `root`
/// is a self-issued CA, `intermediate` is a CA that is not self-issued, and `leaf` is any
/// certificate. A self-issued certificate of version 1 is taken as a `root`, with a warning.
enum AnchorKindCheck {
    static func run(_ policy: BoundPolicy, into diagnostics: inout [Diagnostic]) {
        for set in policy.anchorSets where !set.hasUnreadableKind {
            let kind = set.kind?.value ?? .root
            for member in set.members {
                guard let (fault, general) = problem(of: member.certificate, as: kind) else {
                    if kind == .root, member.certificate.isRootOfVersion1 {
                        diagnostics.append(version1(member, of: set))
                    }
                    continue
                }
                let help = place(of: member, in: set, kind) ?? general
                let word = set.kind == nil ? "`kind` is `root` unless written" : "said here"
                diagnostics.append(
                    Diagnostic(
                        .anchorKind,
                        "\(member.name) \(fault)",
                        at: Diagnostic.Label(member.span),
                        labels: [Diagnostic.Label(set.kind?.span ?? set.id.span, word)],
                        help: [help],
                        notes: ["its subject is `\(member.certificate.subjectText)`"]))
            }
        }
    }

    /// Why a certificate is not of a kind, and what to write instead; nil where it is of the kind.
    static func problem(
        of certificate: Certificate, as kind: AnchorSetContents.Kind
    ) -> (fault: String, help: String)? {
        let isCA =
            certificate.layout.extensions.isCA || kind == .root && certificate.isRootOfVersion1
        let leaf = "for this one certificate and nothing else write `kind: leaf`"
        switch (kind, isCA, certificate.isSelfIssued) {
        case (.leaf, _, _), (.root, true, true), (.intermediate, true, false):
            return nil
        case (.root, false, _):
            return ("is not a CA by its basicConstraints, so it is no `root`", leaf)
        case (.intermediate, false, _):
            return ("is not a CA by its basicConstraints, so it is no `intermediate`", leaf)
        case (.root, true, false):
            return (
                "is not self-issued, so it is an `intermediate` and no `root`",
                "write `kind: intermediate`, or name the root it comes from"
            )
        case (.intermediate, true, true):
            return ("is self-issued, so it is a `root` and no `intermediate`", "write `kind: root`")
        }
    }

    /// Where a certificate belongs that stands beside certificates of other kinds, as in a file
    /// that holds a whole chain. Another kind of the whole set would be wrong for the others, or
    /// silently weaken them. Nil where no other certificate of the set is of the right kind, or
    /// would suffer from another kind: then the kind of the set may be the mistake.
    private static func place(
        of member: BoundAnchor, in set: BoundAnchorSet, _ kind: AnchorSetContents.Kind
    ) -> String? {
        let own = member.certificate
        let kin = set.members.prefix(mostCompared).filter {
            own.isIssued(byNameOf: $0.certificate) || $0.certificate.isIssued(byNameOf: own)
        }
        let right = { (member: BoundAnchor) in problem(of: member.certificate, as: kind) == nil }
        // The authority of the authority counts, too.
        let other = kin.first(where: right) ?? set.members.first(where: right)
        let stays = other.map { "leave \(named($0)) here" }
        switch (kind, own.layout.extensions.isCA) {
        case (.leaf, _): return nil
        case (.root, true):
            guard let stays else { return nil }
            return "\(stays), and name \(named(member)) under `intermediates`, in a file of its "
                + "own: `intermediates: [FILE]` offers it to the path search and does not trust it"
        case (.intermediate, true):
            guard let other else { return nil }
            return kin.isEmpty
                ? "take \(named(member)) out of the file; a set of its own with `kind: root` trusts it"
                : "take \(named(member)) out of the file: paths end at \(named(other)), and a "
                    + "root above it would let more CAs vouch"
        case (.root, false), (.intermediate, false):
            let isAmongCAs = set.members.contains { $0.certificate.layout.extensions.isCA }
            guard stays != nil || isAmongCAs else { return nil }
            return (stays.map { "\($0), and " } ?? "")
                + "take \(named(member)) out of the file: servers send their own certificates, and a "
                + "set of its own with `kind: leaf` trusts this one alone"
        }
    }

    /// The most certificates of a set that are compared with one of the wrong kind. A chain has a
    /// handful.
    private static let mostCompared = 16

    private static func named(_ member: BoundAnchor) -> String {
        "`\(member.certificate.subjectText)` (\(member.name))"
    }

    private static func version1(_ member: BoundAnchor, of set: BoundAnchorSet) -> Diagnostic {
        Diagnostic(
            .version1Root,
            "\(member.name) is of version 1, which cannot say that it is a CA: as a `root` its key "
                + "may vouch for every host of the rules that trust `\(set.id.value)`",
            at: Diagnostic.Label(member.span),
            labels: set.kind.map { [Diagnostic.Label($0.span, "said here")] } ?? [],
            help: ["if it is a server's own certificate write `kind: leaf`"],
            notes: ["its subject is `\(member.certificate.subjectText)`"])
    }
}
