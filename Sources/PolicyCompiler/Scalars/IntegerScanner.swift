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
            if let number = plain(text), range.contains(number) {
                throw ScalarProblem(
                    .unknownValue, "\(ScalarProblem.quote(text)) is not an integer; \(takes)",
                    write: "\(number)")
            }
            throw ScalarProblem(
                .unknownValue, "\(ScalarProblem.quote(text)) is not an integer; \(takes)",
                help: ["write only decimal digits, without sign, point or unit"])
        }
    }

    /// The number in a text that has a unit, a sign `+`, separators or an empty fraction beside its
    /// digits; nil for any other text.
    private static func plain(_ text: String) -> Int? {
        var rest = text.lowercased()[...]
        if rest.hasPrefix("rsa") { rest = rest.dropFirst(3) }
        rest = rest.drop { " -_+=".contains($0) }
        for end in ["bits", "bit", ".0"] where rest.hasSuffix(end) {
            rest = rest.dropLast(end.count)
            break
        }
        while let last = rest.last, " -_".contains(last) { rest = rest.dropLast() }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        return isNegative ? nil : DecimalNumber.value(of: rest.filter { !"_ ',".contains($0) })
    }
}
