import CLibC
import Hawser
import Logging
import TrustEngine

// Verdicts a second through the library, on one thread or several. Usage: verdict-benchmark TABLE
// HOST SECONDS-SINCE-1970 COUNT THREADS CERTIFICATE.der... Prints one number, the verdicts a second
// of all threads together; `Tests/Benchmarks/service.sh` runs it beside the C interface.

let arguments = CommandLine.arguments
guard arguments.count > 6, let time = Int64(arguments[3]), let count = Int(arguments[4]),
    let threads = Int(arguments[5]), threads > 0
else {
    print("usage: verdict-benchmark TABLE HOST TIME COUNT THREADS CERTIFICATE.der...")
    exit(2)
}
var configuration = PolicyStore.Configuration()
configuration.logger = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
let store = try PolicyStore(
    file: arguments[1], configuration: configuration, watching: .onRequest)
let chain = try arguments[6...].map { try FileReader.read(path: $0, limit: 1 << 20) }
let request = TrustRequest(
    host: arguments[2], port: 443, presentedChain: chain,
    time: UTCInstant(secondsSinceEpoch: time),
    tls: .observed(TLSParameters(version: .tls13)))
let judging = Judging(store: store, request: request, count: count, threads: threads)

let clock = ContinuousClock()
let begin = clock.now
let isSteady = await judging.run()
let seconds = clock.now - begin
guard isSteady else {
    print("verdicts differ")
    exit(1)
}
print(Int(Double(count * threads) / (seconds / .seconds(1))))
