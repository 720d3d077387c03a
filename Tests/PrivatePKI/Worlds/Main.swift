import ConformanceCases
import Foundation
import LibCrypto
import PrivatePKIShapes
import TrustEngine

/// `mint-worlds COUNT SEED FOLDER`: writes the first COUNT worlds of a seed, and how `hawser audit`
/// is asked about them. The same numbers give the same octets on every machine.
///
/// - `worlds.ndjson`: the worlds, as vectors of the conformance format.
/// - `NUMBER.rows`: a hundred of them as rows of `hawser audit`; a row's port is the world's number
///   and 1.
/// - `NUMBER.table`: a compiled policy with a rule for each of these, by host and port. A search
///   looks at every anchor of a name, and the roots of most worlds have the same name, so one table
///   for all would be slow.
@main
enum Main {
    private static let worldsOfATable = 100

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 3, let count = Int(arguments[0]),
            (1...Int(UInt16.max)).contains(count), let seed = UInt64(arguments[1])
        else {
            FileHandle.standardError.write(Data("usage: mint-worlds COUNT SEED FOLDER\n".utf8))
            exit(2)
        }
        let folder = URL(filePath: arguments[2])
        var worlds = Data()
        for first in stride(from: 0, to: count, by: worldsOfATable) {
            var rows = Data()
            var policy = PolicyContents(defaultRule: .deny, rules: [], anchorSets: [], pinSets: [])
            for number in first..<min(first + worldsOfATable, count) {
                let line = try ChainWorld(number: number, seed: seed).line()
                let vector = try ConformanceCase(json: line)
                worlds += line
                rows += try Row(vector, port: number + 1).line()
                try add(vector, number, to: &policy)
            }
            let table = PolicyTable.encode(policy, provenance: nil, crypto: LibCryptoBackend())
            let name = "\(100_000 + first)"
            try rows.write(to: folder.appending(path: name + ".rows"))
            try Data(table.bytes).write(to: folder.appending(path: name + ".table"))
        }
        try worlds.write(to: folder.appending(path: "worlds.ndjson"))
        print("\(count) worlds of the seed \(seed)")
    }

    /// Makes the policy of a world a rule for the world's host and port.
    private static func add(
        _ vector: ConformanceCase, _ number: Int, to policy: inout PolicyContents
    ) throws {
        let own = try PreparedCase.policy(of: vector)
        guard case .body(var body) = own.defaultRule else { return }
        // Sorted as numbers are, because ids are sorted as text.
        let id = "w\(100_000 + number)"
        body.anchors = own.anchorSets.map { _ in id }
        let host: HostPattern.Host
        switch try CanonicalHost(text: vector.names[0].value) {
        case .name(let name): host = .name(name)
        case .address(let address): host = .address(address)
        }
        policy.rules.append(
            RuleContents(
                id: id, hosts: [HostPattern(host: host, port: UInt16(number + 1))], body: body))
        for var set in own.anchorSets {
            set.id = id
            policy.anchorSets.append(set)
        }
        // Where no anchor can be read, the rule trusts keys that nobody has.
        if policy.pinSets.isEmpty { policy.pinSets = own.pinSets }
    }

    /// A row of `hawser audit`.
    private struct Row: Encodable {
        struct TLS: Encodable { let version = "tls1.3" }

        let id: String
        let host: String
        let port: Int
        let time: String
        let tls = TLS()
        let chain: [Data]
        let crls: [Data]

        init(_ vector: ConformanceCase, port: Int) {
            id = vector.id
            host = vector.names[0].value
            self.port = port
            time = (vector.time ?? PreparedCase.presentDay).description
            chain = ([vector.peer] + vector.bag).map { Data($0) }
            crls = vector.crls.map { Data($0) }
        }

        func line() throws -> Data {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}
