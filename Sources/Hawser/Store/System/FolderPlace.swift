// The users who may write to a folder, or exchange it.
//
// The folder itself: only its owner may have rights. A group with the right to write may put any
// table there, and a store that starts without its source would enforce that table. When a pod asks
// for `fsGroup`, Kubernetes gives a volume to a group, and changes every folder in it at each
// mount, unless `fsGroupChangePolicy` limits it to the root.
//
// The folders above: whoever may write to a folder may rename an entry of it and put another in its
// place. The owner shows that a folder was exchanged, unless the other folder is an older folder of
// the same user. But a folder that is gone looks like a folder that never existed. With the sticky
// bit only the owner of an entry may rename it (inode(7)). So a folder above may be open to others
// when it has this bit, as `/tmp` has.

import CLibC

/// Checks the rights to a folder and to the folders above it.
enum FolderPlace {
    /// Refuses a folder that belongs to another user or that others have a right to.
    static func expectOwn(_ descriptor: Int32, _ path: String) throws(StateDirectoryError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw notOpened(path) }
        guard status.st_uid == geteuid() else {
            throw StateDirectoryError(
                code: .foreign,
                context: "`\(path)` belongs to user \(status.st_uid), and this process is user "
                    + "\(geteuid()): who owns it decides what a restart enforces; name a folder in "
                    + "it that is not there yet, which the store makes for itself, or "
                    + "`chown \(geteuid()) \(path)`")
        }
        guard status.st_mode & 0o077 != 0 else { return }
        let mode = octal(status.st_mode)
        var context =
            "`\(path)` has mode \(mode), where only its owner may have any right: name a folder "
            + "in it that is not there yet, which the store makes for itself, or "
            + "`chmod -R go= \(path)`"
        if status.st_mode & 0o022 != 0 {
            context += ", after which what \(writers(status)) may have put there is believed"
        }
        if status.st_mode & 0o2020 == 0o2020 {
            context +=
                "; with `fsGroup` Kubernetes opens every folder of a volume at each mount, unless "
                + "`fsGroupChangePolicy` is `OnRootMismatch`"
        }
        throw StateDirectoryError(code: .open, context: context)
    }

    /// Why another user may take a folder away or put another folder in its place; nil when no
    /// other user may.
    static func exchange(of descriptor: Int32, _ path: String) -> StateDirectoryError? {
        var below = stat()
        guard unsafe fstat(descriptor, &below) == 0 else { return notOpened(path) }
        var up = ".."
        // A path has at most 4096 octets, so it has fewer folders.
        for level in 1...4_096 {
            var above = stat()
            guard unsafe fstatat(descriptor, up, &above, 0) == 0 else {
                let failure = unsafe String(cString: strerror(errno))
                return StateDirectoryError(
                    code: .exchangeable,
                    context: "who may take `\(path)` away is not known: a folder above it cannot "
                        + "be looked at (\(failure))")
            }
            // The root is its own parent.
            if above.st_ino == below.st_ino, above.st_dev == below.st_dev { return nil }
            if let owner = stranger(above) {
                let place = name(path, level)
                return StateDirectoryError(
                    code: .exchangeable,
                    context: "\(owner) may take `\(path)` away or put another in its place, as "
                        + "`\(place)` has mode \(octal(above.st_mode)) and belongs to user "
                        + "\(above.st_uid): \(help(above, place))")
            }
            below = above
            up += "/.."
        }
        return nil
    }

    /// Who, besides root and this user, may rename the entries of a folder; nil when nobody may.
    private static func stranger(_ folder: stat) -> String? {
        guard folder.st_uid == 0 || folder.st_uid == geteuid() else {
            return "user \(folder.st_uid)"
        }
        let isOpen = folder.st_mode & 0o022 != 0 && folder.st_mode & S_ISVTX == 0
        return isOpen ? writers(folder) : nil
    }

    private static func help(_ folder: stat, _ name: String) -> String {
        folder.st_uid == 0 || folder.st_uid == geteuid()
            ? "`chmod +t \(name)`, or `chmod go-w \(name)`"
            : "name a folder in one that belongs to root or to user \(geteuid())"
    }

    /// Why a folder was not made, from `errno`.
    static func notMade(_ path: String) -> StateDirectoryError {
        let number = errno
        let parent = folder(of: path)
        if number == ENOENT, !NamedPath.exists(parent) {
            return StateDirectoryError(
                code: .missing,
                context: "`\(parent)` is not there, and a store makes the last folder of `\(path)` "
                    + "alone: mount the volume that belongs there, or `mkdir -p \(parent)`")
        }
        errno = number
        let failure = FileReader.failure(of: path).context
        return StateDirectoryError(
            code: .unwritable,
            context: "\(failure), and it cannot be made: "
                + "`install -d -m 700 -o \(geteuid()) \(path)`")
    }

    /// Why a folder was not opened, from `errno`.
    static func notOpened(_ path: String) -> StateDirectoryError {
        let number = errno
        if number == ENOENT {
            return StateDirectoryError(
                code: .missing,
                context:
                    "`\(path)` is not there, and where state is required it is not made, as it "
                    + "may be a volume that is not mounted: for the first start "
                    + "`install -d -m 700 -o \(geteuid()) \(path)`")
        }
        if number == ENOTDIR, NamedPath.exists(path) {
            return StateDirectoryError(
                code: .unreadable,
                context: "`\(path)` is not a folder: name one for this store alone")
        }
        errno = number
        return StateDirectoryError(
            code: .unreadable, context: FileReader.failure(of: path).context)
    }

    // MARK: Parts

    /// The users who may write, from a mode.
    private static func writers(_ status: stat) -> String {
        status.st_mode & 0o002 != 0 ? "every user" : "group \(status.st_gid)"
    }

    private static func octal(_ mode: mode_t) -> String { String(mode & 0o7777, radix: 8) }

    /// The path of the folder that a path lies in.
    private static func folder(of path: String) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: true)
        if !parts.isEmpty { parts.removeLast() }
        let joined = parts.joined(separator: "/")
        if path.hasPrefix("/") { return "/\(joined)" }
        return joined.isEmpty ? "." : joined
    }

    /// The path of the folder that is `level` levels above another.
    private static func name(_ path: String, _ level: Int) -> String {
        var name = FileLook.target(path) ?? path
        for _ in 0..<level { name = folder(of: name) }
        return name
    }
}
