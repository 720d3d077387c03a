package import TrustEngine

/// One line about a reject, for logs and errors: the question, the violations, whose side it is,
/// the rule, its owner, the id of the decision, and the command to run next. Logs, errors of every
/// interface, `hawser serve` and `hawser run` take their text from here.
///
///     reject api.example:443: expired: … side=server rule=api owner=payments id=r… next="hawser …"
///
/// A word that is not known is left out. The texts are escaped: they are one line and safe in logs
/// and terminals.
package struct RejectLine: Hashable, Sendable {
    /// A word behind the sentences.
    package struct Word: Hashable, Sendable {
        /// `side`, `rule`, `owner`, `id` or `next`.
        package let name: String
        /// Escaped text.
        package let value: String
    }

    /// The host with its port, as the request has it: raw text.
    package let place: String
    /// The violations, in the order in which `explain` prints them.
    package let violations: [Violation]
    /// The side of the violation that decides, as `explain` names it.
    package let side: Violation.Side
    /// The rule that decided; empty for the body of `default`, nil where no rule decided.
    package let rule: String?
    /// The owner, as `explain` names it.
    package let owner: String?
    /// The id of the decision, as its receipt has it.
    package let id: String?
    /// The command that says more on this machine.
    package let command: String?

    /// The line of a reject from its explanation; nil for an accept. The cost is a few sentences:
    /// the provenance of the table is not read.
    package init?(
        _ explanation: Explanation, host: String, port: UInt16, id: String?, command: String?
    ) {
        let verdict = explanation.verdict
        guard !verdict.isAccept else { return nil }
        let trace = TraceJSON(explanation, nil, explanation.table)
        let summary = trace.summary(verdict)
        func text(_ name: String) -> String? {
            guard case .string(let text)? = summary[name] else { return nil }
            return text
        }
        let violations = trace.printedViolations
        self.init(
            violations, host: host, port: port,
            side: text("side").flatMap { Violation.Side(rawValue: $0) }
                ?? violations.first?.side ?? .thisMachine,
            rule: trace.decidingRule, owner: text("owner"), id: id, command: command)
    }

    /// The line of a reject without its explanation. It costs less, and asks no check of the
    /// program again. The side and the owner are then the ones that are most often right, because
    /// the presented chain is not known. For a reject without a rule the line is the same.
    package init(
        unexplained verdict: Verdict, by table: PolicyTable, host: String, port: UInt16,
        id: String?, command: String?
    ) {
        let violations = verdict.printedViolations(host: host)
        let reading = violations.first.flatMap { $0.readings(Situation(host: host)).first }
        let rule = verdict.isWithoutRule ? nil : table.rule(decidingFor: host, port: port)
        self.init(
            violations, host: host, port: port, side: reading?.side ?? .thisMachine,
            rule: rule.map { table.text(table.rule(at: $0).id) },
            owner: rule.flatMap { table.owner(ofRule: $0) }, id: id, command: command)
    }

    private init(
        _ violations: [Violation], host: String, port: UInt16, side: Violation.Side, rule: String?,
        owner: String?, id: String?, command: String?
    ) {
        // A port that is not known is given as 0.
        place = port == 0 ? host : HostWithPort.text(host, port)
        self.violations = violations
        self.side = side
        self.rule = rule
        self.owner = owner
        self.id = id
        self.command = command
    }

    /// The words behind the sentences, in the order of the line.
    package var words: [Word] {
        let all: [(String, String?)] = [
            ("side", side.rawValue), ("rule", rule.map { $0.isEmpty ? "default" : $0 }),
            ("owner", owner.map { Words.shortened($0, to: RejectLine.longestOwner) }),
            ("id", id), ("next", command),
        ]
        return all.compactMap { name, value in
            value.map { Word(name: name, value: TerminalEscape.escape($0)) }
        }
    }

    /// An owner is free text. A name, an address or a channel is shorter.
    private static let longestOwner = 100

    /// The whole line, without a line end.
    package var line: String { RejectLine.told("reject \(place): ") + why }

    /// The line without the question: every violation, and the words. Where the violations are too
    /// long for a line of log, the last of them are cut, and the words stay.
    package var why: String {
        let said = violations.map { "\($0.id): \($0.headline)" }.joined(separator: "; ")
        return RejectLine.cut(RejectLine.told(said), to: RejectLine.longestReasons)
            + RejectLine.written(words)
    }

    /// Octets of the violations in a line. A violation has some 200; a certificate can have names
    /// of any length.
    private static let longestReasons = 4_000

    /// The sentence of the first violation with the words behind it, in at most this many octets.
    /// Where it is too long, the sentence is cut; where the words alone are too long, the last
    /// words are left out. `withID` is false where no decision was made that a record could have.
    package func message(atMost limit: Int, withID: Bool = true) -> String {
        var kept = withID ? words : words.filter { $0.name != "id" }
        while kept.count > 1, RejectLine.written(kept).utf8.count > limit / 2 { kept.removeLast() }
        let about = RejectLine.written(kept)
        let sentence = RejectLine.told(violations.first?.headline ?? "")
        return RejectLine.cut(sentence, to: limit - about.utf8.count) + about
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        let mark = "…"
        var cut = String.UnicodeScalarView()
        var octets = mark.utf8.count
        for scalar in text.unicodeScalars {
            octets += UTF8.width(scalar)
            guard octets <= limit else { break }
            cut.append(scalar)
        }
        return String(cut) + mark
    }

    // MARK: Text

    /// The words as they stand in the line: ` side=server rule=api owner="the web team"`.
    private static func written(_ words: [Word]) -> String {
        words.map { " \($0.name)=\(quoted($0.value))" }.joined()
    }

    /// A value with spaces or quotation marks stands in quotation marks.
    private static func quoted(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { byte in
            byte > 0x20 && !"\"\\=".utf8.contains(byte)
        }
        guard value.isEmpty || !isPlain else { return value }
        let escaped = value.unicodeScalars.reduce(into: "") { escaped, scalar in
            if scalar == "\"" || scalar == "\\" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return "\"\(escaped)\""
    }

    /// A text before the words, escaped. Hosts and certificates are the text of strangers. A
    /// stranger who writes ` next="…"` into a name must not choose what the reader runs, so the
    /// sign after the name of a word is shown as `\u{3D}`.
    private static func told(_ text: String) -> String {
        var told = ""
        var name = ""
        for scalar in TerminalEscape.escape(text).unicodeScalars {
            if scalar == "=", names.contains(name) {
                told += "\\u{3D}"
            } else {
                told.unicodeScalars.append(scalar)
            }
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                // No word is longer.
                if name.utf8.count < 8 { name += scalar.properties.lowercaseMapping }
            } else {
                name = ""
            }
        }
        return told
    }

    private static let names: Set<String> = ["side", "rule", "owner", "id", "next"]
}
