import PolicyCompiler
import Rendering
import TrustEngine

// Decides exactly whether an anchor may vouch for some host of a pattern.
//
// Name constraints, and the patterns of an anchor set, are written about names, here called bases.
// They tell names apart only by their bases and by the number of labels before the base: none, one,
// or several. So two names with the same longest base are treated alike if both have one label
// more, or both have several more. A label that no base has stands for every label that nobody
// wrote. It is enough to try each base that the pattern covers, and the names with one and two such
// labels before it.

/// The anchors of one rule, to be asked about hosts.
struct NamesUnderAnchors {
    /// Why an anchor may not vouch for a host.
    struct Objection {
        /// The set that the rule names.
        let set: String
        let reason: String
        /// Whether the objection comes from the anchor's own certificate.
        let isOfCertificate: Bool
        /// The anchor where it is a server's own certificate, which lacks the name; otherwise nil.
        var leaf: Certificate?
    }

    /// One anchor of the rule, or the machine's store, with the constraints of its sets.
    private struct Anchor {
        let set: String
        /// Nil if the certificate limits no names, and for the machine's store.
        let certificate: Certificate?
        /// Whether the certificate is a server's own, which vouches for the names that it presents.
        var isLeaf = false
        let constraints: [AnchorConstraints]
        /// The names that the limits are written about.
        var bases: [String] = []
        /// The ranges of addresses that the limits are written about; nil where they are not known.
        var ranges: [AddressRange]? = []
    }

    private var anchors: [Anchor] = []

    /// The most bases of one anchor. An anchor with more is taken to permit everything.
    private static let mostBases = 500

    /// Nil if some anchor limits no name, since it vouches for every host, and if the anchors are
    /// too many or not known.
    init?(of body: BoundBody, _ context: LintContext) {
        guard let groups = context.anchorGroups(of: body) else { return nil }
        for (item, group) in groups {
            // The order of a set differs from run to run.
            let constraints = group.constraints.map { ($0.namePatterns, $0) }
                .filter { !$0.0.isEmpty }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
            let isLeaf = group.kind == .leaf
            let binds = !group.isSystem && !group.ignoredLimits.contains(.nameConstraints)
            // If one member limits no name, the other members change nothing.
            let isLimited =
                isLeaf
                || binds
                    && group.members.allSatisfy {
                        $0.layout.extensions.present.contains(.nameConstraints)
                    }
            guard isLimited || !constraints.isEmpty else { return nil }
            let members: [Certificate?] =
                isLimited ? group.members.sorted { $0.precedes($1) } : [nil]
            for member in members {
                guard context.anchorWork.spend(1),
                    let anchor = NamesUnderAnchors.anchor(
                        item.value, member, isLeaf: isLeaf, constraints, context)
                else { return nil }
                anchors.append(anchor)
            }
        }
    }

    private static func anchor(
        _ set: String, _ certificate: Certificate?, isLeaf: Bool,
        _ constraints: [AnchorConstraints], _ context: LintContext
    ) -> Anchor? {
        var anchor = Anchor(
            set: set, certificate: certificate, isLeaf: isLeaf, constraints: constraints)
        if let certificate, isLeaf {
            let octets = Int(certificate.layout.extensions.subjectAltName.count)
            guard context.anchorWork.spend(1 + octets / 128) else { return nil }
            let (names, addresses) = certificate.presentedHosts(most: mostBases)
            anchor.bases = names.map { $0.hasPrefix("*.") ? String($0.dropFirst(2)) : $0 }
            anchor.ranges = addresses.map { AddressRange(first: $0.bytes, prefix: $0.bitCount) }
        } else if let certificate {
            let octets = Int(certificate.layout.extensions.nameConstraints.count)
            guard context.anchorWork.spend(1 + octets / 128) else { return nil }
            anchor.bases = NameConstraints.namesOfSubtrees(of: certificate, most: mostBases)
                .map { ($0.hasPrefix(".") ? String($0.dropFirst()) : $0).lowercased() }
            anchor.ranges = NameConstraints.rangesOfSubtrees(of: certificate, most: mostBases)?
                .map { AddressRange(first: $0.first, prefix: $0.prefix) }
        }
        for constraint in constraints {
            let patterns = constraint.namePatterns
            guard context.anchorWork.spend(patterns.count / 16) else { return nil }
            anchor.bases += patterns.compactMap(\.baseName)
            anchor.ranges? += patterns.map(\.addresses).filter { !$0.first.isEmpty }
        }
        let count = max(anchor.bases.count, anchor.ranges?.count ?? 0)
        return count < mostBases ? anchor : nil
    }

