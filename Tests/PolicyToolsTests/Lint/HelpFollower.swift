import Foundation
import PolicyCompiler
import PolicyTools

/// Does to a text what a finding says, as somebody would who reads nothing else: the fix where
/// there is one, and otherwise the first value that the help carries. A help that carries none is
/// for a person. So is one that states when it may be followed ("where …", "only …"): whether that
/// is so, only the author knows.
struct HelpFollower {
    let bytes: [UInt8]
    let finding: Diagnostic
    private let tree: SyntaxTree

    init(_ file: SourceFile, _ finding: Diagnostic) {
        bytes = file.bytes
        self.finding = finding
        tree = SyntaxParser.parse(file, fileIndex: 0)
    }

    /// The text afterwards, and what was done; nil where a person must decide or where the help is
    /// about something that does not stand in the text.
    func followed() -> (text: [UInt8], step: String)? {
        if let fix = finding.fix?.furthest {
            return (
                Self.applied(fix.edits.map { (range($0.span), $0.replacement) }, bytes), fix.title
            )
        }
        for help in finding.help {
            guard let edits = edits(of: help) else { continue }
            let text = Self.applied(edits, bytes)
            if text != bytes { return (text, help) }
        }
        return nil
    }

    private func edits(of help: String) -> [Edit]? {
        let values = help.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { Self.filled(String($0.element)) }
        let value = values.first ?? ""
        func begins(_ words: String...) -> Bool { words.contains { help.hasPrefix($0) } }
        if value == "KEY: VALUE" || value.hasPrefix("hawser") && !value.hasPrefix("hawser: ") {
            return nil
        }
        if begins("close it with") { return [Edit(endOfLine, value)] }
        if begins("put text that holds `: ` in quotes, `") {
            return [Edit(textOfLine, values[1])]
        }
        if begins("give `default`") { return written(values[1]) }
        if begins("leave out each cause"), let map = entry?.value, map.kind == .map,
            let index = (0..<map.partCount).first(where: { map.part($0).key?.text == value })
        {
            return removal(map, index)
        }
        if begins("leave `", "leave it to the profile"), let place = entryPlace {
            return removal(place.map, place.index)
        }
        if begins("for this one certificate and nothing else write `"),
            let map = around.last(where: { $0.kind == .map })
        {
            return into(map, value)
        }
        if begins("mend it, and delete the comment", "or remove it") { return removal }
        if begins(
            "delete it", "remove it", "remove one of", "delete one of", "delete the narrower",
            "delete the rule", "delete the comment", "remove the waiver", "delete the line")
        {
            return removal
        }
        if begins("write it as a list: ") { return entry.map { [Edit($0.start..<$0.end, value)] } }
        if begins("define it: ") { return defined(value) }
        if begins("write a `warn-from` before "), let day = help.split(separator: " ").last {
            return [Edit(valueRange ?? primary, String(day.dropLast(2)) + "01")]
        }
        if begins("write an `until` of "), let day = help.firstMatch(of: /20\d\d-\d\d-\d\d/) {
            return [Edit(valueRange ?? primary, String(day.0))]
        }
        if begins("name in the place of ") {
            return [Edit(primaryOfSet(value) ?? primary, "apart")]
                + (newEntry("apart: { \(values[1]), \(values[2]) }", in: "anchors") ?? [])
        }
        if begins("add `\"") { return added(value, to: "hosts") }
        if begins("add a suite", "add a scheme"), let name = values.first { return added(name) }
        if begins("add `"), !value.contains(": ") { return added(value) }
        if begins(
            "write `", "for example `", "it must not be left out; write for example `",
            "write for example `", "add `", "if it is a slip write `", "quote it: `",
            "write the names that are yours, such as `",
            "write the networks that are yours, such as `",
            "make an entry of each: `", "write each as an item: `", "write each on a line: `")
        {
            return written(value)
        }
        // Values one beside the other, the first for the plainest case.
        let choices = ["(one label)", "for the network", "matches every port", "(instead of"]
        if help.hasPrefix("`"), choices.contains(where: { help.contains("` \($0)") }) {
            return written(value)
        }
        return nil
    }

    // MARK: Values

