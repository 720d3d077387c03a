import Glibc
import Hawser
import LibCrypto
import TestPKI
import TrustEngine

// Loading a table file beside reading and hashing the same file, in one run. Usage:
// table-load-benchmark [PATTERNS]; a million without. Prints medians and their ratio for a table of
// few rules and for one of many: loaded as a service loads it, signed, with a thread beside its
// own, and decoded on one thread alone. The bar is 1.5 for the first.

let patterns = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let crypto = LibCryptoBackend()
let signer = TestKey.ed25519("table load benchmark")
let trusted: TrustedKeys = {
    guard let key = try? TablePublicKey(raw: signer.publicKeyBits),
        let trusted = try? TrustedKeys([key])
    else { fatalError("the key is one") }
    return trusted
}()
var isWithin = true

/// Wall time of a call in milliseconds, on the monotonic clock.
func milliseconds(_ call: () -> Void) -> Double {
    let clock = ContinuousClock()
    return clock.measure(call) / .milliseconds(1)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// A number with one decimal, and with two.
func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }

/// Patterns of the three kinds over names of the length that names have.
func contents(rules: Int) -> PolicyContents {
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

for rules in [1_000, 100_000] where rules <= patterns {
    let table = PolicyTable.encode(contents(rules: rules), provenance: nil, crypto: crypto)
    let path = "/tmp/hawser-table-load-\(getpid())"
    let signed = sign(table)
    guard let file = fopen(path, "w") else { fatalError("no room at \(path)") }
    _ = signed.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
    defer { unlink(path) }
    var floor: [Double] = []
    var load: [Double] = []
    var alone: [Double] = []
    var digests: Set<Digest> = []
    for _ in 0..<9 {
        floor.append(
            milliseconds {
                let bytes =
                    (try? FileReader.read(path: path, limit: EngineLoader.largestTable)) ?? []
                digests.insert(crypto.digest(.sha256, of: bytes.span))
            })
        load.append(
            milliseconds {
                do {
                    let opened = try EngineLoader.open(tableFile: path, trustedKeys: trusted)
                    digests.insert(opened.table.fileDigest)
                } catch {
                    fatalError("\(error)")
                }
            })
        alone.append(
            milliseconds {
                let bytes = try? FileReader.read(path: path, limit: EngineLoader.largestTable)
                let signed = try? SignedTable(decoding: bytes ?? [])
                let table = try? PolicyTable(decoding: signed?.table ?? [], crypto: crypto)
                if let table { digests.insert(table.fileDigest) }
            })
    }
    precondition(digests.count == 2, "every load gives the same table")
    let (read, loaded, single) = (median(floor), median(load), median(alone))
    print(
        "\(patterns) patterns, \(rules) rules, \(signed.count) octets: read and hash "
            + "\(tenths(read)) ms, load \(tenths(loaded)) ms, ratio \(hundredths(loaded / read)); "
            + "on one thread \(tenths(single)) ms, ratio \(hundredths(single / read))")
    isWithin = isWithin && loaded <= 1.5 * read
}
exit(isWithin ? 0 : 1)