    // MARK: Asking

    /// The names of a pattern that are accepted, where all anchors are servers' own certificates
    /// and some other name of the pattern is not; nil where none is accepted.
    func onlyAccepted(of pattern: HostPattern) -> [String]? {
        guard !anchors.isEmpty, anchors.allSatisfy(\.isLeaf) else { return nil }
        var names: [String] = []
        for certificate in anchors.compactMap(\.certificate) {
            let presented = certificate.presentedHosts(most: NamesUnderAnchors.mostBases)
            switch pattern.host {
            case .name, .address: return nil
            case .oneLabel(let base):
                if presented.names.contains("*.\(base)") { return nil }
                names += presented.names.filter { pattern.matches(.name($0), port: 443) }
            case .anyLabels(let base):
                names += presented.names.filter { $0.hasSuffix("." + base) }
            case .network:
                names += presented.addresses
                    .filter { pattern.matches(.address($0), port: pattern.port ?? 443) }
                    .map(\.description)
            }
        }
        return names
    }

    /// Why no anchor may vouch for any host of a pattern: one reason for each anchor, at most four.
    /// Nil if an anchor may vouch for one, or might; and if the budget is spent.
    func objections(to pattern: HostPattern, budget: inout WorkBudget) -> [Objection]? {
        var objections: [Objection] = []
        for anchor in anchors {
            let witnesses = NamesUnderAnchors.witnesses(of: pattern, anchor)
            guard budget.spend(witnesses.count) else { return nil }
            var first: Objection?
            for witness in witnesses {
                let objection = NamesUnderAnchors.objection(to: witness, anchor, &budget)
                guard let objection, !budget.isExhausted else { return nil }
                first = first ?? objection
            }
            // Without a host to try, nothing is known.
            guard let first else { return nil }
            if objections.count < 4 { objections.append(first) }
        }
        return objections
    }

    /// Hosts of a pattern to try: if any host of the pattern is permitted, one of these is.
    private static func witnesses(of pattern: HostPattern, _ anchor: Anchor) -> [CanonicalHost] {
        let bases = anchor.bases
        switch pattern.host {
        case .name(let name): return [.name(name)]
        case .address(let address): return [.address(address)]
        case .network(let address, _):
            // The limits treat alike all addresses between one end of a range and the next. So the
            // first address of the network, and each end inside it, stand for all.
            guard let ranges = anchor.ranges else { return [] }
            let ends = [address.bytes] + ranges.flatMap { [$0.first, $0.after ?? []] }
            return ends.compactMap { IPAddress(bytes: $0.span) }.map { .address($0) }
                .filter { pattern.matches($0, port: pattern.port ?? 443) }
        case .oneLabel(let base), .anyLabels(let base):
            let inside = [base] + bases.filter { $0.hasSuffix("." + base) }
            let label = unusedLabel(in: inside)
            return inside.flatMap { ["\(label).\($0)", $0, "\(label).\(label).\($0)"] }
                .filter { $0.utf8.count <= DNSName.maximumLength }.map { .name($0) }
                .filter { pattern.matches($0, port: pattern.port ?? 443) }
        }
    }

