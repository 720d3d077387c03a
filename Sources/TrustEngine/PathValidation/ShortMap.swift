/// A map whose first eight entries stand in the value itself and are looked for one by one, so that
/// a small map takes no memory from the heap. Further entries are in a dictionary: a hostile chain
/// can have many.
package struct ShortMap<Key: Hashable & BitwiseCopyable & Sendable, Value>: Sendable
where Value: BitwiseCopyable & Sendable {
    private struct Entry: Sendable, BitwiseCopyable {
        let key: Key
        let value: Value
    }

    private var first = ShortList<Entry>()
    private var others: [Key: Value] = [:]

    package init() {}

    /// The value of a key; nil when the map does not hold the key.
    package subscript(key: Key) -> Value? {
        for index in 0..<first.count where first[index].key == key { return first[index].value }
        return others.isEmpty ? nil : others[key]
    }

    /// Adds a key that the map does not hold.
    package mutating func add(_ value: Value, for key: Key) {
        if first.count < ShortList<Entry>.inlineCount {
            first.append(Entry(key: key, value: value))
        } else {
            others[key] = value
        }
    }
}
