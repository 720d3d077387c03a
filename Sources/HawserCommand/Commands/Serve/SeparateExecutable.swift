import CLibC
import Hawser

/// An executable of the project that is installed beside the command, as a separate file.
enum SeparateExecutable {
    /// Replaces this process by the executable. Returns only where that fails, with the reason.
    ///
    /// - Parameter advice: how one gets the executable where it is not installed.
    static func become(
        _ name: String, _ arguments: [String], advice: String
    ) -> CommandFailure {
        let places = places(of: name)
        for path in places where NamedPath.exists(path) {
            let code = execute(path, [name] + arguments)
            let reason = unsafe String(cString: strerror(code))
            return .couldNotAsk("`\(path)` does not start: \(reason)")
        }
        let looked = places.prefix(2).map { "`\($0)`" }.joined(separator: ", ")
        return .couldNotAsk(
            "`\(name)` is not installed; looked for \(looked) and in PATH; \(advice)")
    }

    /// Where the executable may be: beside the command, in the folder of executables that people do
    /// not call themselves, and in PATH, of which only absolute folders count.
    private static func places(of name: String) -> [String] {
        var places: [String] = []
        if let own = try? NamedPath.resolve("/proc/self/exe"), let end = own.lastIndex(of: "/") {
            let folder = own[..<end]
            places.append("\(folder)/\(name)")
            if let above = folder.lastIndex(of: "/") {
                places.append("\(folder[..<above])/libexec/hawser/\(name)")
            }
        }
        for folder in (StandardStreams.environment("PATH") ?? "").split(separator: ":")
        where folder.hasPrefix("/") {
            places.append("\(folder)/\(name)")
        }
        return places
    }

    /// Returns the error's number; where there is none, it does not return.
    private static func execute(_ path: String, _ arguments: [String]) -> Int32 {
        var words = unsafe arguments.map { unsafe strdup($0) }
        unsafe words.append(nil)
        _ = unsafe execv(path, words)
        let code = errno
        unsafe words.forEach { unsafe free($0) }
        return code
    }
}
