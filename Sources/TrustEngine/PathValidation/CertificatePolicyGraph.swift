// Certificate policies of a path: RFC 5280 sections 6.1.2 to 6.1.5 on the graph of RFC 9618. The
// graph holds one node for each policy and depth; RFC 5280's tree may hold exponentially many
// nodes. A node keeps the policies of the depth above that lead to it. A node without such policies
// was allowed by anyPolicy.

/// Judges whether a path's certificate policies meet the demands of its certificates and of the
/// caller.
package enum CertificatePolicyGraph {
    /// The inputs of section 6.1.1(c), (e), (f), (g).
    package struct Inputs: Hashable, Sendable {
        /// Content octets of each acceptable policy; nil for any policy.
        package var initialPolicies: [[UInt8]]?
        package var requiresExplicitPolicy: Bool
        package var inhibitsMapping: Bool
        package var inhibitsAnyPolicy: Bool

        /// Makes inputs; by default they demand nothing.
        package init(
            initialPolicies: [[UInt8]]? = nil, requiresExplicitPolicy: Bool = false,
            inhibitsMapping: Bool = false, inhibitsAnyPolicy: Bool = false
        ) {
            self.initialPolicies = initialPolicies
            self.requiresExplicitPolicy = requiresExplicitPolicy
            self.inhibitsMapping = inhibitsMapping
            self.inhibitsAnyPolicy = inhibitsAnyPolicy
        }

        /// The acceptable policies as dotted identifiers; empty for any policy.
        package var names: [String] {
            (initialPolicies ?? []).map { ObjectIdentifier.text(of: $0.span) }
        }
    }

    /// The outcome of judging a path.
    package enum Outcome: Hashable, Sendable {
        case satisfied
        /// At the certificate with this index no policy was left, or its mapping is malformed. The
        /// index counts in the given path; the anchor has -1.
        case unsatisfied(Int)
        /// The budget did not allow the work at the certificate with this index, or an extension of
        /// it could not be read.
        case notEvaluated(Int, problem: String)
    }

    /// The source of the demand that a certificate policy holds for the path.
    package enum Demander: Hashable, Sendable {
        /// The caller, by `Inputs.requiresExplicitPolicy`.
        case caller
        /// The certificate with this index, by requireExplicitPolicy of its policyConstraints. The
        /// index counts in the given path; the anchor has -1.
        case certificate(Int)
    }

    /// An outcome, and the source of the demand that is not satisfied.
    package struct Judgement: Hashable, Sendable {
        /// The outcome of judging the path.
        package let outcome: Outcome
        /// The source of the demand that is not satisfied. Nil for any other outcome, and where the
        /// path fails because a mapping is malformed, whatever is demanded.
        package let demander: Demander?
    }

    /// Judges a path. `path` begins with the certificate below the anchor and ends with the end
    /// entity. When `anchor` is given, its certificate policies bind too (RFC 5937 section 3.2):
    /// its policies bound the policies below, and its constraints work like an intermediate's. Its
    /// mappings do so too. RFC 5937 does not name these; BoringSSL applies them where it enforces
    /// an anchor's constraints. Cost: one unit for every eight policies and mappings.
    package static func judge(
        path: [Certificate], anchor: Certificate? = nil, inputs: Inputs = Inputs(),
        budget: inout WorkBudget
    ) -> Judgement {
        var state = PolicyState(count: path.count, inputs: inputs)
        if let anchor, anchor.layout.extensions.saysOfPolicies {
            if let stop = state.judge(anchor, at: -1, as: .anchor, &budget) {
                return state.judgement(stop, at: -1)
            }
        }
        for (index, certificate) in path.enumerated() {
            let role = index == path.count - 1 ? PolicyState.Role.last : .intermediate
            if let stop = state.judge(certificate, at: index, as: role, &budget) {
                return state.judgement(stop, at: index)
            }
        }
        return state.explicitPolicy > 0 || state.isAcceptable(inputs.initialPolicies)
            ? Judgement(outcome: .satisfied, demander: nil)
            : state.judgement(.unsatisfied, at: path.count - 1)
    }

    /// anyPolicy, 2.5.29.32.0.
    static let anyPolicy: [UInt8] = [0x55, 0x1D, 0x20, 0x00]
}

/// One mapping of a policyMappings extension.
package struct PolicyMapping: Hashable, Sendable {
    /// Content octets of issuerDomainPolicy.
    package let issuer: [UInt8]
    /// Content octets of subjectDomainPolicy.
    package let subject: [UInt8]
}

