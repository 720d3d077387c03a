/// Judges one end entity by the `constraints` of the anchor sets between its anchor and its rule
/// (LANGUAGE section 5). The constraints of every set must be met.
struct AnchorConstraintCheck {
    let constraints: [AnchorConstraints]
    /// Id of the rule's set that the anchor was tried in.
    let set: String

    /// The windows of `constraints.sct`. `TransparencyCheck` judges them, because it has the
    /// timestamps.
    var timestampWindows: [DateWindow] { constraints.compactMap(\.sct) }

    /// Judges an end entity by every constraint but the windows of timestamps.
    /// `violationsOfTimestamps` are the violations of those windows, which the caller has found.
    ///
    /// Cost: each name costs one unit, and one unit more for each sixteen patterns. A URI costs
    /// besides, for each pattern, one unit for each 512 octets of the URI.
    func judge(
        _ certificate: Certificate, reference: CertificateReference,
        timestamps violationsOfTimestamps: [Violation], budget: inout WorkBudget, isTraced: Bool
    ) -> CheckStep.Outcome {
        var sides: [AnchorConstraintFailure.Side] = []
        for constraint in constraints {
            guard let names = names(of: certificate, constraint, &budget) else {
                return .failed([.budgetExhausted(limit: budget.limit)])
            }
            sides += names + rest(of: certificate, constraint)
        }
        let violations =
            sides.map { side in
                Violation.anchorConstraintNotMet(
                    AnchorConstraintFailure(certificate: reference, set: set, side: side))
            } + violationsOfTimestamps
        guard violations.isEmpty else { return .failed(violations) }
        guard isTraced else { return .passed(nil) }
        let keys = AnchorConstraintCheck.order.filter { key in
            constraints.contains { $0.writtenKeys.contains(key) }
        }
        return .passed(keys.isEmpty ? nil : .constraints(set: set, keys: keys))
    }

    /// The keys of `constraints`, in the order of the language.
    private static let order = [
        "permitted-names", "excluded-names", "permitted-uris", "not-before", "sct", "key-purposes",
        "maximum-lifetime",
    ]

    // MARK: Names

    /// For each of the three lists of patterns the first name that fails it. Nil when the budget
    /// does not allow reading all names.
    private func names(
        of certificate: Certificate, _ constraint: AnchorConstraints, _ budget: inout WorkBudget
    ) -> [AnchorConstraintFailure.Side]? {
        let patterns =
            constraint.permittedNames.count + constraint.excludedNames.count
            + constraint.permittedURIs.count
        guard patterns > 0 else { return [] }
        // The patterns are read when the first URI is met. A table holds only patterns that can be
        // read; a text that cannot be read as a pattern matches nothing.
        var uriPatterns: [URIPattern]?
        let bytes = certificate.der.span
        var unpermitted: AnchorConstraintFailure.Side?
        var excluded: AnchorConstraintFailure.Side?
        var foreign: AnchorConstraintFailure.Side?
        var reader = GeneralNameReader(certificate.layout.extensions.subjectAltName)
        while let name = try? reader.next(in: bytes) {
            guard budget.spend(1 + patterns / 16) else { return nil }
            let content = bytes.extracting(name.content.indices)
            if name.kind == .uri {
                let permitted =
                    uriPatterns ?? constraint.permittedURIs.compactMap { try? URIPattern($0) }
                uriPatterns = permitted
                guard budget.spend(permitted.count * (content.count / 512)) else { return nil }
                if foreign == nil, !constraint.permittedURIs.isEmpty,
                    !permitted.contains(where: { $0.mismatch(content) == nil })
                {
                    foreign = .permittedURIs(
                        uri: ServiceIdentity.text(of: name, in: bytes),
                        patterns: shown(constraint.permittedURIs))
                }
                continue
            }
            guard name.kind == .dns || name.kind == .ip else { continue }
            let covered = CoveredNames(name.kind, content)
            if unpermitted == nil, !constraint.permittedNames.isEmpty,
                !constraint.permittedNames.contains(where: { covered.lies(in: $0, content) })
            {
                unpermitted = .permittedNames(
                    name: ServiceIdentity.text(of: name, in: bytes),
                    patterns: shown(constraint.permittedNames.map(\.canonicalText)))
            }
            guard excluded == nil, !constraint.excludedNames.isEmpty else { continue }
            let pattern = constraint.excludedNames.first { covered.touches($0, content) }
            if pattern != nil || covered.isInvalid {
                excluded = .excludedNames(
                    name: ServiceIdentity.text(of: name, in: bytes),
                    pattern: covered.isInvalid ? nil : pattern?.canonicalText)
            }
        }
        return [unpermitted, excluded, foreign].compactMap(\.self)
    }

    /// At most sixteen patterns, and then a text that says how many more there are.
    private func shown(_ patterns: [String]) -> [String] {
        patterns.count > 16
            ? patterns.prefix(16) + ["and \(patterns.count - 16) more"] : patterns
    }