    /// A value with what its author leaves to the reader.
    private static func filled(_ value: String) -> String {
        value.replacing("YYYY-MM-DD", with: "2026-08-31").replacing("NAME", with: "web")
            .replacing("\"…\"", with: "\"the partner renews in August\"")
    }

    /// A value that is written in place of the one that the finding is about, or an entry that is
    /// written into the map that it is about.
    private func written(_ value: String) -> [Edit]? {
        guard let colon = value.firstRange(of: ": "), !value.hasPrefix("\""), !value.hasPrefix("[")
        else {
            guard let node = scalar else { return nil }
            let isQuoted = value.hasPrefix("\"") || node.style == .plain && !isHost
            return [Edit(range(node.span), isQuoted ? value : "\"\(value)\"")]
        }
        let key = String(value[..<colon.lowerBound])
        // The mistake is the entry itself, or its value.
        let ways = ["spki", "certificate", "spki-file", "certificate-file"]
        if let entry, let own = entry.key?.text,
            own == key || ways.contains(own) && ways.contains(key)
        {
            return [Edit(entry.start..<entry.end, value)]
        }
        if let entry, entry.value.kind == .map { return into(entry.value, value) }
        return around.last { $0.kind == .map }.flatMap { into($0, value) }
    }

    private var isHost: Bool {
        [.badHost, .urlNotHost, .badWildcard, .nearMissName].contains(finding.code)
    }

    // MARK: Lists and maps

    /// The list that the finding is about, or that an entry with a key is in the rule around it.
    private func added(_ item: String, to key: String? = nil) -> [Edit]? {
        var node = around.last { $0.kind == .list }
        if let key {
            let maps = around.filter { $0.kind == .map }
            node =
                maps.reversed().lazy.compactMap { map in
                    map.entries.first { $0.key.text == key }?.value
                }.first { $0.kind == .list } ?? node
        }
        if node == nil, let entry, entry.value.kind == .list { node = entry.value }
        guard let list = node, let last = list.items.last else { return nil }
        let end = Int(last.span.end)
        guard list.style == .block else { return [Edit(end..<end, ", \(item)")] }
        return [Edit(end..<end, "\n\(indentation(of: Int(last.span.start)))- \(item)")]
    }

    /// An entry behind the last one of a map.
    private func into(_ map: SyntaxNode, _ entry: String) -> [Edit]? {
        guard map.kind == .map, map.partCount > 0 else { return nil }
        let last = map.part(map.partCount - 1)
        guard map.style == .block else { return [Edit(last.end..<last.end, ", \(entry)")] }
        let first = map.part(0).start
        return [Edit(last.end..<last.end, "\n\(indentation(of: first))\(entry)")]
    }

    /// An entry in a section of the file.
    private func newEntry(_ entry: String, in section: String) -> [Edit]? {
        guard let map = tree.root?.entries.first(where: { $0.key.text == section })?.value else {
            return nil
        }
        return into(map, entry)
    }

    /// A definition such as `anchors: { corp: { … } }`, in its section or as a new one.
    private func defined(_ value: String) -> [Edit]? {
        guard let open = value.firstRange(of: ": { ") else { return nil }
        let section = String(value[..<open.lowerBound])
        return newEntry(String(value[open.upperBound...].dropLast(2)), in: section)
            ?? tree.root.flatMap { into($0, value) }
    }

    /// The line of the entry or item that the finding is about, or the comment.
    private var removal: [Edit]? {
        if let comment = tree.comments.map(range).first(where: {
            $0.lowerBound <= primary.lowerBound && primary.upperBound <= $0.upperBound
        }) {
            return [Edit(wholeLines(comment), "")]
        }
        if let place = tree.part(named: finding.primary.span) {
            return removal(place.parent, place.index)
        }
        // Text outside the tree: a key that stands twice, with its line, or a mark in a value.
        if finding.code == .duplicateKey { return [Edit(wholeLines(primary), "")] }
        if let scalar, range(scalar.span) == primary, let place = entryPlace {
            return removal(place.map, place.index)
        }
        let end = bytes[primary.upperBound...].prefix { $0 == 0x20 }.endIndex
        return [Edit(primary.lowerBound..<end, "")]
    }

