internal import TrustEngine

// Values of `revocation` (LANGUAGE section 8).
extension Binder {
    /// The preset. `disabled`, the word of other tools for accepting even revoked certificates,
    /// gets a message of its own.
    func revocationPreset(_ entry: MapEntry, _ path: String) -> FieldValue? {
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
        return member(entry, path, of: .revocationPreset).map { .word($0) }
    }
}
