import FixtureRecipes
import Glibc

// Writes every fixture that a recipe mints, or with `--check` says which files differ from theirs.
// Run from the repository root: `swift run mint-fixtures [--check] [NAME ...]`.

let arguments = CommandLine.arguments.dropFirst()
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
