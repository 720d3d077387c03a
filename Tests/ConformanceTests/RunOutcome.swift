import ConformanceCases

/// What a run of the conformance command gave.
struct RunOutcome {
    var status = ConformanceRun.Status.couldNotAsk
    var output = ""
    var errors = ""

    /// Runs a command line in which `FOLDER` stands for a folder. The folder holds
    /// `expectations.json` and `notices.json`.
    init(_ words: [String], in folder: Folder) {
        status = ConformanceRun.run(
            words.map { $0.replacing("FOLDER", with: folder.path) },
            expectations: folder.path + "/expectations.json",
            notices: folder.path + "/notices.json", clock: { 0 },
            output: { output += $0 }, errors: { errors += $0 })
    }
}
