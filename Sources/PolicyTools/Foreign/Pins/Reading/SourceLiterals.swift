import PolicyCompiler

/// Reads dictionaries and lists that are literals in Swift (`["a": true]`) and Objective-C
/// (`@{ @"a": @YES }`). Other values are expressions, whose range is known and whose value is not.
struct SourceLiterals {
    private let tokens: [SourceToken]
    private var count = 0

    init(_ tokens: [SourceToken]) { self.tokens = tokens }

    func isMark(_ mark: Unicode.Scalar, at index: Int) -> Bool {
        index >= 0 && index < tokens.count && tokens[index].isMark(mark)
    }

    /// Whether a token stands at the end of a value.
    private func isEnd(_ index: Int) -> Bool {
        guard index < tokens.count, case .mark(let mark) = tokens[index].kind else {
            return index >= tokens.count
        }
        return ",:;)]}".utf8.contains(mark)
    }

    private func range(_ first: Int, _ end: Int) -> Range<Int> {
        guard first < tokens.count else {
            let last = tokens.last?.range.upperBound ?? 0
            return last..<last
        }
        return tokens[first].range.lowerBound..<tokens[max(first, end - 1)].range.upperBound
    }

    /// Reads the value that begins at a token. `index` becomes the token behind it.
    mutating func value(_ index: inout Int, depth: Int = 0) throws(ForeignError) -> SettingNode {
        let start = index
        count += 1
        guard depth < SettingNode.deepest else {
            throw ForeignText.fault(
                "more than \(SettingNode.deepest) values inside each other", range(start, start + 1)
            )
        }
        guard count <= SettingNode.mostValues else {
            throw ForeignText.fault(
                "more than \(SettingNode.mostValues) values", range(start, start + 1))
        }
        let content = try literal(&index, depth)
        if let content {
            let end = index
            // `as [String: Any]` names a type and changes no value.
            if index < tokens.count, tokens[index].word == "as" { skip(&index) }
            if depth == 0 || isEnd(index) {
                return SettingNode(content: content, range: range(start, end))
            }
        }
        index = start
        skip(&index)
        return SettingNode(content: .expression, range: range(start, index))
    }

    /// Goes to the token that ends a value: a comma, a colon or a closing bracket outside brackets.
    private func skip(_ index: inout Int) {
        var depth = 0
        while index < tokens.count {
            if depth == 0, isEnd(index) { return }
            if case .mark(let mark) = tokens[index].kind {
                if "([{".utf8.contains(mark) { depth += 1 }
                if ")]}".utf8.contains(mark) { depth -= 1 }
            }
            index += 1
        }
    }

    private mutating func literal(
        _ index: inout Int, _ depth: Int
    ) throws(ForeignError) -> SettingNode.Content? {
        guard index < tokens.count else { return nil }
        let isBoxed = tokens[index].isMark("@")
        if isBoxed { index += 1 }
        guard index < tokens.count else { return nil }
        switch tokens[index].kind {
        case .string(var text):
            index += 1
            // Objective-C joins strings that follow each other.
            while index < tokens.count {
                if isMark("@", at: index), index + 1 < tokens.count,
                    case .string(let more) = tokens[index + 1].kind
                {
                    text += more
                    index += 2
                } else if case .string(let more) = tokens[index].kind {
                    text += more
                    index += 1
                } else {
                    break
                }
            }
            return .text(text)
        case .word(let word):
            index += 1
            return Self.flags[word].map(SettingNode.Content.flag)
        case .number(let text):
            index += 1
            return text == "1" || text == "0" ? .flag(text == "1") : .other("a number")
        case .mark(UInt8(ascii: "(")) where isBoxed:
            guard index + 2 < tokens.count, isMark(")", at: index + 2) else { return nil }
            let flag = tokens[index + 1].word.flatMap { Self.flags[$0] }
            index += 3
            return flag.map(SettingNode.Content.flag)
        case .mark(UInt8(ascii: "{")) where isBoxed:
            return .dictionary(try dictionary(&index, "}", depth))
        case .mark(UInt8(ascii: "[")):
            if !isBoxed {
                if isMark(":", at: index + 1), isMark("]", at: index + 2) {
                    index += 3
                    return .dictionary([])
                }
                var behind = index + 1
                if !isMark("]", at: behind) {
                    _ = try value(&behind, depth: depth + 1)
                    if isMark(":", at: behind) {
                        return .dictionary(try dictionary(&index, "]", depth))
                    }
                }
            }
            return try list(&index, depth)
        default: return nil
        }
    }

    private static let flags = [
        "true": true, "false": false, "YES": true, "NO": false, "TRUE": true, "FALSE": false,
    ]

    private mutating func list(
        _ index: inout Int, _ depth: Int
    ) throws(ForeignError) -> SettingNode.Content? {
        index += 1
        var items: [SettingNode] = []
        while index < tokens.count, !isMark("]", at: index) {
            items.append(try value(&index, depth: depth + 1))
            guard isMark(",", at: index) else { break }
            index += 1
        }
        guard isMark("]", at: index) else { return nil }
        index += 1
        return .list(items)
    }

    private mutating func dictionary(
        _ index: inout Int, _ close: Unicode.Scalar, _ depth: Int
    ) throws(ForeignError) -> [SettingNode.Entry] {
        let start = index
        index += 1
        var entries: [SettingNode.Entry] = []
        while index < tokens.count, !isMark(close, at: index) {
            let first = index
            let key = key(&index)
            let keyRange = range(first, index)
            guard isMark(":", at: index) else {
                throw ForeignText.fault("a key of a dictionary without its value", keyRange)
            }
            index += 1
            let value = try self.value(&index, depth: depth + 1)
            entries.append(SettingNode.Entry(key: key ?? "", keyRange: keyRange, value: value))
            guard isMark(",", at: index) else { break }
            index += 1
        }
        guard isMark(close, at: index) else {
            throw ForeignText.fault("a dictionary without its end", range(start, start + 1))
        }
        index += 1
        try SettingNode.refuseTwins(entries.filter { !$0.key.isEmpty })
        return entries
    }

    /// The text of a key: a string, or the name of a constant of TrustKit. Nil for another
    /// expression.
    private func key(_ index: inout Int) -> String? {
        let first = index
        skip(&index)
        var parts = tokens[first..<index]
        if parts.first?.isMark("@") == true { parts = parts.dropFirst() }
        guard let last = parts.last else { return nil }
        if parts.count == 1, case .string(let text) = last.kind { return text }
        // `TrustKit.kTSKPinnedDomains` and `kTSKPinnedDomains as String`.
        if let end = parts.firstIndex(where: { $0.word == "as" }) { parts = parts[..<end] }
        let words = parts.compactMap(\.word)
        guard let name = words.last, name.hasPrefix("kTSK"), parts.count == 2 * words.count - 1
        else {
            return nil
        }
        return name
    }
}
