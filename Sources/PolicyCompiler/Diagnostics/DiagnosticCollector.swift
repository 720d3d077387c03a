/// Collects the diagnostics of a run and returns them in source order, each once.
package struct DiagnosticCollector: Sendable {
    private var gathered: [Diagnostic] = []

    package init() {}

    /// Adds a diagnostic.
    package mutating func add(_ diagnostic: Diagnostic) {
        gathered.append(diagnostic)
    }

    /// Adds diagnostics.
    package mutating func add(contentsOf diagnostics: some Sequence<Diagnostic>) {
        gathered.append(contentsOf: diagnostics)
    }

    /// All diagnostics by file, then offset, then code. Of several with the same code and primary
    /// span the first is kept. O(n log n).
    package func sorted() -> [Diagnostic] {
        Self.sorted(gathered)
    }

    /// Sorts a list as `sorted()` does.
    package static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        let sorted = diagnostics.enumerated().sorted { left, right in
            let (a, b) = (left.element, right.element)
            let (first, second) = (a.primary.span, b.primary.span)
            if first.file != second.file { return first.file < second.file }
            if first.start != second.start { return first.start < second.start }
            if first.end != second.end { return first.end < second.end }
            if a.code != b.code { return a.code.rawValue < b.code.rawValue }
            return left.offset < right.offset
        }.map(\.element)
        // Those that are reported twice stand side by side now.
        return sorted.indices.filter { index in
            index == 0 || sorted[index].code != sorted[index - 1].code
                || sorted[index].primary.span != sorted[index - 1].primary.span
        }.map { sorted[$0] }
    }
}
