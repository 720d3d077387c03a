import Foundation

/// `swift-crypto-benchmark [ROUNDS]`: CPU time of verifications and of whole verdicts, in
/// microseconds, the least of the rounds; what is compared takes turns. The exit status is 1 where
/// verdicts with swift-crypto miss their bar beside swift-certificates.
@main
enum Benchmarks {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count <= 1, let rounds = Int(words.first ?? "30"), rounds > 0 else {
            print("usage: swift-crypto-benchmark [ROUNDS]")
            exit(2)
        }
        try Signatures.measure(rounds: rounds)
        print("")
        guard try await Verdicts.measure(rounds: rounds) else { exit(1) }
    }
}
