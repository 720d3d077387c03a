import Foundation
import PolicyTools
import TestPKI

/// A mistake that people make while they write or paste a policy. Each is made at one place of a
/// text, by chance; what the text meant is known, because it stood there before.
enum TypedMistake: String, CaseIterable, Sendable {
    // Slips of the hand.
    case typoInKey, typoInWord, missingColon, missingQuote, missingBracket, missingComma
    case missingDash, missingBlank, uppercaseKey, uppercaseValue, snakeCase, camelCase
    case duplicatedLine, lineCutOff, fileCutOff, emptiedValue, strayCharacter
    // Layout.
    case tab, tabs, indentedByOneMore, indentedByOneLess, indentedByTwoMore, twoItemsOnALine
    case itemsInOneText, listWithoutBrackets, listOnTheLineOfItsKey, scalarForList
    // What editors, chats and shells do.
    case typographicQuotes, typographicDash, noBreakSpace, hiddenSpace, byteOrderMark, crlf
    case conflictMarkers, placeholder, endedByComment
    // Words of other tools.
    case yamlBoolean, schemeBeforeHost, trailingDot, leadingDot, emptyPort, namedPort, zeroPort
    case pathBehindHost, starInside, spiffeForHost, pinOfCurl, pinsOfCurl, pinOfHPKP, pinsOfHPKP
    case pinWithoutName, pinInCapitals, pinUnpadded, pinURLSafe, pinHex, certificateFingerprint
    case dateWithSlashes, dateWithoutZeros, dateWithTime, durationInWords, numberWithUnit
    case numberWithSeparator, leadingZero, versionOfOpenSSL, wordOfAnotherTool

    /// A text with a mistake, and its certain meaning where that differs from the text before: a
    /// list of two pins is about both.
    struct Made {
        var text: String
        var meant: String?
    }

    /// The text with this mistake; nil where it fits nowhere.
    func made(in text: String, _ random: inout SplitMix) -> Made? {
        if self == .pinsOfCurl || self == .pinsOfHPKP { return listedPins(in: text, &random) }
        return damaged(text, &random).map { Made(text: $0) }
    }

