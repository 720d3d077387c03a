internal import TrustEngine

// `revocation` (LANGUAGE section 8).
extension Binder {
    func bindRevocation(_ map: MapContents, _ fields: inout BoundFields) {
        bind(.revocationPreset, in: map, &fields, read: revocationPreset) {
            $0.revocation.preset = $1
            // A preset counts as writing every cause in its layer.
            $0.revocation.causes = RevocationCauses($1)
        }
        if let causes = fieldSection("revocation.causes", of: map, &fields) {
            for cause in RevocationCause.allCases {
                bind(.cause(cause), in: causes, &fields, read: action) {
                    $0.revocation.causes[cause] = $1
                }
            }
        }
        bind(.revocationSources, in: map, &fields, read: revocationSources) {
            $0.revocation.sources = $1
        }
        bind(.revocationScope, in: map, &fields) {
            member($0, $1, of: PolicyWords.revocationScope, named: \RevocationScope.name)
        } write: {
            $0.revocation.scope = $1
        }
        bind(.revocationNetwork, in: map, &fields) {
            member($0, $1, of: PolicyWords.revocationNetwork, named: \RevocationNetwork.name)
        } write: {
            $0.revocation.network = $1
        }
        bind(.revocationMaximumAge, in: map, &fields) {
            duration($0, $1)
        } write: {
            $0.revocation.maximumAge = $1
        }
        bind(.revocationShortLived, in: map, &fields) {
            duration($0, $1)
        } write: {
            $0.revocation.shortLived = $1
        }
    }

    /// `fail`, `report` or `pass`.
    func action(_ entry: MapEntry, _ path: String) -> CauseAction? {
        member(entry, path, of: PolicyWords.action, named: \.name)
    }

    /// The preset. `disabled` is what other tools call it when even `revoked` passes.
    private func revocationPreset(_ entry: MapEntry, _ path: String) -> RevocationPreset? {
        if entry.value.kind == .scalar, entry.value.text == "disabled" {
            report(
                .unknownValue,
                "`disabled` would accept revoked certificates; `\(path)` takes `best-effort` or "
                    + "`require`",
                at: entry.value.span,
                help: [
                    "`best-effort` never rejects for want of evidence",
                    waiverHelp("revocation: { reason, owner, until }"),
                ])
            return nil
        }
        return member(entry, path, of: PolicyWords.revocationPreset, named: \.name)
    }

    private func revocationSources(_ entry: MapEntry, _ path: String) -> [RevocationSource]? {
        preferences(entry, path) { node in
            word(
                node, path: path, example: entry.shape.example, of: PolicyWords.revocationSource
            ) { $0 }
        }?.compactMap { name in RevocationSource.allCases.first { $0.name == name } }
    }
}
