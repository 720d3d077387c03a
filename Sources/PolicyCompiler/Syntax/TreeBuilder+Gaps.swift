/// Reads the text between libyaml's events: comments, which libyaml drops, and tags, anchors and
/// the `?` of a key, whose offsets it does not tell.
extension TreeBuilder {
    /// Reads comments and stray punctuation between two events.
    mutating func readGap(_ gap: Range<Int>) {
        var offset = gap.lowerBound
        while offset < gap.upperBound {
            switch input[offset] {
            case 0x23: offset = readComment(offset, gap.upperBound)
            case 0x3F where offset + 1 < input.count && input[offset + 1] <= 0x20:
                report(
                    .yamlFeature, "a key written with `?` stands here; a key is text before `:`",
                    offset..<offset + 1, label: "`?`", help: ["write `KEY: VALUE`"])
                offset += 1
            default: offset += 1
            }
        }
    }

    /// Adds the comment at an offset. Returns the offset of the line's end.
    mutating func readComment(_ start: Int, _ limit: Int) -> Int {
        var end = start
        while end < limit, input[end] != 0x0A { end += 1 }
        let text = input[end - 1] == 0x0D ? start..<end - 1 : start..<end
        comments.append(span(text))
        return end
    }

    mutating func readLiteralHeader(_ written: Range<Int>) {
        var offset = written.lowerBound
        while offset < written.upperBound, input[offset] != 0x0A {
            if input[offset] == 0x23 {
                _ = readComment(offset, written.upperBound)
                return
            }
            offset += 1
        }
    }

    /// Reads tags and anchors before a node. Returns the offset after them.
    mutating func readProperties(_ event: YAMLEvent) -> Int {
        var offset = event.start
        while offset < input.count {
            let byte = input[offset]
            if byte == 0x23 {
                offset = readComment(offset, input.count)
            } else if byte <= 0x20 {
                offset += 1
            } else if byte == 0x26 || byte == 0x21 {
                let end = propertyEnd(offset)
                if byte == 0x26 {
                    report(
                        .aliasOrMerge,
                        "an anchor of YAML stands here; a policy says everything where it counts",
                        offset..<end, label: "anchor", help: Self.profileHelp)
                } else {
                    report(
                        .explicitTag, "a tag stands here; in a policy the key decides the type",
                        offset..<end, label: "tag", help: ["delete it"])
                }
                offset = end
            } else {
                break
            }
            if event.kind == .scalar, offset >= event.end { return event.end }
        }
        return offset
    }

    private func propertyEnd(_ start: Int) -> Int {
        var end = start + 1
        while end < input.count, input[end] > 0x20 {
            if isInFlow, [0x2C, 0x5B, 0x5D, 0x7B, 0x7D].contains(input[end]) { break }
            end += 1
        }
        return end
    }
}
