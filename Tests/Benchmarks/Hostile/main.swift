import CLibC
import HostileCosts
import LibCrypto
import TestPKI
import TrustEngine

// `hostile-benchmark [WORD...]` judges the chains of the hostile set, those with a WORD in their
// names or all, and prints the CPU time of each, evaluated and explained. It fails where both
// together cost more than 50 ms on a machine that verifies a P-256 signature in 63 us: a program
// that rejects a chain may explain it too. Times are scaled by the time of a verification in this
// run. A chain above the limit is judged up to four times more, and its least times count: other
// programs share the caches and slow a run down.

func processTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The least nanoseconds of some verifications of one P-256 signature.
func verificationTime() throws -> Double {
    let root = Scenario().root("Measure", key: .p256("measure"))
    let certificate = try Certificate(der: root.der)
    let layout = certificate.layout
    let crypto = LibCryptoBackend()
    var least = Int64.max
    for _ in 0..<400 {
        let start = processTime()
        let bytes = certificate.der.span
        let outcome = crypto.verify(
            layout.signatureAlgorithm, key: layout.publicKey, keyBytes: bytes,
            message: bytes.extracting(layout.tbs.indices),
            signature: bytes.extracting(layout.signature.indices))
        precondition(outcome == .valid)
        least = min(least, processTime() - start)
    }
    return Double(least)
}

func text(_ milliseconds: Double) -> String {
    let tenths = Int((milliseconds * 10).rounded())
    let whole = "\(tenths / 10).\(tenths % 10)"
    return String(repeating: " ", count: max(0, 8 - whole.count)) + whole
}

let words = CommandLine.arguments.dropFirst()
let unit = try verificationTime()
let scale = 63_000 / unit
print("a P-256 signature takes \(Int(unit / 1_000)) us; times are scaled to a machine of 63 us")
print("evaluate ms, explain ms, units of the limit, outcome, chain")
var slow = 0
func milliseconds(_ elapsed: Int64) -> Double { Double(elapsed) / 1_000_000 * scale }
let costs = try HostileCost.all(
    where: { name in words.isEmpty || words.contains { name.contains($0) } }, clock: processTime)
for cost in costs {
    var evaluated = milliseconds(cost.elapsed)
    var explained = milliseconds(cost.elapsedExplaining)
    for _ in 0..<4 where evaluated + explained > 50 {
        for again in try HostileCost.all(where: { $0 == cost.name }, clock: processTime) {
            evaluated = min(evaluated, milliseconds(again.elapsed))
            explained = min(explained, milliseconds(again.elapsedExplaining))
        }
    }
    let isSlow = evaluated + explained > 50
    if isSlow || cost.fault != nil { slow += 1 }
    print(
        text(evaluated), text(explained), "\(cost.units)/\(cost.limit)", cost.outcome,
        cost.name + (isSlow ? "  <- above 50 ms" : "") + (cost.fault.map { "  <- \($0)" } ?? ""))
}
print("\(costs.count) chains, \(slow) above 50 ms or with a fault")
exit(slow == 0 ? 0 : 1)
