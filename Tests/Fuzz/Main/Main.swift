import CLibC
import FuzzBodies
import TrustEngine

#if SwiftCrypto
import HawserSwiftCrypto
#endif

/// `fuzz BODY FILE…` runs a body over files, as when a finding is looked at; `fuzz seeds FOLDER`
/// writes each body's seeds; `fuzz changed` runs bodies over their seeds with octets changed; `fuzz
/// mutate` judges public vectors with octets changed, with the trait `SwiftCrypto` by both
/// backends. Built by `fuzz.sh` with libFuzzer inside, `fuzz BODY OPTION…` fuzzes.
@main
enum Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first else { usage() }
        if name == "seeds", arguments.count == 2 { return writeSeeds(to: arguments[1]) }
        if name == "changed", arguments.count >= 4 { return runChanged(arguments) }
        if name == "mutate", 3...4 ~= arguments.count { return mutate(arguments) }
        guard let body = FuzzBody(rawValue: name) else { usage() }
        #if FUZZING
        Driver.run(body, Array(arguments.dropFirst()))
        #else
        for path in arguments.dropFirst() {
            body.run(read(path))
            print("\(name): \(path): nothing found")
        }
        #endif
    }

    private static func usage() -> Never {
        let bodies = FuzzBody.allCases.map(\.rawValue).joined(separator: " ")
        complain(
            "usage: fuzz BODY FILE… | fuzz seeds FOLDER | fuzz changed SECONDS SEED FOLDER [BODY…]\n"
                + "     | fuzz mutate VECTORS COUNT [SEED]\n"
                + "bodies: \(bodies)\n")
        exit(2)
    }

    /// Each body for some seconds. The input that a body runs over stands in a file of the folder,
    /// where a trap leaves it.
    private static func runChanged(_ arguments: [String]) {
        let bodies =
            arguments.count == 4 ? FuzzBody.allCases : arguments[4...].compactMap(FuzzBody.init)
        guard let seconds = Int(arguments[1]), let seed = UInt64(arguments[2]),
            arguments.count == 4 || bodies.count == arguments.count - 4
        else { usage() }
        mkdir(arguments[3], 0o755)
        var total = 0
        for body in bodies {
            let path = "\(arguments[3])/\(body.rawValue)-by-seed-\(seed)"
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            print("\(body.rawValue), running over \(path)")
            // A trap loses output that is not flushed.
            fflush(nil)
            let end = now() + seconds * 1_000_000_000
            let count = body.runChanged(seed: seed) { _, input in
                guard now() < end else { return false }
                guard pwrite(file, input, input.count, 0) == input.count,
                    ftruncate(file, input.count) == 0
                else {
                    complain("fuzz: cannot write \(path)\n")
                    exit(2)
                }
                return true
            }
            close(file)
            unlink(path)
            print("\(body.rawValue), \(count) inputs, nothing found")
            total += count
        }
        print("\(total) inputs by seed \(seed) for \(bodies.count) bodies, nothing found")
    }

    /// Nanoseconds of a clock that only goes forward.
    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Mutations of public vectors: how many were judged and accepted, and what did not hold.
    private static func mutate(_ arguments: [String]) {
        guard let count = Int(arguments[2]), count > 0,
            let seed = arguments.count == 4 ? UInt64(arguments[3]) : 1
        else { usage() }
        do {
            let start = now()
            let tally = try MutatedVectors.run(
                [arguments[1]], count: count, seed: seed, threads: 2, second: secondBackend)
            let seconds = (now() - start) / 1_000_000_000
            for finding in tally.findings { print(finding) }
            print(
                "\(tally.judged) mutations by seed \(seed) in \(seconds) s: "
                    + "\(tally.accepted) accepted, \(tally.findings.count) findings")
            if !tally.findings.isEmpty { exit(1) }
        } catch {
            complain("fuzz: \(error)\n")
            exit(2)
        }
    }

    /// The backend that judges mutations again; none without the trait `SwiftCrypto`.
    private static var secondBackend: (any CryptoBackend)? {
        #if SwiftCrypto
        return SwiftCryptoBackend()
        #else
        return nil
        #endif
    }

    private static func complain(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(2, bytes, bytes.count)
    }

    private static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else {
            complain("fuzz: cannot read \(path)\n")
            exit(2)
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    private static func writeSeeds(to folder: String) {
        mkdir(folder, 0o755)
        for body in FuzzBody.allCases {
            mkdir("\(folder)/\(body.rawValue)", 0o755)
            for (index, seed) in body.seeds.enumerated() {
                guard let file = fopen("\(folder)/\(body.rawValue)/seed-\(index)", "wb") else {
                    complain("fuzz: cannot write below \(folder)\n")
                    exit(2)
                }
                fwrite(seed, 1, seed.count, file)
                fclose(file)
            }
        }
    }
}
