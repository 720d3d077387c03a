import Foundation

// The time of one verification beside swift-crypto's, interleaved, as Markdown:
//
//   mldsa-benchmark VECTORS [ROUNDS]         fails above 2.5 times of swift-crypto's time
//   mldsa-benchmark VECTORS allocate COUNT   verifies only, for whoever counts allocations

/// A verification takes at most so many times what swift-crypto's takes.
let bar = 2.5

/// Verifications of one measurement.
let batch = 100

let arguments = CommandLine.arguments
guard arguments.count > 1 else {
    print("usage: mldsa-benchmark VECTORS [ROUNDS | allocate COUNT]")
    exit(2)
}
let lines = try Data(contentsOf: URL(filePath: arguments[1])).split(separator: UInt8(ascii: "\n"))
    .map { try JSONDecoder().decode(Signature.Line.self, from: $0) }
// Messages about as long as a certificate, without a context.
let signatures = lines.filter { $0.context.isEmpty && $0.message.count == 4096 }.map(Signature.init)
guard signatures.count == 3 else {
    print("the vectors are not those of Tests/MLDSATests")
    exit(2)
}

/// The microseconds of one call, over a batch.
func microseconds(_ body: () -> Bool) -> Double {
    let clock = ContinuousClock()
    let begin = clock.now
    for _ in 0..<batch where !body() {
        print("a valid signature was refused")
        exit(1)
    }
    return (clock.now - begin) / .microseconds(batch)
}

if arguments.count == 4, arguments[2] == "allocate", let count = Int(arguments[3]) {
    for signature in signatures {
        guard let ours = signature.ours() else { exit(1) }
        for _ in 0..<count where !ours() { exit(1) }
    }
    exit(0)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 21 : 21
var isWithinBar = true
print("| signature | a key prepared | `MLDSA` | swift-crypto 4.5.2 | times |")
print("|---|---:|---:|---:|---:|")
for signature in signatures {
    guard let ours = signature.ours(), let preparation = signature.preparation() else { exit(1) }
    let theirs = try signature.theirs()
    var times: (preparation: [Double], ours: [Double], theirs: [Double]) = ([], [], [])
    for _ in 0..<rounds {
        times.preparation.append(microseconds(preparation))
        times.ours.append(microseconds(ours))
        if let theirs { times.theirs.append(microseconds(theirs)) }
    }
    func text(_ time: Double) -> String { String(format: "%.1f µs", time) }
    var row = "| \(signature.name) | \(text(median(times.preparation)))"
    row += " | \(text(median(times.ours)))"
    if times.theirs.isEmpty {
        row += " | none | "
    } else {
        let ratio = median(zip(times.ours, times.theirs).map { $0 / $1 })
        row += " | \(text(median(times.theirs))) | \(String(format: "%.2f", ratio))"
        if ratio > bar { isWithinBar = false }
    }
    print(row + " |")
}
if !isWithinBar {
    print("above \(bar) times of swift-crypto's")
    exit(1)
}
