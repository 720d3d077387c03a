import PolicyCompiler
import Rendering

/// Replaces some keys of a dictionary of a property list in XML. Every other octet stays.
struct PropertyListEdit {
    private let bytes: [UInt8]
    private let key: String
    private let root: PropertyListNode
    private let entry: PropertyListNode.Entry?

    /// A new property list whose only key has a dictionary with some lines.
    static func document(_ key: String, _ lines: [String]) -> String {
        let head = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
                + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">",
            "<plist version=\"1.0\">", "<dict>",
        ]
        let all = head + part(key, lines).map { "\t\($0)" } + ["</dict>", "</plist>"]
        return all.map { $0 + "\n" }.joined()
    }

    private static func part(_ key: String, _ lines: [String]) -> [String] {
        ["<key>\(key)</key>", "<dict>"] + lines.map { "\t\($0)" } + ["</dict>"]
    }

    /// - Parameter key: the key of the dictionary, in the root.
    /// - Throws: HX101 for a file that is not a property list.
    init(of key: String, in bytes: [UInt8]) throws(ForeignError) {
        self.bytes = bytes
        self.key = key
        root = try PropertyListNode.root(of: bytes)
        guard let entries = try root.entries() else {
            throw ForeignError(
                .foreignSyntax,
                "the property list holds \(root.kind); an Info.plist holds `<dict>`",
                at: root.range)
        }
        entry = entries.first { $0.key == key }
    }

    /// The file with other values of some keys of the dictionary.
    ///
    /// - Parameter lines: the mark of an export and the keys with their values, indented by tabs
    ///   from nothing on.
    func replacing(
        _ keys: Set<String>, by lines: [String]
    ) throws(ForeignError) -> ExportedFile {
        guard let entry else {
            let text = indented(Self.part(key, lines), by: isSelfClosing(root) ? "\t" : rootIndent)
            return ExportedFile(inserting(text, into: root, indent: ""), wasExported: true)
        }
        let indent = blanks(before: entry.keyRange.lowerBound)
        let inner = indent + (indent.contains(0x20) ? indent : [0x09])
        guard let entries = try entry.value.entries(), !isSelfClosing(entry.value) else {
            let text =
                Array("<dict>".utf8) + newline + indented(lines, by: inner) + indent
                + Array("</dict>".utf8)
            return ExportedFile(
                exchanging(entry.value.range, with: text), wasExported: true)
        }
        let managed = entries.filter { keys.contains($0.key) }
        let mark = markRange(
            in: entry.value.content,
            besides: entries.map { $0.keyRange.lowerBound..<$0.value.range.upperBound })
        let removed =
            (managed.map { $0.keyRange.lowerBound..<$0.value.range.upperBound }
            + [mark].compactMap { $0 })
            .map { wholeLines($0, within: entry.value.content) }
            .sorted { $0.lowerBound < $1.lowerBound }
        let comments = managed.reduce(0) { count, one in
            count + Self.comments(in: bytes[one.keyRange.lowerBound..<one.value.range.upperBound])
        }
        var content: [UInt8] = []
        var at = entry.value.content.lowerBound
        var place: Int?
        for range in removed {
            content += bytes[at..<max(at, range.lowerBound)]
            place = place ?? content.count
            at = max(at, range.upperBound)
        }
        content += bytes[at..<entry.value.content.upperBound]
        let text = indented(lines, by: inner)
        var end = content.count
        while end > 0, content[end - 1] == 0x20 || content[end - 1] == 0x09 { end -= 1 }
        let target = place ?? end
        let needsBreak = target == 0 || content[target - 1] != 0x0A
        content.insert(contentsOf: (needsBreak ? newline : []) + text, at: target)
        if end == target, content.count == target + text.count + (needsBreak ? newline.count : 0) {
            content += indent
        }
        return ExportedFile(
            exchanging(entry.value.content, with: content),
            dropped: comments > 0 ? [Words.count(comments, "comment")] : [],
            wasExported: mark != nil || managed.isEmpty)
    }

    // MARK: Octets

    /// The line end that the file uses.
    private var newline: [UInt8] {
        bytes.firstRange(of: [0x0D, 0x0A]) == nil ? [0x0A] : [0x0D, 0x0A]
    }

    private func indented(_ lines: [String], by indent: some Collection<UInt8>) -> [UInt8] {
        lines.flatMap { Array(indent) + Array($0.utf8) + newline }
    }

    private func indented(_ lines: [String], by indent: String) -> [UInt8] {
        indented(lines, by: Array(indent.utf8))
    }

    /// The indent of the keys of the root.
    private var rootIndent: String {
        guard let first = (try? root.entries())?.first else { return "\t" }
        return String(decoding: blanks(before: first.keyRange.lowerBound), as: UTF8.self)
    }

    private func isSelfClosing(_ node: PropertyListNode) -> Bool {
        bytes[node.range].suffix(2).elementsEqual("/>".utf8)
    }

    /// The blanks between the start of a line and an octet; none where other octets stand there.
    private func blanks(before offset: Int) -> [UInt8] {
        var start = offset
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        return start == 0 || bytes[start - 1] == 0x0A ? Array(bytes[start..<offset]) : []
    }

    /// The file with a text before the end tag of a dictionary.
    private func inserting(
        _ text: [UInt8], into node: PropertyListNode, indent: String
    ) -> [UInt8] {
        guard !isSelfClosing(node) else {
            return exchanging(
                node.range,
                with: Array("<dict>".utf8) + newline + text + Array("\(indent)</dict>".utf8))
        }
        let end = node.content.upperBound
        let place = end - blanks(before: end).count
        let needsBreak = bytes[place - 1] != 0x0A
        var file = bytes
        file.insert(contentsOf: (needsBreak ? newline : []) + text, at: place)
        return file
    }

    /// The comment of an export's mark. The same words inside a key or its value are a part of
    /// that value.
    private func markRange(in content: Range<Int>, besides keys: [Range<Int>]) -> Range<Int>? {
        let words = Array("<!-- \(ExportMark.words)".utf8)
        var rest = content
        while let start = bytes[rest].firstRange(of: words) {
            rest = start.upperBound..<content.upperBound
            guard !keys.contains(where: { $0.contains(start.lowerBound) }),
                let end = bytes[rest].firstRange(of: Array("-->".utf8))
            else { continue }
            return start.lowerBound..<end.upperBound
        }
        return nil
    }

    /// A range with the blanks around it and one line end, if it fills its lines.
    private func wholeLines(_ range: Range<Int>, within content: Range<Int>) -> Range<Int> {
        let start = range.lowerBound - blanks(before: range.lowerBound).count
        var end = range.upperBound
        while end < content.upperBound, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        if end < content.upperBound, bytes[end] == 0x0D { end += 1 }
        guard end < content.upperBound, bytes[end] == 0x0A, start >= content.lowerBound,
            start == 0 || bytes[start - 1] == 0x0A
        else { return range }
        return start..<end + 1
    }

    /// The file with other octets in place of a range.
    private func exchanging(_ range: Range<Int>, with other: [UInt8]) -> [UInt8] {
        Array(bytes[..<range.lowerBound]) + other + Array(bytes[range.upperBound...])
    }

    /// The number of comments that begin in octets.
    private static func comments(in octets: ArraySlice<UInt8>) -> Int {
        var count = 0
        var rest = octets
        while let found = rest.firstRange(of: Array("<!--".utf8)) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }
}
