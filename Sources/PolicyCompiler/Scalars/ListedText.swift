/// Several items of a list in one scalar: `"a.example, b.example"`. Other tools take such lists in
/// one text, and a list of YAML with a comma or a dash too few becomes one.
enum ListedText {
    /// The parts between blanks, commas and semicolons, without quotes around them; nil where there
    /// are fewer than two, or more than `mostParts`.
    static func parts(_ text: String) -> [String]? {
        // Every digest of a policy comes here, and almost every text holds a single item.
        guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x80 || $0 == 0x2C || $0 == 0x3B })
        else { return nil }
        let parts = text.split { $0.isWhitespace || $0 == "," || $0 == ";" }
            .map { $0.trimmed(of: ["\"", "'"]) }
        guard (2...mostParts).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else {
            return nil
        }
        return parts.map(String.init)
    }

    /// The digests of a text that lists several, each in the spelling of this language: curl writes
    /// `sha256//…;sha256//…`, RFC 7469 `pin-sha256="…"; pin-sha256="…"; max-age=…`. Nil where a
    /// part is not a digest.
    static func digests<Value>(
        _ text: String, _ scanner: (String) throws(ScalarProblem) -> Value
    ) -> [String]? {
        guard let parts = parts(text) else { return nil }
        var digests: [String] = []
        for part in parts {
            let name = part.prefix { $0 != "=" }.lowercased()
            if directives.contains(name) { continue }
            guard let digest = meant(part, scanner) else { return nil }
            if !digests.contains(digest) { digests.append(digest) }
        }
        return digests.count > 1 ? digests : nil
    }

    /// The text that a scanner takes: this one, or the one that its problem writes in its place.
    private static func meant<Value>(
        _ text: String, _ scanner: (String) throws(ScalarProblem) -> Value
    ) -> String? {
        do throws(ScalarProblem) {
            _ = try scanner(text)
            return text
        } catch {
            guard let written = error.replacement, error.condition.isEmpty,
                (try? scanner(written)) != nil
            else { return nil }
            return written
        }
    }

    /// The directives of RFC 7469 section 2.1 that stand beside its pins.
    private static let directives: Set<String> = ["max-age", "includesubdomains", "report-uri"]
    /// A text has at most 1,000 octets; no help shows more items than this.
    private static let mostParts = 32
}

extension Substring {
    fileprivate func trimmed(of marks: Set<Character>) -> Substring {
        var text = self
        while let first = text.first, marks.contains(first) { text.removeFirst() }
        while let last = text.last, marks.contains(last) { text.removeLast() }
        return text
    }
}
