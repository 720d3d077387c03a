package import Rendering
import TrustEngine

/// The sentences and lists in which each format names who must approve a change. They hold text
/// from policies; each renderer escapes them.
package struct ApprovalSentences {
    private let approvals: Approvals

    package init(_ approvals: Approvals) { self.approvals = approvals }

    /// Rows under one owner.
    package struct Group: Hashable, Sendable {
        /// The owner; nil for parts that have none.
        package let owner: String?
        package let rows: [String]

        /// The owner as the first word of its rows.
        package var title: String { owner ?? "(no owner)" }
    }

    package static let requiredTitle = "must approve, by the owners before this change"
    package static let claimedTitle =
        "owners that this change writes: claims, which approve nothing"
    package static let linesTitle = "the same as lines of CODEOWNERS, each a demand of its own"

    /// The owners who must approve, in one line; nil if there are none.
    package var headline: String? {
        guard !approvals.required.isEmpty else { return nil }
        let names = approvals.owners.compactMap(\.self)
        let unowned = approvals.required.count { $0.owner == nil }
        let parts =
            (names.isEmpty ? [] : ["must approve: \(names.joined(separator: ", "))"])
            + (unowned == 0
                ? []
                : [
                    Words.count(unowned, "part", "parts")
                        + " without an owner before this change"
                ])
        return parts.joined(separator: "; ")
    }

    /// What each owner must approve, sorted by owner; parts without an owner last.
    package var required: [Group] {
        let groups = Dictionary(grouping: approvals.required, by: \.owner)
        return approvals.owners.map { owner in
            Group(owner: owner, rows: (groups[owner] ?? []).map(sentence))
        }
    }

    /// The owners that the change writes, sorted.
    package var claimed: [Group] {
        let groups = Dictionary(grouping: approvals.claims, by: \.owner)
        return groups.keys.sorted().map { owner in
            Group(
                owner: owner,
                rows: (groups[owner] ?? []).map { claim in
                    let former = claim.former.map { ", before: \($0)" } ?? ""
                    return ApprovalSentences.name(claim.part) + former + mark(claim.owner)
                })
        }
    }

    /// A part in words.
    package static func name(_ part: Approvals.Part) -> String {
        func rule(_ id: String) -> String { id.isEmpty ? "`default`" : "rule `\(id)`" }
        switch part {
        case .rule(let id): return rule(id)
        case .denied: return "hosts that were denied"
        case .anchors(let id): return "anchor set `\(id)`"
        case .pins(let id): return "pin set `\(id)`"
        case .waiver(let name, let id): return "waiver `\(name)` of \(rule(id))"
        case .watch(let name): return name
        }
    }

    /// What an owner approves.
    private func sentence(_ one: Approvals.Required) -> String {
        let name = ApprovalSentences.name(one.part)
        let mark = approvals.isAuthors(one) ? ", owned by the author" : ""
        guard one.relation != .equal else {
            return one.claimed.isEmpty
                ? "\(name) loses its owner" : "\(name) gets another owner\(mark)"
        }
        let fields =
            one.fields.isEmpty
            ? "" : " (\(Cut.line(one.fields, most: ApprovalSentences.mostFields)))"
        let example = one.example.map { $0 == HostClass.others ? " for \($0)" : " for `\($0)`" }
        return "\(name): \(DiffSentences.relation(one.relation))\(example ?? "")\(fields)\(mark)"
    }

    private func mark(_ owner: String) -> String {
        approvals.isAuthor(owner) ? ", owned by the author" : ""
    }

    /// The fields of a part that a sentence names. JSON has all.
    private static let mostFields = 3

    // MARK: Lines of CODEOWNERS

    /// A file and an owner who must approve its change, each pair once, sorted. In CODEOWNERS the
    /// last line of a file counts alone; here every line counts. A comment names each file with a
    /// part that has no owner: CODEOWNERS has no line for it.
    package var lines: [String] {
        var (owned, unowned): (Set<String>, Set<String>) = ([], [])
        for one in approvals.required {
            guard let place = one.place else { continue }
            let folder = place.isNew ? approvals.folders.new : approvals.folders.old
            let file = place.location.file
            let path = ApprovalSentences.pattern(
                folder.isEmpty || folder == "." ? file : "\(folder)/\(file)")
            if let owner = one.owner {
                owned.insert("/\(path) \(ApprovalSentences.codeOwner(owner))")
            } else {
                unowned.insert("# /\(path) has a part without an owner before this change")
            }
        }
        return owned.sorted() + unowned.sorted()
    }

    /// A path as a pattern that matches nothing else.
    private static func pattern(_ path: String) -> String {
        var text = ""
        for scalar in path.unicodeScalars {
            if special.contains(scalar) { text += "\\" }
            TerminalEscape.append(scalar, to: &text)
        }
        return text
    }

    private static let special = Set(" *?[]#!\\".unicodeScalars)

    /// An owner as CODEOWNERS names one: `@name` and addresses of mail as they are; any other text
    /// as the name of a team, with `-` in place of what no name has.
    package static func codeOwner(_ owner: String) -> String {
        func isNameOctet(_ scalar: Unicode.Scalar) -> Bool {
            scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || ["-", "_", ".", "/"].contains(scalar)
        }
        let parts = owner.split(separator: "@", omittingEmptySubsequences: false)
        let isWritten =
            parts.count == 2 && !parts[1].isEmpty
            && parts.allSatisfy { $0.unicodeScalars.allSatisfy(isNameOctet) }
        if isWritten { return owner }
        var name = ""
        for scalar in owner.unicodeScalars {
            if isNameOctet(scalar) {
                name.unicodeScalars.append(scalar)
            } else if !name.hasSuffix("-"), !name.isEmpty {
                name += "-"
            }
        }
        if name.hasSuffix("-") { name.removeLast() }
        return "@\(name.isEmpty ? "unnamed" : name)"
    }

    // MARK: Formats

    /// The section of the text, with an empty line before it; empty if no approval is needed and
    /// the change writes no owner.
    package var textLines: [String] {
        func list(_ title: String, _ groups: [Group]) -> [String] {
            guard !groups.isEmpty else { return [] }
            return [title]
                + groups.flatMap { group in
                    let rows = Cut.list(group.rows, most: ApprovalSentences.mostRows)
                    let width = max(12, group.title.count + 2)
                    return rows.enumerated().map { index, row in
                        let head = index == 0 ? group.title : ""
                        return "  \(head)\(String(repeating: " ", count: width - head.count))\(row)"
                    }
                }
        }
        guard !approvals.isEmpty else { return [] }
        let lines = self.lines
        return [""] + list(ApprovalSentences.requiredTitle, required)
            + list(ApprovalSentences.claimedTitle, claimed)
            + (lines.isEmpty
                ? [] : [ApprovalSentences.linesTitle] + lines.map { "  \($0)" })
    }

    /// The parts of one owner that a list names; JSON has all. Owners are never left out.
    package static let mostRows = 8

    /// The list for formats that write sentences: an owner, a colon, the part.
    package var sentences: [String] {
        func list(_ groups: [Group], _ head: String) -> [String] {
            groups.flatMap { group in
                Cut.list(group.rows, most: ApprovalSentences.mostRows).map {
                    "\(head)\(group.title): \($0)"
                }
            }
        }
        return list(required, "") + list(claimed, "claimed by this change, ")
            + lines.map { "`\($0)`" }
    }

    /// What the JSON of a comparison has as `approvals`.
    package var json: JSONValue {
        func part(_ part: Approvals.Part) -> JSONValue {
            let (kind, id, rule): (String, String?, String?)
            switch part {
            case .rule(let name): (kind, id, rule) = ("rule", name, nil)
            case .denied: (kind, id, rule) = ("denied", nil, nil)
            case .anchors(let name): (kind, id, rule) = ("anchors", name, nil)
            case .pins(let name): (kind, id, rule) = ("pins", name, nil)
            case .waiver(let name, let owner): (kind, id, rule) = ("waiver", name, owner)
            case .watch(let name): (kind, id, rule) = ("guard", name, nil)
            }
            return .object(["kind": kind, "id": id, "rule": rule])
        }
        return .object([
            "owners": approvals.owners.compactMap { $0 },
            "required": approvals.required.map { one in
                JSONValue.object([
                    "owner": one.owner,
                    "codeOwner": one.owner.map {
                        JSONValue.string(ApprovalSentences.codeOwner($0))
                    }, "part": part(one.part), "relation": DiffSentences.relation(one.relation),
                    "fields": one.fields, "example": one.example,
                    "location": one.place.map { JSONValue.location($0.location) },
                    "isNew": one.place?.isNew, "claimed": one.claimed,
                    "isAuthors": approvals.isAuthors(one),
                ])
            },
            "claimed": approvals.claims.map { claim in
                JSONValue.object([
                    "owner": claim.owner, "part": part(claim.part), "former": claim.former,
                    "isAuthors": approvals.isAuthor(claim.owner),
                ])
            }, "author": approvals.author, "codeOwners": lines,
        ])
    }
}
