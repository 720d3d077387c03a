/// Why a label is not a U-label or A-label.
struct IDNAProblem: Error, Hashable {
    /// The end of a sentence whose subject is the name. Lower case, no full stop.
    let message: String
    let help: [String]

    init(_ message: String, help: [String] = []) {
        self.message = message
        self.help = help
    }
}

/// Internationalized names by UTS #46: non-transitional; with UseSTD3ASCIIRules (the characters
/// that LANGUAGE section 11 allows in a label), CheckBidi and CheckJoiners; without CheckHyphens,
/// so that the third and fourth characters may be hyphens, but not the ends. The caller checks
/// lengths.
///
/// The steps: map the whole name (`mapped`); split it at its dots; turn each label outside ASCII
/// into an A-label (`asciiLabel`) and each A-label into a U-label (`unicodeLabel`); then check the
/// bidi rule for all labels together (`requireBidi`). A policy holds only A-labels that came
/// through both conversions unchanged.
enum IDNA {
    private static let prefix = "xn--"

    /// UTS #46 section 4, steps 1 and 2: every code point mapped, then Normalization Form C.
    static func mapped(_ name: String) throws(IDNAProblem) -> String {
        let tables = IDNATables.shared
        var codes: [UInt32] = []
        for scalar in name.unicodeScalars {
            let code = scalar.value
            if let targets = tables.mapping(of: code) {
                codes += targets
            } else if tables.kind(of: code) != nil {
                codes.append(code)
            } else {
                throw disallowed(code)
            }
        }
        return text(CanonicalComposition.normalized(codes))
    }

    /// The A-label of a mapped label outside ASCII.
    static func asciiLabel(_ label: String) throws(IDNAProblem) -> String {
        let codes = label.unicodeScalars.map(\.value)
        try requireValid(codes)
        guard let punycode = Punycode.encode(codes) else {
            throw IDNAProblem("its label `\(label)` is too long for an A-label")
        }
        return prefix + String(decoding: punycode, as: UTF8.self)
    }

    /// The U-label of an A-label in lower case. The U-label must encode to the same A-label.
    static func unicodeLabel(_ label: String) throws(IDNAProblem) -> String {
        let quoted = ScalarProblem.quote(label)
        let body = label.utf8.dropFirst(prefix.utf8.count)
        guard let codes = Punycode.decode(body), !codes.isEmpty else {
            throw IDNAProblem("its label \(quoted) begins with `xn--` and is not Punycode")
        }
        let written = text(codes)
        guard codes.contains(where: { $0 >= 0x80 }) else {
            throw IDNAProblem(
                "its label \(quoted) is Punycode of ASCII alone",
                help: ["write the label `\(written)`"])
        }
        if let mapped = try? IDNA.mapped(written), mapped != written {
            let isASCII = mapped.utf8.allSatisfy { $0 < 0x80 }
            let meant = isASCII ? mapped : try? asciiLabel(mapped)
            throw IDNAProblem(
                "its label \(quoted) does not round-trip: it stands for `\(written)`, which is "
                    + "`\(mapped)` in a name",
                help: meant.map { ["write the label `\($0)`"] } ?? [])
        }
        try requireValid(codes)
        guard let again = Punycode.encode(codes), again.elementsEqual(body) else {
            throw IDNAProblem(
                "its label \(quoted) does not round-trip: `\(written)` has another A-label",
                help: Punycode.encode(codes).map {
                    ["write the label `\(prefix)\(String(decoding: $0, as: UTF8.self))`"]
                } ?? [])
        }
        return written
    }

    /// CheckBidi for the labels of one name, given as U-labels where there are A-labels.
    static func requireBidi(_ labels: [String]) throws(IDNAProblem) {
        if labels.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) { return }
        let codes = labels.map { $0.unicodeScalars.map(\.value) }
        guard codes.contains(where: BidiRule.isRightToLeft) else { return }
        for (label, codes) in zip(labels, codes) {
            guard let condition = BidiRule.brokenCondition(of: codes) else { continue }
            throw IDNAProblem(
                "its label `\(label)` mixes directions of writing, so that the name would read in "
                    + "more than one way (RFC 5893 section 2, condition \(condition))")
        }
    }

    /// The validity criteria of UTS #46 section 4.1, without CheckBidi. `codes` must not be empty.
    private static func requireValid(_ codes: [UInt32]) throws(IDNAProblem) {
        let tables = IDNATables.shared
        for code in codes {
            guard tables.kind(of: code) != nil, tables.mapping(of: code) == nil else {
                throw disallowed(code)
            }
            if code < 0x80, !isLabelByte(UInt8(truncatingIfNeeded: code)) {
                throw disallowed(code)
            }
        }
        let label = text(codes)
        guard CanonicalComposition.normalized(codes) == codes else {
            throw IDNAProblem("its label `\(label)` is not in Normalization Form C")
        }
        let hyphen = UInt32(UInt8(ascii: "-"))
        guard codes.first != hyphen, codes.last != hyphen else {
            throw IDNAProblem(
                "its label `\(label)` \(codes.first == hyphen ? "begins" : "ends") with a hyphen")
        }
        guard !label.hasPrefix(prefix) else {
            throw IDNAProblem("its label `\(label)` begins with `xn--` and is not ASCII")
        }
        if let first = codes.first, tables.kind(of: first)?.isMark == true {
            throw IDNAProblem("its label `\(label)` begins with a combining mark, \(name(first))")
        }
        for index in codes.indices where !isJoinerGood(codes, index, tables) {
            throw IDNAProblem(
                "its label `\(label)` has \(name(codes[index])), a joiner, where no script needs "
                    + "one")
        }
    }

    /// CheckJoiners: RFC 5892 appendix A.1 (zero width non-joiner) and A.2 (zero width joiner).
    private static func isJoinerGood(
        _ codes: [UInt32], _ index: Int, _ tables: IDNATables
    ) -> Bool {
        guard codes[index] == nonJoiner || codes[index] == joiner else { return true }
        guard index > 0 else { return false }
        if tables.kind(of: codes[index - 1])?.combiningClass == virama { return true }
        guard codes[index] == nonJoiner else { return false }
        func joining(_ code: UInt32) -> IDNATables.JoiningType {
            tables.kind(of: code)?.joining ?? .none
        }
        let before = codes[..<index].last { joining($0) != .transparent }.map(joining)
        let after = codes[(index + 1)...].first { joining($0) != .transparent }.map(joining)
        return (before == .left || before == .dual) && (after == .right || after == .dual)
    }

    private static func disallowed(_ code: UInt32) -> IDNAProblem {
        IDNAProblem("no label holds \(name(code))")
    }

    /// A code point for a message. It is shown as itself only if it is visible and harmless.
    private static func name(_ code: UInt32) -> String {
        let digits = String(code, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        guard let scalar = Unicode.Scalar(code) else { return "U+\(padded)" }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber,
            .otherNumber, .letterNumber, .mathSymbol, .currencySymbol, .otherSymbol,
            .dashPunctuation, .openPunctuation, .closePunctuation, .otherPunctuation,
            .initialPunctuation, .finalPunctuation, .connectorPunctuation, .modifierSymbol:
            return "`\(Character(scalar))` (U+\(padded))"
        default:
            return "U+\(padded)"
        }
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        DecimalNumber.isDigit(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    private static func text(_ codes: [UInt32]) -> String {
        var text = ""
        for case let scalar? in codes.map({ Unicode.Scalar($0) }) {
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    private static let nonJoiner: UInt32 = 0x200C
    private static let joiner: UInt32 = 0x200D
    /// Canonical combining class of viramas.
    private static let virama: UInt8 = 9
}
