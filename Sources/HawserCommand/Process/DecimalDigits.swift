extension FixedWidthInteger {
    /// Reads decimal digits, and nothing else: without a sign, which `init(_:)` takes. Nil for any
    /// other text, and for a number that does not fit.
    init?(decimalDigits text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }
}
