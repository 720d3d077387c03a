// Reads a contract on standard input and writes the Swift file made from it to standard output:
//
//     swift run generate-tables diagnostic-catalogue < grammar/diagnostics.yaml
//
// `UPDATE_GENERATED=1 swift test --filter GeneratedFiles` rewrites all of them in place.

import Glibc
import PolicyCompiler

let arguments = CommandLine.arguments.dropFirst()
if let name = arguments.first, let file = GeneratedFile.all.first(where: { $0.name == name }) {
    var contract = ""
    while let line = readLine(strippingNewline: false) { contract += line }
    do {
        print(try file.make(Array(contract.utf8)), terminator: "")
    } catch {
        print("cannot read the contract: \(error.message)")
        exit(1)
    }
} else {
    print("usage: generate-tables NAME < CONTRACT")
    for file in GeneratedFile.all {
        print("  \(file.name)  \(file.contract) -> \(file.target)")
    }
    exit(2)
}
