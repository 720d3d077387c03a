import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The texts that commands open in an editor, each with the name of its file.
enum CommandTexts {
    /// The answer of `workspace/executeCommand`: the text, and the address of its file. An editor
    /// that can open a file is asked to.
    static func answer(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        guard let command = ask.params["command"]?.text.flatMap(EditorCommand.init) else {
            throw .invalid("the server does not have this command")
        }
        let words = ask.params["arguments"]?.texts ?? []
        guard let first = words.first else { throw .invalid("the command takes an argument") }
        let told: (name: String, text: String)
        switch command {
        case .rule: told = try rule(first)
        case .show: told = try show(try ask.document(at: first), words.count > 1 ? words[1] : "")
        case .diff: told = try diff(try ask.document(at: first), ask.head)
        }
        let address = try ask.texts.write(told.name, told.text)
        return .object(["uri": address, "text": told.text])
    }

    private static func rule(_ word: String) throws(EditorError) -> (name: String, text: String) {
        guard let code = DiagnosticCode(named: word) else {
            throw .invalid("hawser has no code of this name")
        }
        return ("\(code.rawValue).md", RulePage.markdown([code]))
    }

    /// The screen of `show` for a rule, or for `default` if the id is empty.
    private static func show(
        _ document: AskedDocument, _ id: String
    ) throws(EditorError) -> (name: String, text: String) {
        guard let reading = document.reading, reading.table != nil else {
            throw .failed("the policy does not compile, so nothing can be asked of it")
        }
        guard !id.isEmpty else {
            guard let rule = reading.effectiveDefault() else {
                throw .failed("the policy does not compile, so nothing can be asked of it")
            }
            return ("show-default.txt", RuleText.text(rule, command: "hawser show --default --all"))
        }
        guard reading.ruleIndices[id] != nil else { throw .failed("the policy has no such rule") }
        guard let rule = reading.effective(rule: id), let witness = reading.witness(of: id) else {
            throw .failed("the rule decides no host")
        }
        let host = HostWithPort.text(witness.host.text, witness.port)
        let command = ShellWords.line(["hawser", "show", host, "--all"])
        // An id has only letters, digits and hyphens.
        return ("show-\(id).txt", RuleText.text(rule, command: command))
    }

    private static func diff(
        _ document: AskedDocument, _ head: HeadComparison
    ) throws(EditorError) -> (name: String, text: String) {
        guard let reading = document.reading else {
            throw .failed("the document belongs to no unit that can be read")
        }
        do throws(NotCompared) {
            return ("diff.txt", try head.text(reading))
        } catch {
            throw .failed("\(DiffReport.undone): \(error.context)")
        }
    }
}

/// Files for texts that an editor opens, in a folder that only this user can enter. They are gone
/// when the server ends.
final class OpenedTexts {
    private let base: String
    private var folder: String?
    private var files: Set<String> = []
    /// The addresses of files that the editor was not asked to open yet.
    private var waiting: [String] = []

    /// - Parameter base: the folder for temporary files.
    init(in base: String) { self.base = base }

    /// Writes a text and returns its address.
    func write(_ name: String, _ text: String) throws(EditorError) -> String {
        do throws(OutputFile.Problem) {
            let place: String
            if let folder {
                place = folder
            } else {
                place = try OutputFile.makePrivateFolder(beside: "\(base)/hawser-lsp")
            }
            folder = place
            let path = "\(place)/\(name)"
            try OutputFile.replace(path, with: Array(text.utf8))
            files.insert(path)
            let address = FileAddress.address(ofPath: path)
            waiting.append(address)
            return address
        } catch {
            throw .failed(error.context)
        }
    }

    /// The addresses of files that were written since the last call.
    func takeWaiting() -> [String] {
        defer { waiting = [] }
        return waiting
    }

    func remove() {
        files.forEach(OutputFile.remove)
        if let folder { OutputFile.remove(folder) }
        (files, folder) = ([], nil)
    }
}
