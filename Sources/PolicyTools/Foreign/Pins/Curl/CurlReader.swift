import PolicyCompiler
import TrustEngine

/// Reads a curl command line in the words of a POSIX shell, or a configuration file of curl.
///
/// Sources: `getparameter` and `parse_args` in `src/tool_getparam.c`, `src/tool_parsecfg.c` and
/// `docs/cmdline-opts/config.md` of curl/curl. The shell's words: POSIX.1-2024, XCU 2.2 and 2.3.
package struct CurlReader {
    private let bytes: [UInt8]
    private var file = CurlFile()
    /// URLs are made when all options are known.
    private var addresses: [Word] = []

    /// A word of a command line, or a part of a line of a configuration file.
    private struct Word {
        let text: String
        let range: Range<Int>
        /// Whether the shell has nothing to replace in it.
        let isLiteral: Bool
    }

    /// Reads a file: a command line if a command in it is `curl`, else a configuration file.
    ///
    /// - Throws: HX101 for text that cannot be read, HX102 for an option that curl refuses, HX402
    ///   for a second command.
    package static func read(_ bytes: [UInt8]) throws(ForeignError) -> CurlFile {
        try ForeignText.check(bytes)
        var reader = CurlReader(bytes: bytes)
        let commands = try reader.commands()
        if let first = commands.first {
            if commands.count > 1 {
                throw ForeignError(
                    .secondList, "a second curl command in the file", at: commands[1][0].range,
                    help: ["copy each command into a file of its own, and import them one by one"])
            }
            try reader.arguments(Array(first.dropFirst()))
        } else {
            try reader.configuration()
        }
        try reader.resolveURLs()
        return reader.file
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private func refused(_ message: String, _ range: Range<Int>) -> ForeignError {
        ForeignError(.targetRefuses, "curl refuses \(message)", at: range)
    }

    // MARK: The shell

    /// The commands of a script whose name is `curl`, with their words.
    private func commands() throws(ForeignError) -> [[Word]] {
        var commands: [[Word]] = []
        var words: [Word] = []
        var at = 0
        var skipsNext = false
        func end() {
            // Assignments stand before a command, and some commands run another.
            let start = words.firstIndex { word in
                !word.text.contains("=")
                    && !["sudo", "exec", "time", "!", "if", "then"].contains(word.text)
            }
            if let start, words[start].text == "curl" || words[start].text.hasSuffix("/curl") {
                commands.append(Array(words[start...]))
            }
            words = []
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        while at < bytes.count {
            let byte = bytes[at]
            if Self.isBlank(byte) || byte == 0x0D {
                at += 1
            } else if byte == UInt8(ascii: "\\"), let length = continuation(at) {
                at += length
            } else if byte == UInt8(ascii: "#") {
                while at < bytes.count, bytes[at] != 0x0A { at += 1 }
            } else if "\n;|&()".utf8.contains(byte) {
                end()
                skipsNext = false
                at += 1
            } else if "<>".utf8.contains(byte) {
                skipsNext = true
                at += 1
            } else {
                let word = try self.word(&at)
                let isNumber = word.text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
                // `2>file`: the number belongs to the redirection.
                if isNumber, at < bytes.count, "<>".utf8.contains(bytes[at]) { continue }
                if !skipsNext { words.append(word) }
                skipsNext = false
            }
        }
        end()
        return commands
    }

    /// The length of a backslash with the line end behind it; nil for another backslash.
    private func continuation(_ at: Int) -> Int? {
        if at + 1 < bytes.count, bytes[at + 1] == 0x0A { return 2 }
        if at + 2 < bytes.count, bytes[at + 1] == 0x0D, bytes[at + 2] == 0x0A { return 3 }
        return nil
    }

    private func word(_ at: inout Int) throws(ForeignError) -> Word {
        let start = at
        var text: [UInt8] = []
        var isLiteral = true
        var quote: UInt8?
        while at < bytes.count {
            let byte = bytes[at]
            if let open = quote {
                if byte == open {
                    quote = nil
                } else if open == UInt8(ascii: "\""), byte == UInt8(ascii: "\\"),
                    at + 1 < bytes.count,
                    "\\\"$`\n".utf8.contains(bytes[at + 1])
                {
                    at += 1
                    if bytes[at] != 0x0A { text.append(bytes[at]) }
                } else {
                    if open == UInt8(ascii: "\""), "$`".utf8.contains(byte) { isLiteral = false }
                    text.append(byte)
                }
                at += 1
                continue
            }
            if Self.isBlank(byte) || "\r\n;|&()<>".utf8.contains(byte) { break }
            if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "\\"), let length = continuation(at) {
                at += length
                continue
            } else if byte == UInt8(ascii: "\\"), at + 1 < bytes.count {
                at += 1
                text.append(bytes[at])
            } else {
                if "$`{".utf8.contains(byte) { isLiteral = false }
                text.append(byte)
            }
            at += 1
        }
        guard quote == nil else {
            throw ForeignText.fault("a quote without its end", start..<start + 1)
        }
        return Word(
            text: String(decoding: text, as: UTF8.self), range: start..<at, isLiteral: isLiteral)
    }

    // MARK: Arguments

    private mutating func arguments(_ words: [Word]) throws(ForeignError) {
        var index = 0
        var takesOptions = true
        while index < words.count {
            let word = words[index]
            index += 1
            guard takesOptions, word.text.hasPrefix("-"), word.isLiteral else {
                // A word that the shell makes may be an option.
                if !word.isLiteral, takesOptions, !word.text.contains("://") {
                    notLiteral("this word has its value when the command runs", word.range)
                } else {
                    addresses.append(word)
                }
                continue
            }
            if word.text == "--" {
                takesOptions = false
                continue
            }
            let next = index < words.count ? words[index] : nil
            if try option(word, next) { index += 1 }
        }
    }

    /// Takes an option, which may be several letters.
    ///
    /// - Returns: whether the next word is its argument.
    private mutating func option(_ word: Word, _ next: Word?) throws(ForeignError) -> Bool {
        var name = Substring(word.text)
        guard name.hasPrefix("-"), !name.hasPrefix("--") else {
            while name.hasPrefix("-") { name = name.dropFirst() }
            return try long(name, word, next)
        }
        var letters = name.dropFirst()
        while let letter = letters.first {
            letters = letters.dropFirst()
            guard let long = CurlOptions.letters[letter] else {
                throw refused("the option `-\(letter)`, which it does not have", word.range)
            }
            guard CurlOptions.withArgument.contains(long) else {
                try add(long, isOn: true, nil, word)
                continue
            }
            guard letters.isEmpty else {
                let argument = Word(
                    text: String(letters), range: word.range, isLiteral: word.isLiteral)
                try add(long, isOn: true, argument, word)
                return false
            }
            guard let next else {
                throw refused("the option `-\(letter)` without its argument", word.range)
            }
            try add(long, isOn: true, next, word)
            return true
        }
        return false
    }

    private mutating func long(
        _ written: Substring, _ word: Word, _ next: Word?
    ) throws(ForeignError) -> Bool {
        var name = written
        var argument: Word?
        if let mark = name.firstIndex(of: "=") {
            argument = Word(
                text: String(name[name.index(after: mark)...]), range: word.range, isLiteral: true)
            name = name[..<mark]
        }
        if CurlOptions.withArgument.contains(String(name)) {
            guard let value = argument ?? next else {
                throw refused("the option `--\(name)` without its argument", word.range)
            }
            try add(String(name), isOn: true, value, word)
            return argument == nil
        }
        var isOn = true
        if !CurlOptions.flags.contains(String(name)), name.hasPrefix("no-") {
            name = name.dropFirst(3)
            isOn = false
        }
        guard CurlOptions.flags.contains(String(name)) else {
            throw refused("the option `--\(name)`, which it does not have", word.range)
        }
        try add(String(name), isOn: isOn, nil, word)
        return false
    }

    private mutating func add(
        _ name: String, isOn: Bool, _ argument: Word?, _ word: Word
    ) throws(ForeignError) {
        switch name {
        case "url":
            if let argument { addresses.append(argument) }
            return
        case "next":
            throw ForeignError(
                .secondList, "`--next` begins a second command", at: word.range,
                help: ["copy each command into a file of its own, and import them one by one"])
        case "config":
            notLiteral("the file of `--config` is not followed; import it by itself", word.range)
            return
        default: break
        }
        let range =
            word.range.lowerBound..<max(word.range.upperBound, argument?.range.upperBound ?? 0)
        if let argument, !argument.isLiteral {
            if Self.ofInterest.contains(name) {
                notLiteral(
                    "the argument of `--\(name)` has its value when the command runs; the policy "
                        + "lacks it", argument.range)
            }
        }
        file.options.append(
            CurlFile.Option(
                name: name, isOn: isOn,
                literal: argument.flatMap { $0.isLiteral ? $0.text : nil }, range: range,
                argumentRange: argument?.range ?? word.range))
    }

    /// The options whose arguments bear on trust.
    static let ofInterest: Set<String> = [
        "pinnedpubkey", "cacert", "capath", "crlfile", "ciphers", "tls-max", "tls13-ciphers",
    ]

    private mutating func notLiteral(_ message: String, _ range: Range<Int>) {
        file.findings.append(
            Diagnostic(
                .notLiteral, message, at: Diagnostic.Label(range.foreignSpan),
                help: ["write the value as a literal in a copy of the file, and import the copy"]))
    }

    // MARK: Configuration files

    private mutating func configuration() throws(ForeignError) {
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            var last = end
            if last > start, bytes[last - 1] == 0x0D { last -= 1 }
            try line(start..<last)
            start = end + 1
        }
    }

    private mutating func line(_ line: Range<Int>) throws(ForeignError) {
        var at = line.lowerBound
        while at < line.upperBound, Self.isBlank(bytes[at]) { at += 1 }
        guard at < line.upperBound, bytes[at] != UInt8(ascii: "#") else { return }
        let first = at
        let isDashed = bytes[at] == UInt8(ascii: "-")
        func isMark(_ byte: UInt8) -> Bool {
            !isDashed && (byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":"))
        }
        while at < line.upperBound, !Self.isBlank(bytes[at]), !isMark(bytes[at]) { at += 1 }
        let name = String(decoding: bytes[first..<at], as: UTF8.self)
        let option = Word(
            text: isDashed ? name : "--\(name)", range: first..<at, isLiteral: true)
        while at < line.upperBound, Self.isBlank(bytes[at]) || isMark(bytes[at]) { at += 1 }
        let argument = try parameter(at..<line.upperBound)
        let isUsed = try self.option(option, argument)
        if let argument, !isUsed {
            throw refused(
                "the text behind `\(name)`, which takes no argument", argument.range)
        }
    }

    private func parameter(_ rest: Range<Int>) throws(ForeignError) -> Word? {
        guard let first = rest.first else { return nil }
        var text: [UInt8] = []
        var at = first
        guard bytes[at] == UInt8(ascii: "\"") else {
            while at < rest.upperBound, !Self.isBlank(bytes[at]) { at += 1 }
            text = Array(bytes[first..<at])
            return Word(
                text: String(decoding: text, as: UTF8.self), range: first..<at, isLiteral: true)
        }
        at += 1
        while at < rest.upperBound, bytes[at] != UInt8(ascii: "\"") {
            if bytes[at] == UInt8(ascii: "\\"), at + 1 < rest.upperBound {
                at += 1
                switch bytes[at] {
                case UInt8(ascii: "t"): text.append(0x09)
                case UInt8(ascii: "n"): text.append(0x0A)
                case UInt8(ascii: "r"): text.append(0x0D)
                case UInt8(ascii: "v"): text.append(0x0B)
                default: text.append(bytes[at])
                }
            } else {
                text.append(bytes[at])
            }
            at += 1
        }
        return Word(
            text: String(decoding: text, as: UTF8.self),
            range: first..<min(at + 1, rest.upperBound), isLiteral: true)
    }

    // MARK: URLs

    private static let ofTLS: [String: Int] = [
        "https": 443, "wss": 443, "ftps": 990, "imaps": 993, "pop3s": 995, "smtps": 465,
        "ldaps": 636, "gophers": 70, "mqtts": 8_883,
    ]
    private static let ofCleartext: [String: Int] = [
        "http": 80, "ws": 80, "ftp": 21, "imap": 143, "pop3": 110, "smtp": 25, "ldap": 389,
        "gopher": 70, "mqtt": 1_883, "telnet": 23, "dict": 2_628, "rtsp": 554, "tftp": 69,
    ]

    private mutating func resolveURLs() throws(ForeignError) {
        let isGlobbing = file.last("globoff")?.isOn != true
        let usual = file.last("proto-default")?.literal ?? "http"
        for address in addresses {
            let hasGlob = isGlobbing && address.text.contains { "{}".contains($0) }
            guard address.isLiteral, !hasGlob else {
                notLiteral(
                    "the URL has its value when the command runs; the policy lacks its host",
                    address.range)
                continue
            }
            guard let url = Self.url(address, usual) else {
                throw ForeignError(
                    .targetRefuses, "`\(address.text)` is not a URL with a host", at: address.range)
            }
            file.urls.append(url)
        }
    }

    private static func url(_ word: Word, _ usual: String) -> CurlFile.URL? {
        var rest = Substring(word.text)
        var scheme = usual.lowercased()
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://"),
            rest[..<colon].utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })
        {
            scheme = rest[..<colon].lowercased()
            rest = rest[colon...].dropFirst(3)
        }
        let usesTLS = ofTLS[scheme] != nil
        guard var port = ofTLS[scheme] ?? ofCleartext[scheme] else { return nil }
        if let end = rest.firstIndex(where: { "/?#".contains($0) }) { rest = rest[..<end] }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        let searched = rest.lastIndex(of: "]").map { rest[$0...] } ?? rest
        if let colon = searched.firstIndex(of: ":") {
            let digits = rest[rest.index(after: colon)...]
            guard let number = Int(digits), (1...65_535).contains(number) else { return nil }
            port = number
            rest = rest[..<colon]
        }
        if rest.hasPrefix("["), rest.hasSuffix("]") { rest = rest.dropFirst().dropLast() }
        guard !rest.isEmpty else { return nil }
        return CurlFile.URL(
            text: word.text, range: word.range,
            host: ForeignHosts.canonical(String(rest)).flatMap(ForeignHosts.exact), port: port,
            usesTLS: usesTLS)
    }
}
