import Foundation

/// The page of classes: which validators differ on minted shapes, and why. The right verdict on a
/// shape is not known, except that some must be refused; so each class of disagreement has a
/// reason.
///
/// A class is one way to differ. What Hawser alone refuses is in a class for each of its oddities
/// that Hawser alone refuses by itself; what Hawser and one peer refuse, in a class for each
/// violation that Hawser names. What Hawser accepts and a peer refuses is in a class for the words
/// of the peer, or for the words of both where neither accepts.
struct ClassPage {
    /// Disagreements with one reason.
    struct Class {
        let key: Reasons.Key
        let rows: [Page.Row]

        /// Its plainest shapes, those with the fewest oddities first.
        func examples(_ count: Int) -> [String] {
            let sorted = rows.enumerated()
                .sorted { ($0.element.oddities, $0.offset) < ($1.element.oddities, $1.offset) }
            var subjects: [String] = []
            for (_, row) in sorted where !subjects.contains(row.vector.subject) {
                subjects.append(row.vector.subject)
                if subjects.count == count { break }
            }
            return subjects
        }
    }

    let rows: [Page.Row]
    let reasons: Reasons
    let classes: [Class]

    init(rows: [Page.Row], reasons: Reasons) {
        self.rows = rows
        self.reasons = reasons
        let refused = Set(
            rows.filter { $0.isSingle && $0.isRefusedByHawserAlone }
                .flatMap { $0.vector.oddities ?? [] })
        var members: [Reasons.Key: [Page.Row]] = [:]
        for row in rows {
            for key in row.classKeys(refused) { members[key, default: []].append(row) }
        }
        classes = members.map { Class(key: $0, rows: $1) }
            .sorted { ($1.rows.count, $0.key.text) < ($0.rows.count, $1.key.text) }
    }

    var disagreements: Int { rows.count(where: \.isDisagreement) }

    /// What Hawser accepts though the shape was made so that it must be refused.
    var falseAccepts: [Page.Row] { rows.filter { $0.standing(of: 0) == .falseAccept } }

    var classesWithoutReason: [Class] { classes.filter { reasons.texts[$0.key] == nil } }

    /// Reasons that no class has any more.
    var idleReasons: [Reasons.Key] {
        Set(reasons.texts.keys).subtracting(classes.map(\.key))
            .sorted { ($0.section.rawValue, $0.text) < ($1.section.rawValue, $1.text) }
    }

    var text: String {
        var text = """
            # Shapes of private PKIs: who differs from whom, and why

            Written by `Tests/Differential/private-pki.sh`. `mint-private-pki` makes chains as private CAs have them, each with some
            oddities: first every oddity alone in each certificate that can have it, then some by chance. Hawser judges them as a
            policy with `files:` and nothing else does, libcrypto's `X509_verify_cert` with a purpose and a host, swift-certificates
            1.21.1 with the policies that it ships; it declines end entities that are trusted as themselves.

            Some shapes are made so that they must be refused, and the run fails where Hawser accepts one. Of the others nobody
            knows beforehand what is right. The reasons below are from `private-pki-reasons.json`; a class without one fails
            the run.


            """
        text += counts
        text += table(
            "Hawser alone refuses",
            """
            Everybody else who does not decline accepts. A shape with two oddities that Hawser alone refuses by themselves is in the
            lines of both; one with none, in those of its violations.
            """, ["oddity", "shapes"], "what could be done with it, were it accepted",
            .hawserAloneRefuses
        ) { found in [found.key.text, "\(found.rows.count)"] }
        text += table(
            "Hawser and one other refuse",
            "A shape that Hawser refuses for two violations is in the lines of both.",
            ["violation", "libcrypto accepts", "swift-certificates accepts"],
            "what could be done with it, were it accepted", .hawserRefuses
        ) { found in
            [
                "`\(found.key.text)`", "\(found.rows.count { $0.accepts(1) })",
                "\(found.rows.count { $0.accepts(2) })",
            ]
        }
        let words = ["words", "shapes"]
        let sections: [(String, Reasons.Section)] = [
            ("libcrypto alone refuses", .libcryptoRefuses),
            ("swift-certificates alone refuses", .swiftCertificatesRefuses),
            ("Nobody else accepts", .nobodyElse),
        ]
        for (title, section) in sections {
            text += table(title, nil, words, "why it can be accepted", section) { found in
                [found.key.text, "\(found.rows.count)"]
            }
        }
        return text + singles
    }

