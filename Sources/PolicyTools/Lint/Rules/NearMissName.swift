import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW220: a label of a host is one letter from a label that stands at the same place of many
    /// patterns: `api.paymnets.example` beside many names under `payments.example`.
    static let nearMissName = LintRule(.nearMissName) { context in
        context.names.nearMisses().map { miss in
            let (wrong, right) = (miss.label, miss.usual)
            return Diagnostic(
                .nearMissName,
                "`\(miss.host.text)` is one letter from the name that \(miss.count) patterns have: "
                    + "`\(wrong)` here, `\(right)` there",
                at: Diagnostic.Label(miss.host.span),
                labels: [Diagnostic.Label(miss.example.span, "here it is `\(right)`")],
                help: [
                    "if it is a slip write `\"\(miss.corrected)\"`; if both are meant say so: "
                        + "`# hawser:ignore HW220 -- REASON`"
                ])
        }
    }
}

/// A label that is used seldom and looks like one that is used often.
struct NearMiss {
    /// The first pattern at or below the label.
    let host: BoundHost
    let label: String
    /// The label that is used often, the number of patterns at or below it, and the first of
    /// these patterns.
    let usual: String
    let count: Int
    let example: BoundHost
    /// The text of the pattern with the usual label.
    let corrected: String
}

/// Finds labels that look like others.
///
/// A label is *used often* if at least three patterns lie at or below it, and at least three times
/// as many as at or below the label that looks like it. Both labels stand below the same name. Two
/// labels look alike if one edit turns one into the other: a letter replaced, left out or added, or
/// two neighbours exchanged. Three things do not count as slips and are not reported. An edit of a
/// digit, a hyphen or an underscore: `web1` beside `web2`. An edit of a short word, which is more
/// often another word: `eu-a` beside `eu-b`, `cards` beside `carts`. Labels of IDNs, because their
/// letters are a code.
extension NameTree {
    /// Fewest patterns of a label that is used often.
    private static let often = 3
    /// How many times as many patterns it must have.
    private static let ratio = 3
    /// Letters of the shortest word in which a letter can be left out, added or exchanged with its
    /// neighbour by a slip.
    private static let shortestWord = 5
    /// Letters of the shortest word in which a letter can be replaced by a slip. Short words of one
    /// length are often one letter apart.
    private static let shortestReplaced = 6

    /// The labels that look like one used often. Cost: linear in the octets of the labels that
    /// stand beside one used often, times their length. Labels are found by their rests, the label
    /// without one letter: two labels that one edit turns into each other have a rest in common, or
    /// one is the rest of the other.
    func nearMisses() -> [NearMiss] {
        var rests: [Int: [Int]] = [:]
        let isAsked = parentsOfMisses()
        for index in nodes.indices where nodes[index].count >= NameTree.often {
            guard isAsked[nodes[index].parent + 1], NameTree.isOfWords(label(index)) else {
                continue
            }
            for rest in self.rests(of: index) {
                // More labels than this with one rest do not count as slips.
                if rests[rest, default: []].count < NameTree.mostWithOneRest {
                    rests[rest, default: []].append(index)
                }
            }
        }
        guard !rests.isEmpty else { return [] }
        return nodes.indices.compactMap { index in
            guard isAsked[nodes[index].parent + 1], NameTree.isOfWords(label(index)) else {
                return nil
            }
            for rest in self.rests(of: index) {
                for other in rests[rest] ?? [] where isMiss(index, of: other) {
                    return miss(index, of: other)
                }
            }
            return nil
        }
    }

    /// Whether a label used often and one used seldom enough stand below a node, by the node's
    /// index and one. Below most nodes there are none, which their numbers tell.
    private func parentsOfMisses() -> [Bool] {
        var fewest = [Int](repeating: .max, count: nodes.count + 1)
        var most = [Int](repeating: 0, count: nodes.count + 1)
        for index in nodes.indices where NameTree.isOfWords(label(index)) {
            let (parent, count) = (nodes[index].parent + 1, nodes[index].count)
            fewest[parent] = min(fewest[parent], count)
            if count >= NameTree.often { most[parent] = max(most[parent], count) }
        }
        return fewest.indices.map { most[$0] / NameTree.ratio >= fewest[$0] }
    }

    private static let mostWithOneRest = 8

    private func isMiss(_ index: Int, of other: Int) -> Bool {
        nodes[index].parent == nodes[other].parent
            && nodes[other].count >= NameTree.ratio * nodes[index].count
            && NameTree.isSlip(label(index), label(other))
    }

    private func miss(_ index: Int, of other: Int) -> NearMiss {
        let (host, example) = (first(index), first(other))
        // The text of a pattern begins with its wildcard and the name.
        let before = host.pattern.wildcardText.utf8.count + nodes[index].before
        let text = Array(host.text.utf8)
        let corrected = text[..<before] + label(other) + text[(before + label(index).count)...]
        return NearMiss(
            host: host, label: String(decoding: label(index), as: UTF8.self),
            usual: String(decoding: label(other), as: UTF8.self), count: nodes[other].count,
            example: example, corrected: String(decoding: corrected, as: UTF8.self))
    }

    /// Whether a label can hold a word that is long enough, in letters that mean themselves.
    private static func isOfWords(_ label: ArraySlice<UInt8>) -> Bool {
        label.count >= shortestWord - 1 && !label.starts(with: "xn--".utf8)
    }

    /// The hashes of a node's label and of its rests without one octet, each with the name that the
    /// label stands below.
    private func rests(of index: Int) -> [Int] {
        let (label, parent) = (label(index), nodes[index].parent)
        return (-1..<label.count).map { left in
            NameTree.hash(label.span, without: left, parent)
        }
    }

    /// Whether one edit of a letter turns a label into another, in a word of the other that is long
    /// enough.
    static func isSlip(_ own: ArraySlice<UInt8>, _ usual: ArraySlice<UInt8>) -> Bool {
        let (own, usual) = (Array(own), Array(usual))
        guard own != usual, abs(own.count - usual.count) <= 1 else { return false }
        let start = zip(own, usual).prefix { $0 == $1 }.count
        var end = 0
        while end < min(own.count, usual.count) - start,
            own[own.count - 1 - end] == usual[usual.count - 1 - end]
        {
            end += 1
        }
        let (mine, theirs) = (own[start..<own.count - end], usual[start..<usual.count - end])
        guard (Array(mine) + Array(theirs)).allSatisfy(isLetter) else { return false }
        let isExchange =
            mine.count == 2 && theirs.count == 2 && mine.first == theirs.last
            && mine.last == theirs.first
        let isReplaced = mine.count == 1 && theirs.count == 1
        guard isExchange || mine.count + theirs.count == 1 || isReplaced else { return false }
        // The word of the usual label around the edit.
        let before = usual[..<start].reversed().prefix(while: isLetter).count
        let after = usual[start...].prefix(while: isLetter).count
        return before + after >= (isReplaced ? shortestReplaced : shortestWord)
    }

    private static func isLetter(_ octet: UInt8) -> Bool { (0x61...0x7A).contains(octet) }
}

extension HostPattern {
    /// What stands before the name of a pattern.
    fileprivate var wildcardText: String {
        switch host {
        case .oneLabel: return "*."
        case .anyLabels: return "**."
        case .name, .address, .network: return ""
        }
    }
}
