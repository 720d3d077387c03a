import Foundation
import Testing

/// Whoever reads "LANGUAGE §11.4" finds section 11.4 in `grammar/language.md`.
@Suite struct LanguageSectionTests {
    /// The numbers of the page's headings.
    private static func headings() throws -> [String] {
        try Tree.read("grammar/language.md").split(separator: "\n").compactMap { line in
            guard line.hasPrefix("## ") || line.hasPrefix("### ") else { return nil }
            let word = line.drop { $0 == "#" || $0 == " " }.prefix { $0.isNumber || $0 == "." }
            return word.isEmpty ? nil : word.trimmingCharacters(in: .init(charactersIn: "."))
        }
    }

    @Test func headingsAreNumberedInOrder() throws {
        let numbers = try LanguageSectionTests.headings()
        var last = (section: 0, part: 0)
        for number in numbers {
            let parts = number.split(separator: ".").compactMap { Int($0) }
            let next =
                parts.count == 1
                ? (section: parts[0], part: 0) : (section: parts[0], part: parts[1])
            let isNext =
                next.part == 0
                ? next.section == last.section + 1
                : next.section == last.section && next.part == last.part + 1
            #expect(isNext, "\(number) stands behind \(last)")
            last = next
        }
        #expect(last.section >= 12)
    }

    /// The numbers behind the word LANGUAGE, and those behind `§` in the page itself.
    @Test func everySectionThatIsCitedExists() throws {
        let known = Set(try LanguageSectionTests.headings())
        // One number, or two: `§12.9`, ` section 8`, ` sections 6 and 12.2`.
        let number = /[0-9]+(?:\.[0-9]+)?/
        let cited = /(?: sections?)?[ \n]§{0,2}([0-9.]+)(?:,| and)? ?§?([0-9.]*)/
        let kinds = [".swift", ".md", ".yaml", ".json", ".txt", ".ebnf", ".1", ".h", ".c"]
        var files = Tree.files(
            below: "Sources", "Tests", "policies", "grammar", "Packaging", "Documentation",
            ".github"
        ) { name in kinds.contains { name.hasSuffix($0) } }
        files.append(Tree.File(path: "README.md", text: try Tree.read("README.md")))
        var seen: Set<String> = []
        for file in files {
            // The few octets behind the word are searched, and not the file: the goldens are large.
            for tail in file.text.components(separatedBy: "LANGUAGE").dropFirst() {
                guard let match = tail.prefix(40).prefixMatch(of: cited) else { continue }
                for part in [match.output.1, match.output.2] {
                    guard let cited = part.prefixMatch(of: number)?.output else { continue }
                    seen.insert(String(cited))
                    #expect(known.contains(String(cited)), "\(file.path) cites \(tail.prefix(40))")
                }
            }
        }
        #expect(
            seen.isSuperset(of: ["5", "8", "10", "11.3", "11.4", "12.3", "12.4", "12.9", "12.10"]))
        let page = try Tree.read("grammar/language.md")
        for match in page.matches(of: /§([0-9]+(?:\.[0-9]+)?)/) {
            #expect(known.contains(String(match.output.1)), "the page cites §\(match.output.1)")
        }
    }
}
