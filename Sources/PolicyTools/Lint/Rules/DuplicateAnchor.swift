import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW306: a set names the same anchor, by name and key, more than once. If every certificate of
    /// an item is also in another item, octet for octet, the item can be removed. If an item holds
    /// another certificate of the same anchor, the dates and limits of both count, and a person
    /// must choose.
    static let duplicateAnchor = LintRule(.duplicateAnchor) { context in
        context.bound.anchorSets.flatMap { DuplicateAnchors(in: $0).findings(context) }
    }
}

/// The anchors that one set names more than once.
private struct DuplicateAnchors {
    /// The certificates of one item of `files`, or of `pem`.
    private struct Item {
        let span: SourceSpan
        var members: [BoundAnchor] = []
        /// Whether every certificate of it is also in another item.
        var isIdle = false
    }

    private let set: BoundAnchorSet
    private var items: [Item] = []

    init(in set: BoundAnchorSet) {
        self.set = set
        guard set.members.count > 1 else { return }
        var itemIndices: [SourceSpan: Int] = [:]
        // A path that stands twice has two spans; a folder has one span for all its files.
        for member in set.members {
            if let index = itemIndices[member.span] {
                items[index].members.append(member)
            } else {
                itemIndices[member.span] = items.count
                items.append(Item(span: member.span, members: [member]))
            }
        }
        markIdle()
    }

    /// Marks the items that may be removed, the last item first. The remaining items still hold
    /// every certificate.
    private mutating func markIdle() {
        var holders: [Certificate: Int] = [:]
        for item in items {
            for certificate in Set(item.members.map(\.certificate)) {
                holders[certificate, default: 0] += 1
            }
        }
        for index in items.indices.reversed() {
            let certificates = Set(items[index].members.map(\.certificate))
            guard certificates.allSatisfy({ holders[$0, default: 0] > 1 }) else { continue }
            items[index].isIdle = true
            for certificate in certificates { holders[certificate, default: 0] -= 1 }
        }
    }

    func findings(_ context: LintContext) -> [Diagnostic] {
        var seen: [NameAndKey: BoundAnchor] = [:]
        // The items that stay come first, wherever they stand, so that a removed item is the
        // repeated one.
        return (items.filter { !$0.isIdle } + items.filter(\.isIdle)).compactMap { item in
            var repeated: [(member: BoundAnchor, first: BoundAnchor)] = []
            for member in item.members {
                let key = NameAndKey(member.certificate)
                if let first = seen[key] {
                    repeated.append((member, first))
                } else {
                    seen[key] = member
                }
            }
            return repeated.isEmpty ? nil : finding(item, repeated, context)
        }
    }

    private func finding(
        _ item: Item, _ repeated: [(member: BoundAnchor, first: BoundAnchor)],
        _ context: LintContext
    ) -> Diagnostic {
        // A certificate that differs says more than one that does not.
        let told =
            repeated.first { $0.member.certificate != $0.first.certificate } ?? repeated[0]
        let (member, first) = told
        let name = "`\(member.certificate.shortSubject)`"
        let isSame = member.certificate == first.certificate
        let message =
            isSame
            ? "\(name) is twice in `\(set.id.value)`: \(member.name) is "
                + (member.name == first.name ? "named already" : "\(first.name) again")
            : "\(name) is twice in `\(set.id.value)`, and the wider dates and limits of the two count: "
                + "\(member.name) has the name and key of \(first.name)"
        let help =
            isSame
            ? "name it once" : "keep the certificate whose dates and limits shall bind"
        let fix =
            item.isIdle
            ? context.removal(of: item.span, "remove what is named already", .safe, .text) : nil
        var notes = ["its subject is `\(member.certificate.shownSubject)`"]
        if !isSame {
            notes.append(
                "the one is valid from \(Words.day(first.certificate.notBefore)) to "
                    + "\(Words.day(first.certificate.notAfter)), the other from "
                    + "\(Words.day(member.certificate.notBefore)) to "
                    + Words.day(member.certificate.notAfter))
        }
        if repeated.count > 1 {
            let others = Words.count(repeated.count - 1, "more certificate")
            notes.append("\(others) of the same item likewise")
        }
        return Diagnostic(
            .duplicateAnchor, message, at: Diagnostic.Label(item.span),
            labels: first.span == item.span ? [] : [Diagnostic.Label(first.span, "named here")],
            help: [help], notes: notes, fix: fix)
    }
}
