/// Plain scalars that other YAML readers do not read as text: the booleans and nulls of YAML 1.1
/// (yaml.org/type/bool.html, null.html), and every spelling of a number in YAML 1.1 and 1.2. Where
/// text or an id is wanted, they must be quoted (LANGUAGE section 1.2).
package enum AmbiguousScalar {
    /// The problem of an ambiguous plain scalar; nil if every YAML reader reads it as text.
    package static func problem(of text: String) -> ScalarProblem? {
        let octets = text.utf8
        // Most texts are told by their length and their first octet: a word is short, and signs,
        // the dot and digits stand before the letters.
        guard let first = octets.first, octets.count <= longestWord || first <= 0x39 else {
            return nil
        }
        let meaning: String
        switch octets.count <= longestWord ? text.lowercased() : "" {
        case "true", "yes", "on", "y": meaning = "true"
        case "false", "no", "off", "n": meaning = "false"
        case "null", "~": meaning = "nothing"
        default:
            guard first <= 0x39, isNumber(Array(octets)) else { return nil }
            meaning = "a number"
        }
        return ScalarProblem(
            .ambiguousScalar,
            "plain \(ScalarProblem.quote(text)) is \(meaning) to other YAML readers; here text is "
                + "wanted",
            help: ["quote it: `\"\(text)\"`"])
    }

    /// Octets of the longest word that is read as a boolean or as nothing: `false`.
    private static let longestWord = 5

    /// Whether some YAML reader reads the bytes as a number: integers in bases 2, 8, 10, 16 and 60,
    /// floats, infinities and not-a-number, with `_` between digits.
    private static func isNumber(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            rest = rest.dropFirst()
        }
        guard let first = rest.first else { return false }
        if first == UInt8(ascii: ".") {
            let word = String(decoding: rest, as: UTF8.self).lowercased()
            if word == ".inf" || word == ".nan" { return true }
        } else if !DecimalNumber.isDigit(first) {
            return false
        }
        if first == 0x30, rest.count > 2 {
            let digits = rest.dropFirst(2)
            switch rest[rest.startIndex + 1] {
            case UInt8(ascii: "x"), UInt8(ascii: "X"):
                return digits.allSatisfy { isHex($0) || $0 == UInt8(ascii: "_") }
            case UInt8(ascii: "o"), UInt8(ascii: "O"):
                return digits.allSatisfy { (0x30...0x37).contains($0) || $0 == UInt8(ascii: "_") }
            case UInt8(ascii: "b"), UInt8(ascii: "B"):
                return digits.allSatisfy { (0x30...0x31).contains($0) || $0 == UInt8(ascii: "_") }
            default:
                break
            }
        }
        return isSexagesimal(rest) || isDecimal(rest)
    }

    /// `digits [. digits] [e [sign] digits]`, with a digit somewhere before the exponent.
    private static func isDecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
        func isFiller(_ byte: UInt8) -> Bool {
            DecimalNumber.isDigit(byte) || byte == UInt8(ascii: "_")
        }
        var mantissa = bytes.prefix { isFiller($0) }
        var rest = bytes[mantissa.endIndex...]
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { isFiller($0) }
            mantissa += fraction
            rest = bytes[fraction.endIndex...]
        }
        guard mantissa.contains(where: { DecimalNumber.isDigit($0) }) else { return false }
        guard let mark = rest.first else { return true }
        guard mark | 0x20 == UInt8(ascii: "e") else { return false }
        var exponent = rest.dropFirst()
        if let sign = exponent.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            exponent = exponent.dropFirst()
        }
        return !exponent.isEmpty && exponent.allSatisfy { DecimalNumber.isDigit($0) }
    }

    /// `digits { ":" digit [digit] } [ "." digits ]`: base 60 in YAML 1.1, so `22:22` is 1342.
    private static func isSexagesimal(_ bytes: ArraySlice<UInt8>) -> Bool {
        var groups = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard groups.count > 1 else { return false }
        if let point = groups[groups.count - 1].firstIndex(of: UInt8(ascii: ".")) {
            let fraction = groups[groups.count - 1][(point + 1)...]
            guard fraction.allSatisfy({ DecimalNumber.isDigit($0) }) else { return false }
            groups[groups.count - 1] = groups[groups.count - 1][..<point]
        }
        return groups.allSatisfy { group in
            !group.isEmpty && group.allSatisfy { DecimalNumber.isDigit($0) }
        }
            && groups.dropFirst().allSatisfy {
                $0.count <= 2 && ($0.count < 2 || ($0.first ?? 0) < 0x36)
            }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        DecimalNumber.isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}
