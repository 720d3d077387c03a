#if Serve
import CLibC

/// The standard streams of the program.
enum ProgramOutput {
    enum Stream: Int32 {
        case output = 1
        case error = 2
    }

    /// Writes a text with a line end. What a closed stream does not take is lost.
    static func say(_ text: String, to stream: Stream) {
        var rest = Array((text + "\n").utf8)
        while !rest.isEmpty {
            let count = unsafe write(stream.rawValue, rest, rest.count)
            guard count > 0 else { return }
            rest.removeFirst(count)
        }
    }
}
#endif
