import Foundation
import Testing

/// Every command line in a page of the project is one that the command takes: its command, its
/// options and their words exist, without an argument too many. Pages that are only about other
/// programs (`CHANGELOG`, and everything in a folder with a dot) are left out.
@Suite("commands in pages") struct WrittenCommandsTests {
    @Test("each command line of a page parses")
    func lines() throws {
        let grammar = try CommandGrammar.read()
        var seen = 0
        for page in try WrittenPage.all() {
            for line in page.commandLines {
                seen += 1
                for flaw in grammar.flaws(of: line) {
                    Issue.record("\(page.path): `hawser \(line.text)`: \(flaw)")
                }
            }
        }
        #expect(seen >= 450)
    }

    /// An option that a sentence names without its command is one of some command's, or of another
    /// program that the page speaks of.
    @Test("each option that a page names is there")
    func options() throws {
        let known = try CommandGrammar.read().allOptions
        var seen = 0
        for page in try WrittenPage.all() where !page.path.hasPrefix("Tests/") {
            for option in page.namedOptions where !Self.ofOthers.contains(option) {
                seen += 1
                #expect(known.contains(option), "\(page.path) names \(option)")
            }
        }
        #expect(seen >= 200)
    }

    /// Options of curl, redis-cli, gunicorn, pkg-config, git, easy-rsa, GnuTLS, systemctl,
    /// dpkg-deb, java, the linker and the project's own scripts.
    private static let ofOthers: Set<String> = [
        "--build-id", "--ca-native", "--cacert", "--capath", "--cert-status", "--cflags",
        "--ciphers", "--config", "--connect-to", "--crlfile", "--digest", "--domains",
        "--enable-native-access",
        "--filter", "--generate-certificate", "--generate-self-signed", "--hawser", "--input",
        "--libs", "--list", "--next", "--nightly", "--now", "--pinnedpubkey", "--preload",
        "--require-all", "--resolve", "--resume", "--root-owner-group", "--sni", "--tls",
        "--tls-max", "--tls13-ciphers", "--tlsv1.0", "--tlsv1.1", "--tlsv1.3",
    ]

    @Test("what it finds: another command, an option, a word, an argument that is not there")
    func flaws() throws {
        let grammar = try CommandGrammar.read()
        func flaws(_ text: String) -> [String] {
            grammar.flaws(of: CommandLine(text, isWhole: true))
        }
        #expect(flaws("lint --format sarif trust") == [])
        #expect(flaws("lnit trust") == ["there is no command `lnit`"])
        #expect(flaws("lint --frmat json") == ["`lint` has no option `--frmat`"])
        #expect(flaws("lint --format xml") == ["`--format` does not take `xml`"])
        #expect(flaws("lint --format") == ["`--format` has no value"])
        #expect(flaws("man page") == ["`man` takes 0 arguments, not 1"])
        #expect(flaws("compile policies") == ["`compile` wants `--output`"])
        #expect(flaws("inspect") == ["`inspect` wants `<file>`"])
        #expect(flaws("help diff.md") == [])
        #expect(flaws("help spelling.md") == ["hawser has no page `spelling.md`"])
    }

    /// A list of words in the help of an option would have to be kept beside the parser's own.
    @Test("no help text lists some of the words that an option takes")
    func words() throws {
        for (command, options) in try CommandGrammar.read().commands {
            for option in options.options where option.values.count > 3 {
                let named = option.values.filter { value in
                    option.help.split { !$0.isLetter && $0 != "-" }.contains { $0 == value }
                }
                #expect(
                    named.count < 3 || named.count == option.values.count,
                    "\(command) \(option.names): \(option.help)")
            }
        }
    }
}

/// A command line after the word `hawser`.
struct CommandLine {
    let text: String
    /// Whether it stands by itself, to be typed as it is. A sentence leaves out arguments.
    let isWhole: Bool

    init(_ text: String, isWhole: Bool) {
        self.text = text
        self.isWhole = isWhole
    }

