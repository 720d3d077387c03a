import TrustEngine

/// The entries of a binary store as lines of text, one a line. Findings about a store have their
/// places in this text, and each line begins with the octet of the file.
package struct StoreListing: Sendable {
    /// The text, in UTF-8. Each line ends with a line feed.
    package private(set) var octets: [UInt8] = []

    package init() {}

    /// Adds a line, and returns its range without the line feed.
    mutating func add(_ text: String) -> Range<Int> {
        let start = octets.count
        octets += Array(text.utf8)
        let range = start..<octets.count
        octets.append(0x0A)
        return range
    }

    /// The most characters of a name.
    private static let longestName = 120

    /// A name of a store as text of one line. Control characters and hidden characters become `_`.
    static func safe(_ name: String) -> String {
        let scalars = name.unicodeScalars.prefix(longestName).map { scalar in
            scalar == "\n" || scalar == "\t" || scalar == "`" || scalar.value == 0x7F
                || HiddenCharacter.isHidden(scalar) ? Character("_") : Character(scalar)
        }
        return String(scalars)
    }
}
