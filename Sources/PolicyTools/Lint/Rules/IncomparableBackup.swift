import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW413: nothing shows that a backup is another key than a key in service, because their
    /// digests are of different kinds. HW402 reports backups that are known to be the same key.
    static let incomparableBackup = LintRule(.incomparableBackup) { context in
        context.bound.pinSets.flatMap { set -> [Diagnostic] in
            // There are few kinds of digest, so each is compared once for all entries that have it.
            var inService: [(kinds: DigestKinds, pin: BoundPin)] = []
            for pin in set.keys {
                for kinds in DigestKinds.all(of: pin)
                where !inService.contains(where: { $0.kinds == kinds }) {
                    inService.append((kinds, pin))
                }
            }
            return set.backups.compactMap { backup in
                for own in DigestKinds.all(of: backup) {
                    guard let other = inService.first(where: { $0.kinds.isDisjoint(with: own) })
                    else {
                        continue
                    }
                    return finding(backup, own, other.pin, other.kinds)
                }
                return nil
            }
        }
    }

    private static func finding(
        _ backup: BoundPin, _ own: DigestKinds, _ key: BoundPin, _ other: DigestKinds
    ) -> Diagnostic {
        Diagnostic(
            .incomparableBackup,
            "nothing tells whether `\(backup.id.value)` is another key than `\(key.id.value)`: the one is "
                + "known by \(own.text), the other by \(other.text)",
            at: Diagnostic.Label(backup.key.span),
            labels: [Diagnostic.Label(key.key.span, "may be the same key")],
            help: [
                "write both by the same digest of the key, as `hawser pin FILE` prints it, or name their "
                    + "certificates' files"
            ])
    }
}

/// The kinds of digest that are known of a key.
private struct DigestKinds: OptionSet, Hashable {
    let rawValue: UInt8

    /// The kinds of each key that an entry names.
    static func all(of pin: BoundPin) -> Set<DigestKinds> {
        Set(pin.key.keys.map { DigestKinds($0) })
    }

    private init(_ matches: Set<KeyMatch>) {
        self = matches.reduce(into: []) { $0.insert(DigestKinds($1.kind, $1.digest.algorithm)) }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    private init(_ kind: KeyMatch.Kind, _ algorithm: DigestAlgorithm) {
        let index = DigestAlgorithm.allCases.firstIndex(of: algorithm) ?? 0
        self.init(rawValue: 1 << UInt8(2 * index + Int(kind.rawValue)))
    }

    /// A written digest has one kind. A file gives every digest of its key and of its certificate.
    var text: String {
        for kind in [KeyMatch.Kind.spki, .certificate] {
            for algorithm in DigestAlgorithm.allCases where self == DigestKinds(kind, algorithm) {
                return
                    "the \(algorithm.name) digest of \(kind == .spki ? "a key" : "a certificate")"
            }
        }
        return "the key itself"
    }
}
