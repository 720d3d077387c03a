import Rendering
package import TrustEngine

/// Who must approve a change: the owners in the old policy of everything that got weaker or
/// incomparable. An owner that the change itself writes is a claim of its author and approves
/// nothing.
package struct Approvals: Hashable, Sendable {
    /// A part of a policy that has an owner.
    package enum Part: Hashable, Sendable {
        /// The hosts that a rule of the old policy decided; `default` where the id is empty.
        case rule(String)
        /// The hosts that the old policy denied.
        case denied
        case anchors(String)
        case pins(String)
        /// A waiver, by its key, of a rule of the new policy; of `default` where the id is empty.
        case waiver(String, rule: String)
        /// An assertion, a test, an allowance or another guard, in words.
        case watch(String)
    }

    /// A part that got weaker, or that gets another owner, with one owner who must approve it.
    package struct Required: Hashable, Sendable {
        package let part: Part
        /// How the new part compares with the old part; `equal` where only its owner changes.
        package internal(set) var relation: Relation
        /// The owner in the old policy; nil where the old policy names none.
        package let owner: String?
        /// The fields that are weaker or incomparable, in the order in which they were met.
        package internal(set) var fields: [String]
        /// The first hosts of the part; nil for guards and changes of owners.
        package let example: String?
        /// Where the part is written in the new policy, otherwise in the old policy.
        package let place: Place?
        /// The owners that the new policy names for the part, where the change writes them.
        package internal(set) var claimed: [String]
    }

    /// A place in one of the two policies.
    package struct Place: Hashable, Sendable {
        package let location: Provenance.Location
        package let isNew: Bool

        package init(_ location: Provenance.Location, isNew: Bool) {
            self.location = location
            self.isNew = isNew
        }
    }

    /// An owner that the change writes or changes.
    package struct Claim: Hashable, Sendable {
        package let owner: String
        package let part: Part
        /// The owner in the old policy; nil where there was none.
        package let former: String?
    }

    /// What must be approved, in the order of the classes of hosts; guards last.
    package let required: [Required]
    package let claims: [Claim]
    /// The team that proposes the change, as the caller names it; nil if the caller names none.
    package let author: String?
    /// The folders of the two units from the folder in which the answer is read, where they have
    /// one.
    package let folders: Folders

    /// The folders of two units; empty where they are the folder itself, or not known.
    package struct Folders: Hashable, Sendable {
        package let old: String
        package let new: String
    }

    package var isEmpty: Bool { required.isEmpty && claims.isEmpty }

    /// The owners who must approve, sorted, each once; nil last, where a part has no owner.
    package var owners: [String?] {
        let all = Set(required.map(\.owner))
        return all.compactMap(\.self).sorted() + (all.contains(nil) ? [nil] : [])
    }

    /// The same with the guards whose changes somebody must approve.
    func adding(_ guards: [GuardChange]) -> Approvals {
        let changes = guards.filter(\.needsApproval)
        guard !changes.isEmpty else { return self }
        var list = ApprovalList(required, claims)
        for change in changes {
            let place = change.place.map {
                Place(
                    Provenance.Location(file: $0.file, line: $0.line, column: $0.column),
                    isNew: $0.isNew)
            }
            list.add(
                Required(
                    part: .watch("\(change.kind.noun) `\(change.name)`"),
                    relation: change.relation, owner: change.oldOwner, fields: [], example: nil,
                    place: place, claimed: []), claimed: change.newOwner, former: change.oldOwner)
        }
        return Approvals(
            required: list.required, claims: list.claims, author: author, folders: folders)
    }

    /// Whether a name stands for the author's team: without regard to case, to `@` and to an
    /// organisation before `/`.
    package func isAuthor(_ owner: String?) -> Bool {
        guard let author, let owner else { return false }
        func team(_ text: String) -> Substring {
            let name = text.lowercased()
            return name[
                (name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex)...
            ]
            .drop { $0 == "@" }
        }
        return team(author) == team(owner)
    }

    /// Whether the author's team owns a part, in the old policy or by its own claim.
    package func isAuthors(_ one: Required) -> Bool {
        isAuthor(one.owner) || one.claimed.contains(where: isAuthor)
    }
}

/// Collects who must approve what, a part and its owner once.
struct ApprovalList {
    private(set) var required: [Approvals.Required] = []
    private(set) var claims: [Approvals.Claim] = []
    private var indices: [Key: Int] = [:]
    private var known: Set<Approvals.Claim> = []

    private struct Key: Hashable {
        let part: Approvals.Part
        let owner: String?
        let isEqual: Bool

        init(_ one: Approvals.Required) {
            part = one.part
            owner = one.owner
            isEqual = one.relation == .equal
        }
    }

    /// A list that begins with the parts and claims of another list.
    init(_ required: [Approvals.Required] = [], _ claims: [Approvals.Claim] = []) {
        self.required = required
        self.claims = claims
        indices = Dictionary(
            required.indices.map { (Key(required[$0]), $0) },
            uniquingKeysWith: { first, _ in first })
        known = Set(claims)
    }

    /// Adds a part, or joins it with the same part and owner.
    ///
    /// - Parameters:
    ///   - claimed: the owner of the part in the new policy.
    ///   - former: its own owner in the old policy.
    mutating func add(_ one: Approvals.Required, claimed: String?, former: String?) {
        let key = Key(one)
        let index = indices[key] ?? required.count
        if index == required.count {
            indices[key] = index
            required.append(one)
        } else {
            if !required[index].relation.isNoWeaker, one.relation == .weaker {
                required[index].relation = .weaker
            }
            for field in one.fields where !required[index].fields.contains(field) {
                required[index].fields.append(field)
            }
        }
        guard let claimed, claimed != former else { return }
        if !required[index].claimed.contains(claimed) { required[index].claimed.append(claimed) }
        claim(claimed, of: one.part, former: former)
    }

    /// Notes that the change writes an owner.
    mutating func claim(_ owner: String, of part: Approvals.Part, former: String?) {
        let claim = Approvals.Claim(owner: owner, part: part, former: former)
        if known.insert(claim).inserted { claims.append(claim) }
    }
}
