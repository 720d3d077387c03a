import TrustEngine

extension PinMismatchTexts {
    var headline: String {
        "pin set `\(mismatch.set)` needs \(mismatch.needed) of "
            + "\(Words.count(mismatch.wanted.count, "pin")), \(mismatch.matched) matched "
            + "\(Words.count(mismatch.found.count, "key")) of the path"
    }

    func addition(_ situation: Situation) -> String? {
        PinMistakes.of(mismatch, situation.facts).first.map(PinMistakes.clause)
    }

    func forEndUser(_ situation: Situation) -> String {
        "the keys that answer for `\(situation.host)` are not those that the policy pins"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        let impostor = declared("something else may be answering")
        guard !PinMistakes.explainAll(mismatch, situation.facts) else {
            return [
                .init(.policy, "the pins were made from something else than the keys"), impostor,
            ]
        }
        return [
            impostor,
            .init(
                .policy, "the server's keys were changed, and pin set `\(mismatch.set)` was not"),
        ]
    }

    /// While the path reaches no anchor, the keys on it belong to nobody that the rule trusts, and
    /// nothing is said of pins.
    func repairs(_ reject: Reject) -> [Repair] {
        guard reject.reachesAnchor else { return [] }
        let mistakes = PinMistakes.of(mismatch, reject.facts).map { pin in
            PinMistakes.repair(pin, place: place(of: pin, reject))
        }
        if PinMistakes.explainAll(mismatch, reject.facts) { return mistakes }
        let wrongPlace = mismatch.wanted.filter { wanted in
            !wanted.matched && mismatch.found.contains { wanted.digests.contains($0.spki) }
        }
        let written = reject.place(of: "/pins/\(mismatch.set)").map { " (\($0))" } ?? ""
        let owner = reject.owners.pins(mismatch.set)
        let backups = mismatch.wanted.filter { $0.isBackup && !$0.matched }.prefix(1)
        return [reject.caution("\(reject.answered) does not meet pin set `\(mismatch.set)`")]
            + wrongPlace.prefix(1).map { wanted in
                Repair(
                    "`\(wanted.id)` is on the path, but not at `\(wanted.position)`: whoever owns "
                        + "pin set `\(mismatch.set)` knows which place was meant",
                    brief: "ask \(owner.asked) at which place `\(wanted.id)` was meant")
            } + [
                Repair(
                    "ask whoever runs `\(reject.host)`, by another way than this connection, "
                        + "whether its keys were "
                        + "changed\(Reject.newPin)", brief: "", kind: .question),
                Repair(
                    "ask \(owner.asked) whether the keys were to change, and to which: only they "
                        + "can add a pin\(written)",
                    brief: "ask \(owner.asked) whether the keys were changed"),
            ]
            + backups.map { backup in
                let use =
                    ["leaf", "any"].contains(backup.position)
                    ? "use the key of the backup `\(backup.id)`"
                    : "use a certificate below the key of the backup `\(backup.id)`"
                return Repair(
                    "if its key must change, have the server \(use), which the set already has",
                    brief: "or have the server \(use)")
            } + [
                Repair(
                    "if nobody knows of a change, nothing: refusing it is what the pins are for",
                    kind: .refusal)
            ] + mistakes
    }

    /// Where the policy writes a mistaken pin.
    private func place(of pin: MistakenPin, _ reject: Reject) -> String? {
        mismatch.wanted.first { $0.id == pin.pin }.flatMap {
            reject.place(of: $0.pointer(in: pin.set))
        }
    }
}

extension PinMismatch.Wanted {
    /// Where the policy writes the pin.
    func pointer(in set: String) -> String {
        "/pins/\(set)/\(isBackup ? "backups" : "keys")/\(id)"
    }
}
