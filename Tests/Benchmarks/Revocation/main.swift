import CLibC
import CLibCrypto
import LibCrypto
import TestPKI
import TrustEngine

// A CRL of 300,000 entries: what preparing it costs, what a question costs afterwards, and how much
// memory it takes, by itself and in a revocation set, beside libcrypto on the same octets in the
// same run. Usage: revocation-benchmark [ENTRIES].
//
// Fails where a question takes longer than a microsecond, or where the two disagree about any
// serial number.

let entries = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 300_000
let sample = RevocationSample(entries: entries)
print("\(entries) entries, \(sample.list.count) octets")
var isGood = true
for measured in [sample.prepared(), sample.compact(), sample.libcrypto()] {
    print(measured.line)
    if measured.wrong > 0 {
        print("\(measured.name): \(measured.wrong) serial numbers answered wrongly")
        isGood = false
    }
    if measured.isOurs, measured.lookup > RevocationSample.bar {
        print("\(measured.name): over the bar of \(RevocationSample.bar) ns a question")
        isGood = false
    }
}
exit(isGood ? 0 : 1)
