import CSchemas
package import PolicyCompiler

/// The page of a code in the catalogue, without its title.
package struct DiagnosticPage: Hashable, Sendable {
    /// What the diagnostic refuses or warns of, and why. One or more lines.
    package let explanation: String
    /// Policy text that has the diagnostic.
    package let bad: String
    /// The same text, corrected.
    package let good: String
    /// How to correct it.
    package let fix: String
    /// What changes whether or how the diagnostic is reported; nil if nothing does.
    package let options: String?
}

extension DiagnosticCode {
    /// The page that `hawser rule` prints for the code. Each call reads the code's entry in
    /// `grammar/diagnostics.yaml`, where entries stand in the order of the codes.
    package var page: DiagnosticPage {
        guard let index = DiagnosticCode.allCases.firstIndex(of: self),
            DiagnosticPage.entries.indices.contains(index),
            DiagnosticPage.entries[index].head == "  \(rawValue):",
            let page = DiagnosticPage(DiagnosticPage.entries[index])
        else { preconditionFailure("grammar/diagnostics.yaml has no page of \(rawValue)") }
        return page
    }
}

extension DiagnosticPage {
    /// The entries of the catalogue.
    fileprivate static let entries = EmbeddedFile.Part.all(
        of: UInt32(HAWSER_DIAGNOSTIC_CATALOGUE), from: "  H")

    /// Reads the literal blocks of an entry, without the line ends behind each: four blanks, the
    /// key and `: |`, then lines of six blanks and text. Nil if a block is missing.
    fileprivate init?(_ entry: EmbeddedFile.Part) {
        var texts: [String: [UInt8]] = [:]
        var key = ""
        var text: [UInt8] = []
        for line in entry.lines {
            if line.isEmpty || line.dropFirst(4).first == UInt8(ascii: " ") {
                text += line.dropFirst(6)
                text.append(UInt8(ascii: "\n"))
            } else {
                texts[key] = text
                let head = String(decoding: line.dropFirst(4), as: UTF8.self)
                key = head.hasSuffix(": |") ? String(head.dropLast(3)) : ""
                text = []
            }
        }
        texts[key] = text
        func block(_ key: String) -> String? {
            guard let text = texts[key], let last = text.lastIndex(where: { $0 != 0x0A }) else {
                return nil
            }
            return String(decoding: text[...last], as: UTF8.self)
        }
        guard let explanation = block("explanation"), let bad = block("bad"),
            let good = block("good"), let fix = block("fix")
        else { return nil }
        (self.explanation, self.bad, self.good, self.fix) = (explanation, bad, good, fix)
        options = block("options")
    }
}
