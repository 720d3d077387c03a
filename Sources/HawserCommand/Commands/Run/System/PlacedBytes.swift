/// Bytes that are read by their place: a file, or an array.
protocol PlacedBytes {
    /// `count` bytes from `offset`; nil where the file ends before.
    func bytes(at offset: UInt64, count: Int) -> [UInt8]?
}

extension [UInt8]: PlacedBytes {
    func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard count >= 0, offset <= UInt64(self.count), self.count - Int(offset) >= count else {
            return nil
        }
        return Array(self[Int(offset)..<Int(offset) + count])
    }
}
