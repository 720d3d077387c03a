// Which entries of which folders decide the file that a path leads to.
//
// A path is resolved by the kernel one name after the other, and a link puts other names in its
// place (path_resolution(7)). The file behind the path can change at each of these names: the file
// itself is replaced, a link is replaced, or a folder higher up is exchanged. So the route holds
// each name with the folder that it is looked up in.

import CLibC

/// The way of a path to its file, name by name.
struct FileRoute: Hashable {
    /// A name that is looked up in a folder.
    struct Step: Hashable {
        /// A path of the folder: the names before this step, with links resolved.
        let folder: String
        let name: String
        /// Whether the name stands for the file itself, and not for a folder on the way.
        let isFile: Bool
    }

    /// In the order in which the names are looked up.
    private(set) var steps: [Step] = []

    /// Follows a path as the file system is now. The route ends at the first name that does not
    /// exist, and after as many links as the kernel follows.
    ///
    /// Cost: one system call for each name.
    init(of path: String) {
        var folder = path.hasPrefix("/") ? "/" : "."
        var rest = FileRoute.names(path)[...]
        var links = 0
        while let name = rest.popFirst() {
            if name == ".." {
                folder = FileRoute.join(folder, name)
                continue
            }
            steps.append(Step(folder: folder, name: name, isFile: rest.isEmpty))
            let next = FileRoute.join(folder, name)
            guard let target = FileRoute.target(ofLink: next) else {
                folder = next
                continue
            }
            links += 1
            guard links <= FileRoute.mostLinks else { return }
            if target.hasPrefix("/") { folder = "/" }
            rest = (FileRoute.names(target) + rest)[...]
        }
    }

    /// The names of a path, without those that lead nowhere else.
    private static func names(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// The text of a link; nil where a path leads to no link.
    private static func target(ofLink path: String) -> String? {
        var octets = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe octets.withUnsafeMutableBytes { buffer -> Int in
            guard let base = buffer.baseAddress else { return -1 }
            return unsafe readlink(path, base, buffer.count)
        }
        guard count > 0, count < octets.count else { return nil }
        return String(decoding: octets[..<count], as: UTF8.self)
    }

    /// The links that Linux follows in one path (path_resolution(7)).
    private static let mostLinks = 40
}
