/// A list whose first eight elements stand in the value itself, so that a short list takes no
/// memory from the heap: eight certificates are more than the path of any chain in use has. Further
/// elements are in an array.
package struct ShortList<Element: BitwiseCopyable & Sendable>: Sendable {
    private var first = InlineArray<8, Element?>(repeating: nil)
    private var rest: [Element] = []
    /// Number of elements.
    package private(set) var count = 0

    /// The number of elements that take no memory from the heap.
    package static var inlineCount: Int { 8 }

    package init() {}

    /// A list of one element.
    package init(_ element: Element) { append(element) }

    package var isEmpty: Bool { count == 0 }

    package var last: Element? { count == 0 ? nil : self[count - 1] }

    /// The element at a position below `count`.
    package subscript(position: Int) -> Element {
        get {
            precondition(position >= 0 && position < count, "a position beyond the list")
            guard position < ShortList.inlineCount, let element = first[position] else {
                return rest[position - ShortList.inlineCount]
            }
            return element
        }
        set {
            precondition(position >= 0 && position < count, "a position beyond the list")
            if position < ShortList.inlineCount {
                first[position] = newValue
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
            first[count] = element
        } else {
            rest.append(element)
        }
        count += 1
    }

    /// A copy, made element by element: the compiler copies a list with a loop that looks up its
    /// types while it runs, which takes ten times as long.
    package func copied() -> ShortList {
        var copy = ShortList()
        for position in 0..<count { copy.append(self[position]) }
        return copy
    }

    /// Removes the elements from a position on.
    package mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count, "a list only becomes shorter")
        if count > ShortList.inlineCount {
            rest.removeLast(count - max(newCount, ShortList.inlineCount))
        }
        count = newCount
    }
}
