/// A certificate whose subject a reader takes for the name of a missing issuer, and which is
/// another name: names are compared part by part, in their order (RFC 5280 section 7.1).
package struct NameTwin: Hashable, Sendable {
    /// Who holds the certificate.
    package enum Holder: Hashable, Sendable {
        /// An anchor set of the rule.
        case set(String)
        /// The presented chain, at this index.
        case presented(Int)
    }

    /// In what the two names differ.
    package enum Difference: Hashable, Sendable {
        /// The parts stand in another order.
        case order
        /// The parts are put together otherwise: several attributes in one part, or in parts of
        /// their own.
        case grouping
        /// The case or the composition of letters outside ASCII.
        case letters
    }

    package let holder: Holder
    /// The subject of the certificate. Raw text, as the issuer's name in the violation.
    package let subject: String
    package let difference: Difference

    package init(holder: Holder, subject: String, difference: Difference) {
        self.holder = holder
        self.subject = subject
        self.difference = difference
    }

    /// In what two different names differ that a reader takes for one; nil where they are plainly
    /// different. Both are RFC 4514 strings.
    package static func difference(_ left: String, _ right: String) -> Difference? {
        let (mine, theirs) = (parts(left), parts(right))
        guard mine.flatMap({ $0 }).sorted() == theirs.flatMap({ $0 }).sorted() else { return nil }
        if mine == theirs { return .letters }
        return mine.map { $0.joined(separator: "+") }.sorted()
            == theirs.map { $0.joined(separator: "+") }.sorted() ? .order : .grouping
    }

    /// The parts of a name, each with its attributes sorted, with letters folded.
    private static func parts(_ name: String) -> [[String]] {
        var parts: [[String]] = [[""]]
        var isEscaped = false
        for scalar in name.lowercased().unicodeScalars {
            switch scalar {
            case "," where !isEscaped: parts.append([""])
            case "+" where !isEscaped: parts[parts.count - 1].append("")
            default:
                let last = parts[parts.count - 1].count - 1
                parts[parts.count - 1][last].unicodeScalars.append(scalar)
            }
            isEscaped = !isEscaped && scalar == "\\"
        }
        return parts.map { $0.sorted() }
    }
}

extension RequestFacts {
    /// The twins of a missing issuer's name among the anchors of a rule and the presented
    /// certificates, the first few.
    static func twins(
        of issuer: String, _ engine: Engine, rule: RuleRecord,
        presented: ArraySlice<CertificatePool.Presented>
    ) -> [NameTwin] {
        var twins: [NameTwin] = []
        func add(_ subject: String, _ holder: NameTwin.Holder) {
            guard twins.count < mostTwins, subject != issuer,
                let difference = NameTwin.difference(subject, issuer)
            else { return }
            twins.append(NameTwin(holder: holder, subject: subject, difference: difference))
        }
        let sets = Set(engine.setsTrusted(by: rule))
        for (index, anchor) in engine.anchors.anchors.enumerated()
        where sets.contains(engine.anchors.set(of: index)) && anchor.kind != .leaf {
            add(anchor.certificate.subjectText, .set(engine.setIDs[anchor.set]))
        }
        for read in presented {
            add(read.certificate.subjectText, .presented(read.wireIndex))
        }
        return twins
    }

    private static let mostTwins = 2
}
