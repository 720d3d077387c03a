/// A map whose first eight entries stand in a list and are looked for one by one. Further entries
/// are in a dictionary: a hostile chain can have many. An empty map takes no memory from the heap.
package struct ShortMap<Key: Hashable & BitwiseCopyable & Sendable, Value>: Sendable
where Value: BitwiseCopyable & Sendable {
    private struct Entry: Sendable, BitwiseCopyable {
        let key: Key
        let value: Value
    }

    private static var mostListed: Int { 8 }

    private var first: [Entry] = []
    private var others: [Key: Value] = [:]

    package init() {}

    /// The value of a key; nil when the map does not hold the key.
    package subscript(key: Key) -> Value? {
        for entry in first where entry.key == key { return entry.value }
        return others.isEmpty ? nil : others[key]
    }

    /// Adds a key that the map does not hold.
    package mutating func add(_ value: Value, for key: Key) {
        if first.count < ShortMap.mostListed {
            if first.isEmpty { first.reserveCapacity(ShortMap.mostListed) }
            first.append(Entry(key: key, value: value))
        } else {
            others[key] = value
        }
    }
}
