import TestPKI
import TrustEngine
import VerdictSubjects

/// The folder of cases: `NAME.case` each, and `store.case`, whose roots every rule trusts in
/// addition to the roots of the case.
struct CaseFolder {
    let path: String

    /// Writes the cases that are counted. They are alike on every machine.
    func writeCounted() throws {
        try writeStore()
        let a = MintedChains(.a)
        let d = MintedChains(.d)
        let two = a.chain(leaf: 0, names: 2)
        try write("A2", a, names: 2, [two])
        try write("A2-warm", a, names: 2, leaves(of: a, CaseFolder.countedPool, names: 2))
        try write("A2-cold", a, names: 2, authorities(of: a, CaseFolder.countedPool, names: 2))
        for names in [100, 1_000] {
            try write("A\(names)", a, names: names, [a.chain(leaf: 0, names: names)])
        }
        try writeSuperfluous(a)
        try write("D2", d, names: 2, [d.chain(leaf: 0, names: 2)])
        try writeQuestions(a)
        try write("A2-explain", a, names: 2, [two]) { $0.question = .explain }
    }

    /// Writes the cases that are timed.
    func writeTimed() throws {
        try writeStore()
        for kind in ChainKind.allCases {
            let chains = MintedChains(kind)
            for names in [2, 100] {
                let name = "\(kind.rawValue)\(names)"
                try write(name, chains, names: names, [chains.chain(leaf: 0, names: names)])
                try write(
                    "\(name)-warm", chains, names: names,
                    leaves(of: chains, CaseFolder.timedPool, names: names))
                try write(
                    "\(name)-cold", chains, names: names,
                    authorities(of: chains, kind.coldCount, names: names))
            }
        }
        let a = MintedChains(.a)
        try write("A1000", a, names: 1_000, [a.chain(leaf: 0, names: 1_000)])
        try write("A1000-warm", a, names: 1_000, leaves(of: a, CaseFolder.timedPool, names: 1_000))
        try write("A1000-cold", a, names: 1_000, authorities(of: a, 64, names: 1_000))
        try writeSuperfluous(a)
        try writeQuestions(a)
    }

    /// Chains that differ, for a count of two hundred.
    private static let countedPool = 201
    private static let timedPool = 129
    /// Roots that fill a store to the size of a machine's: 145 with six of the cases' own.
    private static let fillerCount = 139
    private static let seconds = Scenario.judgedAt.secondsSinceEpoch
}

extension CaseFolder {
    private func writeStore() throws {
        try VerdictCase(
            host: "nobody.invalid", seconds: CaseFolder.seconds,
            anchors: (0..<CaseFolder.fillerCount).map(MintedChains.filler), chains: []
        ).write(to: "\(path)/store.case")
    }

    private func write(
        _ name: String, _ minted: MintedChains, names: Int, _ chains: [[[UInt8]]],
        _ change: (inout VerdictCase) -> Void = { _ in }
    ) throws {
        var subject = VerdictCase(
            host: MintedChains.host(of: names), seconds: CaseFolder.seconds,
            anchors: minted.anchors, chains: chains)
        change(&subject)
        try subject.write(to: "\(path)/\(name).case")
    }

    /// Chains with one authority and leaves that differ.
    private func leaves(of minted: MintedChains, _ count: Int, names: Int) -> [[[UInt8]]] {
        (0..<count).map { minted.chain(leaf: $0, names: names) }
    }

    /// Chains with authorities and leaves that differ.
    private func authorities(of minted: MintedChains, _ count: Int, names: Int) -> [[[UInt8]]] {
        (0..<count).map { minted.chain(leaf: $0, issuer: $0, names: names) }
    }

    /// Three certificates sent where two would do, and six more of no use.
    private func writeSuperfluous(_ a: MintedChains) throws {
        let chain = a.chain(leaf: 0, names: 2)
        try write("A2-three-sent", a, names: 2, [chain + [a.rootCertificate]])
        let useless = (0..<6).map(MintedChains.useless)
        try write(
            "A2-nine-sent", a, names: 2, [[chain[0]] + useless + [chain[1], a.rootCertificate]])
    }

    /// Pins, and a host without a rule.
    private func writeQuestions(_ a: MintedChains) throws {
        let chain = a.chain(leaf: 0, names: 2)
        for pins in [1, 1_000] {
            try write("A2-pins-\(pins)", a, names: 2, [chain]) { $0.pins = pins }
        }
        try write("deny", a, names: 2, [chain]) { $0.host = "nobody.bench.acme.example" }
    }
}
