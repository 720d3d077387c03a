import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW408: every pin of a set can match only an end entity, in a rule whose anchors would allow
    /// other pins.
    static let leafOnlyPins = LintRule(.leafOnlyPins) { context in
        // Under `pinned-keys`, pinned end entities that are their own anchors are intended.
        let used = Set(
            context.bound.bodies(.pins).filter {
                $0.anchors?.items.contains { $0.value == "pinned-keys" } != true
            }
            .flatMap { ($0.pins?.items ?? []).map(\.value) })
        return context.bound.pinSets.compactMap { set in
            guard set.isComplete, used.contains(set.id.value),
                (set.keys + set.backups).allSatisfy({ isOfEndEntity($0) })
            else { return nil }
            return Diagnostic(
                .leafOnlyPins,
                "`\(set.id.value)` pins end entities alone: a renewal with a key that is in neither of its "
                    + "maps cuts the hosts off",
                at: Diagnostic.Label(set.id.span),
                help: [
                    "keep the server's key at each renewal, and pin the next key under `backups` before the "
                        + "server uses it",
                    "or pin the authority that issues for them in their place, with `at: ca`: weaker, and "
                        + "it outlives renewals",
                ])
        }
    }

    private static func isOfEndEntity(_ pin: BoundPin) -> Bool {
        if pin.position == .leaf { return true }
        guard pin.position == .any else { return false }
        let certificates = pin.key.certificates
        return !certificates.isEmpty && certificates.count == pin.key.keys.count
            && certificates.allSatisfy { !$0.layout.extensions.isCA }
    }
}
