// Certificate policies of a path: RFC 5280 section 6.1.2-6.1.5 on the graph of RFC 9618, which holds one
// node for each policy and depth where RFC 5280's tree may hold exponentially many. A node keeps the
// policies of the depth above that lead to it; a node without any was allowed by anyPolicy.

/// Whether a path's certificate policies satisfy what its certificates, and the caller, demand.
package enum CertificatePolicyGraph {
    /// The inputs of section 6.1.1(c), (e), (f), (g).
    package struct Inputs: Hashable, Sendable {
        /// Content octets of the acceptable policies; nil for any-policy.
        package var initialPolicies: [[UInt8]]?
        package var requiresExplicitPolicy: Bool
        package var inhibitsMapping: Bool
        package var inhibitsAnyPolicy: Bool

        /// Inputs; by default those that demand nothing.
        package init(
            initialPolicies: [[UInt8]]? = nil, requiresExplicitPolicy: Bool = false,
            inhibitsMapping: Bool = false, inhibitsAnyPolicy: Bool = false
        ) {
            self.initialPolicies = initialPolicies
            self.requiresExplicitPolicy = requiresExplicitPolicy
            self.inhibitsMapping = inhibitsMapping
            self.inhibitsAnyPolicy = inhibitsAnyPolicy
        }

        /// The acceptable policies, dotted; empty for any.
        package var names: [String] {
            (initialPolicies ?? []).map { ObjectIdentifier.text(of: $0.span) }
        }
    }

    /// The answer.
    package enum Outcome: Hashable, Sendable {
        case satisfied
        /// The index, in the path as given and -1 for the anchor, of the certificate at which no policy
        /// was left or whose mapping is malformed.
        case unsatisfied(Int)
        /// The work was refused, or an extension could not be read.
        case notEvaluated(problem: String)
    }

    /// Judges a path given from the certificate below the anchor to the end entity. What the anchor's own
    /// certificate says of policies binds too where it is given (RFC 5937 section 3.2): its policies
    /// bound those below, its mappings and constraints work as an intermediate's. Cost: one unit for
    /// every eight policies and mappings.
    package static func evaluate(
        path: [Certificate], anchor: Certificate? = nil, inputs: Inputs = Inputs(),
        budget: inout WorkBudget
    ) -> Outcome {
        var state = PolicyState(count: path.count, inputs: inputs)
        if let anchor, anchor.layout.extensions.saysOfPolicies {
            if let outcome = state.judge(anchor, as: .anchor, &budget) {
                return outcome.outcome(at: -1)
            }
        }
        for (index, certificate) in path.enumerated() {
            let place = index == path.count - 1 ? PolicyState.Place.last : .intermediate
            if let outcome = state.judge(certificate, as: place, &budget) {
                return outcome.outcome(at: index)
            }
        }
        return state.explicitPolicy > 0 || state.isAcceptable(inputs.initialPolicies)
            ? .satisfied : .unsatisfied(path.count - 1)
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

/// The state variables of section 6.1.2(a), (d)-(f), with a graph for the tree.
private struct PolicyState {
    /// The policies valid at one depth, each with those of the depth above that lead to it.
    private typealias Level = [[UInt8]: [[UInt8]]]

    /// Depths done, the anchor's side first, as they stood before the next one was made.
    private var done: [Level] = []
    /// The depth in work: first what the depth above expects, then what is valid.
    private var level: Level = [:]
    private var hasAnyPolicy = true
    private(set) var explicitPolicy: Int
    private var policyMapping: Int
    private var inhibitAnyPolicy: Int

    init(count: Int, inputs: CertificatePolicyGraph.Inputs) {
        self.explicitPolicy = inputs.requiresExplicitPolicy ? 0 : count + 1
        self.policyMapping = inputs.inhibitsMapping ? 0 : count + 1
        self.inhibitAnyPolicy = inputs.inhibitsAnyPolicy ? 0 : count + 1
    }

    /// Where a certificate stands on the path.
    enum Place { case anchor, intermediate, last }

    /// Why a path ends at a certificate.
    enum Stop {
        case unsatisfied
        case notEvaluated(problem: String)

        func outcome(at index: Int) -> CertificatePolicyGraph.Outcome {
            switch self {
            case .unsatisfied: return .unsatisfied(index)
            case .notEvaluated(let problem): return .notEvaluated(problem: problem)
            }
        }
    }

    /// Sections 6.1.3(d)-(f), 6.1.4(a), (b), (h)-(j), 6.1.5(a), (b) on the next certificate; nil to go
    /// on.
    mutating func judge(
        _ certificate: Certificate, as place: Place, _ budget: inout WorkBudget
    ) -> Stop? {
        do throws(DERError) {
            let policies = try certificate.certificatePolicyIdentifiers()
            let mappings = place == .last ? [] : try certificate.policyMappings()
            guard budget.spend(1 + (policies.count + mappings.count + level.count) / 8) else {
                return .notEvaluated(problem: "the work budget is spent")
            }
            // An anchor without the extension stands for any policy: it was not asked for one.
            let hasExtension = certificate.layout.extensions.present.contains(.certificatePolicies)
            if hasExtension || place != .anchor {
                process(
                    policies: policies, hasExtension: hasExtension,
                    allowsAnyPolicy: inhibitAnyPolicy > 0
                        || (place != .last && certificate.isSelfIssued))
            }
            if isEmpty, explicitPolicy == 0 { return .unsatisfied }
            guard place != .last else {
                wrapUp(certificate)
                return nil
            }
            let anyPolicy = CertificatePolicyGraph.anyPolicy
            guard !mappings.contains(where: { $0.issuer == anyPolicy || $0.subject == anyPolicy })
            else { return .unsatisfied }
            map(mappings)
            if place == .intermediate, !certificate.isSelfIssued { countDown() }
            constrain(certificate)
            return nil
        } catch {
            return .notEvaluated(problem: error.problem.rawValue)
        }
    }

    private var isEmpty: Bool { level.isEmpty && !hasAnyPolicy }

    /// Section 6.1.3(d), (e).
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

    /// Section 6.1.4(b): makes the next depth from this one.
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

    /// Section 6.1.4(h).
    private mutating func countDown() {
        explicitPolicy = max(0, explicitPolicy - 1)
        policyMapping = max(0, policyMapping - 1)
        inhibitAnyPolicy = max(0, inhibitAnyPolicy - 1)
    }

    /// Section 6.1.4(i), (j).
    private mutating func constrain(_ certificate: Certificate) {
        let extensions = certificate.layout.extensions
        if extensions.requireExplicitPolicy >= 0 {
            explicitPolicy = min(explicitPolicy, Int(extensions.requireExplicitPolicy))
        }
        if extensions.inhibitPolicyMapping >= 0 {
            policyMapping = min(policyMapping, Int(extensions.inhibitPolicyMapping))
        }
        if extensions.inhibitAnyPolicy >= 0 {
            inhibitAnyPolicy = min(inhibitAnyPolicy, Int(extensions.inhibitAnyPolicy))
        }
    }

    /// Section 6.1.5(a), (b).
    private mutating func wrapUp(_ certificate: Certificate) {
        explicitPolicy = max(0, explicitPolicy - 1)
        if certificate.layout.extensions.requireExplicitPolicy == 0 { explicitPolicy = 0 }
    }

    /// Section 6.1.5(g): whether a policy that the caller accepts is valid for the whole path.
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
    /// Whether a certificate says anything that bears on certificate policies.
    fileprivate var saysOfPolicies: Bool {
        let bearing: ExtensionSet = [
            .certificatePolicies, .policyMappings, .policyConstraints, .inhibitAnyPolicy,
        ]
        return !present.intersection(bearing).isEmpty
    }
}

extension Certificate {
    /// Dotted identifiers of its certificate policies; none where the extension cannot be read.
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
