internal import TrustEngine

// Lists in one scalar: what their items are, and the edits that write each by itself.
extension Binder {
    /// The items that stand together in one item of a list; nil where a part is none that the field
    /// takes. Free text has blanks of its own and is never taken apart.
    func items<Value>(
        in text: String, of node: SyntaxNode, _ scanner: (String) throws(ScalarProblem) -> Value
    ) -> [String]? {
        guard let parts = ListedText.parts(text), let place = node.tree.part(named: node.span),
            place.parent.kind == .list
        else { return nil }
        for part in parts where (try? scanner(part)) == nil { return nil }
        return parts
    }

    /// The edit that makes several items of one; nil where the layout leaves no place for it.
    func splitting(_ node: SyntaxNode, into items: [String]) -> FixIt.Edit? {
        guard let place = node.tree.part(named: node.span), place.parent.kind == .list else {
            return nil
        }
        guard place.parent.style == .block else {
            return FixIt.Edit(node.span, items.joined(separator: ", "))
        }
        guard let indent = indentation(ofItemAt: Int(node.span.start), in: node.tree.file) else {
            return nil
        }
        let between = "\n" + String(repeating: " ", count: indent) + "- "
        return FixIt.Edit(node.span, items.joined(separator: between))
    }

    /// The blanks before the dash of an item that begins its line.
    private func indentation(ofItemAt offset: Int, in file: SourceFile) -> Int? {
        let start = file.lines.starts[file.lines.line(of: offset)]
        let before = file.bytes[start..<offset]
        let blanks = before.prefix { $0 == 0x20 }.count
        let rest = before.dropFirst(blanks)
        guard rest.first == UInt8(ascii: "-"), rest.dropFirst().allSatisfy({ $0 == 0x20 }) else {
            return nil
        }
        return blanks
    }

    /// Reports a key match whose value lists several digests: each is an entry of its own. Returns
    /// false where the value lists none.
    func reportSeveral<Value>(
        _ entry: MapEntry, of id: Located<String>,
        _ scanner: (String) throws(ScalarProblem) -> Value
    ) -> Bool {
        guard let digests = digests(entry.value, scanner) else { return false }
        let key = entry.shape.name
        let tree = entry.value.tree
        let place = tree.part(named: id.span)
        let taken = place.map { place in
            Set((0..<place.parent.partCount).compactMap { place.parent.part($0).key?.text })
        }
        let names = names(digests.count, from: id.value, taken ?? [])
        let shown = zip(names, digests).prefix(Self.mostShown)
            .map { "`\($0): { \(key): \($1) }`" }.joined(separator: ", ")
        report(
            .malformedPin,
            "`\(id.value)` lists \(digests.count) digests in one value; an entry has one",
            at: entry.value.span,
            help: [
                "make an entry of each: \(shown)\(digests.count > Self.mostShown ? ", …" : "")"
            ],
            fix: entries(named: names, digests, entry.value, place).map {
                FixIt(title: "make an entry of each digest", safety: .needsReview, edits: [$0])
            })
        return true
    }

    private func digests<Value>(
        _ node: SyntaxNode, _ scanner: (String) throws(ScalarProblem) -> Value
    ) -> [String]? {
        switch node.kind {
        case .scalar: return ListedText.digests(node.text, scanner)
        case .list:
            let items = node.items
            guard items.count < 32, items.allSatisfy({ $0.kind == .scalar }) else { return nil }
            return ListedText.digests(items.map(\.text).joined(separator: " "), scanner)
        case .map, .error: return nil
        }
    }

    /// Free ids for entries: the one that is there, then `NAME-2`, `NAME-3` and so on.
    private func names(_ count: Int, from id: String, _ taken: Set<String>) -> [String] {
        let base = id.prefix(IDScanner.limit - 4)
        var names = [id]
        var number = 2
        while names.count < count {
            let name = "\(base)-\(number)"
            if !taken.contains(name) { names.append(name) }
            number += 1
        }
        return names
    }

    /// The edit that repeats an entry for each digest, with all that stands in it.
    private func entries(
        named names: [String], _ digests: [String], _ value: SyntaxNode,
        _ place: (parent: SyntaxNode, index: Int)?
    ) -> FixIt.Edit? {
        guard let place, place.parent.kind == .map else { return nil }
        let part = place.parent.part(place.index)
        let file = value.tree.file
        let start = file.lines.starts[file.lines.line(of: part.start)]
        let isFlow = place.parent.style == .flow
        guard isFlow || file.bytes[start..<part.start].allSatisfy({ $0 == 0x20 }) else {
            return nil
        }
        func text(_ range: Range<Int>) -> String {
            String(decoding: file.bytes[range], as: UTF8.self)
        }
        let before = text(part.nameEnd..<Int(value.span.start))
        let behind = text(Int(value.span.end)..<part.end)
        let between = isFlow ? ", " : "\n" + String(repeating: " ", count: part.start - start)
        let entries = zip(names, digests).map { "\($0)\(before)\($1)\(behind)" }
        return FixIt.Edit(
            SourceSpan(file: value.tree.fileIndex, start: part.start, end: part.end),
            entries.joined(separator: between))
    }

    /// The most entries that a help shows.
    private static let mostShown = 3
}
