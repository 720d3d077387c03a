/// The outcome of judging one certificate by the name constraints of one CA above it.
package enum NameConstraintOutcome: Hashable, Sendable {
    /// Every name is permitted.
    case permitted
    /// A name is not permitted. `subtree` is the excluded subtree that the name touches, or the
    /// permitted subtrees that it lies outside of. Both are raw text: renderers escape them.
    case violated(name: String, subtree: String, isExcluded: Bool)
    /// The constraints could not be evaluated. `problem` is lower case without a full stop.
    case notEvaluated(problem: String)
}

/// Name constraints (RFC 5280 sections 4.2.1.10, 6.1.3 (b) and (c), 6.1.4 (g)).
///
/// The RFC keeps running unions of excluded subtrees and intersections of permitted subtrees. A
/// name is inside an intersection when it is inside each member, and inside a union when it is
/// inside one member. So judging each certificate by each CA above it gives the same answer and
/// needs no such state.
///
/// *Deviations*, all stricter: constraints bind whether the extension is critical or not. E-mail
/// addresses of the subject count whenever the certificate presents no rfc822Name. A dNSName with a
/// wildcard must lie inside a permitted subtree wholly, and it touches an excluded subtree when one
/// of the names that it covers does. Of directory names, a permitted subtree holds fewer than RFC
/// 4518 says, and an excluded subtree holds all of them (`ExcludedDirectoryName`).
package enum NameConstraints {
    /// Judges the names of a certificate by the constraints of a CA above it.
    ///
    /// A self-issued certificate that is not the end entity is exempt (section 6.1.3 (b)). Cost:
    /// each name costs one unit, one unit for each 128 octets of constraints (about ten subtrees,
    /// which are read and compared in about a microsecond), and one unit for each 512 octets of the
    /// name. Excluded directory names cost more (`ExcludedDirectoryName`). When the budget does not
    /// allow the work the outcome is `.notEvaluated`.
    package static func check(
        _ certificate: Certificate, isEndEntity: Bool, under constrainer: Certificate,
        budget: inout WorkBudget
    ) -> NameConstraintOutcome {
        guard constrainer.layout.extensions.present.contains(.nameConstraints),
            isEndEntity || !certificate.isSelfIssued
        else { return .permitted }
        let bytes = certificate.der.span
        let constraints = Subtrees(of: constrainer)

        var presentsMailbox = false
        var reader = GeneralNameReader(certificate.layout.extensions.subjectAltName)
        while let name = try? reader.next(in: bytes) {
            if name.kind == .email { presentsMailbox = true }
            let outcome = judge(name, bytes, constraints, constrainer, &budget)
            guard outcome == .permitted else { return outcome }
        }

        let subject = certificate.layout.subject
        guard !DistinguishedName.isEmpty(bytes.extracting(subject.indices)) else {
            return .permitted
        }
        let outcome = judge(
            GeneralName(kind: .directory, content: subject), bytes, constraints, constrainer,
            &budget)
        guard outcome == .permitted, !presentsMailbox, constraints.constrains(.email) else {
            return outcome
        }
        // RFC 5280 section 4.1.2.6: the attribute emailAddress of the subject.
        var attributes = DistinguishedName.AttributeReader(subject, in: bytes)
        while let attribute = attributes.next(in: bytes) {
            guard attribute.isOf(ObjectIdentifier.emailAddress, in: bytes) else { continue }
            let name = GeneralName(kind: .email, content: attribute.value.content)
            let outcome = judge(name, bytes, constraints, constrainer, &budget)
            guard outcome == .permitted else { return outcome }
        }
        return .permitted
    }

    /// Judges a name that some certificate below a CA might present. `content` is the content of a
    /// GeneralName. Cost: as much as judging a certificate with this one name.
    package static func check(
        _ kind: GeneralName.Kind, _ content: [UInt8], under constrainer: Certificate,
        budget: inout WorkBudget
    ) -> NameConstraintOutcome {
        guard constrainer.layout.extensions.present.contains(.nameConstraints) else {
            return .permitted
        }
        let name = GeneralName(kind: kind, content: ByteRange(start: 0, count: content.count))
        return judge(name, content.span, Subtrees(of: constrainer), constrainer, &budget)
    }

    /// The DNS names in the constraints of a CA, permitted and excluded, as raw text; at most
    /// `most`.
    package static func namesOfSubtrees(of constrainer: Certificate, most: Int) -> [String] {
        guard constrainer.layout.extensions.present.contains(.nameConstraints) else { return [] }
        let bytes = constrainer.der.span
        let constraints = Subtrees(of: constrainer)
        var names: [String] = []
        for list in [constraints.permitted, constraints.excluded] {
            var reader = SubtreeReader(list)
            while names.count < most, let subtree = reader.next(in: bytes) {
                if subtree.base.kind == .dns { names.append(text(subtree, bytes)) }
            }
        }
        return names
    }

    /// The ranges of addresses in the constraints of a CA, at most `most` of them: the octets of
    /// the first address, and the length of the prefix. Nil where a range is not a prefix; such
    /// constraints cannot be judged either.
    package static func rangesOfSubtrees(
        of constrainer: Certificate, most: Int
    ) -> [(first: [UInt8], prefix: Int)]? {
        guard constrainer.layout.extensions.present.contains(.nameConstraints) else { return [] }
        let bytes = constrainer.der.span
        let constraints = Subtrees(of: constrainer)
        var ranges: [(first: [UInt8], prefix: Int)] = []
        for list in [constraints.permitted, constraints.excluded] {
            var reader = SubtreeReader(list)
            while ranges.count < most, let subtree = reader.next(in: bytes) {
                guard subtree.base.kind == .ip else { continue }
                let octets = bytes.copied(subtree.base.content)
                guard octets.count == 8 || octets.count == 32 else { return nil }
                let mask = octets[(octets.count / 2)...]
                let prefix = mask.reduce(0) { $0 + $1.nonzeroBitCount }
                let isPrefix = mask.enumerated().allSatisfy { index, octet in
                    octet == UInt8(truncatingIfNeeded: 0xFF00 >> max(0, min(8, prefix - index * 8)))
                }
                guard isPrefix else { return nil }
                let first = zip(octets.prefix(octets.count / 2), mask).map { $0 & $1 }
                ranges.append((first, prefix))
            }
        }
        return ranges
    }

    /// The first dNSName in the constraints of a CA that begins with a dot, as raw text; nil where
    /// there is none, and where the budget does not allow the walk. Cost: one unit, and one unit
    /// for each 128 octets of constraints.
    package static func nameWithLeadingDot(
        of constrainer: Certificate, budget: inout WorkBudget
    ) -> String? {
        let bytes = constrainer.der.span
        let constraints = Subtrees(of: constrainer)
        guard budget.spend(1 + constraints.octetCount / 128) else { return nil }
        for list in [constraints.permitted, constraints.excluded] {
            var reader = SubtreeReader(list)
            while let subtree = reader.next(in: bytes) {
                let tree = bytes.extracting(subtree.base.content.indices)
                if NameForm.hasLeadingDot(subtree.base.kind, tree) { return text(subtree, bytes) }
            }
        }
        return nil
    }

    /// Judges one name. It must lie outside every excluded subtree of its kind, and inside a
    /// permitted subtree when there are any.
    private static func judge(
        _ name: GeneralName, _ bytes: Span<UInt8>, _ constraints: Subtrees,
        _ constrainer: Certificate, _ budget: inout WorkBudget
    ) -> NameConstraintOutcome {
        guard constraints.constrains(name.kind) else { return .permitted }
        guard budget.spend(1 + constraints.octetCount / 128 + Int(name.content.count) / 512) else {
            return tooMuchWork
        }
        guard NameForm.canBeJudged(name.kind) else {
            return .notEvaluated(problem: "constraints on \(name.kind.name) are not supported")
        }
        let content = bytes.extracting(name.content.indices)
        let base = constrainer.der.span
        guard let part = NameForm.compared(name.kind, content) else {
            return malformed(name, bytes, constraints, base)
        }

        var excluded = SubtreeReader(constraints.excluded)
        while let subtree = excluded.next(in: base) {
            guard subtree.base.kind == name.kind else { continue }
            if let problem = problem(subtree, base) { return problem }
            if let outcome = judge(name, bytes, part, excluded: subtree, base, &budget) {
                return outcome
            }
        }

        var sawPermitted = false
        var isInside = false
        var permitted = SubtreeReader(constraints.permitted)
        while let subtree = permitted.next(in: base) {
            guard subtree.base.kind == name.kind else { continue }
            if let problem = problem(subtree, base) { return problem }
            sawPermitted = true
            let tree = base.extracting(subtree.base.content.indices)
            guard name.kind == .directory else {
                isInside =
                    isInside || NameForm.isInside(name.kind, content, part: part, subtree: tree)
                continue
            }
            do {
                if try DistinguishedName.isInside(content, base: tree, budget: &budget) {
                    isInside = true
                }
            } catch {
                return tooMuchWork
            }
        }
        guard sawPermitted, !isInside else { return .permitted }
        return violation(name, bytes, texts(of: name.kind, constraints.permitted, base), false)
    }

    /// Judges one name by one excluded subtree of its kind; nil when the subtree does not exclude
    /// the name.
    private static func judge(
        _ name: GeneralName, _ bytes: Span<UInt8>, _ part: Range<Int>,
        excluded subtree: SubtreeReader.Subtree, _ base: Span<UInt8>, _ budget: inout WorkBudget
    ) -> NameConstraintOutcome? {
        let content = bytes.extracting(name.content.indices)
        let tree = base.extracting(subtree.base.content.indices)
        let answer: ExcludedDirectoryName.Answer
        if name.kind == .directory {
            do {
                answer = try ExcludedDirectoryName.judge(content, subtree: tree, budget: &budget)
            } catch {
                return tooMuchWork
            }
        } else {
            let isTouched = NameForm.touches(name.kind, content, part: part, subtree: tree)
            answer = isTouched ? .inside : .outside
        }
        switch answer {
        case .outside: return nil
        case .inside: return violation(name, bytes, [text(subtree, base)], true)
        case .notCompared:
            return .notEvaluated(
                problem:
                    "`\(ServiceIdentity.text(of: name, in: bytes))` cannot be compared with the "
                    + "excluded `\(text(subtree, base))`: one holds text that RFC 4518 does not "
                    + "prepare")
        }
    }

    private static let tooMuchWork = NameConstraintOutcome.notEvaluated(
        problem: "comparing names with constraints takes too much work")

    /// The outcome of a name that no subtree can hold. It is inside no permitted subtree and counts
    /// as inside an excluded one. Renderers name its fault.
    private static func malformed(
        _ name: GeneralName, _ bytes: Span<UInt8>, _ constraints: Subtrees, _ base: Span<UInt8>
    ) -> NameConstraintOutcome {
        let permitted = texts(of: name.kind, constraints.permitted, base)
        return permitted.isEmpty
            ? violation(name, bytes, texts(of: name.kind, constraints.excluded, base), true)
            : violation(name, bytes, permitted, false)
    }

    /// Why a subtree cannot be judged; nil when it can. Section 4.2.1.10 demands that minimum is 0
    /// and maximum absent.
    private static func problem(
        _ subtree: SubtreeReader.Subtree, _ bytes: Span<UInt8>
    ) -> NameConstraintOutcome? {
        // A text is made only for a fault: a name is judged by some thousand subtrees.
        func shown() -> String {
            "the \(subtree.base.kind.name) constraint `\(text(subtree, bytes))`"
        }
        guard !subtree.hasBounds else {
            return .notEvaluated(problem: "\(shown()) has a minimum or a maximum")
        }
        let tree = bytes.extracting(subtree.base.content.indices)
        guard NameForm.isWellFormedSubtree(subtree.base.kind, tree) else {
            let hint = startsWithWildcard(tree) ? "; a constraint has no wildcard" : ""
            return .notEvaluated(problem: "\(shown()) is malformed\(hint)")
        }
        return nil
    }

    /// Whether a subtree begins as a wildcard of certificates and policies does: `*.acme.example`.
    private static func startsWithWildcard(_ tree: Span<UInt8>) -> Bool {
        tree.count > 2 && tree[0] == UInt8(ascii: "*") && tree[1] == UInt8(ascii: ".")
    }

    private static func violation(
        _ name: GeneralName, _ bytes: Span<UInt8>, _ subtrees: [String], _ isExcluded: Bool
    ) -> NameConstraintOutcome {
        .violated(
            name: ServiceIdentity.text(of: name, in: bytes),
            subtree: subtrees.joined(separator: ", "), isExcluded: isExcluded)
    }

    /// The subtrees of one kind in a list as texts, at most eight and a word about the others.
    private static func texts(
        of kind: GeneralName.Kind, _ list: ByteRange, _ bytes: Span<UInt8>
    ) -> [String] {
        var texts: [String] = []
        var more = 0
        var reader = SubtreeReader(list)
        while let subtree = reader.next(in: bytes) {
            guard subtree.base.kind == kind else { continue }
            if texts.count < 8 { texts.append(text(subtree, bytes)) } else { more += 1 }
        }
        if more > 0 { texts.append("and \(more) more") }
        return texts
    }

    private static func text(
        _ subtree: SubtreeReader.Subtree, _ bytes: Span<UInt8>
    ) -> String {
        guard subtree.base.kind == .ip else {
            return ServiceIdentity.text(of: subtree.base, in: bytes)
        }
        let content = bytes.extracting(subtree.base.content.indices)
        let half = content.count / 2
        guard let address = IPAddress(bytes: content.extracting(0..<half)),
            let length = IPAddress(bytes: content.extracting(half..<content.count))?.maskLength
        else { return "an iPAddress of \(content.count) octets" }
        return "\(address)/\(length)"
    }
}

