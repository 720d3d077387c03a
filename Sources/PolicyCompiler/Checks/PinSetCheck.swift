internal import TrustEngine

/// Checks that a pin set has a real backup, that no key stands in it twice, and that `match` does
/// not demand more keys than the set holds (LANGUAGE section 6).
enum PinSetCheck {
    static func run(_ policy: BoundPolicy, into diagnostics: inout [Diagnostic]) {
        for set in policy.pinSets {
            checkBackups(set, into: &diagnostics)
            checkRepeated(set.keys, into: &diagnostics)
            checkRepeated(set.backups, into: &diagnostics)
            if set.isComplete { checkMatch(set, into: &diagnostics) }
        }
    }

    /// Reports a backup that is known to be the key, or the certificate, of an entry in service.
    /// Digests of different kinds cannot be compared, unless a file gives all of them.
    private static func checkBackups(_ set: BoundPinSet, into diagnostics: inout [Diagnostic]) {
        var inService: [KeyMatch: Int] = [:]
        for (index, key) in set.keys.enumerated() {
            for identity in key.key.identities where inService[identity] == nil {
                inService[identity] = index
            }
        }
        for backup in set.backups {
            guard let index = backup.key.identities.compactMap({ inService[$0] }).min() else {
                continue
            }
            let key = set.keys[index]
            diagnostics.append(
                Diagnostic(
                    .noBackupPin,
                    "`\(set.id.value)` has no real backup: `\(backup.id.value)` is the key of "
                        + "`\(key.id.value)`",
                    at: Diagnostic.Label(backup.key.span),
                    labels: [Diagnostic.Label(key.key.span, "pinned as a key in service")],
                    help: ["make a spare key and pin it: `hawser pin --backup next.pem`"]))
        }
    }

    /// Warns of an entry that names the same key as an earlier entry.
    private static func checkRepeated(_ pins: [BoundPin], into diagnostics: inout [Diagnostic]) {
        guard pins.count > 1 else { return }
        var seen: [KeyMatch: Int] = [:]
        for (index, pin) in pins.enumerated() {
            let earlier = pin.key.matches.compactMap { seen[$0] }.min()
            for match in pin.key.matches where seen[match] == nil { seen[match] = index }
            guard let earlier else { continue }
            let first = pins[earlier]
            diagnostics.append(
                Diagnostic(
                    .duplicatePin,
                    "`\(pin.id.value)` pins what `\(first.id.value)` pins; one key counts once",
                    at: Diagnostic.Label(pin.key.span),
                    labels: [Diagnostic.Label(first.key.span, "first pinned here")],
                    help: ["remove one of the two"]))
        }
    }

    /// Reports a set whose `match` no path can satisfy. A path counts entries and distinct keys;
    /// the smaller number is compared.
    private static func checkMatch(_ set: BoundPinSet, into diagnostics: inout [Diagnostic]) {
        let pins = set.keys + set.backups
        let held = min(pins.count, distinctKeys(pins.flatMap(\.key.keys)))
        guard let match = set.match else { return }
        let count: Int
        switch match.value {
        case .any: return
        case .all: count = set.keys.count
        case .count(let number): count = number
        }
        guard count > held else { return }
        let range = held < 2 ? "" : " or a number from 2 to \(held)"
        diagnostics.append(
            Diagnostic(
                .unknownValue,
                "`match` asks for \(count) keys and `\(set.id.value)` holds \(held), so no path "
                    + "could satisfy it",
                at: Diagnostic.Label(match.span),
                help: ["`match` takes `any`\(held < 2 ? "" : ", `all`")\(range)"]))
    }

    /// The largest possible number of distinct keys, given the known digests of each. Keys that
    /// share a digest are one key. Digests of different kinds cannot be compared and count
    /// separately.
    private static func distinctKeys(_ keys: [Set<KeyMatch>]) -> Int {
        var groups = Array(keys.indices)
        func group(_ index: Int) -> Int {
            var index = index
            while groups[index] != index {
                groups[index] = groups[groups[index]]
                index = groups[index]
            }
            return index
        }
        var owners: [KeyMatch: Int] = [:]
        for (index, key) in keys.enumerated() {
            for identity in key {
                let (own, other) = (group(index), group(owners[identity] ?? index))
                groups[max(own, other)] = min(own, other)
                owners[identity] = min(own, other)
            }
        }
        return keys.indices.count { groups[$0] == $0 }
    }
}
