/// The files that a unit's policies name. Each is read once, so the bytes that are hashed are the
/// bytes that are used.
final class UnitFiles {
    /// The most octets of a file (LANGUAGE section 1.6).
    static let limit = 64 << 20

    private enum ReadResult {
        case bytes([UInt8])
        case failure(ResourceError)
    }

    private let resources: any UnitResources
    private var results: [String: ReadResult] = [:]

    init(_ resources: any UnitResources) {
        self.resources = resources
    }

    /// The bytes of a file, by its path from the unit's root.
    func read(_ path: String) throws(ResourceError) -> [UInt8] {
        let result = results[path] ?? readOnce(path)
        results[path] = result
        switch result {
        case .bytes(let bytes): return bytes
        case .failure(let error): throw error
        }
    }

    /// The names of the regular files directly in a folder, sorted.
    func list(_ folder: String) throws(ResourceError) -> [String] {
        try resources.list(folder)
    }

    private func readOnce(_ path: String) -> ReadResult {
        do throws(ResourceError) {
            return .bytes(try resources.read(path, limit: UnitFiles.limit))
        } catch {
            return .failure(error)
        }
    }
}
