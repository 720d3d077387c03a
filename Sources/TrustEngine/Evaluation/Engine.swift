/// A policy table with the inputs it names, resolved and prepared: what evaluation runs on.
/// Immutable and safe to share between threads.
public struct Engine: Sendable {
    /// The table.
    public let table: PolicyTable
    /// SHA-256 over the system store's certificates in their order, each preceded by its length as
    /// four big-endian octets; nil when the table does not name `system`.
    public let systemStoreDigest: Digest?

    /// Every anchor of every set.
    package let anchors: TrustAnchorIndex
    /// Id of every anchor set, by its index in the table.
    package let setIDs: [String]
    /// The constraints of every group of anchors, by `TrustAnchor.group`.
    package let anchorConstraints: [[AnchorConstraints]]
    /// The table's flattened requirements and identities, decoded once.
    package let requirements: [Requirements]
    package let crypto: any CryptoBackend
    /// Cost units one evaluation may spend.
    package let workLimit: Int

    /// Cost units one evaluation may spend unless said otherwise: about 40 ms of one core, below the
    /// 50 ms that one hostile chain may cost at most.
    package static let standardWorkLimit = 40_000

    /// Prepares a table. Cost: linear in the anchors.
    ///
    /// - Throws: `EngineLoadError` when an anchor does not parse, or the policy names `system` and
    ///   `inputs` has no usable system store. A certificate of the system store that does not parse
    ///   is passed over, as its owner is not the policy's author; a store without one usable
    ///   certificate is no store.
    public init(
        table: PolicyTable, inputs: EngineInputs = EngineInputs(), crypto: any CryptoBackend
    ) throws(EngineLoadError) {
        try self.init(
            table: table, inputs: inputs, crypto: crypto, workLimit: Engine.standardWorkLimit)
    }

    /// Prepares a table with a work limit of the caller's choice.
    package init(
        table: PolicyTable, inputs: EngineInputs, crypto: any CryptoBackend, workLimit: Int
    ) throws(EngineLoadError) {
        var anchors: [TrustAnchor] = []
        var identities: [Certificate: Int] = [:]
        var storeDigest: Digest?
        var setIDs: [String] = []
        var constraints: [[AnchorConstraints]] = []
        for set in 0..<table.anchorSetCount {
            let contents = table.anchorSet(at: set)
            setIDs.append(contents.id)
            if contents.namesSystemStore, storeDigest == nil {
                guard let store = inputs.systemStore, !store.isEmpty else {
                    throw EngineLoadError(
                        code: .systemStoreMissing,
                        context: "the policy names `system` and this machine has no trust store")
                }
                storeDigest = Engine.digest(of: store, crypto: crypto)
            }
            for group in contents.groups {
                let members = try Engine.members(
                    of: group, in: contents.id, systemStore: inputs.systemStore ?? [],
                    crypto: crypto)
                for certificate in members {
                    let identity = identities[certificate] ?? anchors.count
                    identities[certificate] = identity
                    anchors.append(
                        TrustAnchor(
                            certificate: certificate, set: set, kind: group.kind,
                            standard: group.standard, ignoredLimits: group.ignoredLimits,
                            group: constraints.count,
                            fingerprint: crypto.digest(.sha256, of: certificate.der.span),
                            identity: identity))
                }
                constraints.append(group.constraints)
            }
        }
        self.table = table
        self.systemStoreDigest = storeDigest
        self.anchors = TrustAnchorIndex(anchors)
        self.setIDs = setIDs
        self.anchorConstraints = constraints
        self.requirements = (0..<table.requirementCount).map { table.requirements(at: $0) }
        self.crypto = crypto
        self.workLimit = workLimit
    }

    /// The certificates of a group: those that the table holds, or what its filters leave of the
    /// machine's store.
    private static func members(
        of group: AnchorGroup, in set: String, systemStore: [[UInt8]], crypto: any CryptoBackend
    ) throws(EngineLoadError) -> [Certificate] {
        var members: [Certificate] = []
        switch group.source {
        case .members(let list):
            for (index, der) in list.enumerated() {
                do throws(CertificateError) {
                    members.append(try Certificate(der: der))
                } catch {
                    throw EngineLoadError(
                        code: .anchorUnreadable,
                        context: "member \(index + 1) of anchor set `\(set)`: "
                            + "\(error.field): \(error.reason)")
                }
            }
        case .system:
            for der in systemStore {
                guard let certificate = try? Certificate(der: der),
                    group.filters.allSatisfy({ $0.keeps(certificate, crypto: crypto) })
                else { continue }
                members.append(certificate)
            }
        }
        guard !members.isEmpty else {
            throw EngineLoadError(
                code: group.source == .system ? .systemStoreMissing : .anchorUnreadable,
                context: "anchor set `\(set)` has no usable certificate")
        }
        return members
    }

    /// The verdict on a request. Pure: same engine, same request, same verdict. Work is bounded by
    /// the engine's budget, whatever the peer presented.
    public func evaluate(_ request: TrustRequest) -> Verdict {
        var sink = NoTrace()
        return Evaluator.run(engine: self, request: request, into: &sink)
    }

    /// The verdict on a request and the trace that it follows from; the same code as `evaluate`.
    public func explain(_ request: TrustRequest) -> Explanation {
        var sink = TraceRecorder()
        let verdict = Evaluator.run(engine: self, request: request, into: &sink)
        return Explanation(verdict: verdict, trace: Trace(steps: sink.steps))
    }

    private static func digest(of store: [[UInt8]], crypto: any CryptoBackend) -> Digest {
        var bytes: [UInt8] = []
        for der in store {
            let count = UInt32(truncatingIfNeeded: der.count)
            for shift in stride(from: 24, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: count >> UInt32(shift)))
            }
            bytes.append(contentsOf: der)
        }
        return crypto.digest(.sha256, of: bytes.span)
    }
}

/// A verdict with its trace.
public struct Explanation: Hashable, Sendable {
    /// The verdict.
    public let verdict: Verdict
    /// The steps it follows from.
    public let trace: Trace

    /// An explanation.
    public init(verdict: Verdict, trace: Trace) {
        self.verdict = verdict
        self.trace = trace
    }
}

/// What a table names and a load must supply.
public struct EngineInputs: Sendable {
    /// DER of the machine's trust anchors; nil when there is no store.
    public var systemStore: [[UInt8]]?

    /// Inputs; by default none.
    public init(systemStore: [[UInt8]]? = nil) { self.systemStore = systemStore }
}

/// Why a table cannot be made into an engine.
public struct EngineLoadError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable {
        /// The policy names `system` and there is no usable store.
        case systemStoreMissing = "system-store-missing"
        /// An anchor does not parse.
        case anchorUnreadable = "anchor-unreadable"
    }

    /// The reason.
    public let code: Code
    /// What was found, lower case, no full stop.
    public let context: String

    /// An error.
    public init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}
