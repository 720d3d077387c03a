import ArgumentParser
import TrustEngine

/// A command with its arguments and subcommands, from the description that the argument parser
/// gives to tools (`--experimental-dump-help`).
struct CommandDescription {
    let name: String
    let abstract: String
    /// Paragraphs, each without line ends.
    let discussion: [String]
    /// Positional arguments, options and flags, in the order of the help. Those that every command
    /// has are left out.
    let arguments: [Argument]
    let subcommands: [CommandDescription]

    struct Argument {
        enum Kind: String {
            case positional, option, flag
        }

        let kind: Kind
        /// With their dashes, the short name first; empty for a positional argument.
        let names: [String]
        let value: String
        let help: String
        let defaultValue: String?
        let allValues: [String]
        let isOptional: Bool
        let isRepeating: Bool
        /// Whether it stands behind `--`, where no word is an option.
        let isBehindTerminator: Bool
    }

    /// The description of the whole command.
    static func hawser() throws(CommandFailure) -> CommandDescription {
        let bytes = Array(CommandTree._dumpHelp().utf8)
        do throws(JSONReader.Problem) {
            let root = try JSONObject(bytes, 0..<bytes.count)
            return try CommandDescription(try root.object("command") ?? root)
        } catch {
            throw .ownFault("the command's own description, octet \(error.offset): \(error.reason)")
        }
    }

    private init(_ object: JSONObject) throws(JSONReader.Problem) {
        name = object.text("commandName") ?? ""
        abstract = object.text("abstract") ?? ""
        discussion = CommandDescription.paragraphs(object.text("discussion") ?? "")
        var arguments: [Argument] = []
        for item in try object.objects("arguments") where item.isTrue("shouldDisplay") {
            guard let kind = item.text("kind").flatMap(Argument.Kind.init) else { continue }
            let names = try item.objects("names").compactMap { name -> String? in
                name.text("name").map { name.text("kind") == "short" ? "-\($0)" : "--\($0)" }
            }
            guard !names.contains("--help"), !names.contains("--version") else { continue }
            arguments.append(
                Argument(
                    kind: kind, names: names, value: item.text("valueName") ?? "",
                    help: item.text("abstract") ?? "", defaultValue: item.text("defaultValue"),
                    allValues: try item.texts("allValues"), isOptional: item.isTrue("isOptional"),
                    isRepeating: item.isTrue("isRepeating"),
                    isBehindTerminator: item.text("parsingStrategy") == "postTerminator"))
        }
        self.arguments = arguments
        var subcommands: [CommandDescription] = []
        for item in try object.objects("subcommands") where item.isTrue("shouldDisplay") {
            guard item.text("commandName") != "help" else { continue }
            subcommands.append(try CommandDescription(item))
        }
        self.subcommands = subcommands
    }

    /// Splits text into paragraphs at empty lines. A line end inside a paragraph becomes a blank.
    private static func paragraphs(_ text: String) -> [String] {
        var paragraphs: [String] = []
        var lines: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                paragraphs.append(lines.joined(separator: " "))
                lines = []
            } else {
                lines.append(line)
            }
        }
        paragraphs.append(lines.joined(separator: " "))
        return paragraphs.filter { !$0.isEmpty }
    }
}

/// A JSON object's members, by name.
private struct JSONObject {
    private let bytes: [UInt8]
    private let members: [String: Range<Int>]

    init(_ bytes: [UInt8], _ range: Range<Int>) throws(JSONReader.Problem) {
        self.bytes = bytes
        var reader = JSONReader(bytes, in: range)
        var members: [String: Range<Int>] = [:]
        for member in try reader.members() ?? [] {
            members[String(decoding: bytes[member.name], as: UTF8.self)] = member.value
        }
        self.members = members
    }

    func text(_ name: String) -> String? {
        members[name].flatMap { JSONReader.text(bytes, $0) }
    }

    func isTrue(_ name: String) -> Bool {
        members[name].map { bytes[$0].elementsEqual("true".utf8) } ?? false
    }

    func object(_ name: String) throws(JSONReader.Problem) -> JSONObject? {
        guard let range = members[name] else { return nil }
        return try JSONObject(bytes, range)
    }

    func objects(_ name: String) throws(JSONReader.Problem) -> [JSONObject] {
        var objects: [JSONObject] = []
        for range in try elements(name) { objects.append(try JSONObject(bytes, range)) }
        return objects
    }

    func texts(_ name: String) throws(JSONReader.Problem) -> [String] {
        try elements(name).compactMap { JSONReader.text(bytes, $0) }
    }

    private func elements(_ name: String) throws(JSONReader.Problem) -> [Range<Int>] {
        guard let range = members[name] else { return [] }
        var reader = JSONReader(bytes, in: range)
        return try reader.elements() ?? []
    }
}
