import PolicyCompiler

extension LintContext {
    /// The edit that adds items to a list before an existing item, in the layout of that item.
    ///
    /// - Parameter items: the new items as they are written, quotes included.
    func insertion(of items: [String], before span: SourceSpan) -> FixIt.Edit? {
        guard let tree = trees.first(where: { $0.fileIndex == Int(span.file) }) else { return nil }
        let file = tree.file
        let line = file.lines.line(of: Int(span.start))
        let before = file.bytes[file.lines.starts[line]..<Int(span.start)]
        let rest = before.drop { $0 == 0x20 }
        let text: String
        // An item on a line of its own, in block form or in flow form.
        if rest.isEmpty || rest.first == UInt8(ascii: "-"),
            rest.dropFirst().allSatisfy({ $0 == 0x20 })
        {
            let indent = String(decoding: before, as: UTF8.self)
            let comma = rest.isEmpty ? "," : ""
            text = items.map { "\($0)\(comma)\n\(indent)" }.joined()
        } else {
            text = items.map { "\($0), " }.joined()
        }
        let place = SourceSpan(
            file: Int(span.file), start: Int(span.start), end: Int(span.start))
        return FixIt.Edit(place, text)
    }
}