    private func removal(_ parent: SyntaxNode, _ index: Int) -> [Edit]? {
        let part = parent.part(index)
        guard parent.partCount > 1 else {
            // The only entry goes with the map around it.
            return tree.place(of: parent).flatMap { removal($0.map, $0.index) }
        }
        guard parent.style == .flow else { return [Edit(wholeLines(part.start..<part.end), "")] }
        return index > 0
            ? [Edit(parent.part(index - 1).end..<part.end, "")]
            : [Edit(part.start..<parent.part(1).start, "")]
    }

    // MARK: Places

    private struct Edit {
        let range: Range<Int>
        let text: String
        init(_ range: Range<Int>, _ text: String) { (self.range, self.text) = (range, text) }
    }

    private var primary: Range<Int> { range(finding.primary.span) }

    private func range(_ span: SourceSpan) -> Range<Int> { Int(span.start)..<Int(span.end) }

    /// The maps and lists around the place of the finding, the outermost first, and what begins
    /// there.
    private var around: [SyntaxNode] {
        var nodes: [SyntaxNode] = []
        var node = tree.root
        while let current = node {
            nodes.append(current)
            node = current.lastPart(by: primary.lowerBound).map { current.part($0).value }
                .flatMap { Int($0.span.end) >= primary.upperBound || $0.kind != .scalar ? $0 : nil }
        }
        return nodes
    }

    private var scalar: SyntaxNode? { around.last { $0.kind == .scalar } }

    /// The entry whose key the finding stands at, or in whose value it stands.
    private var entry: SyntaxPart? { entryPlace.map { $0.map.part($0.index) } }

    private var entryPlace: (map: SyntaxNode, index: Int)? {
        var found: (map: SyntaxNode, index: Int)?
        for map in around where map.kind == .map {
            guard let index = map.lastPart(by: primary.lowerBound) else { continue }
            let part = map.part(index)
            if part.end >= primary.upperBound || part.start == primary.lowerBound {
                found = (map, index)
            }
            if part.start == primary.lowerBound { break }
        }
        return found
    }

    private var valueRange: Range<Int>? { entry.map { range($0.value.span) } }

    /// Where a list of the place names a set.
    private func primaryOfSet(_ name: String) -> Range<Int>? {
        let lists = (tree.root?.entries.first { $0.key.text == "rules" }?.value.entries ?? [])
            .flatMap { $0.value.entries }.filter { $0.key.text == "anchors" }.map(\.value)
        return lists.flatMap(\.items).first { $0.text == name }.map { range($0.span) }
    }

    /// The text of the line, from its first key to its end.
    private var textOfLine: Range<Int> {
        let whole = wholeLines(primary)
        let start = bytes[whole].firstIndex { $0 != 0x20 } ?? whole.lowerBound
        return start..<endOfLine.lowerBound
    }

    private var endOfLine: Range<Int> {
        let end = bytes[primary.lowerBound...].firstIndex(of: 0x0A) ?? bytes.count
        return end..<end
    }

    private func indentation(of offset: Int) -> String {
        var start = offset
        while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
        return String(repeating: " ", count: bytes[start...].prefix { $0 == 0x20 }.count)
    }

    private func wholeLines(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
        let end = bytes[range.upperBound...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        return start..<end
    }

    private static func applied(_ edits: [Edit], _ bytes: [UInt8]) -> [UInt8] {
        applied(edits.map { ($0.range, $0.text) }, bytes)
    }

    private static func applied(_ edits: [(Range<Int>, String)], _ bytes: [UInt8]) -> [UInt8] {
        var text = bytes
        for (range, new) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            text.replaceSubrange(range, with: Array(new.utf8))
        }
        return text
    }
}

extension SyntaxTree {
    /// The entry whose value is a map or list.
    fileprivate func place(of node: SyntaxNode) -> (map: SyntaxNode, index: Int)? {
        var above = root
        while let current = above, let index = current.lastPart(by: Int(node.span.start)) {
            let part = current.part(index)
            if part.value.index == node.index { return (current, index) }
            above = part.value
        }
        return nil
    }
}
