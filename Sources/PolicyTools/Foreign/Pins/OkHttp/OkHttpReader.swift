import PolicyCompiler
import TrustEngine

/// Reads the calls of `CertificatePinner.Builder()` in Java or Kotlin, as far as they are literals.
package struct OkHttpReader {
    /// The language of the source.
    package enum Language: Sendable { case java, kotlin }

    private let tokens: [SourceToken]
    private let version: OkHttpModel.Version
    private var file = PinListFile()

    /// The language that the name of a file says, else that the text looks like.
    package static func language(of name: String, _ bytes: [UInt8]) -> Language {
        if name.hasSuffix(".java") { return .java }
        if name.hasSuffix(".kt") || name.hasSuffix(".kts") { return .kotlin }
        return ForeignText.find("new CertificatePinner", in: bytes) != nil ? .java : .kotlin
    }

    /// Reads the pins of the builder in a source file.
    ///
    /// - Throws: HX101 without a builder, HX102 for a pattern or a pin that stops the program,
    ///   HX103 for a pin that is not a digest, HX402 for a second builder.
    package static func read(
        _ bytes: [UInt8], _ language: Language, _ version: OkHttpModel.Version
    ) throws(ForeignError) -> PinListFile {
        try ForeignText.check(bytes)
        var reader = OkHttpReader(
            tokens: try SourceTokens.read(bytes, language == .java ? .java : .kotlin),
            version: version)
        try reader.read()
        return reader.file
    }

    private init(tokens: [SourceToken], version: OkHttpModel.Version) {
        self.tokens = tokens
        self.version = version
    }

    private func isMark(_ mark: Unicode.Scalar, at index: Int) -> Bool {
        index >= 0 && index < tokens.count && tokens[index].isMark(mark)
    }

    private func word(_ index: Int) -> String? {
        index >= 0 && index < tokens.count ? tokens[index].word : nil
    }

    private mutating func read() throws(ForeignError) {
        let starts = tokens.indices.filter { index in
            word(index) == "CertificatePinner" && isMark(".", at: index + 1)
                && word(index + 2) == "Builder" && isMark("(", at: index + 3)
                && isMark(")", at: index + 4)
        }
        guard let start = starts.first else {
            throw ForeignText.fault(
                "the file has no `CertificatePinner.Builder()` whose calls could be read", 0..<0)
        }
        if starts.count > 1 {
            throw ForeignError(
                .secondList,
                "a second `CertificatePinner.Builder()`; each one binds the clients that have it",
                at: tokens[starts[1]].range.lowerBound..<tokens[starts[1] + 4].range.upperBound,
                help: ["copy each builder into a file of its own, and import the files one by one"])
        }
        let end = try chain(start + 5)
        if let variable = variable(before: start) { try calls(of: variable, after: end) }
        if file.entries.isEmpty, file.findings.isEmpty {
            file.note(
                .ignoredByTarget, "this builder has no pins, so every host is accepted",
                at: tokens[start].range.lowerBound..<tokens[start + 4].range.upperBound)
        }
    }

    /// The variable that a builder is assigned to: `builder = new CertificatePinner.Builder()`.
    private func variable(before start: Int) -> String? {
        var index = start - 1
        while isMark(".", at: index), word(index - 1) != nil { index -= 2 }
        if word(index) == "new" { index -= 1 }
        guard isMark("=", at: index) else { return nil }
        // In Kotlin a type may stand between the name and the mark.
        if let name = word(index - 1) {
            var first = index - 1
            while isMark(".", at: first - 1), word(first - 2) != nil { first -= 2 }
            return isMark(":", at: first - 1) ? word(first - 2) : first == index - 1 ? name : nil
        }
        return nil
    }

    /// Reads the calls on a variable.
    private mutating func calls(of variable: String, after end: Int) throws(ForeignError) {
        var index = end
        var isNoted = false
        while index < tokens.count {
            guard word(index) == variable, isMark(".", at: index + 1), word(index + 2) == "add",
                !isMark(".", at: index - 1) || word(index - 2) == "this"
            else {
                index += 1
                continue
            }
            if !isNoted {
                isNoted = true
                file.note(
                    .doubtfulInTarget,
                    "the builder is the variable `\(variable)`; its calls are taken as if each ran "
                        + "once", at: tokens[index].range)
            }
            index = try chain(index + 1)
        }
    }

    /// Reads calls behind each other: `.add(…).add(…).build()`.
    ///
    /// - Returns: the token behind the last.
    private mutating func chain(_ start: Int) throws(ForeignError) -> Int {
        var index = start
        while isMark(".", at: index), let name = word(index + 1) {
            let open = index + 2
            guard isMark("(", at: open) || isMark("{", at: open) else { return index }
            let close = try self.close(of: open)
            let range = tokens[index + 1].range.lowerBound..<tokens[close].range.upperBound
            if isMark("{", at: open) || isMark("{", at: close + 1) {
                let end = isMark("{", at: open) ? close : try self.close(of: close + 1)
                notLiteral(
                    "the block of `\(name)` runs in the program and is not read",
                    tokens[index + 1].range.lowerBound..<tokens[end].range.upperBound)
                index = end + 1
                continue
            }
            switch name {
            case "add": try add(open + 1..<close, range)
            case "build": return close + 1
            default:
                notLiteral("the call of `\(name)` runs in the program and is not read", range)
            }
            index = close + 1
        }
        return index
    }

    private mutating func notLiteral(_ message: String, _ range: Range<Int>) {
        file.note(
            .notLiteral, message, at: range,
            help: ["write the value as a literal in a copy of the file, and import the copy"])
    }

    /// The token that closes a bracket.
    private func close(of open: Int) throws(ForeignError) -> Int {
        var depth = 0
        for index in open..<tokens.count {
            guard case .mark(let mark) = tokens[index].kind else { continue }
            if "([{".utf8.contains(mark) { depth += 1 }
            if ")]}".utf8.contains(mark) { depth -= 1 }
            if depth == 0 { return index }
        }
        throw ForeignText.fault("a bracket that is not closed", tokens[open].range)
    }

    // MARK: Calls

    /// The arguments of a call, split at commas outside brackets. The last is empty behind a comma.
    private func arguments(_ inside: Range<Int>) -> [Range<Int>] {
        var made: [Range<Int>] = []
        var depth = 0
        var start = inside.lowerBound
        for index in inside {
            guard case .mark(let mark) = tokens[index].kind else { continue }
            if "([{".utf8.contains(mark) { depth += 1 }
            if ")]}".utf8.contains(mark) { depth -= 1 }
            if depth == 0, mark == UInt8(ascii: ",") {
                made.append(start..<index)
                start = index + 1
            }
        }
        if start < inside.upperBound { made.append(start..<inside.upperBound) }
        return made
    }

    /// The text of an argument of literals, which `+` may join. Nil for other arguments.
    private func literal(_ argument: Range<Int>) -> String? {
        var index = argument.lowerBound
        // Kotlin names arguments: `pattern = "…"`.
        if argument.count > 2, word(index) != nil, isMark("=", at: index + 1) { index += 2 }
        var text = ""
        while index < argument.upperBound {
            guard case .string(let part) = tokens[index].kind else { return nil }
            text += part
            index += 1
            if index == argument.upperBound { return text }
            guard isMark("+", at: index) else { return nil }
            index += 1
        }
        return nil
    }

    private func range(_ argument: Range<Int>) -> Range<Int> {
        guard let first = argument.first, let last = argument.last else { return 0..<0 }
        return tokens[first].range.lowerBound..<tokens[last].range.upperBound
    }

    private mutating func add(
        _ inside: Range<Int>, _ call: Range<Int>
    ) throws(ForeignError) {
        let arguments = arguments(inside)
        guard let first = arguments.first, !first.isEmpty else {
            notLiteral("`add` without a pattern", call)
            return
        }
        guard let name = literal(first) else {
            notLiteral(
                "the pattern of this call is not a literal; the policy lacks its pins", range(first)
            )
            return
        }
        guard var entry = try self.entry(name, range(first)) else { return }
        let pins = arguments.dropFirst()
        guard !pins.isEmpty else {
            file.note(
                .ignoredByTarget, "`add` without pins has no effect: `\(name)` is not pinned",
                at: call)
            return
        }
        for pin in pins {
            guard let text = literal(pin) else {
                notLiteral(
                    "this pin of `\(name)` is not a literal, and the policy lacks it", range(pin))
                continue
            }
            entry.pins.append(try Self.pin(text, range(pin)))
        }
        guard !entry.pins.isEmpty else {
            file.note(
                .notLiteral,
                "none of the pins of `\(name)` is a literal; the policy does not pin "
                    + "it, and is weaker", at: range(first))
            return
        }
        file.entries.append(entry)
    }

    private mutating func entry(
        _ name: String, _ range: Range<Int>
    ) throws(ForeignError) -> PinEntry? {
        switch OkHttpModel.pattern(name, version) {
        case .hosts(let domain, let reach):
            if !name.utf8.allSatisfy({ $0 < 0x80 }) {
                file.note(
                    .doubtfulInTarget,
                    "`\(name)` is taken for `\(domain)`; OkHttp before 5 converts some letters in "
                        + "another way", at: range, help: ["write the `xn--` form"])
            }
            return PinEntry(name: name, range: range, domain: domain, reach: reach)
        case .noHost(let help):
            return PinEntry(name: name, range: range, domain: nil, help: help)
        case .refused(let why):
            throw ForeignError(
                .targetRefuses, "OkHttp stops the program: the pattern `\(name)`: \(why)", at: range
            )
        }
    }

    /// A pin as OkHttp reads it: `sha256/` or `sha1/`, and base64.
    static func pin(
        _ text: String, _ range: Range<Int>, _ target: String = "OkHttp"
    ) throws(ForeignError) -> ForeignPin {
        let isSHA1 = text.hasPrefix("sha1/")
        guard isSHA1 || text.hasPrefix("sha256/") else {
            throw ForeignError(
                .targetRefuses,
                "\(target) stops the program: a pin begins with `sha256/` or `sha1/`", at: range)
        }
        let octets = ForeignPinText.octets(of: text.utf8.dropFirst(isSHA1 ? 5 : 7))
        guard let octets else {
            throw ForeignError(
                .targetRefuses, "\(target) stops the program: this pin is not base64", at: range)
        }
        if isSHA1, octets.count == 20 {
            return ForeignPin(kind: .sha1(Base64.encode(octets)), range: range, octets: octets)
        }
        guard !isSHA1, let kind = ForeignPinText.kind(octets) else {
            throw isSHA1
                ? ForeignError(
                    .foreignPin, "this pin has \(octets.count) octets; a SHA-1 digest has 20",
                    at: range)
                : ForeignPinText.refusal(octets, at: range)
        }
        return ForeignPin(kind: kind, range: range, octets: octets)
    }
}
