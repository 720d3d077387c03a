import Foundation

/// Why disagreements of each class are right: a file that people write.
struct Reasons {
    /// Which way a disagreement goes; each has its part of the file.
    enum Section: String, CaseIterable {
        /// By the oddity, what an attacker could do if it were accepted.
        case hawserAloneRefuses = "hawser-alone-refuses"
        /// By the violation's id, what an attacker could do if it were accepted.
        case hawserRefuses = "hawser-refuses"
        /// By the peer's words, why a case that it refuses can be accepted.
        case libcryptoRefuses = "libcrypto-refuses"
        case swiftCertificatesRefuses = "swift-certificates-refuses"
        /// By the words of both, libcrypto's first, why what no peer accepts is sound.
        case nobodyElse = "nobody-else-accepts"
    }

    /// What all disagreements of a class have in common.
    struct Key: Hashable {
        let section: Section
        let text: String
    }

    let texts: [Key: String]

    static func read(_ path: String) throws -> Reasons {
        let file = try JSONDecoder().decode(
            [String: [String: String]].self, from: Data(contentsOf: URL(filePath: path)))
        var texts: [Key: String] = [:]
        for (name, entries) in file {
            guard let section = Section(rawValue: name) else {
                throw Problem(description: "\(path): no part is called `\(name)`")
            }
            for (text, reason) in entries {
                guard !reason.allSatisfy(\.isWhitespace) else {
                    throw Problem(description: "\(path): `\(text)` has no reason")
                }
                texts[Key(section: section, text: text)] = reason
            }
        }
        return Reasons(texts: texts)
    }

    struct Problem: Error, CustomStringConvertible { let description: String }

    /// Lines for the file of reasons, with shapes of the class in the place of each reason.
    static func stubs(_ classes: [ClassPage.Class]) -> String {
        var text = ""
        for section in Section.allCases {
            let members = classes.filter { $0.key.section == section }
            guard !members.isEmpty else { continue }
            let lines = members.map { member in
                let examples = member.examples(4).joined(separator: " | ")
                return "    \(quoted(member.key.text)): "
                    + quoted("\(member.rows.count) x: \(examples)")
            }
            text += "  \(quoted(section.rawValue)): {\n\(lines.joined(separator: ",\n"))\n  },\n"
        }
        return text
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        guard let data = try? encoder.encode(text) else { return "\"\"" }
        return String(decoding: data, as: UTF8.self)
    }
}