/// The state variables of section 6.1.2(a), (d) to (f), with a graph instead of the tree.
private struct PolicyState {
    /// The valid policies of one depth, each with the policies of the depth above that lead to it.
    private typealias Level = [[UInt8]: [[UInt8]]]

    /// The finished depths, the anchor's side first. Each is as it was before the next depth was
    /// made.
    private var done: [Level] = []
    /// The current depth: first the policies that the depth above expects, then the policies that
    /// are valid.
    private var level: Level = [:]
    private var hasAnyPolicy = true
    private(set) var explicitPolicy: Int
    /// The source of the value of `explicitPolicy` that has been counted down since.
    private var demander = CertificatePolicyGraph.Demander.caller
    private var policyMapping: Int
    private var inhibitAnyPolicy: Int

    init(count: Int, inputs: CertificatePolicyGraph.Inputs) {
        self.explicitPolicy = inputs.requiresExplicitPolicy ? 0 : count + 1
        self.policyMapping = inputs.inhibitsMapping ? 0 : count + 1
        self.inhibitAnyPolicy = inputs.inhibitsAnyPolicy ? 0 : count + 1
    }

    /// The role of a certificate on the path.
    enum Role { case anchor, intermediate, last }

    /// Why the walk ends at a certificate.
    enum Stop {
        case unsatisfied
        /// A mapping names anyPolicy, which section 6.1.4(a) forbids.
        case malformedMapping
        case notEvaluated(problem: String)
    }

    /// The judgement where the walk ends at the certificate with this index.
    func judgement(_ stop: Stop, at index: Int) -> CertificatePolicyGraph.Judgement {
        switch stop {
        case .unsatisfied: return .init(outcome: .unsatisfied(index), demander: demander)
        case .malformedMapping: return .init(outcome: .unsatisfied(index), demander: nil)
        case .notEvaluated(let problem):
            return .init(outcome: .notEvaluated(index, problem: problem), demander: nil)
        }
    }

    /// Applies sections 6.1.3(d) to (f), 6.1.4(a), (b), (h) to (j) and 6.1.5(a), (b) to the next
    /// certificate. Returns nil when the walk continues.
    mutating func judge(
        _ certificate: Certificate, at index: Int, as role: Role, _ budget: inout WorkBudget
    ) -> Stop? {
        do throws(DERError) {
            let policies = try certificate.certificatePolicyIdentifiers()
            let mappings = role == .last ? [] : try certificate.policyMappings()
            guard budget.spend(1 + (policies.count + mappings.count + level.count) / 8) else {
                return .notEvaluated(problem: "the work budget is spent")
            }
            // An anchor without the extension allows any policy, because nobody demands the
            // extension of an anchor.
            let hasExtension = certificate.layout.extensions.present.contains(.certificatePolicies)
            if hasExtension || role != .anchor {
                process(
                    policies: policies, hasExtension: hasExtension,
                    allowsAnyPolicy: inhibitAnyPolicy > 0
                        || (role != .last && certificate.isSelfIssued))
            }
            if isEmpty, explicitPolicy == 0 { return .unsatisfied }
            guard role != .last else {
                wrapUp(certificate, at: index)
                return nil
            }
            let anyPolicy = CertificatePolicyGraph.anyPolicy
            guard !mappings.contains(where: { $0.issuer == anyPolicy || $0.subject == anyPolicy })
            else { return .malformedMapping }
            map(mappings)
            if role == .intermediate, !certificate.isSelfIssued { countDown() }
            constrain(certificate, at: index)
            return nil
        } catch {
            return .notEvaluated(problem: error.problem.rawValue)
        }
    }

    private var isEmpty: Bool { level.isEmpty && !hasAnyPolicy }

    /// Applies section 6.1.3(d), (e).
    private mutating func process(policies: [[UInt8]], hasExtension: Bool, allowsAnyPolicy: Bool) {
        guard hasExtension else {
            level = [:]
            hasAnyPolicy = false
            return
        }
        let assertsAny = policies.contains(CertificatePolicyGraph.anyPolicy)
        let anyAbove = hasAnyPolicy
        if !(assertsAny && allowsAnyPolicy) {
            let asserted = Set(policies)
            level = level.filter { asserted.contains($0.key) }
            hasAnyPolicy = false
        }
        guard anyAbove else { return }
        for policy in policies
        where policy != CertificatePolicyGraph.anyPolicy && level[policy] == nil {
            level[policy] = []
        }
    }

