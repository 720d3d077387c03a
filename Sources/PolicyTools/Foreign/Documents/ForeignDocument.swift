package import PolicyCompiler

/// Reads values of YAML and JSON documents by their names and types. A value of another type is an
/// error with its place.
extension DocumentNode {
    /// The documents of a file.
    ///
    /// - Throws: HX101.
    package static func documents(_ bytes: [UInt8]) throws(ForeignError) -> [DocumentNode] {
        do throws(DocumentStream.Problem) {
            return try DocumentStream.read(bytes)
        } catch {
            throw ForeignError(.foreignSyntax, error.message, at: error.range)
        }
    }

    typealias Entry = (key: String, keyRange: Range<Int>, value: DocumentNode)

    /// The entries of a map; empty for any other value.
    var entries: [Entry] {
        guard case .map(let entries) = content else { return [] }
        return entries
    }

    /// The items of a list; empty for any other value.
    var items: [DocumentNode] {
        guard case .list(let items) = content else { return [] }
        return items
    }

    var isMap: Bool {
        guard case .map = content else { return false }
        return true
    }

    var isList: Bool {
        guard case .list = content else { return false }
        return true
    }

    var isNothing: Bool {
        guard case .nothing = content else { return false }
        return true
    }

    /// The text of a scalar; nil for any other value.
    var text: String? {
        guard case .text(let text, _) = content else { return nil }
        return text
    }

    /// The entry with a name as it is written.
    func entry(_ name: String) -> Entry? { entries.first { $0.key == name } }

    /// The value with a name as it is written. A missing value counts as absent.
    func value(_ name: String) -> DocumentNode? {
        guard let found = entry(name)?.value, !found.isNothing else { return nil }
        return found
    }

    /// The field of a message of Protocol Buffers: its name, or the name in lower camel case, which
    /// JSON has (https://protobuf.dev/programming-guides/json/).
    func field(_ name: String) -> DocumentNode? {
        value(name) ?? value(Self.camelCase(name))
    }

    private static func camelCase(_ name: String) -> String {
        let parts = name.split(separator: "_")
        return parts.enumerated().map { index, part in
            index == 0 ? String(part) : part.prefix(1).uppercased() + part.dropFirst()
        }.joined()
    }

    // MARK: Types

    /// The value as a text.
    func requireText(_ name: String) throws(ForeignError) -> String {
        guard let text else { throw wanted(name, "a text") }
        return text
    }

    /// The value as a text, as the API server of Kubernetes takes it. Without quotes YAML reads
    /// some words as numbers or as true or false, which the API server does not take for texts.
    func requireKubernetesText(_ name: String) throws(ForeignError) -> String {
        let text = try requireText(name)
        if case .text(_, isPlain: true) = content, KubernetesScalar.isOfOtherType(text) {
            throw .refusedByServer(
                "`\(name)` takes a text, and YAML reads `\(text.prefix(60))` without quotes as a "
                    + "number or as true or false", at: range)
        }
        return text
    }

    /// The value as true or false. YAML and JSON have both as plain words.
    func requireFlag(_ name: String) throws(ForeignError) -> Bool {
        guard case .text(let text, _) = content else { throw wanted(name, "`true` or `false`") }
        switch text {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: throw wanted(name, "`true` or `false`")
        }
    }

    /// The value as a whole number that is not negative.
    func requireNumber(_ name: String, upTo most: Int) throws(ForeignError) -> Int {
        guard let text, let number = Int(text), (0...most).contains(number) else {
            throw wanted(name, "a number from 0 to \(most)")
        }
        return number
    }

    /// The value as a whole number that is not negative, as the API server of Kubernetes takes it:
    /// without quotes.
    func requireKubernetesNumber(_ name: String, upTo most: Int) throws(ForeignError) -> Int {
        if case .text(let text, isPlain: false) = content {
            throw .refusedByServer(
                "`\(name)` takes a number, and `\(text.prefix(60))` in quotes is a text", at: range)
        }
        return try requireNumber(name, upTo: most)
    }

    /// The value as a list.
    func requireItems(_ name: String, upTo most: Int = 10_000) throws(ForeignError)
        -> [DocumentNode]
    {
        guard isList else { throw wanted(name, "a list") }
        guard items.count <= most else { throw wanted(name, "at most \(most) items") }
        return items
    }

    /// The value as a map.
    func requireMap(_ name: String) throws(ForeignError) -> DocumentNode {
        guard isMap else { throw wanted(name, "a map") }
        return self
    }

    private func wanted(_ name: String, _ type: String) -> ForeignError {
        ForeignError(.configurationRefused, "`\(name)` takes \(type)", at: range)
    }
}
