#if FUZZING
import FuzzBodies

/// libFuzzer's own entry for programs that have a `main` (compiler-rt, FuzzerDriver.cpp).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Hands a body to libFuzzer.
enum Driver {
    /// libFuzzer's callback takes no context, so its body stands here, set once before.
    nonisolated(unsafe) private static var body = FuzzBody.der

    static func run(_ chosen: FuzzBody, _ options: [String]) -> Never {
        body = chosen
        var arguments: [UnsafeMutablePointer<CChar>?] =
            (["fuzz"] + options).map { strdup($0) } + [nil]
        var count = CInt(options.count + 1)
        let code = arguments.withUnsafeMutableBufferPointer { buffer -> CInt in
            var base = buffer.baseAddress!
            return runDriver(&count, &base) { bytes, count in
                Driver.body.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            }
        }
        exit(code)
    }
}

import CLibC
#endif
