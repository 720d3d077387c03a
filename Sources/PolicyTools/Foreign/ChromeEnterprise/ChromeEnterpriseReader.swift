import PolicyCompiler
import TrustEngine

/// Reads a file of Chrome's enterprise policies in JSON, as Chrome on Linux reads it: with lines of
/// comments. An entry that Chrome drops is a finding.
package struct ChromeEnterpriseReader {
    private let bytes: [UInt8]
    private var file = ChromeEnterpriseFile()

    /// The most entries of a list, and of the limits of an entry.
    private static let mostEntries = 10_000
    /// The largest file, in octets.
    private static let largestFile = 4 << 20
    /// The longest name, in octets (`IsValidDNSConstraint`).
    private static let longestName = 255

    /// Reads a file.
    ///
    /// - Throws: HX101 for a text that is not JSON, or is beyond the limits.
    package static func read(_ bytes: [UInt8]) throws(ForeignError) -> ChromeEnterpriseFile {
        guard bytes.count <= largestFile else {
            throw ForeignError(
                .foreignSyntax,
                "the file has \(bytes.count) octets; at most \(largestFile) are read",
                at: 0..<0)
        }
        var reader = ChromeEnterpriseReader(bytes)
        try reader.readLists()
        return reader.file
    }

    private init(_ bytes: [UInt8]) { self.bytes = Self.withoutComments(bytes) }

    /// The text with blanks in place of lines that begin with `//`, so that offsets stay.
    private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var start = 0
        while start < bytes.count {
            var index = start
            while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
            let isComment =
                index + 1 < bytes.count && bytes[index] == 0x2F && bytes[index + 1] == 0x2F
            while index < bytes.count, bytes[index] != 0x0A {
                if isComment { bytes[index] = 0x20 }
                index += 1
            }
            start = index + 1
        }
        return bytes
    }

    private mutating func readLists() throws(ForeignError) {
        guard let members = try members(0..<bytes.count, most: Self.mostEntries) else {
            throw fault("an object of policies is wanted", at: 0)
        }
        var seen: Set<String> = []
        for member in members {
            let name = JSONReader.text(bytes, member.name.quoted) ?? ""
            guard seen.insert(name).inserted else {
                throw fault("`\(name)` stands twice", at: member.name.lowerBound)
            }
            switch name {
            case ChromeEnterpriseFile.plainKey:
                file.plain = try certificates(member.value, named: name)
            case ChromeEnterpriseFile.distrustedKey:
                file.distrusted = try certificates(member.value, named: name)
            case ChromeEnterpriseFile.constrainedKey:
                for range in try elements(member.value, named: name) {
                    if let entry = try constrained(range) { file.constrained.append(entry) }
                }
            case ChromeEnterpriseFile.hintsKey: file.hints = member.value
            default: file.otherKeys.append(name)
            }
        }
    }

    // MARK: Values

    private mutating func elements(
        _ range: Range<Int>, named name: String
    ) throws(ForeignError) -> [Range<Int>] {
        var reader = JSONReader(bytes, in: range)
        let elements: [Range<Int>]?
        do throws(JSONReader.Problem) {
            elements = try reader.elements(most: Self.mostEntries)
        } catch {
            throw fault(error.reason, at: error.offset)
        }
        if elements == nil { ignore("`\(name)` is not a list, and Chrome ignores it", range) }
        return elements ?? []
    }

    private mutating func ignore(_ message: String, _ range: Range<Int>) {
        file.findings.append(
            Diagnostic(.ignoredByTarget, message, at: Diagnostic.Label(range.foreignSpan)))
    }

    private mutating func certificates(
        _ range: Range<Int>, named name: String
    ) throws(ForeignError) -> [ChromeEnterpriseFile.Entry] {
        try elements(range, named: name).compactMap { element in
            guard let der = certificate(element) else {
                ignore(
                    "the entry is not a certificate in base64, and Chrome ignores it", element)
                return nil
            }
            return ChromeEnterpriseFile.Entry(range: element, der: der)
        }
    }

    private func certificate(_ range: Range<Int>) -> [UInt8]? {
        guard let text = JSONReader.text(bytes, range) else { return nil }
        return Base64.decode(Array(text.utf8)[...])
    }

    /// An entry of `CACertificatesWithConstraints`; nil for an entry that Chrome drops.
    private mutating func constrained(
        _ range: Range<Int>
    ) throws(ForeignError) -> ChromeEnterpriseFile.Entry? {
        let values = try self.values(range)
        guard let der = values["certificate"].flatMap({ certificate($0) }) else {
            ignore("the entry has no `certificate` in base64, and Chrome ignores it", range)
            return nil
        }
        var entry = ChromeEnterpriseFile.Entry(range: range, der: der)
        var constraints: [String: Range<Int>] = [:]
        if let range = values["constraints"] { constraints = try self.values(range) }
        for (key, isName) in [("permitted_dns_names", true), ("permitted_cidrs", false)] {
            guard let list = constraints[key] else { continue }
            for element in try elements(list, named: key) {
                guard let text = JSONReader.text(bytes, element), isValid(text, isName: isName)
                else {
                    ignore("`\(key)` has a value that Chrome refuses with the whole entry", element)
                    return nil
                }
                let found = ChromeEnterpriseFile.Text(text: text, range: element)
                if isName { entry.names.append(found) } else { entry.networks.append(found) }
            }
        }
        guard !entry.names.isEmpty || !entry.networks.isEmpty else {
            ignore(
                "the entry has no constraint, and Chrome ignores it; `CACertificates` is the list "
                    + "of certificates without constraints", range)
            return nil
        }
        return entry
    }

    /// The members of an object; nil for another value.
    private func members(
        _ range: Range<Int>, most: Int
    ) throws(ForeignError) -> [JSONReader.Member]? {
        var reader = JSONReader(bytes, in: range)
        do throws(JSONReader.Problem) {
            return try reader.members(most: most)
        } catch {
            throw fault(error.reason, at: error.offset)
        }
    }

    /// The values of an object by their names. Of two values with one name the last one counts, as
    /// in Chrome.
    private func values(_ range: Range<Int>) throws(ForeignError) -> [String: Range<Int>] {
        var found: [String: Range<Int>] = [:]
        for member in try members(range, most: 64) ?? [] {
            found[JSONReader.text(bytes, member.name.quoted) ?? ""] = member.value
        }
        return found
    }

    private func fault(_ reason: String, at offset: Int) -> ForeignError {
        ForeignError(
            .foreignSyntax, "the file is not JSON of policies: \(reason)",
            at: min(offset, bytes.count)..<min(offset + 1, bytes.count))
    }

    private func isValid(_ text: String, isName: Bool) -> Bool {
        guard isName else { return ChromeEnterpriseImport.network(text) != nil }
        return text.utf8.count <= Self.longestName && text.utf8.allSatisfy { $0 < 0x80 }
    }
}

extension Range<Int> {
    /// The range of a member's name with its quotes.
    fileprivate var quoted: Range<Int> { lowerBound - 1..<upperBound + 1 }
}
