internal import TrustEngine

/// Checks that `identity.reference` says what the listed names are for (LANGUAGE section 7).
enum IdentityCheck {
    static func run(_ policy: BoundPolicy, into diagnostics: inout [Diagnostic]) {
        let bodies = policy.bodies(.identity)
        for identity in bodies.compactMap(\.identity) where !identity.hasUnreadableReference {
            let reference = identity.reference?.value ?? .host
            if reference == .host, let list = identity.lists.first {
                reportUnclear(list, identity.reference?.span, into: &diagnostics)
            } else if reference != .host, identity.lists.isEmpty {
                reportNothingListed(identity, into: &diagnostics)
            }
        }
    }

    private static func reportUnclear(
        _ list: Located<String>, _ reference: SourceSpan?, into diagnostics: inout [Diagnostic]
    ) {
        diagnostics.append(
            Diagnostic(
                .identityUnclear,
                "`identity.\(list.value)` is listed but `reference` is `host`: unclear whether the "
                    + "list adds to the host name or replaces it",
                at: Diagnostic.Label(list.span),
                labels: reference.map { [Diagnostic.Label($0, "said here")] } ?? [],
                help: [
                    "`reference: listed` (instead of the host) or `reference: host-and-listed` "
                        + "(both)"
                ]))
    }

    private static func reportNothingListed(
        _ identity: BoundIdentity, into diagnostics: inout [Diagnostic]
    ) {
        guard let reference = identity.reference else { return }
        let word = reference.value == .listed ? "listed" : "host-and-listed"
        diagnostics.append(
            Diagnostic(
                .identityUnclear,
                "`identity.reference` is `\(word)` but no name is listed",
                at: Diagnostic.Label(reference.span),
                help: ["list names under `dns`, `ip`, `email` or `uri`, or leave `identity` out"]))
    }
}
