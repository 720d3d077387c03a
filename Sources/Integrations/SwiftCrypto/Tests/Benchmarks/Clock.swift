import Foundation

/// CPU time of the process, nanoseconds. swift-certificates verifies on threads of its own.
func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// The least time of each of some measurements that take turns.
struct Minima {
    private(set) var nanoseconds: [Double]

    init(_ count: Int) { nanoseconds = Array(repeating: .infinity, count: count) }

    /// Takes the time of `calls` calls of measurement `index`.
    mutating func add(_ index: Int, _ elapsed: Int, calls: Int) {
        nanoseconds[index] = min(nanoseconds[index], Double(elapsed) / Double(calls))
    }
}

/// A number with so many digits behind the point.
func text(_ value: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((value * scale).rounded())
    guard digits > 0 else { return "\(scaled)" }
    let whole = Int(scale)
    let rest = String(scaled % whole)
    return "\(scaled / whole)." + String(repeating: "0", count: digits - rest.count) + rest
}
