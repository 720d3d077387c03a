import Rendering
import TrustEngine

/// Finds the owners of what got weaker, from the same classes and fields as the comparison.
struct ApprovalFinder {
    private let old: PolicyBehaviours
    private let new: PolicyBehaviours
    private let oldPlaces: FieldPlaces
    private let newPlaces: FieldPlaces
    private let since: UTCInstant
    /// The owners of the old policy's rules by their ids. `default` has an empty id.
    private let formerOwners: [String: String]
    private var seen: Set<DecidingPair> = []
    private var approvals = ApprovalList()

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
        _ hosts: HostClass, _ pair: DecidingPair, _ fields: some Sequence<FieldTimeline>
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
        _ relation: Relation, _ path: String, _ hosts: HostClass, _ pair: DecidingPair
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
        _ path: String, _ hosts: HostClass, _ pair: DecidingPair
    ) {
        let (was, now) = (oldPlaces.set(section, id), newPlaces.set(section, id))
        approvals.add(
            Approvals.Required(
                part: part, relation: relation, owner: was.owner ?? owner(pair), fields: [path],
                example: hosts.text, place: place(now.location, pair, old: was.location),
                claimed: []), claimed: now.owner, former: was.owner)
    }

    private mutating func addWaiver(
        _ name: String, _ relation: Relation, _ hosts: HostClass, _ pair: DecidingPair
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
    private func owner(_ pair: DecidingPair) -> String? { oldPlaces.rule(pair.old).owner }

    private func place(
        _ location: Provenance.Location?, _ pair: DecidingPair,
        old former: Provenance.Location? = nil
    ) -> Approvals.Place? {
        if let location { return Approvals.Place(location, isNew: true) }
        return (former ?? oldPlaces.location(of: pair.old)).map {
            Approvals.Place($0, isNew: false)
        }
    }

    // MARK: Owners that change

    /// Who must approve what was added, and the parts that get another owner.
    func approvals(of question: DiffQuestion) -> Approvals {
        var all = self
        all.addOwnerChanges()
        let (old, new) = (question.old.folder, question.new.folder)
        return Approvals(
            required: all.approvals.required, claims: all.approvals.claims,
            author: question.options.author,
            folders: Approvals.Folders(old: old ?? new ?? "", new: new ?? old ?? ""))
    }

    /// Adds the parts that both policies have and that get another owner. Whoever gives a part away
    /// must approve it: the next change would ask only the new owner.
    private mutating func addOwnerChanges() {
        let before = Dictionary(
            old.contents.rules.indices.map { (old.contents.rules[$0].id, $0) },
            uniquingKeysWith: { first, _ in first })
        for index in new.contents.rules.indices {
            let rule = new.contents.rules[index]
            guard let former = before[rule.id] else { continue }
            addOwnerChanges(
                rule.id, old.contents.rules[former].body, rule.body,
                DecidingPair(old: former, new: index))
        }
        let byDefault = DecidingPair(old: HostClass.byDefault, new: HostClass.byDefault)
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
        _ id: String, _ was: RuleBody, _ now: RuleBody, _ pair: DecidingPair
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
