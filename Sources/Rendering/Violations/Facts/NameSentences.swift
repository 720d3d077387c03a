import TrustEngine

/// Explains why a presented name does not match a wanted host where the two texts do not show it: a
/// form that never counts, or a wildcard that stands for less. Violations hold names as text.
enum NameSentences {
    /// Why a presented name does not count for a wanted one.
    struct Flaw: Hashable {
        /// A predicate whose subject is the name.
        let words: String
        /// Whether the name never counts for any host, and was meant for the wanted one. Then the
        /// issuer made a mistake, and the right server is answering.
        let isMistake: Bool
    }

    /// A clause about the presented name that explains most; empty where none does. It stands
    /// behind the names that were wanted and presented.
    static func mismatch(presented: [String], wanted: [String]) -> String {
        guard let (name, flaw) = found(presented, wanted) else { return "" }
        let subject =
            presented.count == 1
            ? "the name"
            : "`\(Words.unquoted(Words.shortened(name, to: 100)))`"
        return "; \(subject) \(flaw.words)"
    }

    /// The presented name that was meant for a wanted one and never counts; nil where there is
    /// none.
    static func mistake(presented: [String], wanted: [String]) -> String? {
        guard let (name, flaw) = found(presented, wanted), flaw.isMistake else { return nil }
        return name
    }

    private static func found(
        _ presented: [String], _ wanted: [String]
    ) -> (name: String, flaw: Flaw)? {
        var first: (String, Flaw)?
        // As many names as a list shows.
        for name in presented.prefix(6) where !name.hasSuffix("…") {
            for wish in wanted.prefix(6) {
                guard let flaw = flaw(of: name, for: wish) else { continue }
                if flaw.isMistake { return (name, flaw) }
                first = first ?? (name, flaw)
            }
        }
        return first
    }

    /// Why a name does not count for a wanted DNS name or address; nil where the texts show it, and
    /// where the wanted text is another kind of name.
    static func flaw(of name: String, for wanted: String) -> Flaw? {
        switch try? CanonicalHost(text: wanted) {
        case .address(let address): return flaw(of: name, for: address)
        case .name(let host) where host == wanted:
            guard let words = form(name, host) ?? wildcard(name, host) else { return nil }
            return Flaw(words: words, isMistake: neverCounts(name, host) && covers(name, host))
        case .name, nil: return nil
        }
    }

    // MARK: Addresses

