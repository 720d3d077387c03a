import PolicyCompiler
import TestPKI

/// Makes the mistakes that people and editors make in a text, by chance: lines lost, repeated and
/// swapped, quotes and commas dropped, indentation changed, digests broken, words misspelt.
struct Damage {
    var random: SplitMix
    /// What a damaged text means where the mistake changed its meaning.
    struct Meaning {
        /// The text of the policy with this meaning.
        let text: String
        /// The words that the title of a fix must contain to take the text for this meaning; nil
        /// if the text can mean nothing else.
        let condition: String?
    }

    /// The meaning of the last damaged text, where it differs from the meaning before: a URL with
    /// a port is about this port.
    private(set) var meant: Meaning?
    private var meantLine: String?
    private var condition: String?

    init(seed: UInt64) { random = SplitMix(state: seed) }

    /// A number from 0 to below a bound above 0.
    mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    private mutating func pick<Element>(_ list: [Element]) -> Element? {
        list.isEmpty ? nil : list[below(list.count)]
    }

    /// The text with one mistake. It may be the same text, if the mistake fits nowhere.
    mutating func damaged(_ text: String) -> String {
        (meant, meantLine, condition) = (nil, nil, nil)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        guard !lines.isEmpty else { return text }
        let at = below(lines.count)
        // What fixes mend comes more often.
        switch below(26) {
        case 0, 1: lines.remove(at: at)
        case 2: lines.insert(lines[at], at: at)
        case 3: lines.swapAt(at, below(lines.count))
        case 4: lines[at] = without(["\"", "'"], lines[at])
        case 5: lines[at] = without([",", "[", "]", "{", "}", ":", "-"], lines[at])
        case 6: lines[at] = indented(lines[at])
        case 7, 8, 9, 20, 21: lines[at] = misspelt(lines[at])
        case 10: lines[at] = exchanged(lines[at], Damage.words(text))
        case 11: lines[at] = exchanged(lines[at], Damage.closedWords)
        case 12, 22:
            return changed(lines) {
                $0.contains("sha256")
            } by: {
                $0.brokenDigest($1)
            }
        case 13, 23:
            return changed(lines) {
                $0.contains("\"")
            } by: {
                $0.curly($1)
            }
        case 14, 24:
            return changed(lines) {
                $0.contains("20")
            } by: {
                $0.brokenDate($1)
            }
        case 15, 25:
            return changed(lines) {
                $0.contains("hosts") || $0.contains("- \"")
            } by: {
                $0.brokenHost($1)
            }
        case 16:
            return changed(lines) {
                $0.contains { $0.isNumber }
            } by: {
                $0.brokenNumber($1)
            }
        case 17: lines[at] = hidden(lines[at])
        case 18: lines.append(pick(Damage.additions) ?? "")
        default: lines.removeSubrange((at + 1)...)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The text with a change to one of the lines that fit.
    private mutating func changed(
        _ lines: [String], where fits: (String) -> Bool, by change: (inout Damage, String) -> String
    ) -> String {
        var lines = lines
        if let at = pick(lines.indices.filter { fits(lines[$0]) }) {
            lines[at] = change(&self, lines[at])
            if let meantLine {
                let all = lines[..<at] + [meantLine] + lines[(at + 1)...]
                meant = Meaning(
                    text: all.joined(separator: "\n") + "\n", condition: condition)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The line without one of some characters.
    private mutating func without(_ characters: Set<Character>, _ line: String) -> String {
        var line = line
        if let at = pick(line.indices.filter { characters.contains(line[$0]) }) {
            line.remove(at: at)
        }
        return line
    }

    private mutating func indented(_ line: String) -> String {
        switch below(4) {
        case 0: return " " + line
        case 1: return "  " + line
        case 2: return line.hasPrefix(" ") ? String(line.dropFirst()) : line
        default: return line.hasPrefix("  ") ? "\t" + line.dropFirst(2) : line
        }
    }

    /// The ranges of the words of a line.
    private static func ranges(_ line: String) -> [Range<String.Index>] {
        line.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_") }
            .map { $0.startIndex..<$0.endIndex }
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: "\n").flatMap { line in
            ranges(String(line)).map { String(String(line)[$0]) }
        }
    }

    private static let closedWords = PolicyWords.all.values.flatMap(\.words).sorted()

    private mutating func misspelt(_ line: String) -> String {
        guard let range = pick(Damage.ranges(line)) else { return line }
        var letters = Array(line[range])
        let at = below(letters.count)
        switch below(5) {
        case 0: letters.remove(at: at)
        case 1: letters.insert(letters[at], at: at)
        case 2: letters[at] = pick(Array("abcdefghijklmnopqrstuvwxyz0123456789-._")) ?? "x"
        case 3: if at > 0 { letters.swapAt(at, at - 1) }
        default: letters = letters.map { Character($0.uppercased()) }
        }
        return line.replacingCharacters(in: range, with: String(letters))
    }

    private mutating func exchanged(_ line: String, _ words: [String]) -> String {
        guard let range = pick(Damage.ranges(line)), let word = pick(words) else { return line }
        return line.replacingCharacters(in: range, with: word)
    }

    private mutating func brokenDigest(_ line: String) -> String {
        switch below(7) {
        case 0: return line.replacing("=", with: "")
        case 1: return line.replacing("+", with: "-").replacing("sha256/", with: "sha256//")
        case 2: return line.replacing("sha256/", with: "SHA-256/")
        case 3: return line.replacing("sha256/", with: "").replacing("sha256:", with: "")
        case 4: return line.replacing("sha256:", with: "sha256:AB:")
        case 5: return misspelt(line)
        default: return line.replacing("sha256/", with: "pin-sha256=")
        }
    }

    private mutating func curly(_ line: String) -> String {
        let (left, right) = pick([("“", "”"), ("„", "“"), ("‘", "’"), ("«", "»")]) ?? ("", "")
        var isOpen = false
        return String(
            line.flatMap { character -> [Character] in
                guard character == "\"" else { return [character] }
                isOpen.toggle()
                return Array(isOpen ? left : right)
            })
    }

    private mutating func brokenDate(_ line: String) -> String {
        guard let range = line.firstRange(of: /20\d\d-\d\d-\d\d/) else { return misspelt(line) }
        let parts = line[range].split(separator: "-").map(String.init)
        let date = parts.joined(separator: "-")
        let forms = [
            parts.joined(separator: "/"), parts.joined(separator: "."),
            parts.map { $0.hasPrefix("0") ? String($0.dropFirst()) : $0 }.joined(separator: "-"),
            "\(date)T12:00:00", "\(date)T12:00:00z", "\(date)T12:00:00+02:00",
            "\(date)T12:00:00.5Z", "\(parts[0])-\(parts[1])-39", "\(date) ", "\"\(date)\"",
        ]
        let form = pick(forms) ?? date
        // A second in place of a whole day.
        let seconds = [
            "T12:00:00": "T12:00:00Z", "T12:00:00z": "T12:00:00Z",
            "T12:00:00+02:00": "T10:00:00Z",
        ]
        let time = String(form.dropFirst(date.count))
        if form.hasPrefix(date), let second = seconds[time] {
            meantLine = line.replacingCharacters(in: range, with: date + second)
            if time == "T12:00:00" { condition = "if it is UTC" }
        }
        return line.replacingCharacters(in: range, with: form)
    }

    private mutating func brokenHost(_ line: String) -> String {
        guard let range = line.firstRange(of: /"[^"]+"/) else { return misspelt(line) }
        let host = String(line[range].dropFirst().dropLast())
        let forms = [
            "\"\(host.uppercased()).\"", host, "\"https://\(host)/\"", "\"*.\(host)\"",
            "\"**.\(host)\"",
            "\"\(host):443\"", "\"\(host)\", \"x.\(host)\"", "\"\(host)\", \"\(host)\"",
            "\"\(host)/path\"", "\"**.\(host)\", \"*.\(host)\"",
        ]
        let ported = [
            "\"https://\(host):443/x\"", "\"\(host):0443\"", "\"[\(host)]:443\"",
            "\"\(host):443/\"",
        ]
        if below(4) == 0 {
            meantLine = line.replacingCharacters(in: range, with: "\"\(host):443\"")
            return line.replacingCharacters(in: range, with: pick(ported) ?? host)
        }
        let form = pick(forms) ?? host
        let items = form.split(separator: ", ")
        let before = line[..<range.lowerBound]
        if items.count > 1, before.drop(while: { $0 == " " }) == "- " {
            // Each of the items, where a line holds one.
            meantLine = line.replacingCharacters(
                in: range, with: items.joined(separator: "\n\(before)"))
        }
        return line.replacingCharacters(in: range, with: form)
    }

    private mutating func brokenNumber(_ line: String) -> String {
        guard let range = line.firstRange(of: /\d+/) else { return line }
        let number = String(line[range])
        let forms = ["0\(number)", "+\(number)", "-\(number)", "\(number).0", " \(number) ", "1"]
        return line.replacingCharacters(in: range, with: pick(forms) ?? number)
    }

    private mutating func hidden(_ line: String) -> String {
        guard !line.isEmpty else { return line }
        var line = line
        let at = line.index(line.startIndex, offsetBy: below(line.count))
        let characters: [Character] = ["\u{200B}", "\u{202E}", "\u{FEFF}", "\t", "\u{2028}"]
        line.insert(pick(characters) ?? "\t", at: at)
        return line
    }

    /// Lines that somebody adds at the end.
    private static let additions = [
        "regulations: {}", "default: deny", "rules: [", "# hawser:ignore HW211 -- no date",
        "# hawser:ignore HW206 until=2020-01-01 -- the move is done",
        "  late: { hosts: [\"late.example\"], anchors: [system], owner: late }",
        "  late: { hosts: [\"**.example\"], anchors: [system] }",
        "  unused: { files: [anchors/root.pem] }", "---", "…",
    ]
}

extension String {
    /// The text with a part replaced.
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
