extension Sequence where Element: Equatable {
    /// The elements, each once, in the order in which they first come. For short lists: every
    /// element is compared with all that were kept.
    package var unrepeated: [Element] {
        var kept: [Element] = []
        for element in self where !kept.contains(element) { kept.append(element) }
        return kept
    }
}
