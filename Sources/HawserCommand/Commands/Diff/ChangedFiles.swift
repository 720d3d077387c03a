import Hawser
import PolicyCompiler
import PolicyTools
import TrustEngine

/// The certificate files that a change of policy touches: shown as what they hold, not as bytes.
enum ChangedFiles {
    /// Names in each change the files that brought or took its authorities, and lists apart the
    /// files that changed without changing an authority.
    static func tell(
        _ diff: inout PolicyDiff, old: [String: [UInt8]], new: [String: [UInt8]]
    ) {
        let paths = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        let keys = Dictionary(
            uniqueKeysWithValues: paths.map {
                ($0, (old: self.keys(old[$0]), new: self.keys(new[$0])))
            })
        var told: Set<String> = []
        for index in diff.changes.indices {
            let authorities = diff.changes[index].authorities
            let added = Set(authorities.added.compactMap(\.keyDigest))
            let removed = Set(authorities.removed.compactMap(\.keyDigest))
            diff.changes[index].files = paths.filter { path in
                guard let both = keys[path] else { return false }
                return !added.isDisjoint(with: both.new.subtracting(both.old))
                    || !removed.isDisjoint(with: both.old.subtracting(both.new))
            }
            told.formUnion(diff.changes[index].files)
        }
        for path in paths where !told.contains(path) {
            guard let both = keys[path], both.old == both.new, !both.new.isEmpty else { continue }
            diff.idle.append(
                PolicyDiff.IdleChange(
                    sentence: "`\(path)` has other bytes with the same keys", location: nil))
        }
    }

    /// The digests of the keys of a file's certificates; empty where it holds none.
    private static func keys(_ bytes: [UInt8]?) -> Set<Digest> {
        guard let bytes else { return [] }
        let crypto = EngineLoader.crypto
        let blocks = (try? PEM.decode(bytes.span))?.map(\.der) ?? []
        return Set(
            (blocks.isEmpty ? [bytes] : blocks).compactMap { der in
                (try? Certificate(der: der)).map {
                    crypto.digest(.sha256, of: $0.keyOctets.span)
                }
            })
    }
}
