import Rendering
import TrustEngine

/// The words about pins and log lists.
extension ChangeWords {
    /// The change of pins: set by set where both rules name the same sets.
    func pins(
        _ field: FieldComparison, _ change: TrustEngine.PinChange, at time: UTCInstant
    ) -> [(PolicyDiff.Source, PolicyDiff.Field)] {
        guard old.pinNames == new.pinNames else {
            let areLost = new.pinNames.isEmpty && !old.pinNames.isEmpty
            return [
                (
                    .rules,
                    plain(
                        field,
                        areLost
                            ? ["any certificate of the anchors is accepted, whatever its key"] : [])
                )
            ]
        }
        let texts = new.pinNames.compactMap { id -> (String, PinSetChange)? in
            guard let before = old.pinSets[id], let after = new.pinSets[id] else { return nil }
            let words = PinSetChange(before, after, at: time)
            return words.isEmpty ? nil : (id, words)
        }
        guard !texts.isEmpty else { return [(.rules, plain(field))] }
        return texts.map { id, words in
            // Another set of the rule may make up for what this set lost or gained. So the sets
            // together say what the whole says.
            let own = change.sets.first { $0.id == id }?.relation ?? .equal
            let relation = Relation(
                isNoWeaker: own.isNoWeaker || field.relation.isNoWeaker,
                isNoStricter: own.isNoStricter || field.relation.isNoStricter)
            // The set alone would be told otherwise. So the sets are told together.
            guard relation == own || relation == .equal else {
                return (
                    .rules,
                    together(
                        field, relation, id, words.from, words.to, names: new.pinNames,
                        words.remarks + ["another pin set of the rule makes up for a part of it"])
                )
            }
            return (
                .pins(id),
                PolicyDiff.Field(
                    path: "pins.\(id)", relation: relation, from: words.from, to: words.to,
                    remarks: words.remarks)
            )
        }
    }

    // MARK: Log lists

    /// A log list by the instant at which it was issued, with the logs that differ.
    func logList(
        _ field: FieldComparison, _ change: LogListChange
    ) -> PolicyDiff.Field {
        func text(_ digest: Digest?, _ issued: UTCInstant?) -> String {
            guard let digest else { return "none" }
            guard let issued else { return digest.text }
            // Two lists of one instant are told apart by their octets.
            let isAlike = change.issuedHere == change.issuedThere
            return "the list of \(issued)" + (isAlike ? ", \(digest.text)" : "")
        }
        let rekeyed = Set(change.rekeyed.map(\.name))
        func remark(_ names: [String], _ words: String) -> [String] {
            guard !names.isEmpty else { return [] }
            return ["\(words): \(Cut.line(names, most: 8))"]
        }
        return PolicyDiff.Field(
            path: field.path, relation: field.relation,
            from: text(change.there, change.issuedThere), to: text(change.here, change.issuedHere),
            remarks: change.rekeyed.map {
                "log `\($0.name)`: the same name with another key, log_id "
                    + "\(Base64.encode($0.there.bytes)) -> \(Base64.encode($0.here.bytes))"
            } + remark(change.added.filter { !rekeyed.contains($0) }, "logs added")
                + remark(change.removed.filter { !rekeyed.contains($0) }, "logs removed")
                + remark(change.changed, "logs with other terms"))
    }
}
