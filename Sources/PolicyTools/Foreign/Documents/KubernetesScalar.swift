/// The types that Kubernetes gives to words without quotes in YAML.
///
/// Source: `resolve.go` of go-yaml 2.4, which sigs.k8s.io/yaml and with it kubectl read files by.
enum KubernetesScalar {
    private static let words: Set<String> = [
        "y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE",
        "n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE",
        ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF",
        "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF",
    ]
    private static let radixes: [UInt8: Int] = [
        UInt8(ascii: "x"): 16, UInt8(ascii: "b"): 2, UInt8(ascii: "o"): 8,
    ]

    /// Whether a word is a number, true or false. Numbers may have `_` between their digits.
    static func isOfOtherType(_ text: String) -> Bool {
        if words.contains(text) { return true }
        guard let first = text.utf8.first, isDigit(first) || "+-.".utf8.contains(first) else {
            return false
        }
        var rest = text.utf8.filter { $0 != UInt8(ascii: "_") }[...]
        skipSign(&rest)
        if rest.first == UInt8(ascii: "0"),
            let radix = rest.dropFirst().first.flatMap({
                radixes[$0 | 0x20]
            })
        {
            let digits = rest.dropFirst(2)
            guard let first = digits.first, !"+-".utf8.contains(first) else { return false }
            return UInt64(String(decoding: digits, as: UTF8.self), radix: radix) != nil
        }
        return isDecimal(rest)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
    private static func isDecimal(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        var digits = skipDigits(&rest)
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            digits += skipDigits(&rest)
        }
        guard digits > 0 else { return false }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            skipSign(&rest)
            guard skipDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func skipSign(_ rest: inout ArraySlice<UInt8>) {
        if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
    }

    /// Returns how many digits there were.
    private static func skipDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let count = rest.prefix(while: isDigit).count
        rest = rest.dropFirst(count)
        return count
    }
}
