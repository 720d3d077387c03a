/// Where the characters of UTF-8 begin and end (RFC 3629 section 3).
extension BidirectionalCollection<UInt8> {
    /// The index after the last octet of the character that has an octet at an index. At
    /// `endIndex`, which has no character, `endIndex`.
    func characterEnd(_ index: Index) -> Index {
        guard index < endIndex else { return endIndex }
        var end = self.index(after: index)
        while end < endIndex, self[end] & 0xC0 == 0x80 { formIndex(after: &end) }
        return end
    }

    /// The index of the first octet of the character that has an octet at an index.
    func characterStart(_ index: Index) -> Index {
        var start = index
        while start > startIndex, self[start] & 0xC0 == 0x80 { formIndex(before: &start) }
        return start
    }
}
