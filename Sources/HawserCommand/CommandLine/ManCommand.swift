import ArgumentParser

/// `hawser man`: prints the manual page.
struct ManCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "man",
        abstract: "Print the manual page, as man reads it.",
        discussion: """
            To read it: hawser man | man -l -

            To install it: hawser man > /usr/local/share/man/man1/hawser.1
            """)

    func answer() throws(CommandFailure) -> ExitStatus {
        try Report.print(
            ManualPage.text(try CommandDescription.hawser(), version: HawserVersion.text))
        return .clean
    }
}
