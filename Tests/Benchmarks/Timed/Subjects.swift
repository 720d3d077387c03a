import CLibC
import CPeers
import VerdictSubjects

/// The measurements on each case.
struct Subjects {
    private let folder: String
    /// Roots that every subject trusts in addition to the roots of a case.
    private let store: [[UInt8]]
    private let peer: SwiftCertificatesPeer?
    private(set) var all: [Subject] = []

    init(folder: String, store: [[UInt8]], peer: SwiftCertificatesPeer?) {
        self.folder = folder
        self.store = store
        self.peer = peer
    }

    private func read(_ name: String) throws -> VerdictCase {
        try VerdictCase(reading: "\(folder)/\(name).case")
    }

    private mutating func add(
        _ chain: String, _ name: String, _ work: @escaping (Int) throws -> Int64
    ) {
        all.append(Subject(chain: chain, name: name, work: work))
    }

    /// Adds what takes the CPU time of a call that says whether every answer was right.
    private mutating func add(
        _ chain: String, _ name: String, timing call: @escaping (Int) -> Bool
    ) {
        add(chain, name) { count in
            var isRight = false
            let time = Meter.time { isRight = call(count) }
            guard isRight else { throw WrongAnswer(description: "\(chain): \(name)") }
            return time
        }
    }

    // MARK: Cases

    /// Adds every case of the folder. What a case is measured on follows from the cases beside it.
    mutating func addFolder() throws {
        let names = try Subjects.cases(in: folder)
        for name in names where name != "store" {
            if name.hasSuffix("-warm") || name.hasSuffix("-cold") { continue }
            if name == "deny" {
                try addDeny(name)
            } else if names.contains("\(name)-cold") {
                try addMinted(name)
            } else if name.contains("-pins-") {
                try addRepeated(name)
            } else {
                try addSingle(name)
            }
        }
    }

