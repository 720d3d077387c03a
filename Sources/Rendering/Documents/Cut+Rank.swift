extension Cut {
    /// The number of omitted items of each rank: `2 repairs, 1 command`; nil if none of them is
    /// counted.
    static func counts(_ left: [Rank: Int]) -> String? {
        let counted = left.filter { $0.key.noun != nil && $0.value > 0 }
        guard !counted.isEmpty else { return nil }
        return counted.sorted { $0.key < $1.key }
            .map { $0.key.noun?.count($0.value) ?? "" }.joined(separator: ", ")
    }

    /// The sentence after a list of a page from which items are omitted.
    static func leftOut(
        _ left: Int, of all: Int, _ noun: Noun, hasCommand: Bool
    ) -> String {
        "\(left) of \(all) \(noun.many) \(left == 1 ? "is" : "are") left out, because the page "
            + "is full." + (hasCommand ? " The command at the end shows all of them." : "")
    }
}
