import TrustEngine

/// The order of a policy's lines, for lists that name places.
enum PlaceOrder {
    /// Elements by their places. Elements of one place stay in their order, and elements without a
    /// place stand last.
    static func sorted<Element>(
        _ elements: [Element], _ location: (Element) -> Provenance.Location?
    ) -> [Element] {
        let placed = elements.enumerated().map { (offset: $0, location: location($1), element: $1) }
        return placed.sorted { left, right in
            switch (left.location, right.location) {
            case (let own?, let other?) where own != other:
                return (own.file, own.line, own.column) < (other.file, other.line, other.column)
            case (_?, nil): return true
            case (nil, _?): return false
            case (_, _): return left.offset < right.offset
            }
        }.map(\.element)
    }
}
