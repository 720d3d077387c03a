import CLibC
import FixtureRecipes
import TestPKI

// Writes every fixture that a recipe mints, or with `--check` says which files differ from theirs.
// Run from the repository root: `swift run mint-fixtures [--check] [NAME ...]`. `--private-key
// LABEL` prints the P-256 key of that label instead, for a server that a test starts; an end
// entity's is `leaf HOST` unless its recipe says otherwise.

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "--private-key", let label = arguments.dropFirst().first {
    print(TestKey.p256(label).privateKeyPEM, terminator: "")
    exit(0)
}
let isCheck = arguments.contains("--check")
let names = arguments.filter { $0 != "--check" }
let known = FixtureRecipes.all
let unknown = names.filter { name in !known.contains { $0.name == name } }
guard unknown.isEmpty else {
    print("no recipe is called \(unknown.map { "`\($0)`" }.joined(separator: ", "))")
    exit(2)
}

var findings = 0
for recipe in known where names.isEmpty || names.contains(recipe.name) {
    let lines = isCheck ? recipe.differences(below: ".") : try recipe.write(below: ".")
    for line in lines { print(line) }
    findings += lines.count
}
if isCheck && findings > 0 { exit(1) }
