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

    /// What must be approved, in the order of the classes of hosts.
    package private(set) var required: [Required] = []
    package private(set) var claims: [Claim] = []
    /// The team that proposes the change, as the caller names it; nil if the caller names none.
    package var author: String?
    /// The folders of the two units from the folder in which the answer is read, where they have
    /// one.
    package var folders = Folders()
    private var indices: [Key: Int] = [:]
    private var known: Set<Claim> = []

    /// The folders of two units; empty where they are the folder itself, or not known.
    package struct Folders: Hashable, Sendable {
        package var old = ""
        package var new = ""

        package init(old: String = "", new: String = "") {
            self.old = old
            self.new = new
        }
    }

    private struct Key: Hashable {
        let part: Part
        let owner: String?
        let isEqual: Bool
    }

    package init() {}

    package var isEmpty: Bool { required.isEmpty && claims.isEmpty }

    /// The owners who must approve, sorted, each once; nil last, where a part has no owner.
    package var owners: [String?] {
        let all = Set(required.map(\.owner))
        return all.compactMap(\.self).sorted() + (all.contains(nil) ? [nil] : [])
    }

    /// Adds a guard whose change somebody must approve.
    package mutating func addGuard(_ change: GuardChange) {
        let location = change.place.map {
            Provenance.Location(file: $0.file, line: $0.line, column: $0.column)
        }
        add(
            Required(
                part: .watch("\(change.kind.noun) `\(change.name)`"), relation: change.relation,
                owner: change.oldOwner, fields: [], example: nil,
                place: location.map { Place($0, isNew: change.place?.isNew ?? false) },
                claimed: []), claimed: change.newOwner, former: change.oldOwner)
    }

    /// Adds a part, or joins it with the same part and owner.
    ///
    /// - Parameters:
    ///   - claimed: the owner of the part in the new policy.
    ///   - former: its own owner in the old policy.
    mutating func add(_ one: Required, claimed: String?, former: String?) {
        let key = Key(part: one.part, owner: one.owner, isEqual: one.relation == .equal)
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
    mutating func claim(_ owner: String, of part: Part, former: String?) {
        let claim = Claim(owner: owner, part: part, former: former)
        if known.insert(claim).inserted { claims.append(claim) }
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

/// Finds the owners of what got weaker, from the same classes and fields as the comparison.
struct ApprovalFinder {
    private let old: PolicyBehaviours
    private let new: PolicyBehaviours
    private let oldPlaces: FieldPlaces
    private let newPlaces: FieldPlaces
    private let since: UTCInstant
    /// The owners of the old policy's rules by their ids. `default` has an empty id.
    private let formerOwners: [String: String]
    private var seen: Set<PolicyDiffer.Pair> = []
    private(set) var approvals = Approvals()

    init(
        _ old: PolicyBehaviours, _ new: PolicyBehaviours, _ oldPlaces: FieldPlaces,
        _ newPlaces: FieldPlaces, since: UTCInstant
    ) {
        self.old = old
        self.new = new
        self.oldPlaces = oldPlaces
        self.newPlaces = newPlaces
        self.since = since
        var owners: [String: String] = [:]
        for rule in old.contents.rules { owners[rule.id] = rule.body.owner }
        owners[""] = old.body(of: HostClass.byDefault)?.owner
        formerOwners = owners
    }

    /// Adds the first class of a pair of rules. The fields of further classes of the pair are the
    /// same.
    mutating func add(
        _ hosts: HostClass, _ pair: PolicyDiffer.Pair, _ fields: some Sequence<FieldTimeline>
    ) {
        guard seen.insert(pair).inserted else { return }
        var waivers: [String] = []
        for field in fields {
            let relation = Relation.direction(of: field.entries.compactMap(\.field?.relation))
            guard !relation.isNoWeaker else { continue }
            let path = field.name.path
            if let name = ApprovalFinder.waiver(path) {
                waivers.append(name)
                addWaiver(name, relation, hosts, pair)
                continue
            }
            switch field.name.source {
            case .anchors(let id): addSet("anchors", id, .anchors(id), relation, path, hosts, pair)
            case .pins(let id): addSet("pins", id, .pins(id), relation, path, hosts, pair)
            case .rules: addRule(relation, path, hosts, pair)
            }
        }
        // Every exception of a body in place of `deny` is new.
        guard old.body(of: pair.old) == nil else { return }
        for waiver in new.body(of: pair.new)?.waivers ?? []
        where waiver.isInForce(at: since) && !waivers.contains(waiver.tolerance.name) {
            addWaiver(waiver.tolerance.name, .weaker, hosts, pair)
        }
    }

    /// The key of the waiver that a field is; nil for another field.
    private static func waiver(_ path: String) -> String? {
        let prefix = "waivers."
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
    }

    private mutating func addRule(
        _ relation: Relation, _ path: String, _ hosts: HostClass, _ pair: PolicyDiffer.Pair
    ) {
        let rule = newPlaces.rule(pair.new)
        let former = oldPlaces.rule(pair.old)
        let isDenied = old.body(of: pair.old) == nil
        let isSame = former.id == rule.id && !isDenied
        approvals.add(
            Approvals.Required(
                part: isDenied ? .denied : .rule(former.id), relation: relation,
                owner: former.owner, fields: [path], example: hosts.text,
                place: place(rule.location, pair), claimed: []),
            claimed: isSame ? rule.owner : nil, former: former.owner)
        // Another rule claims these hosts. A rule that had its owner before claims nothing.
        guard !isSame, let claimed = rule.owner, formerOwners[rule.id] != claimed else { return }
        approvals.claim(claimed, of: .rule(rule.id), former: formerOwners[rule.id])
    }

    private mutating func addSet(
        _ section: String, _ id: String, _ part: Approvals.Part, _ relation: Relation,
        _ path: String, _ hosts: HostClass, _ pair: PolicyDiffer.Pair
    ) {
        let (was, now) = (oldPlaces.set(section, id), newPlaces.set(section, id))
        approvals.add(
            Approvals.Required(
                part: part, relation: relation, owner: was.owner ?? owner(pair), fields: [path],
                example: hosts.text, place: place(now.location, pair, old: was.location),
                claimed: []), claimed: now.owner, former: was.owner)
    }

    private mutating func addWaiver(
        _ name: String, _ relation: Relation, _ hosts: HostClass, _ pair: PolicyDiffer.Pair
    ) {
        func waiver(_ body: RuleBody?) -> Waiver? {
            body?.waivers.first { $0.tolerance.name == name }
        }
        let path = "waivers.\(name)"
        let rule = newPlaces.rule(pair.new)
        let former = waiver(old.body(of: pair.old))?.owner
        approvals.add(
            Approvals.Required(
                part: .waiver(name, rule: rule.id), relation: relation,
                owner: former ?? owner(pair), fields: [path], example: hosts.text,
                place: place(rule.origin(of: path)?.location, pair), claimed: []),
            claimed: waiver(new.body(of: pair.new))?.owner, former: former)
    }

    /// The owner in the old policy of the rule that decided.
    private func owner(_ pair: PolicyDiffer.Pair) -> String? { oldPlaces.rule(pair.old).owner }

    private func place(
        _ location: Provenance.Location?, _ pair: PolicyDiffer.Pair,
        old former: Provenance.Location? = nil
    ) -> Approvals.Place? {
        if let location { return Approvals.Place(location, isNew: true) }
        return (former ?? oldPlaces.location(of: pair.old)).map {
            Approvals.Place($0, isNew: false)
        }
    }

    // MARK: Owners that change

    /// Adds the parts that both policies have and that get another owner. Whoever gives a part away
    /// must approve it: the next change would ask only the new owner.
    mutating func addOwnerChanges() {
        let before = Dictionary(
            old.contents.rules.indices.map { (old.contents.rules[$0].id, $0) },
            uniquingKeysWith: { first, _ in first })
        for index in new.contents.rules.indices {
            let rule = new.contents.rules[index]
            guard let former = before[rule.id] else { continue }
            addOwnerChanges(
                rule.id, old.contents.rules[former].body, rule.body,
                PolicyDiffer.Pair(old: former, new: index))
        }
        let byDefault = PolicyDiffer.Pair(old: HostClass.byDefault, new: HostClass.byDefault)
        if let was = old.body(of: byDefault.old), let now = new.body(of: byDefault.new) {
            addOwnerChanges("", was, now, byDefault)
        }
        addOwnerChanges(of: "anchors", old.contents.anchorSets, new.contents.anchorSets) {
            ($0.id, $0.owner, .anchors($0.id))
        }
        addOwnerChanges(of: "pins", old.contents.pinSets, new.contents.pinSets) {
            ($0.id, $0.owner, .pins($0.id))
        }
    }

    private mutating func addOwnerChanges(
        _ id: String, _ was: RuleBody, _ now: RuleBody, _ pair: PolicyDiffer.Pair
    ) {
        if was.owner != now.owner {
            addOwnerChange(
                of: .rule(id), was.owner, now.owner,
                place(newPlaces.location(of: pair.new), pair))
        }
        guard was.waivers != now.waivers else { return }
        for waiver in now.waivers {
            let name = waiver.tolerance.name
            guard let other = was.waivers.first(where: { $0.tolerance.name == name }),
                other.owner != waiver.owner
            else { continue }
            let origin = newPlaces.rule(pair.new).origin(of: "waivers.\(name)")
            addOwnerChange(
                of: .waiver(name, rule: id), other.owner, waiver.owner,
                place(origin?.location, pair))
        }
    }

    private mutating func addOwnerChanges<Contents>(
        of section: String, _ was: [Contents], _ now: [Contents],
        _ read: (Contents) -> (id: String, owner: String?, part: Approvals.Part)
    ) {
        let before = Dictionary(
            was.map { (read($0).id, read($0).owner) }, uniquingKeysWith: { first, _ in first })
        for set in now.map(read) {
            guard let former = before[set.id], former != set.owner else { continue }
            let location = newPlaces.set(section, set.id).location
            addOwnerChange(
                of: set.part, former, set.owner, location.map { Approvals.Place($0, isNew: true) })
        }
    }

    private mutating func addOwnerChange(
        of part: Approvals.Part, _ was: String?, _ now: String?, _ place: Approvals.Place?
    ) {
        guard let was else {
            if let now { approvals.claim(now, of: part, former: nil) }
            return
        }
        approvals.add(
            Approvals.Required(
                part: part, relation: .equal, owner: was, fields: ["owner"], example: nil,
                place: place, claimed: []), claimed: now, former: was)
    }
}
