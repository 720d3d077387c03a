import TrustEngine

/// The certificate files that a change of policy touches: shown as what they hold, not as bytes.
struct ChangedFiles {
    /// A file that differs, with the digests of its certificates' keys on both sides.
    private struct File {
        let path: String
        let old: Set<Digest>
        let new: Set<Digest>
    }

    /// Sorted by their paths.
    private let files: [File]

    /// - Parameters:
    ///   - old: the files that the old policy names, by their paths from the unit's root.
    ///   - new: the same of the new policy.
    init(old: [String: [UInt8]], new: [String: [UInt8]], crypto: any CryptoBackend) {
        let paths = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        files = paths.map {
            File(
                path: $0, old: ChangedFiles.keys(old[$0], crypto),
                new: ChangedFiles.keys(new[$0], crypto))
        }
    }

    /// The files that brought or took authorities of a change.
    func paths(of change: PolicyDiff.AuthorityChange) -> [String] {
        guard !files.isEmpty else { return [] }
        let added = Set(change.added.compactMap(\.keyDigest))
        let removed = Set(change.removed.compactMap(\.keyDigest))
        return files.filter {
            !added.isDisjoint(with: $0.new.subtracting($0.old))
                || !removed.isDisjoint(with: $0.old.subtracting($0.new))
        }.map(\.path)
    }

    /// The files that changed without changing an authority.
    ///
    /// - Parameter told: the files that changes name.
    func idle(besides told: Set<String>) -> [PolicyDiff.IdleChange] {
        files.filter { !told.contains($0.path) && $0.old == $0.new && !$0.new.isEmpty }.map {
            PolicyDiff.IdleChange(
                sentence: "`\($0.path)` has other bytes with the same keys", location: nil)
        }
    }

    /// The digests of the keys of a file's certificates; empty where it holds none.
    private static func keys(_ bytes: [UInt8]?, _ crypto: any CryptoBackend) -> Set<Digest> {
        guard let bytes else { return [] }
        let blocks = (try? PEM.decode(bytes.span))?.map(\.der) ?? []
        return Set(
            (blocks.isEmpty ? [bytes] : blocks).compactMap { der in
                (try? Certificate(der: der)).map {
                    crypto.digest(.sha256, of: $0.keyOctets.span)
                }
            })
    }
}
