/// Punycode (RFC 3492): the code points of a U-label as ASCII, without the prefix `xn--`.
enum Punycode {
    /// Parameter values of RFC 3492 section 5.
    private static let base: UInt32 = 36
    private static let minimumThreshold: UInt32 = 1
    private static let maximumThreshold: UInt32 = 26
    private static let skew: UInt32 = 38
    private static let damp: UInt32 = 700
    private static let firstBias: UInt32 = 72
    private static let firstCode: UInt32 = 0x80
    private static let delimiter = UInt8(ascii: "-")

    /// Lower-case Punycode of code points; nil if a number does not fit. O(n²).
    static func encode(_ codes: [UInt32]) -> [UInt8]? {
        var output = codes.filter { $0 < firstCode }.map { UInt8(truncatingIfNeeded: $0) }
        let basicCount = UInt32(output.count)
        var handled = basicCount
        if basicCount > 0 { output.append(delimiter) }
        var code = firstCode
        var delta: UInt32 = 0
        var bias = firstBias
        while handled < codes.count {
            guard let next = codes.filter({ $0 >= code }).min() else { return nil }
            let (step, overflow) = (next - code).multipliedReportingOverflow(by: handled + 1)
            let (sum, overflowToo) = delta.addingReportingOverflow(step)
            guard !overflow, !overflowToo else { return nil }
            delta = sum
            code = next
            for other in codes {
                if other < code {
                    guard delta < UInt32.max else { return nil }
                    delta += 1
                }
                guard other == code else { continue }
                appendNumber(delta, bias: bias, to: &output)
                bias = adapted(delta, points: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            guard delta < UInt32.max else { return nil }
            delta += 1
            code += 1
        }
        return output
    }

    /// The code points of lower-case Punycode; nil if it is malformed or a number is not a Unicode
    /// scalar value. O(n²).
    static func decode(_ input: some Collection<UInt8>) -> [UInt32]? {
        let bytes = Array(input)
        let basicEnd = bytes.lastIndex(of: delimiter) ?? 0
        var output = bytes[..<basicEnd].map { UInt32($0) }
        guard output.allSatisfy({ $0 < firstCode }) else { return nil }
        var position = bytes.contains(delimiter) ? basicEnd + 1 : 0
        var code = firstCode
        var index: UInt32 = 0
        var bias = firstBias
        while position < bytes.count {
            let before = index
            var weight: UInt32 = 1
            var digitOffset = base
            while true {
                guard position < bytes.count, let digit = value(bytes[position]) else { return nil }
                position += 1
                let (step, overflow) = digit.multipliedReportingOverflow(by: weight)
                let (sum, overflowToo) = index.addingReportingOverflow(step)
                guard !overflow, !overflowToo else { return nil }
                index = sum
                let limit = threshold(digitOffset, bias)
                if digit < limit { break }
                let (heavier, tooHeavy) = weight.multipliedReportingOverflow(by: base - limit)
                guard !tooHeavy else { return nil }
                weight = heavier
                digitOffset += base
            }
            let count = UInt32(output.count) + 1
            bias = adapted(index - before, points: count, isFirst: before == 0)
            let (next, overflow) = code.addingReportingOverflow(index / count)
            guard !overflow, Unicode.Scalar(next) != nil else { return nil }
            code = next
            index %= count
            output.insert(code, at: Int(index))
            index += 1
        }
        return output
    }

    /// Section 3.3: a generalized variable-length integer.
    private static func appendNumber(_ number: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var rest = number
        var digitOffset = base
        while true {
            let limit = threshold(digitOffset, bias)
            guard rest >= limit else { break }
            output.append(digit(limit + (rest - limit) % (base - limit)))
            rest = (rest - limit) / (base - limit)
            digitOffset += base
        }
        output.append(digit(rest))
    }

    private static func threshold(_ digitOffset: UInt32, _ bias: UInt32) -> UInt32 {
        digitOffset <= bias
            ? minimumThreshold : min(max(digitOffset - bias, minimumThreshold), maximumThreshold)
    }

    /// Section 6.1.
    private static func adapted(_ delta: UInt32, points: UInt32, isFirst: Bool) -> UInt32 {
        var rest = isFirst ? delta / damp : delta / 2
        rest += rest / points
        var bias: UInt32 = 0
        while rest > (base - minimumThreshold) * maximumThreshold / 2 {
            rest /= base - minimumThreshold
            bias += base
        }
        return bias + (base - minimumThreshold + 1) * rest / (rest + skew)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        let small = UInt8(truncatingIfNeeded: value)
        return small < 26 ? 0x61 + small : 0x30 + small - 26
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case 0x61...0x7A: return UInt32(digit - 0x61)
        case 0x30...0x39: return UInt32(digit - 0x30 + 26)
        default: return nil
        }
    }
}
