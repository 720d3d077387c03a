import Hawser
import HawserYAML
import PolicyCompiler

/// A new folder for what an import writes.
struct ImportedFolder {
    /// Files by their paths below the folder. At most one folder lies between.
    typealias Files = [(name: String, octets: [UInt8])]

    private let path: String

    /// Refuses a folder that exists, and one inside a unit.
    init(_ named: String) throws(CommandFailure) {
        var end = named[...]
        while end.count > 1, end.hasSuffix("/") { end = end.dropLast() }
        path = String(end)
        guard !path.isEmpty else { throw .couldNotAsk("the folder has an empty name") }
        guard !NamedPath.exists(path) else {
            throw .couldNotAsk("`\(path)` is there already; give a folder that does not exist")
        }
        let parent =
            path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let resolved = try InputFile.resolve(parent)
        if let unit = UnitLoader.unitFolder(from: resolved) {
            throw .couldNotAsk(
                "`\(path)` would lie in the unit of `\(unit)/policy.yaml`, and units do not nest")
        }
    }

    /// Writes the files beside the folder, and then gives the folder its name. Nothing is left
    /// behind if that fails.
    func write(_ files: Files) throws(CommandFailure) {
        var made: [String] = []
        do throws(OutputFile.Problem) {
            let temporary = try OutputFile.makeFolder(beside: path)
            made.append(temporary)
            for file in files {
                if let slash = file.name.firstIndex(of: "/") {
                    let inner = "\(temporary)/\(file.name[..<slash])"
                    if try OutputFile.makeFolder(inner) { made.append(inner) }
                }
                try OutputFile.create("\(temporary)/\(file.name)", with: file.octets)
                made.append("\(temporary)/\(file.name)")
            }
            try OutputFile.renameFolder(temporary, to: path)
        } catch {
            for path in made.reversed() { OutputFile.remove(path) }
            throw .couldNotAsk(error.context + "; nothing was written")
        }
    }
}
