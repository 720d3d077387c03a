/// Where the rules of a table are written, for callers that ask for thousands of places. The places
/// of one rule are found without a search among the places of the others.
package struct RuleLocations: Sendable {
    private let table: PolicyTable
    private let locations: LocationList
    /// For each rule, the number of its own place; nil where it has none.
    private var own: [Int?]
    /// For each rule, the numbers of the places below it.
    private var written: [Range<Int>]

    /// Reads the places of a table; nil where the table has no provenance. Cost: linear in the
    /// locations, and logarithmic in the rules for each rule.
    package init?(_ table: PolicyTable) {
        guard !table.layout[.provenance].isAbsent else { return nil }
        self.table = table
        locations = LocationList(table.bytes, table.layout)
        own = Array(repeating: nil, count: table.ruleCount)
        written = Array(repeating: 0..<0, count: table.ruleCount)
        let bytes = table.bytes.span
        let prefix = Array("/rules/".utf8)
        // The rule of the place before, and its id. What one rule writes stands together.
        var last: (rule: Int, id: Range<Int>)?
        for number in 0..<locations.count {
            let pointer = locations.pointer(number, bytes)
            let start = pointer.lowerBound + prefix.count
            guard start < pointer.upperBound,
                BlobList.order(
                    bytes, pointer.lowerBound..<start, prefix.span, 0..<prefix.count) == 0
            else { continue }
            var end = start
            while end < pointer.upperBound, bytes[end] != UInt8(ascii: "/") { end += 1 }
            let id = start..<end
            let rule: Int
            if let last, BlobList.order(bytes, last.id, bytes, id) == 0 {
                rule = last.rule
            } else if let found = table.rule(named: id) {
                rule = found
            } else {
                continue
            }
            last = (rule, id)
            if end == pointer.upperBound {
                own[rule] = number
            } else {
                let first = written[rule].isEmpty ? number : written[rule].lowerBound
                written[rule] = first..<number + 1
            }
        }
    }

    /// The place of a rule.
    package func location(ofRule index: Int) -> Provenance.Location? {
        own[index].map { locations.location($0, table.bytes) }
    }

    /// The place of a pointer below a rule, such as `/rules/api/keys/rsa-minimum`. Cost:
    /// logarithmic in the number of the rule's places.
    package func location(of pointer: String, belowRule index: Int) -> Provenance.Location? {
        locations.number(of: pointer.utf8.span, in: written[index], table.bytes.span)
            .map { locations.location($0, table.bytes) }
    }
}

extension PolicyTable {
    /// The rule with an id, which is a range of the table's bytes. Rules are sorted by id.
    fileprivate func rule(named id: Range<Int>) -> Int? {
        let bytes = bytes.span
        var (low, high) = (0, ruleCount)
        while low < high {
            let middle = (low &+ high) / 2
            let order = BlobList.order(bytes, rule(at: middle).id.indices, bytes, id)
            if order == 0 { return middle }
            if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return nil
    }
}
