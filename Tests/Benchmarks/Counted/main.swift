import CLibC
import VerdictSubjects

// Judges the chains of a case COUNT times and prints nothing: what `Tests/Benchmarks/counts.sh`
// counts the instructions and the allocations of. Usage: counted-verdicts CASE STORE COUNT, where
// STORE is a case whose anchors every rule trusts.

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else {
    print("usage: counted-verdicts CASE STORE COUNT")
    exit(2)
}
let subject = try EngineSubject(
    VerdictCase(reading: arguments[1]), store: VerdictCase(reading: arguments[2]).anchors)
guard subject.prime(), subject.run(count) else {
    print("\(arguments[1]): the verdict is not the right one: \(subject.violations)")
    exit(1)
}
