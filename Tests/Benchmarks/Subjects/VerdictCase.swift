import CLibC

/// One question that a verdict answers, as a file: a program of its own mints the cases once, and
/// each program that measures reads them.
package struct VerdictCase: Hashable, Sendable {
    /// The question to the engine.
    package enum Question: String, Hashable, Sendable {
        case evaluate
        /// With a trace, without making text of it.
        case explain
    }

    /// The question to the engine.
    package var question = Question.evaluate
    /// The host that is asked about.
    package var host: String
    /// The host that the policy has a rule for. Another host than `host` makes a deny.
    package var ruledHost: String
    /// The instant to judge at, in seconds since 1970.
    package var seconds: Int64
    /// Pins of the rule, of which the key of the second certificate meets one; 0 for none.
    package var pins = 0
    /// DER of the roots that the chains end at.
    package var anchors: [[UInt8]]
    /// DER of each certificate of each chain, in the order in which a server sends them. One chain
    /// is judged again and again. Of several, the first is judged before anything is measured, and
    /// makes its issuers known; the others are judged in turn.
    package var chains: [[[UInt8]]]

    /// A case that `evaluate` is asked; without `ruledHost` the policy has a rule for `host`.
    package init(
        host: String, ruledHost: String? = nil, seconds: Int64, anchors: [[UInt8]],
        chains: [[[UInt8]]]
    ) {
        self.host = host
        self.ruledHost = ruledHost ?? host
        self.seconds = seconds
        self.anchors = anchors
        self.chains = chains
    }

    /// Whether the host has a rule. Every chain of a case is accepted where it has one.
    package var isAccepted: Bool { host == ruledHost }

    /// The chains that are measured.
    package var measured: ArraySlice<[[UInt8]]> {
        chains.count == 1 ? chains[...] : chains.dropFirst()
    }
}

// MARK: - Files

extension VerdictCase {
    /// Why a file is not a case.
    package struct FileError: Error, CustomStringConvertible {
        /// The file and its fault.
        package let description: String
    }

    /// Reads what `write(to:)` wrote. Linear in the octets.
    ///
    /// - Throws: `FileError`.
    package init(reading path: String) throws {
        var file = try OctetReader(path)
        let words = String(decoding: try file.octets(), as: UTF8.self).split(separator: " ")
        guard words.count == 5, let question = Question(rawValue: String(words[0])),
            let seconds = Int64(words[3]), let pins = Int(words[4])
        else { throw FileError(description: "\(path) is no case") }
        self.init(
            host: String(words[1]), ruledHost: String(words[2]), seconds: seconds,
            anchors: try file.list(), chains: [])
        self.question = question
        self.pins = pins
        while !file.isAtEnd { chains.append(try file.list()) }
    }

    /// Writes a file, a line of text and lists as `octets(of:)` writes them.
    ///
    /// - Throws: `FileError`.
    package func write(to path: String) throws {
        let line = "\(question.rawValue) \(host) \(ruledHost) \(seconds) \(pins)"
        let octets =
            VerdictCase.length(line.utf8.count) + Array(line.utf8)
            + VerdictCase.octets(of: [anchors] + chains)
        guard let file = fopen(path, "w") else {
            throw FileError(description: "\(path) cannot be written")
        }
        let written = octets.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard fclose(file) == 0, written == octets.count else {
            throw FileError(description: "\(path) cannot be written")
        }
    }

    /// Lists of certificates as octets: each list and each certificate preceded by its length, four
    /// octets, the least significant first.
    package static func octets(of lists: [[[UInt8]]]) -> [UInt8] {
        var octets: [UInt8] = []
        for list in lists {
            octets += length(list.count)
            for bytes in list { octets += length(bytes.count) + bytes }
        }
        return octets
    }

    private static func length(_ count: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
}

/// Reads the parts of a case from its file, front to back.
private struct OctetReader {
    private let path: String
    private let contents: [UInt8]
    private var position = 0

    init(_ path: String) throws {
        self.path = path
        guard let file = fopen(path, "r") else {
            throw VerdictCase.FileError(description: "\(path) cannot be read")
        }
        defer { fclose(file) }
        var contents: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&part, 1, part.count, file)
            guard count > 0 else { break }
            contents += part[..<count]
        }
        self.contents = contents
    }

    var isAtEnd: Bool { position == contents.count }

    mutating func octets() throws -> [UInt8] {
        let count = try length()
        return Array(try take(count))
    }

    mutating func list() throws -> [[UInt8]] {
        try (0..<(try length())).map { _ in try octets() }
    }

    private mutating func length() throws -> Int {
        try take(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count <= contents.count - position else {
            throw VerdictCase.FileError(description: "\(path) is cut off")
        }
        defer { position += count }
        return contents[position..<position + count]
    }
}
