/// The index of a directory of filters, "upkiidx1", written from its specification.
public struct FilterIndexRecipe: Sendable {
    /// An interval of a log that a filter covers.
    public typealias Interval = (log: [UInt8], low: UInt64, high: UInt64)

    /// The filters' names, each with its intervals. Names are written as they stand.
    public var filters: [(name: String, covers: [Interval])]

    /// An index.
    public init(_ filters: [(name: String, covers: [Interval])]) { self.filters = filters }

    /// An index of filters that are made.
    public init(of filters: [(name: String, recipe: FilterRecipe)]) {
        self.filters = filters.map { filter in
            (filter.name, filter.recipe.coverage.map { ($0.log, $0.low, $0.high) })
        }
    }

    /// The octets of the index.
    public var octets: [UInt8] {
        var entries: [[UInt8]: [UInt8]] = [:]
        for (number, filter) in filters.enumerated() {
            for interval in filter.covers {
                entries[interval.log, default: []] +=
                    octets(number, 2) + octets(interval.low, 8) + octets(interval.high, 8)
            }
        }
        let logs = entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        var out = Array("upkiidx1".utf8) + octets(filters.count, 2) + octets(logs.count, 4)
        for filter in filters {
            let name = Array(filter.name.utf8.prefix(32))
            out += name + [UInt8](repeating: 0, count: 32 - name.count)
        }
        var offset = out.count + 42 * logs.count
        for log in logs {
            out += log.key + octets(offset, 8) + octets(log.value.count / 18, 2)
            offset += log.value.count
        }
        return out + logs.flatMap(\.value)
    }

    private func octets(_ number: some BinaryInteger, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map {
            UInt8(truncatingIfNeeded: UInt64(truncatingIfNeeded: number) >> UInt64(8 * $0))
        }
    }
}
