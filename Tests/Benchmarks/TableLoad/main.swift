import CLibC
import Hawser
import LibCrypto
import TestPKI
import TrustEngine

// Loading a table file beside reading and hashing the same file, in one run. Usage:
// table-load-benchmark [PATTERNS...]; a thousand, a hundred thousand and a million without. Prints
// medians of the CPU time of all threads and of the wall time, and their ratios, for tables of few
// and of many rules: loaded as a service loads it, with a thread beside its own where the table is
// large. The bar is 1.5 for the CPU time. What a signature adds is printed apart, because nothing
// that reads and hashes verifies one.

let crypto = LibCryptoBackend()
let signer = TestKey.ed25519("table load benchmark")
let trusted: TrustedKeys = {
    guard let key = try? TablePublicKey(raw: signer.publicKeyBits),
        let trusted = try? TrustedKeys([key])
    else { fatalError("the key is one") }
    return trusted
}()
/// What a call takes, in milliseconds.
struct Time {
    /// CPU time of all threads of the process.
    var cpu = 0.0
    var wall = 0.0

    /// Repeats the call, so that one look at the clock stands for some milliseconds.
    init(repeating count: Int, _ call: () -> Void) {
        let (cpu, wall) = (Time.now(CLOCK_PROCESS_CPUTIME_ID), Time.now(CLOCK_MONOTONIC))
        for _ in 0..<count { call() }
        self.cpu = (Time.now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / Double(count)
        self.wall = (Time.now(CLOCK_MONOTONIC) - wall) / Double(count)
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// A number with three decimals, and with two.
func thousandths(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }

/// Patterns of the three kinds over names of the length that names have.
func contents(patterns: Int, rules: Int) -> PolicyContents {
    let body = RuleBody(
        anchors: ["system"], pins: [], profile: "baseline", requirements: Requirements(),
        identity: IdentityRequirement(reference: .host), waivers: [], owner: nil, note: nil)
    let each = patterns / rules
    return PolicyContents(
        defaultRule: .deny,
        rules: (0..<rules).map { rule in
            RuleContents(
                id: "team-\(rule)",
                hosts: (0..<each).map { index in
                    let name = "service-\(index).team-\(rule).acme.example"
                    switch index % 3 {
                    case 0: return HostPattern(host: .name(name), port: nil)
                    case 1: return HostPattern(host: .oneLabel(base: name), port: nil)
                    default: return HostPattern(host: .anyLabels(base: name), port: nil)
                    }
                }, body: body)
        }, anchorSets: [.system], pinSets: [])
}

/// The table with a revision and a signature of a key that protects nothing.
func sign(_ table: PolicyTable) -> [UInt8] {
    guard let numbered = try? SignedTable(table: table.bytes, revision: 1),
        let message = numbered.signedMessage, let key = trusted.keys.first,
        let signature = TableSignature(keyID: key.id, octets: signer.sign(message)),
        let signed = try? SignedTable(table: table.bytes, revision: 1, signatures: [signature])
    else { fatalError("the table cannot be signed") }
    return signed.encoded
}

/// Writes octets to a file of their own, which the caller removes.
func write(_ octets: [UInt8], _ name: String) -> String {
    let path = "/tmp/hawser-table-load-\(getpid())-\(name)"
    guard let file = fopen(path, "w") else { fatalError("no room at \(path)") }
    _ = octets.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
    return path
}

/// Loads a table file; the seal of the table.
func load(_ path: String, _ keys: TrustedKeys?) -> Digest {
    do {
        return try EngineLoader.open(tableFile: path, trustedKeys: keys).table.fileDigest
    } catch {
        fatalError("\(error)")
    }
}

/// Measures a table of so many patterns and rules; whether it loads within the bar.
func measure(patterns: Int, rules: Int) -> Bool {
    let contents = contents(patterns: patterns, rules: rules)
    let table = PolicyTable.encode(contents, provenance: nil, crypto: crypto)
    let bare = write(table.bytes, "bare")
    let signed = write(sign(table), "signed")
    defer {
        unlink(bare)
        unlink(signed)
    }
    let count = max(1, 200_000 / patterns)
    var (floors, loads, signatures): ([Time], [Time], [Time]) = ([], [], [])
    var digests: Set<Digest> = []
    for _ in 0..<9 {
        floors.append(
            Time(repeating: count) {
                let bytes =
                    (try? FileReader.read(path: bare, limit: EngineLoader.largestTable)) ?? []
                digests.insert(crypto.digest(.sha256, of: bytes.span))
            })
        loads.append(Time(repeating: count) { digests.insert(load(bare, nil)) })
        signatures.append(Time(repeating: count) { digests.insert(load(signed, trusted)) })
    }
    precondition(digests.count == 2, "every load gives the same table")
    let (floor, loaded) = (median(floors.map(\.cpu)), median(loads.map(\.cpu)))
    let (wallFloor, wall) = (median(floors.map(\.wall)), median(loads.map(\.wall)))
    print(
        "\(patterns) patterns, \(rules) rules, \(table.bytes.count) octets: read and hash "
            + "\(thousandths(floor)) ms of CPU, load \(thousandths(loaded)) ms, ratio "
            + "\(hundredths(loaded / floor)) (bar 1.5); of wall \(hundredths(wall / wallFloor)); "
            + "a signature adds \(thousandths(median(signatures.map(\.cpu)) - loaded)) ms")
    return loaded <= 1.5 * floor
}

var isWithin = true
let given = CommandLine.arguments.dropFirst().compactMap { Int($0) }
for patterns in given.isEmpty ? [1_000, 100_000, 1_000_000] : given {
    for rules in [1_000, 100_000] where rules <= patterns {
        isWithin = measure(patterns: patterns, rules: rules) && isWithin
    }
}
exit(isWithin ? 0 : 1)
