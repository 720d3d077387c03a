import ConformanceCases
import Foundation
import TrustEngine

#if SwiftCrypto
import HawserSwiftCrypto
#endif

/// `swift run -c release conformance PATH...`: judges public vectors of path validation.
/// Built with the trait `SwiftCrypto`, it judges every case with both backends.
@main
enum Main {
    static func main() {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let status = ConformanceRun.run(
            Array(CommandLine.arguments.dropFirst()),
            expectations: folder.appending(path: "expectations.json").path,
            notices: folder.appending(path: "expectations-defaults.json").path, clock: threadTime,
            beside: LibcryptoValidator(), second: Main.secondBackend,
            output: { FileHandle.standardOutput.write(Data($0.utf8)) },
            errors: { FileHandle.standardError.write(Data($0.utf8)) })
        exit(status.rawValue)
    }

    private static var secondBackend: (any CryptoBackend)? {
        #if SwiftCrypto
        return SwiftCryptoBackend()
        #else
        return nil
        #endif
    }

    /// CPU time of this thread, nanoseconds.
    private static func threadTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
