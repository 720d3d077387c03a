/// A value that stands in two words, so that a `ShortList` can keep it.
package protocol WordPair: BitwiseCopyable, Sendable {
    init(words: (UInt64, UInt64))
    var words: (UInt64, UInt64) { get }
}

/// A list whose first eight elements stand in the value itself, so that a short list takes no
/// memory from the heap: eight certificates are more than the path of any chain in use has. Further
/// elements are in an array.
///
/// The elements in the value are kept as words. To copy or destroy an `InlineArray` of a generic
/// type, the compiler looks the type up while the program runs, which takes ten times as long.
package struct ShortList<Element: WordPair>: Sendable {
    private var first = InlineArray<16, UInt64>(repeating: 0)
    private var rest: [Element] = []
    /// Number of elements.
    package private(set) var count = 0

    /// The number of elements that take no memory from the heap.
    package static var inlineCount: Int { 8 }

    package init() {}

    /// A list of one element.
    package init(_ element: Element) { append(element) }

    package var isEmpty: Bool { count == 0 }

    package var last: Element? {
        @inline(__always) get { count == 0 ? nil : self[count - 1] }
    }

    /// The element at a position below `count`.
    package subscript(position: Int) -> Element {
        @inline(__always) get {
            precondition(position >= 0 && position < count, "a position beyond the list")
            guard position < ShortList.inlineCount else {
                return rest[position - ShortList.inlineCount]
            }
            return Element(words: (first[2 &* position], first[2 &* position &+ 1]))
        }
        set {
            precondition(position >= 0 && position < count, "a position beyond the list")
            if position < ShortList.inlineCount {
                keep(newValue, at: position)
            } else {
                rest[position - ShortList.inlineCount] = newValue
            }
        }
    }

    /// Whether an element satisfies a condition. The elements are asked in order.
    @inline(__always)
    package func contains(where isWanted: (Element) -> Bool) -> Bool {
        for position in 0..<count where isWanted(self[position]) { return true }
        return false
    }

    package mutating func append(_ element: Element) {
        if count < ShortList.inlineCount {
            keep(element, at: count)
        } else {
            rest.append(element)
        }
        count += 1
    }

    /// Removes the elements from a position on.
    package mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count, "a list only becomes shorter")
        if count > ShortList.inlineCount {
            rest.removeLast(count - max(newCount, ShortList.inlineCount))
        }
        count = newCount
    }

    private mutating func keep(_ element: Element, at position: Int) {
        let words = element.words
        first[2 &* position] = words.0
        first[2 &* position &+ 1] = words.1
    }
}

extension Int: WordPair {
    package init(words: (UInt64, UInt64)) { self.init(truncatingIfNeeded: words.0) }
    package var words: (UInt64, UInt64) { (UInt64(truncatingIfNeeded: self), 0) }
}
