import CLibC
import VerdictSubjects

// Times verdicts beside OpenSSL, swift-certificates and the work that every verdict needs;
// `Tests/Benchmarks/verdicts.sh` runs it and makes a page of its output. Usage:
//
//   timed-verdicts time FOLDER STORE ROUNDS MILLISECONDS OUT [LIBRARY]
//   timed-verdicts throughput FOLDER STORE NAME THREADS BEGIN END
//
// FOLDER has the cases of `write-verdict-cases timed`, STORE is the case with the roots that
// everybody trusts, MILLISECONDS is what each subject takes in a round. LIBRARY is the library of
// the package `SwiftCertificates`. BEGIN and END are seconds of the monotonic clock.

let arguments = CommandLine.arguments

/// Prints the usage, and ends.
func fail() -> Never {
    print("usage: timed-verdicts time FOLDER STORE ROUNDS MILLISECONDS OUT [LIBRARY]")
    print("       timed-verdicts throughput FOLDER STORE NAME THREADS BEGIN END")
    exit(2)
}

/// Times every case of the folder and writes nanoseconds as JSON.
func time(_ folder: String, store: [[UInt8]], rounds: Int, milliseconds: Int64, to path: String)
    throws
{
    let library = arguments.count > 7 ? try SwiftCertificatesPeer(library: arguments[7]) : nil
    var subjects = Subjects(folder: folder, store: store, peer: library)
    try subjects.addFolder()
    var measurement = Measurement(subjects.all)
    try measurement.run(rounds: rounds, batch: milliseconds * 1_000_000) { round in
        let line = "round \(round) of \(rounds)\n"
        _ = write(2, line, line.utf8.count)
    }
    guard let file = fopen(path, "w") else {
        throw WrongAnswer(description: "\(path) cannot be written")
    }
    fputs(measurement.json, file)
    fclose(file)
}

guard arguments.count > 3 else { fail() }
do {
    let store = try VerdictCase(reading: arguments[3]).anchors
    switch arguments[1] {
    case "time" where arguments.count > 6:
        guard let rounds = Int(arguments[4]), let batch = Int64(arguments[5]) else { fail() }
        try time(arguments[2], store: store, rounds: rounds, milliseconds: batch, to: arguments[6])
    case "throughput" where arguments.count == 8:
        guard let threads = Int(arguments[5]), let begin = Double(arguments[6]),
            let end = Double(arguments[7])
        else { fail() }
        let subject = try EngineSubject(
            VerdictCase(reading: "\(arguments[2])/\(arguments[4]).case"), store: store)
        guard subject.prime() else { throw WrongAnswer(description: arguments[4]) }
        print(try Throughput(subject: subject, threads: threads, begin: begin, end: end).run())
    default: fail()
    }
} catch {
    print("\(error)")
    exit(1)
}