/// The two lists of subtrees of one CA.
private struct Subtrees {
    /// Content of permittedSubtrees and excludedSubtrees; empty when absent.
    var permitted = ByteRange(start: 0, count: 0)
    var excluded = ByteRange(start: 0, count: 0)
    /// One bit for each kind of name that occurs in either list.
    private var kinds: UInt16 = 0

    init(of constrainer: Certificate) {
        let bytes = constrainer.der.span
        var reader = DERReader(constrainer.layout.extensions.nameConstraints)
        while let list = try? reader.next(in: bytes) {
            if list.tag == .constructed(0) { permitted = list.content }
            if list.tag == .constructed(1) { excluded = list.content }
            var subtrees = SubtreeReader(list.content)
            while let subtree = subtrees.next(in: bytes) {
                kinds |= 1 << UInt16(subtree.base.kind.rawValue)
            }
        }
    }

    var octetCount: Int { Int(permitted.count) + Int(excluded.count) }

    func constrains(_ kind: GeneralName.Kind) -> Bool {
        kinds & (1 << UInt16(kind.rawValue)) != 0
    }
}

/// Walks a list of GeneralSubtrees.
private struct SubtreeReader {
    struct Subtree {
        let base: GeneralName
        /// Whether the subtree has a minimum other than 0, or a maximum.
        let hasBounds: Bool
    }

    private var reader: DERReader

    init(_ content: ByteRange) { reader = DERReader(content) }

    /// The next subtree; nil at the end. Parsing has refused malformed lists before.
    mutating func next(in bytes: Span<UInt8>) -> Subtree? {
        guard !reader.isAtEnd, var fields = (try? reader.next(.sequence, in: bytes))?.reader,
            let element = try? fields.next(in: bytes),
            let base = try? GeneralName(element, in: bytes)
        else { return nil }
        var hasBounds = false
        while let bound = try? fields.next(in: bytes) {
            let value = try? bound.nonNegativeInteger(in: bytes)
            if bound.tag != .primitive(0) || value != 0 { hasBounds = true }
        }
        return Subtree(base: base, hasBounds: hasBounds)
    }
}
