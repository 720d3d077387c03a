internal import TrustEngine

/// A pin set has a real spare, no key twice, and no more to match than it holds (LANGUAGE section 6).
enum PinSetCheck {
    static func run(_ policy: BoundPolicy, into diagnostics: inout [Diagnostic]) {
        for set in policy.pinSets {
            checkBackups(set, into: &diagnostics)
            let repeated =
                checkRepeated(set.keys, into: &diagnostics)
                + checkRepeated(set.backups, into: &diagnostics)
            if set.isComplete { checkMatch(set, repeated: repeated, into: &diagnostics) }
        }
    }

    /// A backup that is known to be the key, or the certificate, of an entry in service. Digests of
    /// unlike kind cannot be compared, unless a file tells them all.
    private static func checkBackups(_ set: BoundPinSet, into diagnostics: inout [Diagnostic]) {
        var inService: [KeyMatch: Int] = [:]
        for (index, key) in set.keys.enumerated() {
            for identity in key.identities where inService[identity] == nil {
                inService[identity] = index
            }
        }
        for backup in set.backups {
            guard let index = backup.identities.compactMap({ inService[$0] }).min() else {
                continue
            }
            let key = set.keys[index]
            diagnostics.append(
                Diagnostic(
                    .noBackupPin,
                    "`\(set.id.value)` has no real backup: `\(backup.id.value)` is the key of "
                        + "`\(key.id.value)`",
                    at: Diagnostic.Label(backup.span),
                    labels: [Diagnostic.Label(key.span, "pinned as a key in service")],
                    help: ["make a spare key and pin it: `hawser pin --backup next.pem`"]))
        }
    }

    /// Warns of entries that match what an earlier one matches, and counts them.
    private static func checkRepeated(
        _ pins: [BoundPin], into diagnostics: inout [Diagnostic]
    ) -> Int {
        var repeated = 0
        var seen: [KeyMatch: Int] = [:]
        for (index, pin) in pins.enumerated() {
            let earlier = pin.matches.compactMap { seen[$0] }.min()
            for match in pin.matches where seen[match] == nil { seen[match] = index }
            guard let earlier else { continue }
            let first = pins[earlier]
            repeated += 1
            diagnostics.append(
                Diagnostic(
                    .duplicatePin,
                    "`\(pin.id.value)` pins what `\(first.id.value)` pins; one key counts once",
                    at: Diagnostic.Label(pin.span),
                    labels: [Diagnostic.Label(first.span, "first pinned here")],
                    help: ["remove one of the two"]))
        }
        return repeated
    }

    private static func checkMatch(
        _ set: BoundPinSet, repeated: Int, into diagnostics: inout [Diagnostic]
    ) {
        guard let match = set.match, case .count(let count) = match.value else { return }
        let held = set.keys.count + set.backups.count - repeated
        guard count > held else { return }
        diagnostics.append(
            Diagnostic(
                .unknownValue,
                "`match` asks for \(count) keys and `\(set.id.value)` holds \(held), so no path "
                    + "could satisfy it",
                at: Diagnostic.Label(match.span),
                help: ["`match` takes `any`, `all` or a number from 2 to \(held)"]))
    }
}