    /// A label that none of the names contains; of one letter if possible.
    private static func unusedLabel(in names: [String]) -> String {
        let used = Set(names.flatMap { $0.split(separator: ".") })
        let letters = "xabcdefghijklmnopqrstuvwyz".map(String.init)
        let free = letters.first { !used.contains($0[...]) }
        if let free { return free }
        var number = 0
        while used.contains("x\(number)"[...]) { number += 1 }
        return "x\(number)"
    }

    /// Why an anchor may not vouch for one host; nil if it may.
    private static func objection(
        to host: CanonicalHost, _ anchor: Anchor, _ budget: inout WorkBudget
    ) -> Objection? {
        func objection(
            _ reason: String, isOfCertificate: Bool = false, leaf: Certificate? = nil
        ) -> Objection {
            Objection(
                set: anchor.set, reason: reason, isOfCertificate: isOfCertificate, leaf: leaf)
        }
        for constraint in anchor.constraints {
            let (permitted, excluded) = (constraint.permittedNames, constraint.excludedNames)
            guard budget.spend(1 + (permitted.count + excluded.count) / 16) else { return nil }
            if !permitted.isEmpty, !permitted.contains(where: { $0.matches(host, port: 443) }) {
                let list = Words.list(permitted.map(\.canonicalText))
                return objection("`permitted-names` has \(list) alone")
            }
            if let pattern = excluded.first(where: { $0.matches(host, port: 443) }) {
                return objection("`excluded-names` has `\(pattern.canonicalText)`")
            }
        }
        guard let certificate = anchor.certificate else { return nil }
        let (kind, content) = presented(host)
        let name = "`\(certificate.shortSubject)`"
        guard !anchor.isLeaf else {
            let reference = ReferenceIdentifier(host)
            if ServiceIdentity.match(reference, in: certificate, budget: &budget) != nil {
                return nil
            }
            let names = ServiceIdentity.presentedNames(of: certificate)
            return objection(
                "\(name) is a server's own certificate, of kind `leaf`, and presents "
                    + (names.isEmpty ? "no name" : "\(Words.list(names)) alone"),
                leaf: certificate)
        }
        switch NameConstraints.check(kind, content, under: certificate, budget: &budget) {
        case .permitted: return nil
        case .violated(_, let subtree, let isExcluded):
            let shown = Words.shortened(subtree, to: 120)
            let relation = isExcluded ? "excludes" : "permits only"
            return objection("\(name) \(relation) `\(shown)`", isOfCertificate: true)
        case .notEvaluated(let problem):
            return objection("of \(name) \(problem)", isOfCertificate: true)
        }
    }

    /// A host in the form in which a certificate presents it.
    private static func presented(_ host: CanonicalHost) -> (GeneralName.Kind, [UInt8]) {
        switch host {
        case .name(let name): return (.dns, Array(name.utf8))
        case .address(let address): return (.ip, address.bytes)
        }
    }
}

extension Certificate {
    /// The DNS names, in lower case, and the addresses that the certificate presents, at most
    /// `most` of both.
    fileprivate func presentedHosts(most: Int) -> (names: [String], addresses: [IPAddress]) {
        let bytes = der.span
        var names: [String] = []
        var addresses: [IPAddress] = []
        var reader = GeneralNameReader(layout.extensions.subjectAltName)
        while names.count + addresses.count < most, let name = try? reader.next(in: bytes) {
            let content = bytes.extracting(name.content.indices)
            if name.kind == .dns {
                names.append(ServiceIdentity.text(of: name, in: bytes).lowercased())
            } else if name.kind == .ip, let address = IPAddress(bytes: content) {
                addresses.append(address)
            }
        }
        return (names, addresses)
    }
}

extension AnchorConstraints {
    /// The patterns with which names are compared.
    fileprivate var namePatterns: [HostPattern] { permittedNames + excludedNames }
}

extension HostPattern {
    /// The name that a pattern on names is about.
    fileprivate var baseName: String? {
        switch host {
        case .name(let name): return name
        case .oneLabel(let base), .anyLabels(let base): return base
        case .address, .network: return nil
        }
    }
}
