import CFlatTable
import CLibC
import LibCrypto
import TrustEngine

// Looking up hosts that are text, beside a bare flat table in C with the same names in the same
// run. Usage: host-look-up-benchmark [PATTERNS...]; 1,000, 100,000 and a million without. Ours
// takes each host as a program has it, a `String`: it refuses a text that is not a host and makes
// the canonical form. The bare table gets pointers to names in canonical form. CPU time, minima of
// eleven rounds in which all take turns.
//
// Fails where a look-up takes more than 1.25 times as long as in the bare table and 60 ns, where
// the index has more than 45 octets for each pattern, and where the two disagree. A deny, which no
// bar of this program judges, is printed beside the look-up: the verdict on a host without a rule.

/// CPU time of this thread in nanoseconds.
func cpuTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// A number with one decimal.
func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

let hostCount = 200_000
var isWithin = true
let given = CommandLine.arguments.dropFirst().compactMap { Int($0) }
for count in given.isEmpty ? [1_000, 100_000, 1_000_000] : given {
    let sample = HostSample(patterns: count, hosts: hostCount)
    let table = PolicyTable.encode(sample.contents, provenance: nil, crypto: LibCryptoBackend())
    let engine = try Engine(
        table: table, inputs: EngineInputs(systemStore: [sample.anchor]),
        crypto: LibCryptoBackend())
    let bare = BareTable(sample)
    // None of these matches a pattern: the sample has no name below `invalid`.
    let denied = sample.hosts.enumerated().map { index, host in
        TrustRequest(
            host: "\(host.prefix { $0 != "." }).team-\(index % 100).invalid", port: 443,
            presentedChain: [], time: UTCInstant(secondsSinceEpoch: 1_800_000_000))
    }
    var (flat, ours, canonical, deny) = (
        Double.infinity, Double.infinity, Double.infinity, Double.infinity
    )
    var sums: Set<Int64> = []
    for _ in 0..<11 {
        var start = cpuTime()
        sums.insert(bare.lookUpAll())
        flat = min(flat, cpuTime() - start)

        start = cpuTime()
        var sum: Int64 = 0
        for host in sample.hosts {
            let match = (try? CanonicalHost(text: host)).flatMap { table.lookUp($0, port: 443) }
            sum += match.map { Int64($0.rule) } ?? -1
        }
        ours = min(ours, cpuTime() - start)
        sums.insert(sum)

        start = cpuTime()
        var names = 0
        for request in denied {
            guard let host = try? CanonicalHost(text: request.host) else { continue }
            if table.lookUp(host, port: 443) == nil { names += 1 }
        }
        canonical = min(canonical, cpuTime() - start)
        precondition(names == hostCount, "a host of the denies matches")

        start = cpuTime()
        for request in denied where engine.evaluate(request).isAccept { names -= 1 }
        deny = min(deny, cpuTime() - start)
        precondition(names == hostCount, "a host that no rule matches was accepted")
    }
    precondition(sums.count == 1, "the two tables disagree")
    let each = [flat, ours, canonical, deny].map { $0 / Double(hostCount) }
    let bar = 1.25 * each[0] + 60
    let octets = Double(table.indexSize) / Double(count)
    print(
        "\(count) patterns: bare table \(tenths(each[0])) ns, from text \(tenths(each[1])) ns "
            + "(bar \(tenths(bar))), \(tenths(octets)) octets a pattern (bar 45; bare "
            + "\(tenths(bare.octets / Double(count)))); no match \(tenths(each[2])) ns, its deny "
            + "\(tenths(each[3] - each[2])) ns more")
    isWithin = isWithin && each[1] <= bar && octets <= 45
}
exit(isWithin ? 0 : 1)
