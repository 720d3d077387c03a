import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

/// A unit with the files of assertions that a command line names.
struct AssertedUnit {
    /// The folder of the unit: an absolute path without links.
    let root: String
    /// The same from the current folder; empty where it is the current folder.
    let shown: String
    let unit: PolicyUnit
    let inputs: AssertionInputs

    /// The units that paths name, sorted by root, each with its files of assertions. A unit without
    /// assertions is skipped where a path stands for several units.
    static func located(_ paths: [String]) throws(CommandFailure) -> [AssertedUnit] {
        try PolicySource.refuseOthers(paths)
        let here = try InputFile.resolve(".")
        // For each root the files that were named; nil for every file of the unit.
        var wanted: [String: Set<String>?] = [:]
        var units: [String: PolicyUnit] = [:]
        for path in paths.isEmpty ? ["."] : paths {
            let place = try place(of: path)
            let absolute = place.path
            let isFile = !place.isFolder
            let isOfAssertions = isFile && absolute.hasSuffix(AssertionFiles.ending)
            if isOfAssertions, place.unit == nil {
                throw .couldNotAsk(
                    "`\(path)` stands beside no policy: there is no `policy.yaml` in its folder or "
                        + "above it")
            }
            let found: [LocatedUnit]
            do throws(UnitLoadError) {
                found = try UnitLoader.units(paths: [path])
            } catch {
                throw .couldNotAsk(
                    error.context + (paths.isEmpty ? OpenPolicy.advice(.argument) : ""))
            }
            var hasSome = false
            for one in found where one.unit.isDirectory {
                let files = try files(of: one.root)
                hasSome = hasSome || !files.paths.isEmpty || one.unit.skipsFiles
                units[one.root] = one.unit
                guard isOfAssertions else {
                    wanted[one.root] = .some(nil)
                    continue
                }
                if case .some(nil) = wanted[one.root] { continue }
                let name = String(absolute.dropFirst(one.root.count + (one.root == "/" ? 0 : 1)))
                wanted[one.root] = .some((wanted[one.root]?.flatMap(\.self) ?? []).union([name]))
            }
            guard hasSome else {
                throw .couldNotAsk(
                    "there is no file of assertions, `NAME\(AssertionFiles.ending)`, "
                        + (isFile ? "in the unit of `\(path)`" : "in `\(path)` or below it")
                        + (paths.isEmpty ? policiesHere(page: "assert.md") : ""))
            }
        }
        var asked: [AssertedUnit] = []
        for (root, names) in wanted.sorted(by: { $0.key < $1.key }) {
            guard let unit = units[root] else { continue }
            let inputs = try inputs(of: root, unit, only: names)
            guard !inputs.files.isEmpty || unit.skipsFiles else { continue }
            asked.append(
                AssertedUnit(
                    root: root, shown: RelativePath.path(of: root, from: here), unit: unit,
                    inputs: inputs))
        }
        return asked
    }

    /// What a message adds where policies lie here without the files that were looked for.
    ///
    /// - Parameter page: the page of `hawser help` about these files.
    static func policiesHere(page: String) -> String {
        let found = (try? UnitLoader.units(paths: ["."])) ?? []
        guard let here = try? NamedPath.resolve("."), !found.isEmpty else {
            return OpenPolicy.advice(.argument)
        }
        let names = found.map { RelativePath.path(of: $0.root, from: here) }
            .map { $0.isEmpty ? "." : $0 }
        let policies =
            found.count == 1
            ? "the policy is \(OpenPolicy.list(names))"
            : "the \(found.count) policies are \(OpenPolicy.list(names))"
        return "; \(policies), and `hawser help \(page)` says what the file holds"
    }

    /// The files of assertions of a unit, with what reading them takes.
    ///
    /// - Parameters:
    ///   - tree: the files of the unit, where they are not those on disk.
    ///   - names: the only files, by their paths from the root; nil for all.
    ///   - isRead: whether the unit of another folder may be read; gets an absolute path without
    ///     links.
    static func inputs(
        of root: String, _ unit: PolicyUnit, in tree: (any UnitTree)? = nil,
        only names: Set<String>? = nil,
        reading isRead: @escaping @Sendable (String) -> Bool = { _ in true }
    ) throws(CommandFailure) -> AssertionInputs {
        let files = try asking { () throws(FileReadError) -> [SourceFile] in
            if let tree { return try AssertionFiles(in: tree).read() }
            return try AssertionFiles(below: root).read()
        }
        return AssertionInputs(
            files: files.filter { names?.contains($0.path) ?? true },
            resources: unit.resources, neighbours: neighbours(of: root, reading: isRead))
    }

    private static func files(of root: String) throws(CommandFailure) -> AssertionFiles {
        try asking { () throws(FileReadError) in try AssertionFiles(below: root) }
    }

    /// The other units that assertions compare with. Each is read beneath its own root.
    private static func neighbours(
        of root: String, reading isRead: @escaping @Sendable (String) -> Bool
    ) -> NeighbourUnits {
        NeighbourUnits { (folder) throws(ResourceError) in
            // Messages name the folder as the assertion does.
            guard let absolute = try? NamedPath.resolve("\(root)/\(folder)"),
                NamedPath.isFolder(absolute), NamedPath.exists("\(absolute)/policy.yaml")
            else {
                throw ResourceError(
                    code: .notFound, context: "it is no folder with a `policy.yaml`")
            }
            guard isRead(absolute) else {
                throw ResourceError(
                    code: .leavesRoot,
                    context: "it lies outside the folders that the editor has opened")
            }
            let unit: PolicyUnit
            do throws(FileReadError) {
                unit = try UnitLoader.unit(in: RootFolder(path: absolute))
            } catch {
                throw ResourceError(code: .notFound, context: error.context)
            }
            let compilation = PolicySource.compile(unit)
            if let table = compilation.table { return table }
            throw ResourceError(
                code: .unreadable,
                context: "it does not compile: "
                    + (PolicySource.firstError(of: compilation) ?? "no reason is known"))
        }
    }

    private static func place(of path: String) throws(CommandFailure) -> UnitLoader.Place {
        try asking { () throws(FileReadError) in try UnitLoader.place(of: path) }
    }
}

extension PolicyUnit {
    /// Whether the unit has a file that would be passed over for its name. Then the unit does not
    /// compile, which says so.
    fileprivate var skipsFiles: Bool {
        diagnostics.contains { $0.code == .policyFileMisnamed }
    }
}
