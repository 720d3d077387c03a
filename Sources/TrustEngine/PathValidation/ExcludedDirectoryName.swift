/// Judges whether a directory name lies in an excluded subtree (RFC 5280 sections 4.2.1.10 and
/// 7.1).
///
/// Names are compared by RFC 4518 here and nowhere else. Elsewhere a difference that only string
/// preparation would remove leads to a reject: two names do not chain, or a name is in no permitted
/// subtree. For an exclusion the same difference would be a way around it. So a name is outside an
/// excluded subtree only where some relative name of the subtree is certainly different: no value
/// at that position of the name can equal it. A value that cannot be prepared may equal any value
/// of its attribute type.
enum ExcludedDirectoryName {
    /// The answers, ordered by how much the exclusion says against the name, the least first.
    enum Answer: Comparable {
        case outside
        /// The answer depends on values that cannot be compared.
        case notCompared
        case inside
    }

    /// Judges a name. Cost: each pair of relative names costs one unit, and one unit for each 64
    /// pairs of attributes in it. Each pair of attributes of one type costs one unit, and one unit
    /// for each four octets of the two values.
    static func judge(
        _ name: Span<UInt8>, subtree: Span<UInt8>, budget: inout WorkBudget
    ) throws(WorkExhausted) -> Answer {
        guard var names = relativeNames(name), var trees = relativeNames(subtree) else {
            return .notCompared
        }
        var answer = Answer.inside
        while !trees.isAtEnd {
            guard !names.isAtEnd else { return .outside }
            guard let wanted = attributes(&trees, subtree), let found = attributes(&names, name)
            else { return .notCompared }
            answer = try min(
                answer, judge(found, name, wanted, subtree, budget: &budget))
            guard answer != .outside else { return .outside }
        }
        return answer
    }

    /// Judges one relative name. It is equal when both have the same number of attributes and each
    /// attribute of the subtree has an equal one in the name. The attributes are not paired one to
    /// one, so the answer may be equal too often, never too seldom.
    private static func judge(
        _ found: [DistinguishedName.Attribute], _ name: Span<UInt8>,
        _ wanted: [DistinguishedName.Attribute], _ subtree: Span<UInt8>, budget: inout WorkBudget
    ) throws(WorkExhausted) -> Answer {
        try budget.take(1 + found.count * wanted.count / 64)
        guard found.count == wanted.count else { return .outside }
        var answer = Answer.inside
        for attribute in wanted {
            var best = Answer.outside
            for candidate in found where best != .inside {
                best = try max(
                    best, judge(candidate, name, attribute, subtree, budget: &budget))
            }
            answer = min(answer, best)
            guard answer != .outside else { break }
        }
        return answer
    }

    private static func judge(
        _ found: DistinguishedName.Attribute, _ name: Span<UInt8>,
        _ wanted: DistinguishedName.Attribute, _ subtree: Span<UInt8>, budget: inout WorkBudget
    ) throws(WorkExhausted) -> Answer {
        let type = wanted.type.content
        guard
            name.extracting(found.type.content.indices)
                .octetsEqual(subtree.extracting(type.indices))
        else { return .outside }
        try budget.take(1 + (found.value.count + wanted.value.count) / 4)
        let isSame = name.extracting(found.value.whole.indices)
            .octetsEqual(subtree.extracting(wanted.value.whole.indices))
        if isSame { return .inside }
        let rule = StringPreparation.Rule(ofType: ObjectIdentifier.code(type, in: subtree))
        guard let mine = StringPreparation.prepared(found.value, in: name, by: rule),
            let theirs = StringPreparation.prepared(wanted.value, in: subtree, by: rule)
        else { return .notCompared }
        return mine == theirs ? .inside : .outside
    }

    // MARK: - Reading

    private static func relativeNames(_ name: Span<UInt8>) -> DERReader? {
        var outer = DERReader(name)
        return (try? outer.next(.sequence, in: name))?.reader
    }

    /// The attributes of the next relative name; nil where it is malformed.
    private static func attributes(
        _ names: inout DERReader, _ name: Span<UInt8>
    ) -> [DistinguishedName.Attribute]? {
        guard var reader = (try? names.next(.set, in: name))?.reader else { return nil }
        var attributes: [DistinguishedName.Attribute] = []
        while let attribute = DistinguishedName.Attribute(next: &reader, in: name) {
            guard attributes.count < DistinguishedName.maximumAttributes else { return nil }
            attributes.append(attribute)
        }
        return reader.isAtEnd ? attributes : nil
    }
}
