import CLibC

// Mints the cases that `Tests/Benchmarks` measures, into a folder that is there. Usage:
// write-verdict-cases counted|timed FOLDER. Real chains are written by `online.py`.

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: write-verdict-cases counted|timed FOLDER")
    exit(2)
}
let folder = CaseFolder(path: arguments[2])
switch arguments[1] {
case "counted": try folder.writeCounted()
case "timed": try folder.writeTimed()
default:
    print("neither `counted` nor `timed`: \(arguments[1])")
    exit(2)
}
