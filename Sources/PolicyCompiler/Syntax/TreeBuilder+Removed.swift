/// Parts of the text that could not be read: each gets an error node where it stood.
extension TreeBuilder {
    /// Puts an error node where a removed part stood, in the collection it belonged to: by its
    /// column, that which ends here, that which opens here, or the one around both.
    mutating func attachRemoved(before event: YAMLEvent) {
        let ends = event.kind == .listEnd || event.kind == .mapEnd
        let opens = event.kind == .listStart || event.kind == .mapStart
        while nextRemoved < removed.count, removed[nextRemoved].range.lowerBound < event.start {
            guard let frame = frames.last else { return }
            let region = removed[nextRemoved]
            if ends, frame.column >= 0, region.column < frame.column { return }
            if opens, event.style == .block, region.column > frame.column { return }
            nextRemoved += 1
            // Between a key and its value there is no room for an entry.
            if frame.isMap, !expectsKey { continue }
            let node = addError(region.range)
            if frame.isMap { pending.append(node) }
            pending.append(node)
        }
    }

    /// A removed part that stood where a value is wanted: only blanks and comments lie between.
    mutating func removedValue(after end: Int) -> Range<Int>? {
        guard nextRemoved < removed.count else { return nil }
        let region = removed[nextRemoved]
        guard region.range.lowerBound >= end, region.column > (frames.last?.column ?? -1)
        else { return nil }
        var isComment = false
        for byte in input[end..<region.range.lowerBound] {
            if byte == 0x0A { isComment = false }
            if byte == 0x23 { isComment = true }
            if !isComment, byte != 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 { return nil }
        }
        nextRemoved += 1
        return region.range
    }
}
