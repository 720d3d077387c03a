import TrustEngine

/// The order in which hosts are shown: by the name from the right, so that what lies beneath a name
/// stands behind it, the wider pattern first; then addresses, and last the hosts that no pattern
/// matches.
enum HostOrder {
    /// Sort keys of many patterns: eight octets in a word, the first octet highest.
    private struct Keys {
        private(set) var words: [UInt64] = []
        /// Where each key begins, and behind them the end of the last one.
        private(set) var starts = [0]
        private var octets: [UInt8] = []

        mutating func append(_ pattern: HostPattern?, port: UInt16?) {
            octets.removeAll(keepingCapacity: true)
            var kind: UInt8 = 2
            switch pattern?.host {
            case nil: octets.append(0xFF)
            case .name(let name): append(name)
            case .oneLabel(let base):
                kind = 1
                append(base)
            case .anyLabels(let base):
                kind = 0
                append(base)
            case .address(let address), .network(let address, _):
                octets.append(0xFE)
                octets += (pattern?.canonicalText ?? address.description).utf8
            }
            // 0 is less than any octet of a name or an address and ends it.
            octets += [0, kind, UInt8((port ?? 0) >> 8), UInt8((port ?? 0) & 0xFF)]
            var index = 0
            while index < octets.count {
                var word: UInt64 = 0
                for offset in index..<index + 8 {
                    word = word << 8 | UInt64(offset < octets.count ? octets[offset] : 0)
                }
                words.append(word)
                index += 8
            }
            starts.append(words.count)
        }

        /// Appends the labels of a name from the right, with an octet between them that is less
        /// than any octet of a label.
        private mutating func append(_ name: String) {
            let span = name.utf8.span
            var end = span.count
            while end > 0 {
                var start = end
                while start > 0, span[start - 1] != UInt8(ascii: ".") { start -= 1 }
                for index in start..<end { octets.append(span[index]) }
                guard start > 0 else { return }
                octets.append(1)
                end = start - 1
            }
        }

        func precedes(_ left: Int, _ right: Int) -> Bool {
            var (ours, theirs) = (starts[left], starts[right])
            let (end, otherEnd) = (starts[left + 1], starts[right + 1])
            while ours < end, theirs < otherEnd {
                if words[ours] != words[theirs] { return words[ours] < words[theirs] }
                ours += 1
                theirs += 1
            }
            return theirs < otherEnd
        }
    }

    /// The indices of elements in the order of their hosts. Cost: O(n log n).
    ///
    /// - Parameter hosts: the pattern of an element, nil for the hosts that no pattern matches, and
    ///   the port that is meant.
    static func indices<Element>(
        _ elements: [Element], _ hosts: (Element) -> (pattern: HostPattern?, port: UInt16?)
    ) -> [Int] {
        var keys = Keys()
        for element in elements {
            let (pattern, port) = hosts(element)
            keys.append(pattern, port: port)
        }
        return elements.indices.sorted { keys.precedes($0, $1) }
    }

    /// Elements in the order of their classes.
    static func sorted<Element>(
        _ elements: [Element], by hosts: (Element) -> HostClass
    ) -> [Element] {
        indices(elements) {
            let own = hosts($0)
            return (own.pattern, own.port)
        }.map { elements[$0] }
    }
}
