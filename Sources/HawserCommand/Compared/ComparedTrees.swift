import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

/// All files of the two sides of a comparison, for what lies beside the policies: guards, and other
/// units.
struct ComparedTrees {
    let old: ListedFiles
    let new: ListedFiles
    /// The paths at which the two sides differ.
    let changed: Set<String>

    init(old: ListedFiles, new: ListedFiles) {
        self.old = old
        self.new = new
        changed = Set(old.identities.keys).union(new.identities.keys).filter {
            old.identities[$0] != new.identities[$0]
        }
    }

    // MARK: Units

    /// The units that the change touches, adds or takes away, by their folders; sorted.
    func touchedUnits() -> [String] {
        Set(changed.flatMap { [old.unit(of: $0), new.unit(of: $0)].compactMap(\.self) }).sorted()
    }

    // MARK: Guards

    /// What becomes of the guards.
    ///
    /// - Parameter diffs: what the change does to policies.
    func guards(of diffs: [PolicyDiff], since: UTCInstant) -> GuardAnswer {
        do throws(NotCompared) {
            let (before, after) = (try tree(old), try tree(new))
            return .compared(
                GuardComparison.changes(
                    from: before, to: after, of: diffs, since: since, crypto: EngineLoader.crypto))
        } catch {
            return .notCompared(error.context)
        }
    }

    /// The files of a side that are looked at: those that differ, every test and assertion of a
    /// unit that the change touches, since the policy that they speak of may be another, and the
    /// assertions that name other units.
    private func tree(_ side: ListedFiles) throws(NotCompared) -> GuardTree {
        let touched = Set(touchedUnits())
        var wanted = changed
        var assertions: Set<String> = []
        for path in side.identities.keys {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let kind = OwnFileKind(named: name)
            let isAssertion = kind == .assertions
            guard isAssertion || kind == .tests else { continue }
            if side.unit(of: path).map(touched.contains) ?? false {
                wanted.insert(path)
            } else if isAssertion, !touched.isEmpty {
                assertions.insert(path)
            }
        }
        var files = try side.read(wanted, where: GuardFiles.mayGuard)
        files.merge(try side.read(assertions, where: GuardFiles.namesUnit)) { one, _ in one }
        return side.tree(files)
    }
}
