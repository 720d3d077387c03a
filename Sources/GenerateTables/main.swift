// Makes the generated files from the contracts in `grammar/`. Run it from the repository's root.
// `swift run generate-tables` writes the files that changed. `swift run generate-tables --check`
// only names the files that would change, and exits with status 1 when there is one.

import CLibC
import PolicyCompiler

let isCheck = CommandLine.arguments.dropFirst().contains("--check")
var stale: [String] = []

for file in GeneratedFile.all {
    do throws(ContractProblem) {
        let old = try TextFile.read(file.target)
        let source = try Array(file.make(TextFile.read(file.contract), over: old).utf8)
        if old == source { continue }
        stale.append(file.target)
        if !isCheck { try TextFile.write(source, to: file.target) }
    } catch {
        print("generate-tables: \(error.message)")
        exit(2)
    }
}

for path in stale { print(isCheck ? "\(path) is not what its contract gives" : path) }
exit(isCheck && !stale.isEmpty ? 1 : 0)