    /// A presented iPAddress that is the wanted address would have matched. So a text that is the
    /// address is of another kind of name.
    private static func flaw(of name: String, for address: IPAddress) -> Flaw? {
        var text = bare(name)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = String(text[text.index(after: text.startIndex)..<end])
        }
        guard case .address(address)? = try? CanonicalHost(text: text) else { return nil }
        return Flaw(
            words: "is the address as text, and an address counts only as an iPAddress",
            isMistake: true)
    }

    // MARK: Forms that never count

    /// The fault in the form of a name that can match no host; nil if names of this form can match.
    private static func form(_ name: String, _ host: String) -> String? {
        if name.contains("://") {
            return covers(name, host) ? "is a URL, and a host counts only as a DNS name" : nil
        }
        if name.unicodeScalars.contains(where: { isBlank($0) }) {
            return covers(name, host) ? "has a blank, which no DNS name has" : nil
        }
        if !name.utf8.allSatisfy({ $0 < 0x80 }) {
            return covers(name, host)
                ? "is not in ASCII, and a certificate must present `\(host)` for it" : nil
        }
        if portStart(name) != nil {
            return covers(name, host) ? "has a port, which no DNS name has" : nil
        }
        if name.hasSuffix(".") {
            return covers(name, host) ? "ends with a dot, which no name in a certificate may" : nil
        }
        if name.hasPrefix(".") {
            return covers(name, host) || isInside(host, String(name.dropFirst()))
                ? "begins with a dot, and stands for no host" : nil
        }
        if name.lowercased() == host {
            return "stands there as another kind of name than a DNS name"
        }
        return nil
    }

    /// Why a name with `*` does not cover a host; nil where it has none, or is plainly of others.
    private static func wildcard(_ name: String, _ host: String) -> String? {
        let stars = name.utf8.count { $0 == UInt8(ascii: "*") }
        guard stars > 0 else { return nil }
        let labels = labels(name)
        let base = labels.drop { $0.contains("*") }.joined(separator: ".")
        guard stars == 1, labels[0] == "*" else {
            guard covers(name, host) else { return nil }
            if stars > 1 { return "has several wildcards, and only the first label may be one" }
            return labels[0].contains("*")
                ? "has a wildcard inside a label, and `*` counts only as the whole first label"
                : "has a wildcard behind its first label, where none counts"
        }
        if host == base {
            return "stands for hosts with one label more, and not for the host itself"
        }
        guard isInside(host, base) else { return nil }
        let more = NameSentences.labels(host).count - (labels.count - 1)
        if more > 1 { return "has a `*` that stands for one label, and the host has \(more) there" }
        if !base.contains(".") { return "has a wildcard before a single label, where none counts" }
        return base.contains("_")
            ? "has a wildcard before a label with `_`, where none counts" : nil
    }

    /// Whether no host ever matches the name. `*.acme.example` is right for other hosts.
    private static func neverCounts(_ name: String, _ host: String) -> Bool {
        form(name, host) != nil || !(name.hasPrefix("*.") && !name.dropFirst().contains("*"))
    }

    // MARK: What was meant

    /// Whether a name was meant for a host: without its flaws it has the labels of the host, with
    /// `*` for any run of characters of a label. The last two labels must be written out: a
    /// wildcard for a whole domain is nobody's slip.
    private static func covers(_ name: String, _ host: String) -> Bool {
        let (mine, theirs) = (labels(bare(name)), labels(host))
        guard mine.count == theirs.count, mine.count >= 2,
            mine.suffix(2).allSatisfy({ !$0.contains("*") })
        else { return mine == theirs }
        return zip(mine, theirs).allSatisfy { matches($0, $1) }
    }

    /// Whether a label was meant for another: they are equal, a `*` stands for the difference, or
    /// one is beyond ASCII and the other an A-label.
    private static func matches(_ label: String, _ wanted: String) -> Bool {
        if label == wanted { return true }
        if !label.utf8.allSatisfy({ $0 < 0x80 }) { return wanted.hasPrefix("xn--") }
        let pieces = label.split(separator: "*", omittingEmptySubsequences: false)
        guard pieces.count == 2 else { return label.contains("*") && pieces.allSatisfy(\.isEmpty) }
        return wanted.utf8.count >= label.utf8.count - 1 && wanted.hasPrefix(pieces[0])
            && wanted.hasSuffix(pieces[1])
    }

    /// A name without what does not belong to it: scheme, path, port, blanks, dots at its ends.
    private static func bare(_ name: String) -> String {
        var text = name.lowercased()
        if let scheme = text.firstRange(of: "://") {
            text = String(text[scheme.upperBound...].prefix { !"/?#".contains($0) })
        }
        text.unicodeScalars.removeAll(where: isBlank)
        if let port = portStart(text) { text = String(text[..<port]) }
        while text.hasPrefix(".") { text.removeFirst() }
        while text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// Where `:PORT` begins at the end of a name. A second colon makes it an address.
    private static func portStart(_ name: String) -> String.Index? {
        guard let colon = name.lastIndex(of: ":"), name.firstIndex(of: ":") == colon,
            name.index(after: colon) < name.endIndex,
            name[name.index(after: colon)...].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return colon
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 0x20 || scalar.value == 0x7F || scalar.properties.isWhitespace
    }

    private static func labels(_ name: String) -> [String] {
        name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    private static func isInside(_ host: String, _ base: String) -> Bool {
        host.hasSuffix("." + base.lowercased())
    }
}
