/// Adds an error node for each part of the text that could not be read.
extension TreeBuilder {
    /// Adds an error node for a removed part to the collection that it belonged to: by its column
    /// the collection that ends here, the one that opens here, or the one around both.
    mutating func attachRemoved(before event: YAMLEvent) {
        let ends = event.kind == .listEnd || event.kind == .mapEnd
        let opens = event.kind == .listStart || event.kind == .mapStart
        while nextRemoved < removed.count, removed[nextRemoved].range.lowerBound < event.start {
            guard let frame = frames.last else { return }
            let region = removed[nextRemoved]
            if ends, frame.column >= 0, region.column < frame.column { return }
            if opens, event.style == .block, region.column > frame.column { return }
            nextRemoved += 1
            // Between a key and its value there cannot be another entry.
            if frame.isMap, !expectsKey { continue }
            let node = addError(region.range)
            if frame.isMap { pending.append(node) }
            pending.append(node)
        }
    }

    /// The removed part after an offset, if only blanks and comments lie between. It stood where a
    /// value is wanted.
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
