/// Whether a directory name lies in an excluded subtree (RFC 5280 sections 4.2.1.10 and 7.1).
///
/// Names are compared by RFC 4518 here, and nowhere else. Everywhere else a difference that only
/// preparation would remove rejects: two names do not chain, a name is in no permitted subtree. Of an
/// exclusion the same difference would be a way around it. So a name is outside only where some
/// relative name of the subtree is surely another: where no value that stands in its place could be
/// equal. A value that cannot be prepared could equal any value of its attribute type.
enum ExcludedDirectoryName {
    /// What is known, from the least to the most that an exclusion says against a name.
    enum Answer: Comparable {
        case outside
        /// It depends on values that cannot be compared.
        case notCompared
        case inside
    }

    /// Judges a name. Cost: a unit for each relative name compared and for each 64 pairs of attributes in
    /// it, and for each pair of one type another and one for each four octets of the two values.
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

    /// One relative name: as many attributes, and each of the subtree's is among the name's. Where each
    /// of one is equal to one of the other, this finds it; a pairing is not looked for.
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
