import Hawser

/// Where the preloaded library of `hawser run` stands.
enum RunLibrary {
    static let name = "libhawser_run.so"
    /// Loaded by the first, from its own folder.
    private static let judge = "libhawser_judge.so"

    #if arch(arm64)
    private static let multiarch = "aarch64-linux-gnu"
    #else
    private static let multiarch = "x86_64-linux-gnu"
    #endif

    /// Where it is looked for, from the folder of the command.
    private static let places = ["", "../lib/hawser/", "../lib/\(multiarch)/hawser/"]

    /// The library's absolute path.
    ///
    /// - Parameter given: `--library`.
    static func find(_ given: String?) throws(CommandFailure) -> String {
        let path: String
        if let given {
            guard NamedPath.exists(given), !NamedPath.isFolder(given) else {
                throw failure("`--library \(given)` is not a file; \(madeBy)")
            }
            path = given
        } else {
            // A library of the current folder would be anybody's.
            guard let folder = ProgramFile.ownFolder else {
                throw failure(
                    "`\(name)` is looked for beside the command, whose own folder is not known where "
                        + "/proc is not mounted; name it by `--library FILE`")
            }
            let looked = places.map { "\(folder)/\($0)\(name)" }
            guard let found = looked.first(where: NamedPath.exists) else {
                throw failure(
                    "`\(name)` is not there; it was looked for as "
                        + looked.map { "`\($0)`" }.joined(separator: ", ")
                        + "; name it by `--library FILE`; \(madeBy)")
            }
            path = found
        }
        let resolved: String
        do throws(FileReadError) {
            resolved = try NamedPath.resolve(path)
        } catch {
            throw failure(error.context)
        }
        // The loader parts LD_PRELOAD at both.
        guard !resolved.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == 0x20 }) else {
            throw failure(
                "`\(resolved)` has a colon or a space in its path, which LD_PRELOAD cannot name")
        }
        try checkLoads(resolved)
        let folder = resolved.lastIndex(of: "/").map { resolved[...$0] } ?? ""
        guard NamedPath.exists(folder + judge) else {
            throw failure("`\(judge)` does not stand beside `\(resolved)`")
        }
        return resolved
    }

    /// Refuses a file that the loader would leave out with a warning, so that the program would run
    /// unjudged.
    private static func checkLoads(_ path: String) throws(CommandFailure) {
        guard let file = ProgramFile(path) else {
            throw failure("`\(path)` cannot be read, or is not a regular file")
        }
        let library: ELFFile
        do throws(ELFFile.Problem) {
            library = try ELFFile(file)
        } catch {
            throw failure("`\(path)` is not a library")
        }
        guard library.machine == ProgramFile.machine else {
            throw failure("`\(path)` is made for another processor")
        }
    }

    private static let madeBy = "`Packaging/c/build.sh install` installs it"

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(status: .runFailed, message: message)
    }
}
