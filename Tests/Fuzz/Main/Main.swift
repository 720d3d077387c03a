import FuzzBodies

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `fuzz BODY FILE…` runs a body over files, as when a finding is looked at; `fuzz seeds FOLDER` writes
/// each body's seeds; `fuzz cost` shows what chains cost that are made to cost; `fuzz mutate` judges
/// public vectors with octets changed. Built by `fuzz.sh` with libFuzzer inside, `fuzz BODY OPTION…` fuzzes.
@main
enum Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first else { usage() }
        if name == "seeds", arguments.count == 2 { return writeSeeds(to: arguments[1]) }
        if name == "cost", arguments.count == 1 { return printCosts() }
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
            "usage: fuzz BODY FILE… | fuzz seeds FOLDER | fuzz cost | fuzz mutate VECTORS COUNT [SEED]\n"
                + "bodies: \(bodies)\n")
        exit(2)
    }

    /// One line for each hostile chain: CPU time of one evaluation, cost units, outcome.
    private static func printCosts() {
        do {
            let costs = try HostileCost.all {
                var time = timespec()
                clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
                return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
            }
            for cost in costs {
                let milliseconds = "\(cost.elapsed / 1_000).\(cost.elapsed % 1_000 / 100)"
                print("\(milliseconds) ms CPU, \(cost.units) units, \(cost.outcome): \(cost.name)")
            }
        } catch {
            complain("fuzz: an engine does not load: \(error)\n")
            exit(2)
        }
    }

    /// Mutations of public vectors: how many were judged and accepted, and what did not hold.
    private static func mutate(_ arguments: [String]) {
        guard let count = Int(arguments[2]), count > 0,
            let seed = arguments.count == 4 ? UInt64(arguments[3]) : 1
        else { usage() }
        do {
            var start = timespec()
            clock_gettime(CLOCK_MONOTONIC, &start)
            let tally = try MutatedVectors.run([arguments[1]], count: count, seed: seed, threads: 2)
            var end = timespec()
            clock_gettime(CLOCK_MONOTONIC, &end)
            for finding in tally.findings { print(finding) }
            print(
                "\(tally.judged) mutations by seed \(seed) in \(end.tv_sec - start.tv_sec) s: "
                    + "\(tally.accepted) accepted, \(tally.findings.count) findings")
            if !tally.findings.isEmpty { exit(1) }
        } catch {
            complain("fuzz: \(error)\n")
            exit(2)
        }
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
