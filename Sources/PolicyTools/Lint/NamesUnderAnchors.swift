import PolicyCompiler
import Rendering
import TrustEngine

// Whether an anchor may vouch for some host of a pattern, exactly.
//
// Name constraints, and the patterns of an anchor set, tell names apart by the names that they are written
// about, their bases, and by how many labels more a name has: none, one, or several. So of all names with
// the same longest base behind them two with one label more are alike, and two with several more; a label
// that no base has stands for those that nobody names. It is enough to try each base that the pattern
// reaches, and what is one and two such labels above it.

/// The anchors of one rule, asked about hosts.
struct NamesUnderAnchors {
    /// Why an anchor may not vouch for a host.
    struct Objection {
        /// The set that the rule names.
        let set: String
        let reason: String
        /// Whether the anchor's own certificate says so.
        let isOfCertificate: Bool
    }

    /// One anchor of the rule, or the machine's store, with what its sets ask.
    private struct Anchor {
        let set: String
        /// Nil where the certificate limits no name, and for the machine's store.
        let certificate: Certificate?
        let constraints: [AnchorConstraints]
        /// Names that the limits are written about.
        var bases: [String] = []
    }

    private var anchors: [Anchor] = []

    /// Bases of one anchor that are looked at. One with more is taken to permit everything.
    private static let mostBases = 500

    /// Nil where some anchor limits no name, so that there is nothing to ask, and where the anchors are too
    /// many or not known.
    init?(of body: BoundBody, _ context: LintContext) {
        guard let groups = context.anchorGroups(of: body) else { return nil }
        for (item, group) in groups {
            // The order of a set is another in every run.
            let constraints = group.constraints.map { ($0.namePatterns, $0) }
                .filter { !$0.0.isEmpty }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
            let binds =
                !group.isSystem && group.kind != .leaf
                && !group.ignoredLimits.contains(.nameConstraints)
            // Where one member limits nothing the others add nothing.
            let isLimited =
                binds
                && group.members.allSatisfy {
                    $0.layout.extensions.present.contains(.nameConstraints)
                }
            guard isLimited || !constraints.isEmpty else { return nil }
            let members: [Certificate?] =
                isLimited ? group.members.sorted { $0.precedes($1) } : [nil]
            for member in members {
                guard context.anchorWork.spend(1),
                    let anchor = NamesUnderAnchors.anchor(item.value, member, constraints, context)
                else { return nil }
                anchors.append(anchor)
            }
        }
    }

    private static func anchor(
        _ set: String, _ certificate: Certificate?, _ constraints: [AnchorConstraints],
        _ context: LintContext
    ) -> Anchor? {
        var anchor = Anchor(set: set, certificate: certificate, constraints: constraints)
        if let certificate {
            let octets = Int(certificate.layout.extensions.nameConstraints.count)
            guard context.anchorWork.spend(1 + octets / 128) else { return nil }
            anchor.bases = NameConstraints.namesOfSubtrees(of: certificate, most: mostBases)
                .map { $0.lowercased() }
        }
        for constraint in constraints {
            let patterns = constraint.namePatterns
            guard context.anchorWork.spend(patterns.count / 16) else { return nil }
            anchor.bases += patterns.compactMap(\.baseName)
        }
        return anchor.bases.count < mostBases ? anchor : nil
    }

    // MARK: Asking

    /// Why no anchor may vouch for any host of a pattern, one reason for each anchor up to four; nil where
    /// one may, or might: nothing is said of networks, and nothing when it takes too long.
    func objections(to pattern: HostPattern, budget: inout WorkBudget) -> [Objection]? {
        var objections: [Objection] = []
        for anchor in anchors {
            let witnesses = NamesUnderAnchors.witnesses(of: pattern, anchor.bases)
            guard budget.spend(witnesses.count) else { return nil }
            var first: Objection?
            for witness in witnesses {
                let objection = NamesUnderAnchors.objection(to: witness, anchor, &budget)
                guard let objection, !budget.isExhausted else { return nil }
                first = first ?? objection
            }
            // Without a witness nothing is known.
            guard let first else { return nil }
            if objections.count < 4 { objections.append(first) }
        }
        return objections
    }

