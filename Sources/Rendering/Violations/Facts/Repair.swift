package import TrustEngine

/// One change that would change a verdict: what to do and, where an edit was proven, the lines to
/// write.
package struct Repair: Hashable, Sendable {
    /// What a repair is, in the order in which repairs are told.
    package enum Kind: Int, Hashable, Sendable {
        /// A warning that somebody else may be answering.
        case caution
        /// Whom to ask whether the right server answers.
        case question
        /// A change that lets nothing more pass.
        case action
        /// The advice to leave the reject as it is.
        case refusal
        /// A change that lets more pass.
        case change
    }

    /// What to do, lower case, no full stop.
    package let text: String
    /// The text for a screen on which the whole one has no room: at most one line of 80 columns for
    /// names of usual length. Empty where another repair's brief text says the same. Nil where
    /// there is only the whole text.
    package let brief: String?
    /// What the repair is.
    package let kind: Kind
    /// The edit that does it. It exists only where `RepairProof` has proven it; words alone
    /// otherwise.
    package let edit: PolicyEdit?

    /// Makes a repair. Without a kind it is an action.
    package init(
        _ text: String, brief: String? = nil, kind: Kind = .action, edit: PolicyEdit? = nil
    ) {
        self.text = text
        self.brief = brief
        self.kind = kind
        self.edit = edit
    }

    /// Whether the text says in words what `RepairFinder.change` would write. A proven edit takes
    /// the place of that text.
    package var isOfChange: Bool { kind == .change }

    /// Whether the text warns that somebody else may be answering, or says whom to ask. Cautions
    /// stand before everything else.
    package var isCaution: Bool { kind == .caution || kind == .question }

    /// The lines to write, as the file has them with their indentation; empty without an edit.
    package var snippet: [String] { edit?.lines ?? [] }
}

/// An edit of one policy file that replaces whole lines.
package struct PolicyEdit: Hashable, Sendable {
    /// The file's path from the unit's root.
    package let file: String
    /// The first line that is replaced, from 1. If no line is replaced, the line before which the
    /// new lines stand.
    package let line: Int
    /// The number of lines that are replaced; 0 for an insertion.
    package let replaced: Int
    /// The new lines without their line ends.
    package let lines: [String]
    /// The texts among the new lines that stand for a value which only a person knows. The policy
    /// does not compile until each is replaced.
    package let placeholders: [String]

    package init(
        file: String, line: Int, replaced: Int, lines: [String], placeholders: [String]
    ) {
        self.file = file
        self.line = line
        self.replaced = replaced
        self.lines = lines
        self.placeholders = placeholders
    }

    /// Where the lines belong, as the end of a sentence.
    package var place: String {
        switch replaced {
        case 0: return line > 1 ? "after `\(file):\(line - 1)`" : "at the top of `\(file)`"
        case 1: return "in place of `\(file):\(line)`"
        default: return "in place of `\(file):\(line)` to `\(line + replaced - 1)`"
        }
    }
}

/// Keys that would let a rejected request pass if the deciding rule had them only for the requested
/// host. A change is a proposal: nothing shows yet that it does so, or that it does no more.
package struct PolicyChange: Hashable, Sendable {
    /// One key of a rule.
    package enum Part: Hashable, Sendable {
        case waiver(Waiver.Tolerance, reason: String)
        case reportOnly(ReportOnly.Check)
        /// The sources of revocation evidence that the rule asks, without an end.
        case revocationSources([RevocationSource])
        /// A name of the rule's only anchor, a server's own certificate, that `identity` lists in
        /// place of the host; without an end.
        case listedName(OwnAnchor.Name)
    }

    /// Every key that is needed, each once. Every key ends by a date, but for sources and names.
    package var parts: [Part]
    /// What the keys let pass, one clause each, without a full stop.
    package var costs: [String]

    package init(_ part: Part, cost: String) {
        parts = [part]
        costs = [cost]
    }

    /// Whether no key of the change has an end.
    package var isLasting: Bool { parts.allSatisfy(\.isLasting) }

    /// Both changes together.
    package func joined(with other: PolicyChange) -> PolicyChange {
        var joined = self
        for part in other.parts where !joined.parts.contains(part) {
            if case .revocationSources(let more) = part,
                let index = joined.parts.firstIndex(where: { $0.sources != nil }),
                let sources = joined.parts[index].sources
            {
                joined.parts[index] = .revocationSources(
                    sources + more.filter { !sources.contains($0) })
            } else {
                joined.parts.append(part)
            }
        }
        for cost in other.costs where !joined.costs.contains(cost) { joined.costs.append(cost) }
        return joined
    }
}

extension PolicyChange.Part {
    /// Whether the key has no end.
    fileprivate var isLasting: Bool {
        switch self {
        case .revocationSources, .listedName: return true
        case .waiver, .reportOnly: return false
        }
    }

    /// The sources of a part that sets them; nil for every other part.
    fileprivate var sources: [RevocationSource]? {
        if case .revocationSources(let sources) = self { return sources }
        return nil
    }
}
