/// Finds PEM below a key with `|` whose lines are not indented, as a paste or a template leaves
/// it. To YAML each of its lines is a key without `:`.
enum UnindentedPEM {
    /// The lines of one value.
    struct Block {
        /// The line with the key, without its indentation.
        var header: String
        /// The text of the first line that is not indented.
        var first: Range<Int>
        /// The indentation of each of these lines.
        var lines: [Range<Int>]
        /// The number of blanks that each must have.
        var column: Int
    }

    /// Literal text that is being read.
    private struct Literal {
        var header: String
        /// The column that the text must be right of.
        var parent: Int
        /// The column of the text, known after its first line.
        var column: Int?
        /// Whether a `-----BEGIN` was not closed yet.
        var isInPEM = false
        /// Whether anything but PEM stood there.
        var hasOther = false
        var block: Block?

        mutating func pass(_ text: ArraySlice<UInt8>) {
            if text.starts(with: UnindentedPEM.begin) {
                isInPEM = true
            } else if text.starts(with: UnindentedPEM.end) {
                isInPEM = false
            } else if !isInPEM {
                hasOther = true
            }
        }

        /// Whether a line that is not indented continues the PEM.
        func continues(_ text: ArraySlice<UInt8>) -> Bool {
            if isInPEM {
                return text.starts(with: UnindentedPEM.end)
                    || text.allSatisfy(UnindentedPEM.isBase64)
            }
            return !hasOther && text.starts(with: UnindentedPEM.begin)
        }
    }

    /// Finds them all, in order. Takes time in proportion to the octets.
    static func blocks(_ bytes: [UInt8]) -> [Block] {
        var blocks: [Block] = []
        var literal: Literal?
        func close() {
            if let block = literal?.block { blocks.append(block) }
            literal = nil
        }
        var offset = 0
        while offset < bytes.count {
            let line = IndentedLine(bytes, at: offset)
            offset = line.end + 1
            if line.isBlank { continue }
            let text = line.text(bytes)
            if var open = literal {
                let width = line.whitespace.count
                let isInside = width > open.parent && width >= open.column ?? 0
                if isInside, open.block == nil {
                    open.column = open.column ?? width
                    open.pass(bytes[text])
                    literal = open
                    continue
                }
                if line.tabs == nil, isInside || open.continues(bytes[text]) {
                    let column = open.column ?? open.parent + 2
                    open.column = column
                    var block =
                        open.block
                        ?? Block(header: open.header, first: text, lines: [], column: column)
                    if width < column { block.lines.append(line.whitespace) }
                    open.block = block
                    open.pass(bytes[text])
                    literal = open
                    continue
                }
                close()
            }
            if line.opensLiteral(bytes) {
                let column = line.contentColumn(bytes)
                let start = min(text.lowerBound + column - line.column, text.upperBound)
                literal = Literal(
                    header: String(
                        decoding: bytes[start..<text.upperBound].prefix(80), as: UTF8.self),
                    parent: column)
            }
        }
        close()
        return blocks
    }

    /// The octets with which PEM begins.
    static let begin = Array("-----BEGIN ".utf8)
    fileprivate static let end = Array("-----END ".utf8)

    fileprivate static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: return true
        default: return false
        }
    }
}

extension IndentedLine {
    /// The text without the blanks at its ends.
    fileprivate func text(_ bytes: [UInt8]) -> Range<Int> {
        var last = end
        while last > whitespace.upperBound, bytes[last - 1] <= 0x20 { last -= 1 }
        return whitespace.upperBound..<last
    }
}