    /// Names of the cases in a folder, sorted.
    private static func cases(in folder: String) throws -> [String] {
        guard let stream = opendir(folder) else {
            throw WrongAnswer(description: "\(folder) cannot be read")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".case") { names.append(String(name.dropLast(5))) }
        }
        return names.sorted()
    }

    /// Adds a minted chain: the cases NAME, NAME-warm and NAME-cold.
    private mutating func addMinted(_ name: String) throws {
        let repeated = try read(name)
        let (cold, warm) = (try read("\(name)-cold"), try read("\(name)-warm"))
        try addRejects(name, repeated)
        add(name, "ours, cold", try pool(cold))
        add(name, "ours, warm", try pool(warm))
        try addRepeat(name, repeated)
        var explained = cold
        explained.question = .explain
        add(name, "explain, cold", try pool(explained))
        try addPeers(name, cold)
        // Every verdict of the cold pool meets new authorities below a root that is known.
        try addFloors(name, cold: cold, warm: warm, sent: repeated, isRootNew: false)
    }

    /// Adds a case of one chain, whose cold state is an empty memory.
    private mutating func addSingle(_ name: String) throws {
        let repeated = try read(name)
        try addRejects(name, repeated)
        add(name, "ours, cold", try forgetting(repeated))
        try addRepeat(name, repeated)
        var explained = repeated
        explained.question = .explain
        add(name, "explain, cold", try forgetting(explained))
        try addPeers(name, repeated)
        try addFloors(name, cold: repeated, warm: repeated, sent: repeated, isRootNew: true)
    }

    /// Adds a case that is only asked again and again.
    private mutating func addRepeated(_ name: String) throws { try addRepeat(name, try read(name)) }

    /// Adds a host without a rule: the verdict, and finding out that there is none.
    private mutating func addDeny(_ name: String) throws {
        let subject = try EngineSubject(try read(name), store: store)
        add(name, "ours, repeat", timing: subject.run)
        add(name, "look-up", timing: subject.lookUp)
    }

    // MARK: Ours

    private mutating func addRepeat(_ name: String, _ chain: VerdictCase) throws {
        let subject = try prepared(chain)
        guard subject.prime() else {
            throw WrongAnswer(description: "\(name): ours: \(subject.violations)")
        }
        add(name, "ours, repeat", timing: subject.run)
    }

    /// Work on a pool of chains that differ: before each round through it, a new backend, which
    /// judges the first chain.
    private func pool(_ chains: VerdictCase) throws -> (Int) throws -> Int64 {
        let start = try prepared(chains)
        let size = chains.measured.count
        return { count in
            var (left, time) = (count, Int64(0))
            while left > 0 {
                let subject = try start.withEmptyMemory()
                var isRight = subject.prime()
                time += Meter.time { isRight = subject.run(min(left, size)) && isRight }
                time -= Meter.overhead
                guard isRight else { throw WrongAnswer(description: "a pool of \(chains.host)") }
                left -= min(left, size)
            }
            return time
        }
    }

    /// Work on one chain with a new backend for each verdict of one engine. Backends are made some
    /// at a time, and one more judges before the time begins: making them empties the caches of the
    /// processor, and the subject here is an empty memory, not an empty cache.
    private func forgetting(_ chain: VerdictCase) throws -> (Int) throws -> Int64 {
        let start = try prepared(chain)
        return { count in
            var (left, time) = (count, Int64(0))
            while left > 0 {
                let size = min(left, Subjects.backendsAtATime)
                let subject = try start.withEmptyMemories(size + 1)
                var isRight = subject.run(1)
                time += Meter.time { isRight = subject.run(size) && isRight }
                time -= Meter.overhead
                guard isRight else { throw WrongAnswer(description: chain.host) }
                left -= size
            }
            return time
        }
    }

    private static let backendsAtATime = 16

    private func prepared(_ chain: VerdictCase) throws -> EngineSubject {
        try EngineSubject(chain, store: store)
    }

    // MARK: Peers and floors

    private mutating func addPeers(_ name: String, _ chains: VerdictCase) throws {
        let accepts = try openSSL(chains)
        add(name, "OpenSSL", timing: accepts)
        if let peer {
            add(
                name, "swift-certificates",
                timing: peer.accepts(
                    Array(chains.measured), host: chains.host, seconds: chains.seconds,
                    verifier: try verifier(of: peer, for: chains)))
        }
    }

    private func verifier(
        of peer: SwiftCertificatesPeer, for chains: VerdictCase
    ) throws -> UnsafeMutableRawPointer {
        try peer.verifier(roots: store + chains.anchors)
    }

    private func openSSL(_ chains: VerdictCase) throws -> (Int) -> Bool {
        let roots = CChain(store + chains.anchors)
        guard let store = hwpeers_store_new(roots.start, roots.count) else {
            throw WrongAnswer(description: "OpenSSL does not parse a root")
        }
        let sent = chains.measured.map(CChain.init)
        let (host, seconds) = (chains.host, chains.seconds)
        return { count in
            var (index, isRight) = (0, true)
            for _ in 0..<count {
                let chain = sent[index]
                isRight =
                    hwpeers_verify(store, chain.start, chain.count, host, seconds) == 1 && isRight
                index = index + 1 == sent.count ? 0 : index + 1
            }
            return isRight
        }
    }

    /// Adds the floors. The floors of signatures go through the same chains as the verdicts:
    /// verifying one signature again and again is faster than verifying as many different ones,
    /// since the processor learns how its arithmetic branches.
    private mutating func addFloors(
        _ name: String, cold: VerdictCase, warm: VerdictCase, sent: VerdictCase, isRootNew: Bool
    ) throws {
        let (coldPaths, warmPaths) = (try paths(name, cold), try paths(name, warm))
        let signatures = hwpeers_path_signatures(coldPaths[0])
        let imported = isRootNew ? signatures : signatures - 1
        func inTurn(
            _ paths: [OpaquePointer], _ call: @escaping (OpaquePointer) -> Bool
        ) -> (Int) -> Bool {
            { count in
                var (index, isRight) = (0, true)
                for _ in 0..<count {
                    isRight = call(paths[index]) && isRight
                    index = index + 1 == paths.count ? 0 : index + 1
                }
                return isRight
            }
        }
        add(
            name, "floor, signatures",
            timing: inTurn(coldPaths) { hwpeers_path_verify($0, signatures) == 1 })
        add(
            name, "floor, leaf's signature",
            timing: inTurn(warmPaths) { hwpeers_path_verify($0, 1) == 1 })
        add(
            name, "floor, signatures and keys",
            timing: inTurn(coldPaths) { hwpeers_path_verify_importing($0, imported) == 1 })
        let chain = CChain(sent.chains[0])
        let (host, digest) = (sent.host, hwpeers_sha256(chain.start, chain.count))
        func repeated(_ call: @escaping () -> Bool) -> (Int) -> Bool {
            { count in
                var isRight = true
                for _ in 0..<count { isRight = call() && isRight }
                return isRight
            }
        }
        add(
            name, "SHA-256",
            timing: repeated { hwpeers_sha256(chain.start, chain.count) == digest })
        add(
            name, "walk",
            timing: repeated { hwpeers_walk(chain.start, chain.count, host) > 1_000 })
    }

    /// The path of each chain that a case measures.
    private func paths(_ name: String, _ chains: VerdictCase) throws -> [OpaquePointer] {
        let roots = CChain(chains.anchors)
        return try chains.measured.map { sent in
            let chain = CChain(sent)
            guard
                let path = hwpeers_path_new(chain.start, chain.count, roots.start, roots.count)
            else { throw WrongAnswer(description: "\(name): no path for the floor") }
            return path
        }
    }

    // MARK: Rejects

    /// Sees that everybody rejects another host, and a chain with a damaged signature.
    private func addRejects(_ name: String, _ chain: VerdictCase) throws {
        var other = chain
        other.host = "www.other.example"
        other.ruledHost = other.host
        var damaged = chain
        // The last octet of a certificate is the last of its signature.
        damaged.chains = [chain.chains[0]]
        damaged.chains[0][0][chain.chains[0][0].count - 1] ^= 1
        for (what, wrong) in [("another host", other), ("a damaged signature", damaged)] {
            var accepting: [String] = []
            if try prepared(wrong).prime() { accepting.append("ours") }
            if try openSSL(wrong)(1) { accepting.append("OpenSSL") }
            if let peer,
                peer.accepts(
                    wrong.chains, host: wrong.host, seconds: wrong.seconds,
                    verifier: try verifier(of: peer, for: wrong))(1)
            {
                accepting.append("swift-certificates")
            }
            guard accepting.isEmpty else {
                throw WrongAnswer(description: "\(name) with \(what) is accepted by \(accepting)")
            }
        }
    }
}
