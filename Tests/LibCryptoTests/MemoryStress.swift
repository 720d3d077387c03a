import Foundation

/// How long and with how many threads the memories are stressed. `MEMORY_SECONDS` asks for longer
/// than the moment that a run of all tests has time for.
enum MemoryStress {
    static let threads = 8

    static let duration: Duration = {
        let asked = ProcessInfo.processInfo.environment["MEMORY_SECONDS"].flatMap(Int.init)
        return asked.map { .seconds($0) } ?? .milliseconds(300)
    }()
}
