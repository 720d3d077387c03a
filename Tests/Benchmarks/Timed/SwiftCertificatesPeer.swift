import CLibC
import VerdictSubjects

/// swift-certificates in a library that is opened while the program runs
/// (`Tests/Benchmarks/SwiftCertificates`).
struct SwiftCertificatesPeer {
    private typealias New =
        @convention(c) (UnsafePointer<UInt8>, Int) -> UnsafeMutableRawPointer?
    private typealias NewCase =
        @convention(c) (
            UnsafeMutableRawPointer, UnsafePointer<UInt8>, Int, UnsafePointer<CChar>, Int64
        ) -> UnsafeMutableRawPointer
    private typealias Run = @convention(c) (UnsafeMutableRawPointer, Int) -> Int32

    private let new: New
    private let newCase: NewCase
    private let run: Run

    /// Opens the library.
    ///
    /// - Throws: `WrongAnswer` where it is not that library.
    init(library path: String) throws {
        guard let handle = dlopen(path, RTLD_NOW),
            let new = dlsym(handle, "swift_certificates_peer_new"),
            let newCase = dlsym(handle, "swift_certificates_peer_case"),
            let run = dlsym(handle, "swift_certificates_peer_run")
        else {
            let reason = dlerror().map { String(cString: $0) } ?? "not that library"
            throw WrongAnswer(description: "\(path): \(reason)")
        }
        self.new = unsafeBitCast(new, to: New.self)
        self.newCase = unsafeBitCast(newCase, to: NewCase.self)
        self.run = unsafeBitCast(run, to: Run.self)
    }

    /// A verifier of roots.
    func verifier(roots: [[UInt8]]) throws -> UnsafeMutableRawPointer {
        let octets = VerdictCase.octets(of: [roots])
        guard let verifier = new(octets, octets.count) else {
            throw WrongAnswer(description: "swift-certificates does not parse a root")
        }
        return verifier
    }

    /// Whether each of so many verdicts on chains, in turn, is an accept.
    func accepts(
        _ chains: [[[UInt8]]], host: String, seconds: Int64, verifier: UnsafeMutableRawPointer
    ) -> (Int) -> Bool {
        let octets = VerdictCase.octets(of: chains)
        let subject = newCase(verifier, octets, octets.count, host, seconds)
        let run = run
        return { run(subject, $0) == 1 }
    }
}