    /// Applies section 6.1.4(b): makes the next depth from the current one.
    private mutating func map(_ mappings: [PolicyMapping]) {
        var next: Level = [:]
        var mapped: Set<[UInt8]> = []
        for mapping in mappings {
            guard policyMapping > 0 else {
                level[mapping.issuer] = nil
                continue
            }
            if level[mapping.issuer] == nil {
                guard hasAnyPolicy else { continue }
                level[mapping.issuer] = []
            }
            mapped.insert(mapping.issuer)
            next[mapping.subject, default: []].append(mapping.issuer)
        }
        for policy in level.keys where !mapped.contains(policy) {
            next[policy, default: []].append(policy)
        }
        done.append(level)
        level = next
    }

    /// Applies section 6.1.4(h).
    private mutating func countDown() {
        explicitPolicy = max(0, explicitPolicy - 1)
        policyMapping = max(0, policyMapping - 1)
        inhibitAnyPolicy = max(0, inhibitAnyPolicy - 1)
    }

    /// Applies section 6.1.4(i), (j).
    private mutating func constrain(_ certificate: Certificate, at index: Int) {
        let extensions = certificate.layout.extensions
        if extensions.requireExplicitPolicy >= 0,
            Int(extensions.requireExplicitPolicy) < explicitPolicy
        {
            explicitPolicy = Int(extensions.requireExplicitPolicy)
            demander = .certificate(index)
        }
        if extensions.inhibitPolicyMapping >= 0 {
            policyMapping = min(policyMapping, Int(extensions.inhibitPolicyMapping))
        }
        if extensions.inhibitAnyPolicy >= 0 {
            inhibitAnyPolicy = min(inhibitAnyPolicy, Int(extensions.inhibitAnyPolicy))
        }
    }

    /// Applies section 6.1.5(a), (b).
    private mutating func wrapUp(_ certificate: Certificate, at index: Int) {
        explicitPolicy = max(0, explicitPolicy - 1)
        if certificate.layout.extensions.requireExplicitPolicy == 0, explicitPolicy > 0 {
            explicitPolicy = 0
            demander = .certificate(index)
        }
    }

    /// Applies section 6.1.5(g): whether a policy that the caller accepts is valid for the whole
    /// path.
    func isAcceptable(_ initial: [[UInt8]]?) -> Bool {
        guard let initial, !initial.contains(CertificatePolicyGraph.anyPolicy) else {
            return !isEmpty
        }
        if hasAnyPolicy { return !initial.isEmpty }
        var reachable = Set(level.keys)
        var current = level
        for above in done.reversed() {
            if reachable.contains(where: { current[$0]?.isEmpty == true && initial.contains($0) }) {
                return true
            }
            reachable = Set(reachable.flatMap { current[$0] ?? [] })
            current = above
        }
        return reachable.contains { current[$0]?.isEmpty == true && initial.contains($0) }
    }
}

extension CertificateExtensions {
    /// Whether the certificate has an extension about certificate policies.
    fileprivate var saysOfPolicies: Bool {
        let bearing: ExtensionSet = [
            .certificatePolicies, .policyMappings, .policyConstraints, .inhibitAnyPolicy,
        ]
        return !present.intersection(bearing).isEmpty
    }
}

extension Certificate {
    /// The certificate policies as dotted identifiers; empty where the extension cannot be read.
    package var certificatePolicyNames: [String] {
        let identifiers = (try? certificatePolicyIdentifiers()) ?? []
        return identifiers.map { ObjectIdentifier.text(of: $0.span) }
    }

    /// Content octets of each policyIdentifier of the certificatePolicies extension.
    package func certificatePolicyIdentifiers() throws(DERError) -> [[UInt8]] {
        let bytes = der.span
        var identifiers: [[UInt8]] = []
        var reader = DERReader(layout.extensions.certificatePolicies)
        while !reader.isAtEnd {
            var information = try reader.next(.sequence, in: bytes).reader
            let identifier = try information.next(.objectIdentifier, in: bytes)
            identifiers.append(bytes.copied(identifier.content))
        }
        return identifiers
    }

    /// The mappings of the policyMappings extension.
    package func policyMappings() throws(DERError) -> [PolicyMapping] {
        let bytes = der.span
        var mappings: [PolicyMapping] = []
        var reader = DERReader(layout.extensions.policyMappings)
        while !reader.isAtEnd {
            var mapping = try reader.next(.sequence, in: bytes).reader
            let issuer = try mapping.next(.objectIdentifier, in: bytes)
            let subject = try mapping.next(.objectIdentifier, in: bytes)
            try mapping.finish()
            mappings.append(
                PolicyMapping(
                    issuer: bytes.copied(issuer.content), subject: bytes.copied(subject.content)))
        }
        return mappings
    }
}