    private var counts: String {
        var shapes: [[String]: Int] = [:]
        for row in rows { shapes[(0..<3).map(row.word), default: 0] += 1 }
        var text = "| \(Page.names.joined(separator: " | ")) | shapes |\n|---|---|---|---|\n"
        for (words, count) in shapes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            text += "| \(words.joined(separator: " | ")) | \(count) |\n"
        }
        return text
    }

    private func table(
        _ title: String, _ note: String?, _ columns: [String], _ why: String,
        _ section: Reasons.Section, _ cells: (Class) -> [String]
    ) -> String {
        let members = classes.filter { $0.key.section == section }
        guard !members.isEmpty else { return "" }
        var text = "\n## \(title)\n\n" + (note.map { $0 + "\n\n" } ?? "")
        text += "| \((columns + ["such as", why]).joined(separator: " | ")) |\n"
        text += "|\(String(repeating: "---|", count: columns.count + 2))\n"
        for found in members {
            let end = [
                found.examples(1)[0],
                reasons.texts[found.key] ?? "**no reason is written**",
            ]
            text += "| \((cells(found) + end).joined(separator: " | ")) |\n"
        }
        return text
    }

    /// Each oddity that alone makes somebody differ.
    private var singles: String {
        let found = rows.filter { $0.isSingle && $0.isDisagreement }
        var text = "\n## One oddity alone\n\nOnly those of which somebody differs.\n\n"
        text +=
            "| oddity | \(Page.names.joined(separator: " | ")) | the violation, or the words of who refuses |\n"
        text += "|---|---|---|---|---|\n"
        for row in found {
            let words = (0..<3).map(row.word).joined(separator: " | ")
            text += "| \(row.vector.subject) | \(words) | \(row.why) |\n"
        }
        return text
    }
}

extension Page.Row {
    fileprivate var oddities: Int { vector.oddities?.count ?? 0 }

    fileprivate func accepts(_ peer: Int) -> Bool { verdicts[peer] == .accept }

    fileprivate func word(_ peer: Int) -> String {
        switch verdicts[peer] {
        case .accept: return "accept"
        case .reject: return "reject"
        case .declined: return "declined"
        }
    }

    /// The words of a peer that refuses.
    private func words(_ peer: Int) -> String? {
        if case .reject(let words) = verdicts[peer] { return words }
        return nil
    }

    /// Whether the shape was made for only one oddity.
    fileprivate var isSingle: Bool { vector.suite == "one-oddity" }

    fileprivate var isRefusedByHawserAlone: Bool {
        isDisagreement && words(0) != nil && words(1) == nil && words(2) == nil
    }

    /// The classes of a disagreement; none where all agree. `refused` are the oddities that Hawser
    /// alone refuses by themselves.
    fileprivate func classKeys(_ refused: Set<String>) -> [Reasons.Key] {
        guard isDisagreement else { return [] }
        if let violations = words(0) {
            let ids = Set(violations.split(separator: ", ").map(String.init))
            guard isRefusedByHawserAlone else {
                return ids.map { Reasons.Key(section: .hawserRefuses, text: $0) }
            }
            let causes = (vector.oddities ?? []).filter(refused.contains)
            let texts =
                causes.isEmpty
                ? ids.map { "several: `\($0)`" }
                : causes.map { $0.replacing("trusted end entity:", with: "end entity:") }
            return Set(texts).map { Reasons.Key(section: .hawserAloneRefuses, text: $0) }
        }
        switch (accepts(1), accepts(2)) {
        case (true, _): return [key(.swiftCertificatesRefuses, [2])]
        case (_, true): return [key(.libcryptoRefuses, [1])]
        case (false, false): return [key(.nobodyElse, [1, 2])]
        }
    }

    /// A class by the words of peers.
    private func key(_ section: Reasons.Section, _ peers: [Int]) -> Reasons.Key {
        let texts = peers.map { peer -> String in
            guard let words = words(peer) else { return "declined" }
            // swift-certificates goes on with the forms of names that it has looked at.
            let general = words.components(separatedBy: " matched: ")
            return general.count > 1 ? general[0] + " matched" : words
        }
        return Reasons.Key(section: section, text: texts.joined(separator: "; "))
    }
}
