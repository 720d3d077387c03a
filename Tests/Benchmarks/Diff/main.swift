import CLibC
import LibCrypto
import PolicyTools
import TrustEngine

// Comparing two policies that are compiled. Usage: diff-benchmark [RULES [SAMPLE]]; 100,000 rules
// and every sample without. Prints for each kind of change the CPU time of compiling both sides and
// of comparing them, medians, for half of the rules and for all of them. The bars are 100 ms for
// 10,000 rules and 2 s for 100,000, and for twice the rules at most 2.2 times the time.

let arguments = CommandLine.arguments
let rules = arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
let wanted = arguments.dropFirst(2).first
let crypto = LibCryptoBackend()
let since = UTCInstant(secondsSinceEpoch: 1_800_000_000)
var isWithin = true

/// CPU time of a call in milliseconds, all threads together. Other work on the machine does not
/// count.
func milliseconds(_ call: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
    let begin = now()
    call()
    return now() - begin
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func whole(_ value: Double) -> Int { Int(value.rounded()) }
func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }

/// The times of one change with a number of rules.
struct Times {
    var compile = 0.0
    var compare: [Double] = []
    var counts = ""

    init(_ sample: DiffSample, rules: Int) {
        var tables: [PolicyTable] = []
        compile = milliseconds {
            tables = [
                sample.table(rules: rules, isNew: false), sample.table(rules: rules, isNew: true),
            ]
        }
        for _ in 0..<(rules < 50_000 ? 5 : 3) {
            compare.append(
                milliseconds {
                    do {
                        let diff = try DiffQuestion(
                            DiffSide("old", tables[0]), DiffSide("new", tables[1]), since: since
                        ).compare(crypto: crypto)
                        counts =
                            "\(diff.counts.classes) classes, \(diff.changes.count) changes, "
                            + "\(diff.counts.intervals) intervals"
                    } catch {
                        fatalError("\(error)")
                    }
                })
        }
    }
}

for sample in DiffSample.all where wanted == nil || sample.name.contains(wanted ?? "") {
    let (half, all) = (Times(sample, rules: rules / 2), Times(sample, rules: rules))
    let (before, time) = (median(half.compare), median(all.compare))
    let growth = time / max(before, 0.001)
    // Between the two bars, and below the smaller one, the bar follows the rules.
    let bar = rules >= 100_000 ? Double(rules) / 50 : Double(rules) / 100
    // Below some milliseconds the clock and the caches decide the growth.
    let passes = time <= bar && (growth <= 2.2 || time < 20)
    isWithin = isWithin && passes
    print(
        "\(passes ? "ok  " : "FAIL") \(sample.name): \(rules) rules, \(all.counts): "
            + "compare \(whole(time)) ms, compile \(whole(all.compile)) ms, "
            + "ratio \(hundredths(time / all.compile)); twice the rules \(hundredths(growth)) times"
    )
    fflush(nil)
}
exit(isWithin ? 0 : 1)
