import CLibC
import CRLite
import Hawser
import TestPKI
import TrustEngine

// A CRLite filter of 10 MB: opening it, its digest, and a question to a folder of it, as a store
// asks. Usage: filter-benchmark FOLDER, which writes the filter into an empty folder and measures;
// filter-benchmark hold FOLDER, which prepares the folder as a store does, asks a thousand
// questions, writes a line and waits for the end of its input, so that others can look at its
// memory.
//
// Fails where a question takes longer than 3 µs, or opening longer than 2 ms.

let arguments = Array(CommandLine.arguments.dropFirst())
let isHolding = arguments.first == "hold"
guard let folder = arguments.last, arguments.count == (isHolding ? 2 : 1) else {
    print("usage: filter-benchmark [hold] FOLDER")
    exit(2)
}
let sample = LargeFilter()
if !isHolding {
    write(sample.octets, to: "\(folder)/full.filter")
    write(sample.index, to: "\(folder)/index.bin")
}
let crlite = CRLiteFolder(folder)
if let fault = crlite.prepare() {
    print("\(fault.code): \(fault.context)")
    exit(2)
}
var random = SplitMix(state: 7)
/// Questions about every issuer and log, by turns, with serial numbers that are drawn.
let questions = (0..<10_000).map { _ in
    RevocationFilterQuestion(
        issuerKey: digest(sample.issuers[Int(random.next() % UInt64(sample.issuers.count))]),
        serial: serial(&random),
        timestamps: (0..<3).map { _ in
            LoggedTime(
                log: digest(sample.logs[Int(random.next() % UInt64(sample.logs.count))]),
                milliseconds: 1 + random.next() % LargeFilter.high)
        })
}
if isHolding {
    for question in questions.prefix(1_000) { _ = crlite.reply(to: question) }
    _ = CLibC.write(STDOUT_FILENO, "ready\n", 6)
    while readLine() != nil {}
    exit(0)
}

/// Nanoseconds of CPU time, the median of eleven runs of `count` calls.
func nanoseconds(_ count: Int, _ call: (Int) -> Void) -> Double {
    let runs = (0..<11).map { _ in
        let start = now()
        for place in 0..<count { call(place) }
        return (now() - start) / Double(count)
    }
    return runs.sorted()[runs.count / 2]
}

func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func digest(_ octets: [UInt8]) -> Digest {
    guard let digest = Digest(.sha256, bytes: octets) else { fatalError("\(octets.count) octets") }
    return digest
}

func serial(_ random: inout SplitMix) -> [UInt8] {
    [0x03] + (0..<15).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}

func write(_ octets: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    var written = 0
    octets.withUnsafeBytes { bytes in
        while file >= 0, written < bytes.count {
            let count = CLibC.write(file, bytes.baseAddress! + written, bytes.count - written)
            guard count > 0 else { break }
            written += count
        }
    }
    guard file >= 0, written == octets.count, fchmod(file, 0o644) == 0, close(file) == 0 else {
        fatalError("`\(path)` cannot be written")
    }
}

func opened() -> FilterFile {
    do throws(FilterFileError) {
        return try FilterFile(path: "\(folder)/full.filter", ownership: .own)
    } catch {
        fatalError(error.context)
    }
}

let size = Double(sample.octets.count) / 1e6
print("\((size * 10).rounded() / 10) MB, \(LargeFilter.issuers) issuers, \(LargeFilter.logs) logs")
let opening = nanoseconds(20) { _ in _ = opened() }
let hashing = nanoseconds(1) { _ in _ = opened().digest } - opening
let asking = nanoseconds(questions.count) { _ = crlite.reply(to: questions[$0]) }
for (name, value, unit, bar) in [
    ("opening", opening / 1e6, "ms", 2.0), ("SHA-256", hashing / 1e6, "ms", nil),
    ("a question", asking / 1e3, "µs", 3.0),
] as [(String, Double, String, Double?)] {
    let over = bar.map { value > $0 ? ", over the bar of \($0) \(unit)" : "" } ?? ""
    print("\(name): \((value * 1_000).rounded() / 1_000) \(unit)\(over)")
}
let statuses = questions.map { crlite.reply(to: $0).status }
guard statuses.contains(.good), statuses.contains(.revoked) else {
    print("the answers are all the same")
    exit(1)
}
exit(opening > 2e6 || asking > 3e3 ? 1 : 0)