    /// Hosts of a pattern of which one is permitted if any is.
    private static func witnesses(of pattern: HostPattern, _ bases: [String]) -> [CanonicalHost] {
        switch pattern.host {
        case .name(let name): return [.name(name)]
        case .address(let address): return [.address(address)]
        case .network: return []
        case .oneLabel(let base), .anyLabels(let base):
            let inside = [base] + bases.filter { $0.hasSuffix("." + base) }
            let label = unusedLabel(in: inside)
            return inside.flatMap { ["\(label).\($0)", $0, "\(label).\(label).\($0)"] }
                .filter { $0.utf8.count <= DNSName.maximumLength }.map { .name($0) }
                .filter { pattern.matches($0, port: pattern.port ?? 443) }
        }
    }

    /// A label that stands nowhere in some names; of one letter where there is one.
    private static func unusedLabel(in names: [String]) -> String {
        let used = Set(names.flatMap { $0.split(separator: ".") })
        let letters = "xabcdefghijklmnopqrstuvwyz".map(String.init)
        let free = letters.first { !used.contains($0[...]) }
        if let free { return free }
        var number = 0
        while used.contains("x\(number)"[...]) { number += 1 }
        return "x\(number)"
    }

    /// Why an anchor may not vouch for one host; nil where it may.
    private static func objection(
        to host: CanonicalHost, _ anchor: Anchor, _ budget: inout WorkBudget
    ) -> Objection? {
        func objection(_ reason: String, isOfCertificate: Bool = false) -> Objection {
            Objection(set: anchor.set, reason: reason, isOfCertificate: isOfCertificate)
        }
        for constraint in anchor.constraints {
            let (permitted, excluded) = (constraint.permittedNames, constraint.excludedNames)
            guard budget.spend(1 + (permitted.count + excluded.count) / 16) else { return nil }
            if !permitted.isEmpty, !permitted.contains(where: { $0.matches(host, port: 443) }) {
                let list = ViolationSentences.list(permitted.map(\.canonicalText))
                return objection("`permitted-names` has \(list) alone")
            }
            if let pattern = excluded.first(where: { $0.matches(host, port: 443) }) {
                return objection("`excluded-names` has `\(pattern.canonicalText)`")
            }
        }
        guard let certificate = anchor.certificate else { return nil }
        let (kind, content) = presented(host)
        let name = "`\(certificate.shortSubject)`"
        switch NameConstraints.check(kind, content, under: certificate, budget: &budget) {
        case .permitted: return nil
        case .violated(_, let subtree, let isExcluded):
            let shown = ViolationSentences.shortened(subtree, to: 120)
            let relation = isExcluded ? "excludes" : "permits only"
            return objection("\(name) \(relation) `\(shown)`", isOfCertificate: true)
        case .notEvaluated(let problem):
            return objection("of \(name) \(problem)", isOfCertificate: true)
        }
    }

    /// A host as a certificate presents it.
    private static func presented(_ host: CanonicalHost) -> (GeneralName.Kind, [UInt8]) {
        switch host {
        case .name(let name): return (.dns, Array(name.utf8))
        case .address(let address): return (.ip, address.bytes)
        }
    }
}

extension AnchorConstraints {
    /// The patterns that names are compared with.
    fileprivate var namePatterns: [HostPattern] { permittedNames + excludedNames }
}

extension HostPattern {
    /// The name that a pattern on names is written about.
    fileprivate var baseName: String? {
        switch host {
        case .name(let name): return name
        case .oneLabel(let base), .anyLabels(let base): return base
        case .address, .network: return nil
        }
    }
}
