/// The constraints of all anchor sets between a member and a rule. An end entity must meet all of
/// them, so they are compared by their joint demand.
///
/// Permitted and excluded names are compared together: a list of permitted names can exclude what
/// another side excludes. Every other key is compared by itself.
struct JointConstraints {
    /// The names and addresses that every list of permitted names has; nil where no list is
    /// written.
    private let permitted: NameSet?
    /// The names and addresses that at least one list excludes.
    private let excluded: NameSet
    /// The URIs that every list of permitted URIs has; nil where no list is written.
    private let permittedURIs: [URIPattern]?
    private let notBefore: DateWindow?
    private let sct: DateWindow?
    private let keyPurposes: [Set<[UInt8]>]
    private let maximumLifetime: Int64?

    /// Joins constraints. Cost: linear in their patterns of names, and the product of the numbers
    /// of URIs that two lists have.
    init(_ constraints: [AnchorConstraints]) {
        let lists = constraints.map(\.permittedNames).filter { !$0.isEmpty }
        permitted = JointConstraints.joined(lists.map { NameSet($0.map(\.host)) }) {
            $0.intersection($1)
        }
        excluded = NameSet(constraints.flatMap(\.excludedNames).map(\.host))
        permittedURIs = JointConstraints.joined(
            constraints.filter { !$0.permittedURIs.isEmpty }.map(\.uriPatterns)
        ) { own, other in
            own.filter { one in other.contains { $0.covers(one) } }
                + other.filter { one in own.contains { $0.covers(one) } }
        }
        notBefore = JointConstraints.joined(constraints.compactMap(\.notBefore)) {
            $0.narrowed(by: $1)
        }
        sct = JointConstraints.joined(constraints.compactMap(\.sct)) { $0.narrowed(by: $1) }
        keyPurposes = constraints.compactMap { $0.keyPurposes.map { Set($0.identifiers) } }
        maximumLifetime = constraints.compactMap(\.maximumLifetime).min()
    }

    private static func joined<Value>(
        _ values: [Value], _ join: (Value, Value) -> Value
    ) -> Value? {
        guard let first = values.first else { return nil }
        return values.dropFirst().reduce(first, join)
    }

    /// Whether every end entity that meets these constraints meets what another constraint writes
    /// under a key. Of `sct` only the windows are compared; which timestamps count is another
    /// question.
    func meets(_ key: AnchorConstraints.Key, of other: AnchorConstraints) -> Bool {
        switch key {
        case .permittedNames:
            guard let permitted else { return false }
            let allowed = excluded.union(NameSet(other.permittedNames.map(\.host)))
            return permitted.patterns.allSatisfy { allowed.covers($0) }
        case .excludedNames:
            // An IPv6 address that contains an IPv4 address is excluded as either address, and is
            // permitted as the IPv4 address (`AnchorConstraintCheck`).
            let refused = excluded.withMappedAddresses
            let theirs = NameSet(other.excludedNames.map(\.host))
            let reached = permitted.map { $0.withMappedAddresses.intersection(theirs) } ?? theirs
            return reached.patterns.allSatisfy { refused.covers($0) }
        case .permittedURIs:
            guard let permittedURIs else { return false }
            let theirs = other.uriPatterns
            return permittedURIs.allSatisfy { own in theirs.contains { $0.covers(own) } }
        case .notBefore: return JointConstraints.lies(notBefore, in: other.notBefore)
        case .sct: return JointConstraints.lies(sct, in: other.sct)
        case .keyPurposes:
            // An end entity can name one purpose of each list. If each list has a purpose that the
            // other list does not have, these purposes together meet only this side.
            let theirs = Set(other.keyPurposes?.identifiers ?? [])
            return keyPurposes.contains { $0.isSubset(of: theirs) }
        case .maximumLifetime:
            return maximumLifetime ?? .max <= other.maximumLifetime ?? .max
        }
    }

    private static func lies(_ here: DateWindow?, in there: DateWindow?) -> Bool {
        guard let here, let there else { return there == nil }
        return here.lies(in: there)
    }
}

extension AnchorConstraints {
    /// The patterns of `permitted-uris`. A text that is not a pattern matches nothing.
    fileprivate var uriPatterns: [URIPattern] { permittedURIs.compactMap { try? URIPattern($0) } }
}

extension [AnchorConstraints] {
    /// Whether every end entity that meets all of these constraints meets all of the others. False
    /// where that is not known. Cost: as `JointConstraints.init` for each of the others.
    package func demandAll(of others: [AnchorConstraints]) -> Bool {
        let own = JointConstraints(self)
        return others.allSatisfy { other in other.keys.allSatisfy { own.meets($0, of: other) } }
    }
}
