import Hawser
import PolicyCompiler
import TrustEngine

/// Keeps what a compilation reads of the files that policies name.
final class ReadFiles: UnitResources {
    private let inner: any UnitResources
    private let kept = Monitor<[String: [UInt8]]>([:])

    init(_ inner: any UnitResources) { self.inner = inner }

    /// The bytes that were read, by their paths from the unit's root.
    var files: [String: [UInt8]] { kept.withLock { $0 } }

    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        let bytes = try inner.read(path, limit: limit)
        kept.withLock { $0[path] = bytes }
        return bytes
    }

    func list(_ folder: String) throws(ResourceError) -> [String] { try inner.list(folder) }
}