    /// Two pins of a set in one value. What was meant has an entry for each.
    private func listedPins(in text: String, _ random: inout SplitMix) -> Made? {
        let entries = text.matches(
            of: /\n( +[a-z0-9-]+)(: \{ spki: )sha256\/([A-Za-z0-9+\/=]+)([^\n]*)/)
        guard !entries.isEmpty else { return nil }
        let entry = entries[Int.random(in: 0..<entries.count, using: &random)]
        let (_, name, before, pin, behind) = entry.output
        let other = TypedMistake.spare(of: String(pin))
        let list =
            self == .pinsOfCurl
            ? "\"sha256//\(pin);sha256//\(other)\""
            : "'pin-sha256=\"\(pin)\"; pin-sha256=\"\(other)\"; max-age=5184000'"
        let (head, tail) = (text[..<entry.range.lowerBound], text[entry.range.upperBound...])
        return Made(
            text: "\(head)\n\(name)\(before)\(list)\(behind)\(tail)",
            meant:
                "\(head)\n\(name)\(before)sha256/\(pin)\(behind)\n\(name)-too\(before)sha256/\(other)"
                + "\(behind)\(tail)")
    }

    private func damaged(_ text: String, _ random: inout SplitMix) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        let places = lines.indices.filter { index in
            !lines[index].allSatisfy(\.isWhitespace) && !lines[index].trimmed.hasPrefix("#")
        }
        guard !places.isEmpty else { return nil }
        switch self {
        case .byteOrderMark: return "\u{FEFF}" + text
        case .crlf: return text.replacing("\n", with: "\r\n")
        case .fileCutOff:
            let at = places[Int.random(in: 0..<places.count, using: &random)]
            let line = lines[at]
            let kept = line.prefix(Int.random(in: 0...line.count, using: &random))
            return (lines[..<at] + [String(kept)]).joined(separator: "\n")
        case .conflictMarkers:
            let at = places[Int.random(in: 0..<places.count, using: &random)]
            let other = TypedMistake.typoInWord.changed(lines[at], &random) ?? lines[at]
            lines[at] = [
                "<<<<<<< HEAD", lines[at], "=======", other, ">>>>>>> branch",
            ].joined(separator: "\n")
        case .twoItemsOnALine, .duplicatedLine, .tabs, .itemsInOneText, .listOnTheLineOfItsKey:
            guard let changed = acrossLines(lines, places, &random) else { return nil }
            lines = changed
        default:
            var left = places
            while !left.isEmpty {
                let at = left.remove(at: Int.random(in: 0..<left.count, using: &random))
                if let changed = changed(lines[at], &random), changed != lines[at] {
                    lines[at] = changed
                    return lines.joined(separator: "\n") + "\n"
                }
            }
            return nil
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Several lines

    private func acrossLines(
        _ before: [String], _ places: [Int], _ random: inout SplitMix
    ) -> [String]? {
        var lines = before
        switch self {
        case .duplicatedLine:
            let at = places[Int.random(in: 0..<places.count, using: &random)]
            lines.insert(lines[at], at: at)
        case .tabs:
            // A part of the file was indented with tabs of two or four blanks.
            let first = places[Int.random(in: 0..<places.count, using: &random)]
            let width = Bool.random(using: &random) ? 2 : 4
            let count = Int.random(in: 1...6, using: &random)
            for at in first..<min(first + count, lines.count) {
                let blanks = lines[at].prefix { $0 == " " }.count
                lines[at] =
                    String(repeating: "\t", count: blanks / width)
                    + lines[at].dropFirst(blanks / width * width)
            }
            return lines == before ? nil : lines
        case .twoItemsOnALine, .itemsInOneText:
            let pairs = places.filter { at in
                at + 1 < lines.count && lines[at].trimmed.hasPrefix("- ")
                    && lines[at + 1].trimmed.hasPrefix("- ")
                    && lines[at].prefix { $0 == " " } == lines[at + 1].prefix { $0 == " " }
                    && !lines[at].contains(": ") && !lines[at + 1].contains(": ")
            }
            guard !pairs.isEmpty else { return nil }
            let at = pairs[Int.random(in: 0..<pairs.count, using: &random)]
            let item = lines[at + 1].trimmed.dropFirst(2)
            if self == .twoItemsOnALine {
                let between = [" ", ", ", " - "][Int.random(in: 0..<3, using: &random)]
                lines[at] += between + item
            } else {
                guard lines[at].hasSuffix("\""), item.hasPrefix("\"") else { return nil }
                let between = [" ", ", ", ";"][Int.random(in: 0..<3, using: &random)]
                lines[at] = lines[at].dropLast() + between + item.dropFirst()
            }
            lines.remove(at: at + 1)
        case .listOnTheLineOfItsKey:
            let pairs = places.filter { at in
                at + 1 < lines.count && lines[at].hasSuffix(":")
                    && lines[at + 1].trimmed.hasPrefix("- ")
            }
            guard !pairs.isEmpty else { return nil }
            let at = pairs[Int.random(in: 0..<pairs.count, using: &random)]
            lines[at] += " " + lines[at + 1].trimmed
            lines.remove(at: at + 1)
        default: return nil
        }
        return lines
    }

    // MARK: One line

    /// The line with this mistake; nil where it does not fit.
    private func changed(_ line: String, _ random: inout SplitMix) -> String? {
        switch self {
        case .typoInKey: return line.changing(/[a-z][a-z0-9-]*(?=:)/, misspelt(&random))
        case .typoInWord: return line.changing(/([:\[,-] )([a-z][a-z0-9.-]+)/, misspelt(&random))
        case .missingColon: return line.changing(/:(?= |$)/) { _ in "" }
        case .missingQuote: return line.changing(/"/) { _ in "" }
        case .missingBracket:
            let brackets = [/\[/, /\]/, /\{/, /\}/]
            return line.changing(brackets[Int.random(in: 0..<4, using: &random)]) { _ in "" }
        case .missingComma: return line.changing(/,/) { _ in "" }
        case .missingDash: return line.changing(/-\ /) { _ in "" }
        case .missingBlank: return line.changing(/: (?=\S)/) { _ in ":" }
        case .uppercaseKey: return line.changing(/[a-z][a-z-]*(?=:)/) { $0.uppercased() }
        case .uppercaseValue:
            return line.changing(/([:\[,-] "?)([a-z][a-z0-9.*-]+)/) { $0.uppercased() }
        case .snakeCase:
            return line.changing(/[a-z]+-[a-z-]+(?=:)/) { $0.replacing("-", with: "_") }
        case .camelCase:
            return line.changing(/[a-z]+-[a-z-]+(?=:)/) { key in
                let words = key.split(separator: "-")
                return words[0] + words.dropFirst().map(\.capitalized).joined()
            }
        case .lineCutOff:
            let blanks = line.prefix { $0 == " " }.count
            guard line.count - blanks > 2 else { return nil }
            return String(line.prefix(Int.random(in: blanks + 1..<line.count, using: &random)))
        case .emptiedValue: return line.changing(/(: )(\S.*)$/) { _ in "" }
        case .strayCharacter:
            let marks = Array("]}[{,:;`@%&*!|>'\"#?")
            return line + String(marks[Int.random(in: 0..<marks.count, using: &random)])
        case .tab:
            let blanks = line.prefix { $0 == " " }.count
            guard blanks > 0 else { return nil }
            return "\t" + line.dropFirst(blanks)
        case .indentedByOneMore: return line.hasPrefix(" ") ? " " + line : nil
        case .indentedByOneLess: return line.hasPrefix(" ") ? String(line.dropFirst()) : nil
        case .indentedByTwoMore: return line.hasPrefix(" ") ? "  " + line : nil
        case .listWithoutBrackets:
            return line.changing(/\[[^\[\]{}]*\]/) { String($0.dropFirst().dropLast()) }
        case .scalarForList:
            return line.changing(/\[[^\[\]{},]*\]/) { String($0.dropFirst().dropLast()) }
        case .typographicQuotes:
            return line.changing(/"[^"]*"/) { "“\($0.dropFirst().dropLast())”" }
        case .typographicDash: return line.changing(/-/) { _ in "–" }
        case .noBreakSpace: return line.changing(/\ /) { _ in "\u{A0}" }
        case .hiddenSpace: return line.changing(/[a-z](?=[a-z])/) { $0 + "\u{200B}" }
        case .placeholder: return line.changing(/(: )([a-z0-9]\S*)$/) { _ in "${VALUE}" }
        case .endedByComment: return line + " # for now"
        case .yamlBoolean:
            let words = ["yes", "no", "on", "off", "true", "false", "null", "~"]
            return line.changing(/(: )([a-z][a-z0-9.-]*)(?=$|,|\ })/) { _ in
                words[Int.random(in: 0..<words.count, using: &random)]
            }
        case .schemeBeforeHost:
            let schemes = ["https://", "http://", "tcp://", "ldaps://", "grpc://"]
            let scheme = schemes[Int.random(in: 0..<schemes.count, using: &random)]
            return line.host { scheme + $0 }
        case .trailingDot: return line.host { $0 + "." }
        case .leadingDot: return line.host { "." + $0.drop { $0 == "*" || $0 == "." } }
        case .emptyPort: return line.host { $0.contains(":") ? $0 : $0 + ":" }
        case .namedPort: return line.host { $0.contains(":") ? $0 : $0 + ":https" }
        case .zeroPort:
            return line.host { $0.contains(":") ? $0.replacing(":", with: ":0") : $0 + ":0" }
        case .pathBehindHost: return line.host { $0 + "/v1/pay" }
        case .starInside: return line.host { "api-*.\($0)" }
        case .spiffeForHost: return line.host { "spiffe://\($0)/ns/pay" }
        default: return changedValue(line, &random)
        }
    }

    private func changedValue(_ line: String, _ random: inout SplitMix) -> String? {
        let pin = /sha256\/[A-Za-z0-9+\/=]+/
        switch self {
        case .pinOfCurl: return line.changing(pin) { $0.replacing("sha256/", with: "sha256//") }
        case .pinOfHPKP:
            return line.changing(pin) { "'pin-sha256=\"\($0.dropFirst(7))\"'" }
        case .pinWithoutName: return line.changing(pin) { String($0.dropFirst(7)) }
        case .pinInCapitals: return line.changing(pin) { "SHA256/\($0.dropFirst(7))" }
        case .pinUnpadded: return line.changing(pin) { $0.replacing("=", with: "") }
        case .pinURLSafe:
            return line.changing(pin) { pin in
                "sha256/"
                    + pin.dropFirst(7).replacing("+", with: "-").replacing("/", with: "_")
            }
        case .pinHex:
            return line.changing(pin) { pin in
                let octets = Data(base64Encoded: String(pin.dropFirst(7))) ?? Data()
                return octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
        case .certificateFingerprint:
            return line.changing(/sha256:[0-9a-f]{64}/) { digest in
                var rest = digest.dropFirst(7).uppercased()[...]
                var pairs: [Substring] = []
                while !rest.isEmpty {
                    pairs.append(rest.prefix(2))
                    rest = rest.dropFirst(2)
                }
                return "\"SHA256 Fingerprint=\(pairs.joined(separator: ":"))\""
            }
        case .dateWithSlashes: return line.changing(date) { $0.replacing("-", with: "/") }
        case .dateWithoutZeros: return line.changing(date) { $0.replacing("-0", with: "-") }
        case .dateWithTime:
            return line.changing(date) { day in
                day
                    + ["T00:00:00", "T02:00:00+02:00", " 00:00"][
                        Int.random(in: 0..<3, using: &random)]
            }
        case .durationInWords:
            return line.changing(/(: )(\d+(?:d|h|s|min))\b/) { text in
                let number = text.prefix { $0.isNumber }
                let unit = text.dropFirst(number.count)
                let names = ["d": "days", "h": "hours", "min": "minutes", "s": "seconds"]
                let name = names[String(unit)] ?? ""
                // Weeks mean seven times the days, and lint says so.
                if unit == "d", let days = Int(number), days.isMultiple(of: 7),
                    Bool.random(using: &random)
                {
                    return "\(days / 7)w"
                }
                let units = [" \(name)", name, " \(unit)", unit.uppercased(), "m", ""]
                return "\(number)\(units[Int.random(in: 0..<units.count, using: &random)])"
            }
        case .numberWithUnit: return line.changing(/(: )(\d+)(?=$|,|\ })/) { $0 + " bits" }
        case .numberWithSeparator:
            return line.changing(/(: )(\d{4})(?=$|\ })/) { "\($0.prefix(1))_\($0.dropFirst())" }
        case .leadingZero: return line.changing(/(: )(\d+)(?=$|,|\ })/) { "0" + $0 }
        case .versionOfOpenSSL:
            return line.changing(/tls1\.[23]/) { word in
                let number = word.dropFirst(3)
                let forms = [
                    "TLSv\(number)", "\(number)", "tls\(number.filter { $0 != "." })",
                    "TLS \(number)",
                ]
                return forms[Int.random(in: 0..<forms.count, using: &random)]
            }
        case .wordOfAnotherTool:
            let words = [
                "require": "required", "required": "require", "fail": "hard-fail",
                "system": "default",
                "leaf": "end-entity", "ca": "CA", "p256": "secp256r1", "p384": "P-384",
                "sha256": "SHA-256", "sha384": "SHA-384", "listed": "list", "deny": "reject",
                "server-auth": "serverAuth", "chrome": "google", "web-pki": "webpki",
            ]
            return line.changing(/(: |\[|, )([a-z][a-z0-9-]+)/) {
                words[$0] ?? $0
            }
        default: return nil
        }
    }

    private var date: Regex<Substring> { /20\d\d-\d\d-\d\d/ }

    /// A digest that no policy has.
    private static func spare(of text: String) -> String {
        var sum: UInt8 = 1
        for byte in text.utf8 { sum = sum &* 31 &+ byte }
        return Data((0..<32).map { sum &+ UInt8($0) &* 7 }).base64EncodedString()
    }

    private func misspelt(_ random: inout SplitMix) -> (String) -> String {
        let (kind, number) = (Int.random(in: 0..<4, using: &random), random.next())
        return { word in
            var letters = Array(word)
            let at = Int(number % UInt64(letters.count))
            switch kind {
            case 0 where letters.count > 1: letters.remove(at: at)
            case 1: letters.insert(letters[at], at: at)
            case 2 where at > 0: letters.swapAt(at, at - 1)
            default: letters[at] = letters[at] == "x" ? "y" : "x"
            }
            return String(letters)
        }
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }

    /// The text with its first part that fits changed.
    fileprivate func changing(
        _ part: some RegexComponent<Substring>, _ change: (String) -> String
    ) -> String? {
        guard let range = firstRange(of: part) else { return nil }
        return self[..<range.lowerBound] + change(String(self[range])) + self[range.upperBound...]
    }

    /// The text with the second part of what fits first changed.
    fileprivate func changing(
        _ parts: Regex<(Substring, Substring, Substring)>, _ change: (String) -> String
    ) -> String? {
        guard let match = firstMatch(of: parts) else { return nil }
        let range = match.output.2.startIndex..<match.output.2.endIndex
        return self[..<range.lowerBound] + change(String(self[range])) + self[range.upperBound...]
    }

    /// The text with its first quoted name of a host changed.
    fileprivate func host(_ change: (String) -> String) -> String? {
        changing(/"[a-z0-9*.:-]+\.[a-z0-9*.:-]+"/) {
            "\"\(change(String($0.dropFirst().dropLast())))\""
        }
    }
}
