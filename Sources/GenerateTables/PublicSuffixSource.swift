import PolicyCompiler

/// Makes Swift source from `grammar/public_suffix_list.dat`: one sorted text with the rules of the
/// ICANN section as A-labels.
enum PublicSuffixSource {
    /// The text of `PublicSuffixes+Generated.swift`.
    static func source(_ bytes: [UInt8]) throws(ContractProblem) -> String {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let version = lines.lazy.compactMap({ value("// VERSION: ", $0) }).first else {
            throw ContractProblem(message: "the public suffix list does not say its version")
        }
        let rules = try rules(lines)
        guard !rules.isEmpty else {
            throw ContractProblem(message: "the public suffix list has no ICANN section")
        }
        var text = """
            // Made by `swift run generate-tables` from grammar/public_suffix_list.dat. Do not edit.
            //
            // The Public Suffix List, https://publicsuffix.org, (c) its contributors, is subject to
            // the terms of the Mozilla Public License, v. 2.0, https://mozilla.org/MPL/2.0/, and so
            // is this file.
            // swift-format-ignore-file

            extension PublicSuffixes {
                /// The version of the list: the time of its publication.
                package static let version = "\(version)"

                /// The \(rules.count) rules of the ICANN section, separated by spaces.
                static let text = \"""

            """
        var line = ""
        for rule in rules {
            if line.utf8.count + rule.utf8.count > lineLength {
                text += indent + line + "\\\n"
                line = ""
            }
            line += rule + " "
        }
        return text + indent + line.dropLast() + "\n" + indent + "\"\"\"\n}\n"
    }

    private static let indent = "        "
    private static let lineLength = 88

    /// The rules of the ICANN section as A-labels, sorted by octets.
    private static func rules(_ lines: [Substring]) throws(ContractProblem) -> [String] {
        var rules: Set<String> = []
        var isInside = false
        for line in lines {
            if line.hasPrefix("// ===BEGIN ICANN DOMAINS===") { isInside = true }
            if line.hasPrefix("// ===END ICANN DOMAINS===") { isInside = false }
            guard isInside, !line.hasPrefix("//"), let rule = line.split(separator: " ").first
            else { continue }
            rules.insert(try ascii(rule))
        }
        return rules.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// A rule as A-labels. The mark `!` or `*.` stays in front of the name.
    private static func ascii(_ rule: Substring) throws(ContractProblem) -> String {
        var mark = ""
        if rule.hasPrefix("!") { mark = "!" }
        if rule.hasPrefix("*.") { mark = "*." }
        let name = String(rule.dropFirst(mark.count))
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return mark + name }
        do {
            return mark + (try ExactNameScanner.scan(name).canonicalText)
        } catch {
            throw ContractProblem(message: "`\(rule)`: \(error.message)")
        }
    }

    private static func value(_ key: String, _ line: Substring) -> Substring? {
        line.hasPrefix(key) ? line.dropFirst(key.count) : nil
    }
}
