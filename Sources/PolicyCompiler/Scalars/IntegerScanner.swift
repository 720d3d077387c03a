/// Reads integers: decimal digits without sign or leading zero, in the range of the field.
package enum IntegerScanner {
    /// Reads an integer.
    ///
    /// - Parameters:
    ///   - field: the dotted path of the field, for the message.
    ///   - range: the values that the field allows.
    /// - Throws: HW103 for another spelling or a value outside `range`; HW014, HW011.
    package static func scan(
        _ text: String, for field: String, in range: ClosedRange<Int>
    ) throws(ScalarProblem) -> Int {
        try ScalarProblem.requireText(text, of: "`\(field)`")
        // Made only for a message.
        var takes: String { "`\(field)` takes \(range.lowerBound) to \(range.upperBound)" }
        let bytes = Array(text.utf8)
        switch DecimalNumber.read(bytes[...]) {
        case .value(let value):
            guard let number = Int(exactly: value), range.contains(number) else {
                throw ScalarProblem(.unknownValue, "\(takes); found \(value)")
            }
            return number
        case .tooLarge:
            throw ScalarProblem(.unknownValue, "\(takes); found \(ScalarProblem.quote(text))")
        case .leadingZero:
            let plain = DecimalNumber.withoutLeadingZeros(bytes[...])
            throw ScalarProblem(
                .unknownValue, "\(ScalarProblem.quote(text)) begins with a zero; \(takes)",
                write: plain)
        case .notDigit:
            throw ScalarProblem(
                .unknownValue, "\(ScalarProblem.quote(text)) is not an integer; \(takes)",
                help: ["write decimal digits alone, without sign, point or unit"])
        }
    }
}