    /// The words as a shell splits them, up to a pipe, a redirection, a comment or the end of a
    /// substitution. Nil where a quote is not closed.
    var words: [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + [character] }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                if let word { words.append(word) }
                word = nil
            } else if "|>)&;".contains(character) || character == "#" && word == nil {
                // The number of a stream that is redirected is not an argument.
                if character == ">", let last = word, Int(last) != nil { word = nil }
                break
            } else {
                word = (word ?? "") + [character]
            }
        }
        guard quote == nil else { return nil }
        return words + [word].compactMap { $0 }
    }
}

/// The commands and their options, from the parser's own description.
struct CommandGrammar {
    struct Option: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        let names: [String]
        let value: String
        let help: String
        let values: [String]
        let isOptional: Bool
        let isRepeating: Bool

        private enum CodingKeys: String, CodingKey {
            case kind, names, valueName, abstract, allValues, isOptional, isRepeating
        }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: CodingKeys.self)
            kind = try object.decode(String.self, forKey: .kind)
            names = try (object.decodeIfPresent([Name].self, forKey: .names) ?? [])
                .map { ($0.kind == "short" ? "-" : "--") + $0.name }
            value = try object.decodeIfPresent(String.self, forKey: .valueName) ?? ""
            help = try object.decodeIfPresent(String.self, forKey: .abstract) ?? ""
            values = try object.decodeIfPresent([String].self, forKey: .allValues) ?? []
            isOptional = try object.decode(Bool.self, forKey: .isOptional)
            isRepeating = try object.decode(Bool.self, forKey: .isRepeating)
        }
    }

    struct Command: Decodable {
        let commandName: String
        let arguments: [Option]?
        let subcommands: [Command]?

        var options: [Option] { arguments ?? [] }
    }

    /// By the words of each command, such as `import chrome-root-store`.
    let commands: [String: Command]

    static func read() throws -> CommandGrammar {
        struct Description: Decodable {
            let command: Command
        }
        let run = try Workshop().run("--experimental-dump-help")
        let root = try JSONDecoder().decode(Description.self, from: Data(run.output.utf8)).command
        var commands: [String: Command] = ["": root]
        func add(_ command: Command, below words: String) {
            let words = words.isEmpty ? command.commandName : "\(words) \(command.commandName)"
            commands[words] = command
            for inner in command.subcommands ?? [] { add(inner, below: words) }
        }
        for command in root.subcommands ?? [] { add(command, below: "") }
        return CommandGrammar(commands: commands)
    }

    var allOptions: Set<String> {
        Set(commands.values.flatMap { $0.options.flatMap(\.names) })
    }

    /// What the command would refuse; empty for a line that it takes.
    func flaws(of line: CommandLine) -> [String] {
        guard var rest = line.words?[...] else { return ["a quote is not closed"] }
        // A page's own words for what the reader fills in.
        if rest.first == "COMMAND" { return [] }
        if rest.first == "help" {
            guard let page = rest.dropFirst().first else { return [] }
            let isPage = page == "language" || page == "PAGE.md" || WrittenPage.isPrinted(page)
            if isPage || commands[page] != nil { return [] }
            return ["hawser has no page `\(page)`"]
        }
        var name = ""
        while let word = rest.first {
            let longer = name.isEmpty ? word : "\(name) \(word)"
            guard commands[longer] != nil else { break }
            name = longer
            rest.removeFirst()
        }
        if name.isEmpty, let word = rest.first, !word.hasPrefix("-") {
            return ["there is no command `\(word)`"]
        }
        guard let command = commands[name] else { return [] }
        return flaws(of: rest, command, name, isWhole: line.isWhole)
    }

    private func flaws(
        of words: ArraySlice<String>, _ command: Command, _ name: String, isWhole: Bool
    ) -> [String] {
        var flaws: [String] = []
        var rest = words
        var given: Set<String> = []
        var arguments = 0
        while let word = rest.popFirst() {
            if word == "--" {
                arguments += rest.count
                break
            }
            guard word.hasPrefix("-"), word.count > 1 else {
                // `…` and `...` stand for more of the same, brackets for what may be left out.
                if word != "…", word != "..." { arguments += 1 }
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard let option = command.options.first(where: { $0.names.contains(parts[0]) }) else {
                flaws.append("`\(name)` has no option `\(parts[0])`")
                continue
            }
            given.formUnion(option.names)
            guard option.kind == "option" else { continue }
            // A sentence may name an option at its end without a value.
            guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
                if isWhole { flaws.append("`\(parts[0])` has no value") }
                continue
            }
            let isWord = value.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber }
            if !option.values.isEmpty, isWord, !option.values.contains(value) {
                flaws.append("`\(parts[0])` does not take `\(value)`")
            }
        }
        let places = command.options.filter { $0.kind == "positional" }
        if !places.contains(where: \.isRepeating), arguments > places.count {
            flaws.append("`\(name)` takes \(places.count) arguments, not \(arguments)")
        }
        guard isWhole else { return flaws }
        let isHelp = given.contains("--help") || given.contains("--version")
        for option in command.options where !option.isOptional && !isHelp {
            if option.kind == "positional" {
                if arguments == 0 { flaws.append("`\(name)` wants `<\(option.value)>`") }
            } else if given.isDisjoint(with: option.names) {
                flaws.append("`\(name)` wants `\(option.names.last ?? "")`")
            }
        }
        return flaws
    }
}

