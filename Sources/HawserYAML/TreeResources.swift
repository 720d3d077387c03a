package import Hawser
import PolicyCompiler

/// Reads the files that a unit's policies name, below the unit's root.
struct TreeResources: UnitResources {
    let root: any UnitTree

    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        do throws(FileReadError) {
            return try root.read(path, limit: limit)
        } catch {
            throw ResourceError(error)
        }
    }

    func list(_ folder: String) throws(ResourceError) -> [String] {
        let items: [RootFolder.Entry]
        do throws(FileReadError) {
            items = try root.entries(of: folder)
        } catch {
            throw ResourceError(error)
        }
        var names: [String] = []
        for item in items {
            switch item.kind {
            case .regular, .linkToFile: names.append(item.name)
            case .folder: break
            case .linkToFolder, .linkOut, .other:
                guard CertificateFileName.isOne(item.name) else { break }
                throw ResourceError(
                    code: item.kind.leadsOut ? .leavesRoot : .notRegular,
                    context: "`\(folder)/\(item.name)` is \(item.kind.words)")
            }
        }
        return names
    }

    func folders(_ folder: String) throws(ResourceError) -> [String] {
        do throws(FileReadError) {
            return try root.entries(of: folder).filter(\.isFolder).map(\.name)
        } catch {
            throw ResourceError(error)
        }
    }
}

extension RootFolder.Entry.Kind {
    /// The kind of the file, for a message.
    package var words: String {
        switch self {
        case .regular: return "a regular file"
        case .folder: return "a folder"
        case .linkToFile: return "a symbolic link"
        case .linkToFolder: return "a symbolic link to a folder"
        case .linkOut: return "a symbolic link that leads out of the unit"
        case .other(let kind): return kind
        }
    }

    /// Whether the entry is a link that leads out of the root.
    var leadsOut: Bool {
        if case .linkOut = self { return true }
        return false
    }
}

extension RootFolder.Entry {
    /// Whether the entry is a folder, or a link to a folder of the unit that is hidden where it
    /// stands, as those that Kubernetes mounts.
    fileprivate var isFolder: Bool {
        switch kind {
        case .folder: return true
        case .linkToFolder(let real):
            return !name.hasPrefix(".") && RootFolder.Entry.Kind.isHidden(real)
        case .regular, .linkToFile, .linkOut, .other: return false
        }
    }
}

extension ResourceError {
    fileprivate init(_ error: FileReadError) {
        let code: Code
        switch error.code {
        case .notFound: code = .notFound
        case .notRegular: code = .notRegular
        case .leavesRoot: code = .leavesRoot
        case .tooLarge: code = .tooLarge
        case .unreadable: code = .unreadable
        }
        self.init(code: code, context: error.context)
    }
}