    // MARK: Everything else

    private func rest(
        of certificate: Certificate, _ constraint: AnchorConstraints
    ) -> [AnchorConstraintFailure.Side] {
        var sides: [AnchorConstraintFailure.Side] = []
        if let window = constraint.notBefore, !window.contains(certificate.notBefore) {
            sides.append(
                .notBefore(certificate.notBefore, from: window.from, until: window.until))
        }
        // The extended key usage must name the purpose itself: an absent extension and
        // anyExtendedKeyUsage do not contain it.
        if let wanted = constraint.keyPurposes,
            !wanted.contains(where: { certificate.names(purpose: $0) })
        {
            sides.append(.keyPurposes(wanted: wanted.names, named: certificate.purposeNames))
        }
        let lifetime =
            certificate.notAfter.secondsSinceEpoch - certificate.notBefore.secondsSinceEpoch
        if let maximum = constraint.maximumLifetime, lifetime > maximum {
            sides.append(.maximumLifetime(seconds: lifetime, maximum: maximum))
        }
        return sides
    }
}

extension AnchorConstraints {
    /// The keys under `constraints` that demand something.
    fileprivate var writtenKeys: Set<String> {
        var keys: Set<String> = []
        if !permittedNames.isEmpty { keys.insert("permitted-names") }
        if !excludedNames.isEmpty { keys.insert("excluded-names") }
        if !permittedURIs.isEmpty { keys.insert("permitted-uris") }
        if notBefore != nil { keys.insert("not-before") }
        if sct != nil { keys.insert("sct") }
        if keyPurposes != nil { keys.insert("key-purposes") }
        if maximumLifetime != nil { keys.insert("maximum-lifetime") }
        return keys
    }
}

/// The hosts that one DNS name or IP address of a certificate covers. Patterns are compared without
/// their ports.
private enum CoveredNames {
    /// One name.
    case name
    /// Every name that has exactly one label more than the name behind `*.`.
    case labels(base: Range<Int>)
    /// An address. An IPv6 address that contains an IPv4 address is permitted only as the IPv4
    /// address, and is excluded as either address.
    case address(IPAddress, asWritten: IPAddress)
    /// Neither a name nor an address, so nothing can be said of its hosts: it is never permitted
    /// and always excluded.
    case invalid

    init(_ kind: GeneralName.Kind, _ content: Span<UInt8>) {
        if kind == .ip {
            self =
                IPAddress(bytes: content).map { .address($0.unmapped, asWritten: $0) } ?? .invalid
        } else if let (isWildcard, base) = DNSName.presented(content) {
            self = isWildcard ? .labels(base: base) : .name
        } else {
            self = .invalid
        }
    }

    var isInvalid: Bool {
        if case .invalid = self { return true }
        return false
    }

    /// Whether a pattern matches every host that the name covers.
    func lies(in pattern: HostPattern, _ content: Span<UInt8>) -> Bool {
        switch (self, pattern.host) {
        case (.name, .name(let own)):
            return DNSName.foldedEqual(content, own.utf8.span)
        case (.name, .oneLabel(let base)):
            return CoveredNames.isOneLabel(content, above: base.utf8.span)
        case (.name, .anyLabels(let base)):
            let base = base.utf8.span
            return content.count > base.count && DNSName.isInside(content, base: base)
        case (.labels(let range), .oneLabel(let base)):
            return DNSName.foldedEqual(content.extracting(range), base.utf8.span)
        case (.labels(let range), .anyLabels(let base)):
            return DNSName.isInside(content.extracting(range), base: base.utf8.span)
        case (.address(let address, _), _):
            return CoveredNames.holds(pattern, address)
        default:
            return false
        }
    }

    private static func holds(_ pattern: HostPattern, _ address: IPAddress) -> Bool {
        switch pattern.host {
        case .address(let own): return address == own
        case .network(let network, let prefix): return network.contains(address, prefix: prefix)
        default: return false
        }
    }

    /// Whether a pattern matches at least one host that the name covers.
    func touches(_ pattern: HostPattern, _ content: Span<UInt8>) -> Bool {
        if lies(in: pattern, content) { return true }
        if case .address(_, let written) = self { return CoveredNames.holds(pattern, written) }
        guard case .labels(let range) = self, case .name(let own) = pattern.host else {
            return false
        }
        // A wildcard covers names of exactly one label more. A pattern for several labels matches
        // all of these names or none.
        return CoveredNames.isOneLabel(own.utf8.span, above: content.extracting(range))
    }

    /// Whether a name is a label, a dot and `base`.
    private static func isOneLabel(_ name: Span<UInt8>, above base: Span<UInt8>) -> Bool {
        guard name.count > base.count + 1, DNSName.isInside(name, base: base) else { return false }
        for index in 0..<name.count - base.count - 1 where name[index] == UInt8(ascii: ".") {
            return false
        }
        return true
    }
}
