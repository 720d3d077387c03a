/// A version of Chrome: whole numbers with dots between them, `153.0.8010.0`. A partial version is
/// one whose other numbers are zero: `131` is `131.0.0.0`.
package struct ChromeVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Without zeros at the end.
    private let numbers: [UInt32]
    package let description: String

    /// Reads a version; nil for any other text, a number above 32 bits included.
    package init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var numbers: [UInt32] = []
        for part in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        {
            guard !part.isEmpty, part.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt32(String(decoding: Array(part), as: UTF8.self))
            else { return nil }
            numbers.append(number)
        }
        while numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
        description = text
    }

    package static func == (left: ChromeVersion, right: ChromeVersion) -> Bool {
        left.numbers == right.numbers
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(numbers) }

    package static func < (left: ChromeVersion, right: ChromeVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
