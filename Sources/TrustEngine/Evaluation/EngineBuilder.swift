/// Makes the anchors of an engine from the sets of a table.
struct EngineBuilder {
    private let table: PolicyTable
    private let inputs: EngineInputs
    private let crypto: any CryptoBackend
    /// Limits in the anchors' certificates that do not bind, beside the limits that a set ignores
    /// (`EngineOverrides`). They do not apply to an anchor of kind leaf: such an anchor is judged
    /// as the end entity that it is.
    private let liftedLimits: AnchorLimits
    /// For each certificate the index of the first anchor that has it.
    private var identities: [Certificate: Int] = [:]

    private(set) var anchors: [TrustAnchor] = []
    private(set) var setIDs: [String] = []
    private(set) var offered = OfferedCertificates()
    private(set) var pinnedKeys: [Int: PinnedKeys] = [:]
    private(set) var isConstrained: [Bool] = []
    /// The constraints of each group, by the number of the group.
    private(set) var constraints: [[AnchorConstraints]] = []
    /// The digest of the machine's store; nil until a set names the store.
    private(set) var storeDigest: Digest?

    init(
        table: PolicyTable, inputs: EngineInputs, crypto: any CryptoBackend,
        liftedLimits: AnchorLimits
    ) {
        self.table = table
        self.inputs = inputs
        self.crypto = crypto
        self.liftedLimits = liftedLimits
    }

    /// Adds the members of an anchor set and its `intermediates`.
    mutating func add(set: Int) throws(EngineError) {
        let contents = table.anchorSet(at: set)
        setIDs.append(contents.id)
        isConstrained.append(contents.groups.contains { !$0.constraints.isEmpty })
        if contents.namesSystemStore, storeDigest == nil {
            guard let store = inputs.systemStore, !store.isEmpty else {
                throw EngineError(
                    code: .systemStoreMissing,
                    context: "the policy names `system` and this machine has no trust store")
            }
            storeDigest = EngineBuilder.digest(of: store, crypto: crypto)
        }
        for group in contents.groups {
            for certificate in try members(of: group, in: contents.id) {
                add(certificate, set: set, group: group)
            }
            constraints.append(group.constraints)
        }
        let intermediates = try certificates(
            contents.intermediates, called: "intermediate", of: "anchor set `\(contents.id)`")
        for certificate in intermediates {
            offered.add(
                certificate, fingerprint: crypto.digest(.sha256, of: certificate.der.span),
                keyDigest: crypto.digest(.sha256, of: certificate.spkiBytes.span), set: set)
        }
    }

    /// Adds one set for each pin set. The set is empty unless its entries are the anchors of some
    /// rule.
    mutating func addPinnedKeys() throws(EngineError) {
        var anchoring: Set<Int> = []
        for index in 0..<table.ruleCount + (table.deniesByDefault ? 0 : 1) {
            let rule = table.rule(at: index)
            guard rule.anchorsArePinnedKeys else { continue }
            for position in 0..<Int(rule.pins.count) {
                anchoring.insert(table.index(rule.pins, position))
            }
        }
        // Every pin set has one group, and the group has no constraints.
        let group = AnchorGroup(source: .members([]))
        for index in 0..<table.pinSetCount {
            setIDs.append(PinnedKeys.setID)
            isConstrained.append(false)
            guard anchoring.contains(index) else { continue }
            let record = table.pinSet(at: index)
            let keys = PinnedKeys(record, of: table)
            pinnedKeys[index] = keys
            let name = "pin set `\(table.text(record.id))`"
            let authorities = try certificates(
                keys.authorities, called: "certificate", of: name)
            for (index, certificate) in authorities.enumerated()
            where !keys.names(authority: certificate, crypto: crypto) {
                throw EngineError(
                    code: .anchorUnreadable,
                    context: "certificate \(index + 1) of \(name) is none that the set pins")
            }
            for certificate in authorities where certificate.layout.extensions.isCA {
                add(certificate, set: table.anchorSetCount + index, group: group)
            }
        }
        constraints.append([])
    }

    /// The log lists, by the digests that requirements name. Cost: linear in the lists.
    func logLists(
        demandedBy requirements: [Requirements]
    ) throws(EngineError) -> [Digest: LogList] {
        func read(_ bytes: [UInt8], _ owner: String) throws(EngineError) -> LogList {
            do throws(LogListError) {
                return try LogList(json: bytes, crypto: crypto)
            } catch {
                throw EngineError(
                    code: .logListUnreadable, context: "the log list \(owner) \(error.reason)")
            }
        }
        let given = try inputs.logList.map { bytes throws(EngineError) in
            try read(bytes, "given to the load")
        }
        var lists: [Digest: LogList] = [:]
        for contents in table.logLists() {
            let own = try read(contents.bytes, "of the policy")
            lists[contents.digest] = given.flatMap { $0.issued > own.issued ? $0 : nil } ?? own
        }
        for transparency in requirements.map(\.transparency) where transparency.isDemanded {
            guard let digest = transparency.logList, lists[digest] != nil else {
                throw EngineError(
                    code: .logListUnreadable,
                    context: "a rule demands transparency and has no log list")
            }
        }
        return lists
    }

    private mutating func add(_ certificate: Certificate, set: Int, group: AnchorGroup) {
        let identity = identities[certificate] ?? anchors.count
        identities[certificate] = identity
        var ignoredLimits = group.ignoredLimits.union(group.kind == .leaf ? [] : liftedLimits)
        if group.kind == .root, group.source != .system, certificate.isRootOfVersion1 {
            ignoredLimits.insert(.version1)
        }
        anchors.append(
            TrustAnchor(
                certificate: certificate, set: set, kind: group.kind, standard: group.standard,
                ignoredLimits: ignoredLimits,
                group: constraints.count,
                fingerprint: crypto.digest(.sha256, of: certificate.der.span),
                keyDigest: crypto.digest(.sha256, of: certificate.spkiBytes.span),
                isOfStore: group.source == .system, identity: identity))
    }

    /// The certificates of a group: the certificates in the table, or the certificates of the
    /// machine's store that the group's filters keep.
    private func members(
        of group: AnchorGroup, in set: String
    ) throws(EngineError) -> [Certificate] {
        var members: [Certificate] = []
        switch group.source {
        case .members(let list):
            members = try certificates(list, called: "member", of: "anchor set `\(set)`")
        case .system:
            for der in inputs.systemStore ?? [] {
                guard let certificate = try? Certificate(der: der),
                    group.filters.allSatisfy({ $0.keeps(certificate, crypto: crypto) })
                else { continue }
                members.append(certificate)
            }
        }
        guard !members.isEmpty else {
            throw EngineError(
                code: group.source == .system ? .systemStoreMissing : .anchorUnreadable,
                context: "anchor set `\(set)` has no usable certificate")
        }
        return members
    }

    private func certificates(
        _ list: [[UInt8]], called noun: String, of owner: String
    ) throws(EngineError) -> [Certificate] {
        var certificates: [Certificate] = []
        for (index, der) in list.enumerated() {
            do throws(CertificateError) {
                certificates.append(try Certificate(der: der))
            } catch {
                throw EngineError(
                    code: .anchorUnreadable,
                    context: "\(noun) \(index + 1) of \(owner): \(error.field): \(error.reason)")
            }
        }
        return certificates
    }

    /// SHA-256 of a machine's store: the certificates in their order, each with its length.
    static func digest(of store: [[UInt8]], crypto: any CryptoBackend) -> Digest {
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
