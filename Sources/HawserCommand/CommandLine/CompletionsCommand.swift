import ArgumentParser

/// `hawser completions`: prints the script with which a shell completes the command line.
struct CompletionsCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the script that completes hawser's command lines in a shell.",
        discussion: """
            Commands, options and files are completed, the rules, profiles and exact hosts of the \
            policy that the line names, or of the current folder, and the branches and tags of its \
            git repository.

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
        let script = CommandTree.completionScript(for: shell.kind) + "\n"
        switch shell {
        case .bash: try Report.print(script + CompletionsCommand.wholeWords)
        case .zsh, .fish: try Report.print(script)
        }
        return .clean
    }

    /// Puts words together that bash parts at a colon, before the parser's function sees them, and
    /// takes what stands before the last colon from its answers: bash inserts only the rest.
    private static let wholeWords = #"""

        # Bash ends a word at a colon, but `git:main` and `HOST:PORT` are one word each.
        _hawser_whole_words() {
            local rest="${COMP_LINE}" word cur="${2}" colon=''
            local -a words=()
            local -i index last cword=0 is_parted=0
            for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
                word="${COMP_WORDS[index]}"
                last=$((${#words[@]} - 1))
                if ((index > 0)) && [[ "${rest}" != [[:space:]]* ]] &&
                    [[ "${word}" = :* || "${words[last]}" = *: ]]; then
                    words[last]+="${word}"
                    ((index == COMP_CWORD)) && is_parted=1
                else
                    words+=("${word}")
                fi
                rest="${rest#"${rest%%[![:space:]]*}"}"
                rest="${rest#"${word}"}"
                ((index == COMP_CWORD)) && cword=$((${#words[@]} - 1))
            done
            if ((is_parted)); then
                cur="${words[cword]}"
                colon="${cur%"${cur##*:}"}"
            fi
            cur="${cur//\\:/:}"
            words[cword]="${words[cword]//\\:/:}"
            COMP_WORDS=("${words[@]}")
            COMP_CWORD="${cword}"
            _hawser "${1}" "${cur}" "${words[cword - 1]}"
            [[ -z "${colon}" ]] || COMPREPLY=("${COMPREPLY[@]#"${colon}"}")
        }

        complete -o filenames -F _hawser_whole_words hawser

        """#
}