/// A Markdown page of the project.
struct WrittenPage {
    let path: String
    let commandLines: [CommandLine]
    /// The options in code of its sentences, with their dashes.
    let namedOptions: Set<String>

    static func all() throws -> [WrittenPage] {
        let root = CommandRun.repository
        var pages: [WrittenPage] = []
        let files = FileManager.default.enumerator(
            at: root, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        for case let file as URL in files ?? .init() where file.pathExtension == "md" {
            let path = String(file.path.dropFirst(root.path.count + 1))
            pages.append(
                WrittenPage(path: path, text: try String(contentsOf: file, encoding: .utf8)))
        }
        return pages
    }

    /// Whether `hawser help NAME` prints the page.
    static func isPrinted(_ name: String) -> Bool {
        (try? Workshop().run("help", name).status) == 0
    }

    init(path: String, text: String) {
        self.path = path
        var lines: [CommandLine] = []
        var options: Set<String> = []
        var isCode = false
        var code = ""
        var sentences = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
            } else if isCode {
                code += line + "\n"
            } else {
                sentences += line + "\n"
            }
        }
        for line in code.replacing("\\\n", with: " ").split(separator: "\n") {
            for command in WrittenPage.commands(in: String(line)) {
                lines.append(CommandLine(command, isWhole: !command.contains("…")))
            }
        }
        for (index, span) in sentences.split(separator: "`", omittingEmptySubsequences: false)
            .enumerated() where !index.isMultiple(of: 2)
        {
            let span = span.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
            if span.hasPrefix("hawser ") {
                lines.append(CommandLine(String(span.dropFirst(7)), isWhole: false))
            }
            for word in span.split(whereSeparator: { " =[](),;".contains($0) })
            where word.hasPrefix("--") && word.dropFirst(2).first?.isLetter == true {
                options.insert(String(word))
            }
        }
        commandLines = lines.filter { line in
            !WrittenPage.otherTexts.contains { line.text.hasPrefix($0) }
        }
        namedOptions = options
    }

    /// Texts that begin with `hawser` and are not commands: the line of log of `hawser run`, and
    /// what a signature of a table signs.
    private static let otherTexts = ["run: ", "signed table"]

    /// What follows `hawser` where the word stands as a command: at the beginning of the line, or
    /// after a prompt, a pipe, a bracket, `&&`, `;` or the YAML of a step.
    private static func commands(in line: String) -> [String] {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        var found: [String] = []
        for (index, word) in words.enumerated() where word == "hawser" || word == "<(hawser" {
            let before = words[..<index].last { !$0.isEmpty }
            guard
                word == "<(hawser" || before == nil
                    || ["$", "|", "(", "&&", "run:"].contains(before)
                    || before?.hasSuffix(";") == true
            else { continue }
            found.append(words[(index + 1)...].joined(separator: " "))
        }
        return found
    }
}
