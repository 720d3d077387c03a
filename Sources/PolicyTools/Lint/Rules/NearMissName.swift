import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW220: a label of a host is one letter from a label that stands at the same place of many
    /// patterns: `api.paymnets.example` beside many names under `payments.example`. `NameTree` says
    /// what is many, and which letters count.
    static let nearMissName = LintRule(.nearMissName) { context in
        let tree = NameTree(context.bound.rules)
        return tree.nearMisses().map { miss in
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

/// The names of a policy's patterns as a tree of labels, the last label of a name at the top.
///
/// A label is *used often* if at least three patterns lie at or below it, and at least three times
/// as many as at or below the label that looks like it. Both labels stand below the same name. Two
/// labels look alike if one edit turns one into the other: a letter replaced, left out or added, or
/// two neighbours exchanged. Three things are no slip and are not reported. An edit of a digit, a
/// hyphen or an underscore: `web1` beside `web2`. An edit of a short word, which is more often
/// another word: `eu-a` beside `eu-b`, `cards` beside `carts`. Labels of IDNs, because their
/// letters are a code.
struct NameTree {
    /// A label that is used seldom and looks like one that is used often.
    struct Miss {
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

    private struct Node {
        let label: Substring
        let parent: Int
        /// The number of patterns at or below the label.
        var count: Int
        /// The first of these patterns.
        let first: BoundHost
        /// The octets in the text of `first` that stand before the label.
        let before: Int
    }

    /// Labels that a name has below another. The hash is that of the label's octets, because the
    /// hash of a `Substring` computes the canonical form of Unicode each time.
    private struct Place: Hashable {
        let parent: Int
        let label: Substring

        static func == (left: Place, right: Place) -> Bool {
            left.parent == right.parent && left.label.utf8.elementsEqual(right.label.utf8)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(parent)
            OctetHash.combine(label, into: &hasher)
        }
    }

    private var nodes: [Node] = []

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

    /// Cost: linear in the octets of the patterns.
    init(_ rules: [BoundRule]) {
        var places: [Place: Int] = [:]
        for rule in rules {
            for host in rule.hosts {
                guard let name = host.pattern.dnsName else { continue }
                // The text of a pattern begins with its wildcard and the name.
                let prefix = host.pattern.wildcardText.utf8.count
                var parent = -1
                var rest = name[...]
                while true {
                    let dot = rest.utf8.lastIndex(of: UInt8(ascii: "."))
                    let label = dot.map { rest[rest.utf8.index(after: $0)...] } ?? rest
                    let place = Place(parent: parent, label: label)
                    if let known = places[place] {
                        nodes[known].count += 1
                        parent = known
                    } else {
                        let start = name.utf8.distance(
                            from: name.startIndex, to: label.startIndex)
                        nodes.append(
                            Node(
                                label: label, parent: parent, count: 1, first: host,
                                before: prefix + start))
                        places[place] = nodes.count - 1
                        parent = nodes.count - 1
                    }
                    guard let dot else { break }
                    rest = rest[..<dot]
                }
            }
        }
    }

    /// The labels that look like one used often. Cost: linear in the octets of the labels that
    /// stand beside one used often, times their length. Labels are found by what is left of them
    /// without one letter: two labels that one edit turns into each other have such a rest in
    /// common, or one is the rest of the other.
    func nearMisses() -> [Miss] {
        var rests: [Int: [Int]] = [:]
        var usual: Set<Int> = []
        for index in nodes.indices where nodes[index].count >= NameTree.often {
            guard NameTree.isOfWords(nodes[index].label) else { continue }
            usual.insert(nodes[index].parent)
            for rest in NameTree.rests(of: nodes[index]) {
                // More labels than this with one rest are no slips.
                if rests[rest, default: []].count < NameTree.mostWithOneRest {
                    rests[rest, default: []].append(index)
                }
            }
        }
        guard !rests.isEmpty else { return [] }
        return nodes.indices.compactMap { index in
            let node = nodes[index]
            guard usual.contains(node.parent), NameTree.isOfWords(node.label) else { return nil }
            for rest in NameTree.rests(of: node) {
                for other in rests[rest] ?? [] where isMiss(index, of: other) {
                    return miss(index, of: other)
                }
            }
            return nil
        }
    }

    private static let mostWithOneRest = 8

    private func isMiss(_ index: Int, of other: Int) -> Bool {
        let (node, usual) = (nodes[index], nodes[other])
        return node.parent == usual.parent && usual.count >= NameTree.ratio * node.count
            && NameTree.isSlip(Array(node.label.utf8), Array(usual.label.utf8))
    }

    private func miss(_ index: Int, of other: Int) -> Miss {
        let (node, usual) = (nodes[index], nodes[other])
        let text = Array(node.first.text.utf8)
        let corrected =
            text[..<node.before] + Array(usual.label.utf8)
            + text[(node.before + node.label.utf8.count)...]
        return Miss(
            host: node.first, label: String(node.label), usual: String(usual.label),
            count: usual.count, example: usual.first,
            corrected: String(decoding: corrected, as: UTF8.self))
    }

    /// Whether a label can hold a word that is long enough, in letters that mean themselves.
    private static func isOfWords(_ label: Substring) -> Bool {
        label.utf8.count >= shortestWord - 1 && !label.hasPrefix("xn--")
    }

    /// The hashes of a label and of what is left of it without one octet, each with its place.
    private static func rests(of node: Node) -> [Int] {
        let label = Array(node.label.utf8)
        return (-1..<label.count).map { left in
            var hasher = Hasher()
            hasher.combine(node.parent)
            for (index, octet) in label.enumerated() where index != left { hasher.combine(octet) }
            return hasher.finalize()
        }
    }

    /// Whether one edit of a letter turns a label into another, in a word of the other that is long
    /// enough.
    static func isSlip(_ own: [UInt8], _ usual: [UInt8]) -> Bool {
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
    /// The name, or the name behind the wildcard; nil for addresses and networks.
    fileprivate var dnsName: String? {
        if case .name(let name) = host { return name }
        return wildcardBase
    }

    /// What stands before that name.
    fileprivate var wildcardText: String {
        switch host {
        case .oneLabel: return "*."
        case .anyLabels: return "**."
        case .name, .address, .network: return ""
        }
    }
}
