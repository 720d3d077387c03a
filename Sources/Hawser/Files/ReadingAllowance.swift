/// The amount that may still be read beneath a root: the limits of all readings together, and the
/// amount that was read so far. One allowance serves one root.
package final class ReadingAllowance: Sendable {
    /// The limits of all readings.
    package let limits: RootFolder.Limits
    private let spent = Monitor(RootFolder.Work())

    /// Makes an allowance of which nothing was used.
    package init(_ limits: RootFolder.Limits) { self.limits = limits }

    /// The amount that was read so far.
    package var work: RootFolder.Work { spent.withLock { $0 } }

    /// Counts an entry of a folder; `""` is the root. It throws `tooLarge` past the limit.
    package func takeEntry(of folder: String) throws(FileReadError) {
        let isWithin = spent.withLock { work in
            guard work.entries < limits.entries else { return false }
            work.entries += 1
            return true
        }
        guard isWithin else {
            throw FileReadError(
                code: .tooLarge,
                context: "a unit has at most \(limits.entries) files and folders; "
                    + "`\(folder.isEmpty ? "." : folder)` goes past that: keep the policy in a "
                    + "folder of its own")
        }
    }

    /// Reads a file by `body`, which gets the most octets that it may read and throws `tooLarge`
    /// for a longer file. The octets are counted. Files that are read at the same time may exceed
    /// the limit by one file each.
    package func reading(
        _ path: String, limit: Int, _ body: (Int) throws(FileReadError) -> [UInt8]
    ) throws(FileReadError) -> [UInt8] {
        let left = limits.octets - work.octets
        let bytes: [UInt8]
        do throws(FileReadError) {
            bytes = try body(min(limit, left))
        } catch {
            guard error.code == .tooLarge, left < limit else { throw error }
            throw FileReadError(
                code: .tooLarge,
                context:
                    "a unit has at most \(limits.octets) bytes in all its files; `\(path)` goes "
                    + "past that")
        }
        spent.withLock { $0.octets += bytes.count }
        return bytes
    }
}

extension RootFolder.Limits {
    /// The names of a path beneath a root: between `/`, none of them empty, `.` or `..`. It throws
    /// `leavesRoot` for another path and `tooLarge` for too many names.
    package func names(of path: String) throws(FileReadError) -> [String] {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }),
            !path.utf8.contains(0)
        else {
            throw FileReadError(
                code: .leavesRoot, context: "`\(path)` is not a path beneath its unit")
        }
        guard names.count <= depth else {
            throw FileReadError(
                code: .tooLarge,
                context: "folders of a unit are nested at most \(depth) deep; those in "
                    + "`\(names[0])` go deeper")
        }
        return names
    }
}
