package import PolicyCompiler
package import TrustEngine

/// An entry of a list of pins: hosts, and the keys of which one must be in the chain.
package struct PinEntry: Sendable {
    /// The hosts of an entry, in relation to its domain.
    package enum Reach: Hashable, Sendable {
        case exact
        /// Names with one label more.
        case oneLabel
        /// The domain itself and every name below it.
        case apexAndBelow
    }

    /// As the file has it.
    package let name: String
    package let range: Range<Int>
    /// The canonical name without stars. Nil if no request can name it.
    package let domain: String?
    /// Why no request can name it.
    var help: String?
    package var reach = Reach.exact
    package var pins: [ForeignPin] = []
    /// The last instant at which the pins bind.
    package var end: UTCInstant?
    /// Whether the end is a midnight of the device's time zone.
    var endIsLocal = false
    var endRange: Range<Int>?
    /// Whether a connection without a match fails.
    package var isEnforced = true
    /// Whether the entry takes its host out of a wider entry.
    package var isExclusion = false

    package init(
        name: String, range: Range<Int>, domain: String?, reach: Reach = .exact, help: String? = nil
    ) {
        self.name = name
        self.range = range
        self.domain = domain
        self.reach = reach
        self.help = help
    }
}

/// A list of pins that a target reads.
package struct PinListFile: Sendable {
    package var entries: [PinEntry] = []
    package var findings: [Diagnostic] = []

    mutating func note(
        _ code: DiagnosticCode, _ message: String, at range: Range<Int>, help: [String] = []
    ) {
        findings.append(
            Diagnostic(code, message, at: Diagnostic.Label(range.foreignSpan), help: help))
    }
}

/// What a list of pins demands of a host at an instant.
package struct PinBehaviour: Hashable, Sendable {
    /// The digests of which one must be in the chain; nil if any key is accepted. No key is
    /// accepted if it is empty.
    package let digests: Set<String>?
    /// SHA-1 digests of which one in the chain is enough, too.
    package let sha1: Set<String>
}

/// How a target reads a list of pins: which entries decide for a host.
package protocol PinListModel: Sendable {
    var file: PinListFile { get }
    /// The entries that decide for a host, in the file's order. The host is canonical.
    func deciding(_ host: String) -> [Int]
    /// Whether two entries that name one host are taken in different ways by the readers of the
    /// file.
    var readersDiffer: Bool { get }
}

extension PinListModel {
    /// What the file demands for a host.
    ///
    /// - Parameter instant: nil for an instant before every end.
    package func behaviour(of host: String, at instant: UTCInstant? = nil) -> PinBehaviour {
        let binding = deciding(host).map { file.entries[$0] }.filter { entry in
            guard entry.isEnforced, !entry.isExclusion else { return false }
            guard let instant, let end = entry.end else { return true }
            return instant <= end
        }
        guard !binding.isEmpty else { return PinBehaviour(digests: nil, sha1: []) }
        let pins = binding.flatMap(\.pins)
        return PinBehaviour(
            digests: Set(pins.compactMap(\.digest)),
            sha1: Set(
                pins.compactMap { pin in
                    guard case .sha1(let digest) = pin.kind else { return nil }
                    return digest
                }))
    }

    /// The exact entry for a host, else the entry with names below that has the longest domain.
    func mostSpecific(_ host: String) -> [Int] {
        var best: (length: Int, index: Int)?
        for (index, entry) in file.entries.enumerated() {
            guard let domain = entry.domain else { continue }
            if domain == host { return [index] }
            guard entry.reach == .apexAndBelow, host.hasSuffix("." + domain) else { continue }
            let length = domain.utf8.count
            if best.map({ length > $0.length }) ?? true { best = (length, index) }
        }
        return best.map { [$0.index] } ?? []
    }
}
