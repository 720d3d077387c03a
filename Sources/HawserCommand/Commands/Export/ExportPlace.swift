import Hawser
import PolicyTools

/// The place of an exported file below a folder that no export leaves.
struct ExportPlace {
    /// An absolute path without links.
    let top: String
    /// The path of the file from `top`, without `.` and `..`.
    let path: String

    /// The path of the file from the root of the machine.
    var absolute: String { top == "/" ? "/\(path)" : "\(top)/\(path)" }

    /// Why a file is not exported to its place. Lower case, no full stop.
    struct Problem: Error {
        let context: String
    }

    /// The octets of the file; nil if there is none.
    ///
    /// - Throws: for a link on the way, for anything else than a regular file, for a file with a
    ///   private key, and for a file that is too long.
    func existing() throws(Problem) -> [UInt8]? {
        try refuseLinks()
        guard OutputFile.kind(absolute) == .file else { return nil }
        let bytes = try Self.read(absolute)
        let holdsKey = bytes.firstRange(of: Array("PRIVATE KEY-----".utf8)) != nil
        guard !holdsKey else {
            throw Problem(context: "the file holds a private key, and is neither read nor replaced")
        }
        return bytes
    }

    /// The octets of a file that the exported file names, by its path from the folder of that file;
    /// nil if there is none, or if it may not be read.
    func companion(_ name: String) -> [UInt8]? {
        guard let place = self.companion(at: name) else { return nil }
        return (try? place.existing()) ?? nil
    }

    /// The place of a file that the exported file names.
    func companion(at name: String) -> ExportPlace? {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in name.split(separator: "/") where part != "." {
            guard part != ".." else {
                guard parts.popLast() != nil else { return nil }
                continue
            }
            parts.append(String(part))
        }
        return ExportPlace(top: top, path: parts.joined(separator: "/"))
    }

    /// Writes the file in one step. Its folder must exist; of a companion it is made.
    func write(_ octets: [UInt8], makesFolder: Bool = false) throws(Problem) {
        try refuseLinks(makesFolder: makesFolder)
        do throws(OutputFile.Problem) {
            try OutputFile.replace(absolute, with: octets, onlyFiles: true)
        } catch {
            throw Problem(context: error.context)
        }
    }

    /// Refuses links among the names of the path, and a folder that is not there.
    private func refuseLinks(makesFolder: Bool = false) throws(Problem) {
        let names = path.split(separator: "/").map(String.init)
        var place = top == "/" ? "" : top
        for (index, name) in names.enumerated() {
            place += "/\(name)"
            let isLast = index == names.count - 1
            switch OutputFile.kind(place) {
            case .link:
                throw Problem(
                    context: "`\(shown(names, index))` is a link, which no export follows")
            case .folder where isLast:
                throw Problem(context: "`\(path)` is a folder")
            case .file where !isLast, .other:
                throw Problem(
                    context: "`\(shown(names, index))` is not a \(isLast ? "file" : "folder")")
            case .nothing where !isLast:
                guard makesFolder, index == names.count - 2 else {
                    throw Problem(context: "the folder `\(shown(names, index))` is not there")
                }
                do throws(OutputFile.Problem) {
                    try OutputFile.makeFolder(place)
                } catch {
                    throw Problem(context: error.context)
                }
            case .nothing, .file, .folder: continue
            }
        }
    }

    private func shown(_ names: [String], _ index: Int) -> String {
        names[...index].joined(separator: "/")
    }

    private static func read(_ path: String) throws(Problem) -> [UInt8] {
        do throws(FileReadError) {
            return try FileReader.read(path: path, limit: MarkupReader.largestFile)
        } catch {
            throw Problem(context: error.context)
        }
    }
}
