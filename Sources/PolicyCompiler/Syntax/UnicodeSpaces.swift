internal import TrustEngine

/// Spaces of Unicode, such as U+00A0, outside quotes and comments. They look like blanks, and YAML
/// reads them as letters: what seems to be indentation, or the blank after a `:`, is a part of the
/// text beside it.
enum UnicodeSpaces {
    /// Where such spaces stand.
    enum Place {
        /// Before the first character of a line.
        case indentation
        /// Where YAML wants a blank, as after a `:`.
        case separator
        /// After the last character of a line.
        case end
        /// Between two characters of a text.
        case inside
    }

    /// Such spaces and the blanks between them.
    struct Run {
        var range: Range<Int>
        /// The first of the spaces.
        var scalar: Unicode.Scalar
        var place: Place
        /// The number of blanks that look alike.
        var blanks: Int
        /// Whether a text with blanks in their place can only be what its author sees.
        var isCertain: Bool
    }

    /// Finds them all. Takes time in proportion to the octets.
    static func runs(_ bytes: [UInt8]) -> [Run] {
        let text = UnquotedText(bytes)
        var runs: [Run] = []
        for indent in text.literalIndents {
            var offset = indent.lowerBound
            while offset < indent.upperBound {
                var run = stretch(bytes, &offset, indent.upperBound)
                run?.place = .indentation
                if let run { runs.append(run) }
            }
        }
        for part in text.parts {
            var offset = part.range.lowerBound
            while offset < part.range.upperBound {
                let start = offset
                guard var run = stretch(bytes, &offset, part.range.upperBound) else { continue }
                run.place = place(bytes, start..<offset, part)
                if run.place == .inside {
                    // With a blank in its place the text could end, or become a map.
                    let after = offset < bytes.count ? bytes[offset] : 0x0A
                    run.isCertain = run.isCertain && after != 0x23 && bytes[start - 1] != 0x3A
                }
                runs.append(run)
            }
        }
        return runs.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// A text without the spaces of Unicode, and the blanks beside them, at its ends; nil if it has
    /// none there.
    static func trimmed(_ text: String) -> String? {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        func isWhite(_ scalar: Unicode.Scalar) -> Bool {
            scalar == " " || HiddenCharacter.isSpace(scalar)
        }
        var rest = text.unicodeScalars[...]
        while let first = rest.first, isWhite(first) { rest.removeFirst() }
        while let last = rest.last, isWhite(last) { rest.removeLast() }
        return rest.isEmpty || rest.count == text.unicodeScalars.count ? nil : String(rest)
    }

    /// Passes one character, or all spaces, blanks and tabs from an offset on. Returns the spaces
    /// of Unicode among them.
    private static func stretch(
        _ bytes: [UInt8], _ offset: inout Int, _ end: Int
    ) -> Run? {
        var run: Run?
        var blanksAfter = 0
        let start = offset
        while offset < end {
            if let space = UnquotedText.space(bytes, offset) {
                let value = space.scalar.value
                let isNarrow = value != 0x3000 && value != 0x1680 && value != 0x2800
                let from = run?.range.lowerBound ?? offset
                let first = run?.scalar ?? space.scalar
                run = Run(
                    range: from..<offset + space.length, scalar: first, place: .inside,
                    blanks: (run?.blanks ?? 0) + (run == nil ? 0 : blanksAfter)
                        + (value == 0x3000 ? 2 : 1),
                    isCertain: (run?.isCertain ?? true) && isNarrow)
                blanksAfter = 0
                offset += space.length
            } else if [0x20, 0x09, 0x0D].contains(bytes[offset]) {
                blanksAfter += 1
                offset += 1
            } else {
                break
            }
        }
        if offset == start { offset += 1 }
        return run
    }

    /// The place of the white range of a part.
    private static func place(
        _ bytes: [UInt8], _ white: Range<Int>, _ part: UnquotedText.Part
    ) -> Place {
        let after = white.upperBound
        if white.lowerBound == part.range.lowerBound {
            // Behind a quote that closes, only punctuation can stand.
            if part.beginsLine { return .indentation }
            return after >= part.range.upperBound && part.endsLine ? .end : .separator
        }
        if after >= part.range.upperBound {
            guard part.endsLine else { return .separator }
            return after < bytes.count && bytes[after] == 0x23 ? .inside : .end
        }
        let next = part.firstToken(from: after)
        let tokens = part.tokens
        if next < tokens.count, tokens[next].offset == after { return .separator }
        switch bytes[after] {
        case 0x3A:
            // A colon ends a key where a value can follow it.
            return next < tokens.count || after + 1 >= part.range.upperBound ? .separator : .inside
        case 0x2C, 0x5D, 0x7D:
            return next > 0 && tokens[next - 1].isFlow ? .separator : .inside
        default: return .inside
        }
    }
}
