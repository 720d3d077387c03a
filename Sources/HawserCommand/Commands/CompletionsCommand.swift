import ArgumentParser

/// `hawser completions`: prints the script with which a shell completes the command line.
struct CompletionsCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the script that completes hawser's command lines in a shell.",
        discussion: """
            Commands, options and files are completed, and the rules, profiles and exact hosts of the \
            policy that the line names, or of the current folder.

            bash: hawser completions bash > ~/.local/share/bash-completion/completions/hawser

            zsh: hawser completions zsh > DIR/_hawser, where DIR is a folder of $fpath

            fish: hawser completions fish > ~/.config/fish/completions/hawser.fish
            """)

    @Argument(help: "The shell.")
    var shell: Shell

    /// The shells whose completion the argument parser writes.
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        var kind: CompletionShell {
            switch self {
            case .bash: return .bash
            case .zsh: return .zsh
            case .fish: return .fish
            }
        }
    }

    func answer() throws(CommandFailure) -> ExitStatus {
        try Report.print(CommandTree.completionScript(for: shell.kind) + "\n")
        return .clean
    }
}
