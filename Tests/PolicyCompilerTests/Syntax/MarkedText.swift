import PolicyCompiler

/// Text in which `«` and `»` enclose the places where findings are expected. The marks are taken
/// out before the text is read.
struct MarkedText {
    var bytes: [UInt8] = []
    var marks: [Range<Int>] = []

    init(_ text: String) {
        var open: [Int] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "«": open.append(bytes.count)
            case "»": marks.append(open.removeLast()..<bytes.count)
            default: bytes.append(contentsOf: Array(String(scalar).utf8))
            }
        }
        marks.sort { $0.lowerBound < $1.lowerBound }
    }

    func parse() -> SyntaxTree {
        SyntaxParser.parse(SourceFile(path: "test.policy.yaml", bytes: bytes), fileIndex: 3)
    }
}

extension SyntaxTree {
    /// `HW003@12..<15` for each finding.
    var found: [String] {
        diagnostics.map { "\($0.code.rawValue)@\($0.primary.span.start)..<\($0.primary.span.end)" }
    }

    /// The tree as one line: maps in braces, lists in brackets, `!` for what could not be read.
    var outline: String {
        root.map(Self.outline) ?? "nothing"
    }

    private static func outline(_ node: SyntaxNode) -> String {
        switch node.kind {
        case .scalar: return node.text
        case .error: return "!"
        case .list: return "[" + node.items.map(outline).joined(separator: ", ") + "]"
        case .map:
            let entries = node.entries.map { "\(outline($0.key)): \(outline($0.value))" }
            return "{" + entries.joined(separator: ", ") + "}"
        }
    }
}
