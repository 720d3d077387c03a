package import Rendering
package import TrustEngine

/// What a whole policy does: every class of hosts with the rule that decides it. The classes are
/// those that `diff` compares.
package struct PolicyClasses: Sendable {
    /// A class of hosts.
    package struct Entry: Sendable {
        /// The place of the class among all: by name from the right, the wider pattern first.
        let number: Int
        /// The pattern of the class with its exceptions.
        package let hosts: PolicyDiff.HostText
        /// The pattern of the policy that decides the class; nil for `default`.
        package let pattern: HostPattern?
        /// Where that pattern is written, or `default`.
        package let location: Provenance.Location?
        /// The rule that decides; `default` where the id is empty.
        package let rule: RuleReference
        package let witness: PolicyDiff.Witness
        /// The class with the index of the rule that decides it.
        let hostClass: HostClass
    }

    /// Classes of which the same is demanded, whichever rule says it.
    package struct Group: Sendable {
        /// The demands, in short (`FieldPlaces.demands`); empty for `deny`.
        package let demands: [EffectiveRule.Field]
        /// By name from the right, the wider pattern first.
        package fileprivate(set) var entries: [Entry]

        package var isDenied: Bool { demands.isEmpty }
    }

    package let policyDigest: Digest
    /// The pattern that was asked for; nil for every host.
    package let asked: HostPattern?
    /// In the order of their first classes.
    package let groups: [Group]
    package let ruleCount: Int
    /// Whether `default` decides one of the classes.
    package let holdsDefault: Bool

    /// The number of classes.
    package var count: Int { groups.reduce(0) { $0 + $1.entries.count } }

    /// Finds the classes of a table, or the classes inside a pattern. A class that lies partly
    /// inside the pattern is cut to it: the hosts of `**.eu.example`, where the policy has only
    /// `**.example`, are one class.
    ///
    /// - Throws: `AnswerFailure` where there are too many classes, or where no host of a class is
    ///   decided as was found.
    ///
    /// Cost: linear in the patterns, and for a class in the patterns inside it.
    package init(
        _ table: PolicyTable, inside asked: HostPattern?, crypto: any CryptoBackend
    ) throws(AnswerFailure) {
        let contents = table.contents()
        let places = FieldPlaces(table, contents)
        let mask = asked.map { HostMask.table([$0], crypto: crypto) }
        let hosts = HostClasses([table] + [mask].compactMap { $0 })
        let all = try hosts.everyClass()
        let nesting = HostNesting(hosts, all)
        var groups: [Group] = []
        var indices: [RuleBody?: Int] = [:]
        var rules: [Int: RuleReference] = [:]
        let sorted = HostOrder.sorted(all) { $0 }
        for (number, one) in sorted.enumerated() {
            if mask != nil, one.deciders[1] == HostClass.byDefault { continue }
            guard let witness = hosts.witness(one) else {
                throw AnswerFailure(
                    "no host of `\(one.text)` is decided as was found; this is a fault of hawser",
                    isOurs: true)
            }
            let index = one.deciders[0]
            let rule = rules[index] ?? places.rule(index).reference
            rules[index] = rule
            let pattern = table.lookUp(witness.host, port: witness.port)
                .map { table.pattern(at: Int($0.pattern)) }
            let entry = Entry(
                number: number, hosts: nesting.texts(of: [one])[0], pattern: pattern,
                location: pattern.map { places.pattern($0, rule: rule.id) } ?? rule.location,
                rule: rule,
                witness: PolicyDiff.Witness(host: witness.host, port: witness.port),
                hostClass: one)
            let body = PolicyClasses.body(index, contents)
            if let group = indices[body] {
                groups[group].entries.append(entry)
            } else {
                indices[body] = groups.count
                groups.append(Group(demands: places.demands(index), entries: [entry]))
            }
        }
        self.policyDigest = table.policyDigest
        self.asked = asked
        self.groups = groups
        holdsDefault = rules[HostClass.byDefault] != nil
        ruleCount = rules.keys.count { $0 != HostClass.byDefault }
    }

    /// What a rule demands, without who answers for it; nil for `deny`.
    private static func body(_ index: Int, _ contents: PolicyContents) -> RuleBody? {
        var body: RuleBody?
        if index != HostClass.byDefault {
            body = contents.rules[index].body
        } else if case .body(let fallback) = contents.defaultRule {
            body = fallback
        }
        body?.owner = nil
        body?.note = nil
        return body
    }
}

extension HostClasses {
    /// Every class; the class of `default` is the last.
    ///
    /// - Throws: `AnswerFailure` where there are too many.
    func everyClass() throws(AnswerFailure) -> [HostClass] {
        do throws(TooMany) {
            return try all()
        } catch {
            throw AnswerFailure(
                "the patterns and ports part the hosts into more than \(error.classes) classes")
        }
    }
}
