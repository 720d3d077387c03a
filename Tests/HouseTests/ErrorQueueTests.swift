import Foundation
import Testing

/// OpenSSL's queue of errors belongs to the program: whatever libssl or a program calls leaves it
/// as it was.
@Suite struct ErrorQueueTests {
    /// A function of a C file: its name, and its body from behind the first `{`.
    private struct Function {
        let name: String
        let body: Substring
    }

    /// The functions that a C file defines: a name at the beginning of a line's declaration,
    /// parameters in parentheses, and a body.
    private func functions(of code: String) -> [Function] {
        var found: [Function] = []
        var rest = Substring(code)
        while let match = rest.firstMatch(of: /\n[a-z][\w \*]*?\b(\w+)\(/) {
            rest = rest[match.range.upperBound...]
            var depth = 1
            let end = rest.firstIndex { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth == 0
            }
            guard let end else { return found }
            let behind = rest[rest.index(after: end)...].drop { $0.isWhitespace }
            guard behind.first == "{" else { continue }
            found.append(Function(name: String(match.1), body: behind.dropFirst()))
        }
        return found
    }

    /// Words that stand where nothing is called: a function among them is handed to somebody who
    /// calls it.
    private func wordsNotCalled(in code: String) -> Set<Substring> {
        var words: Set<Substring> = []
        var rest = Substring(code)
        while let start = rest.firstIndex(where: { $0.isLetter || $0 == "_" }) {
            rest = rest[start...]
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            rest = rest[word.endIndex...]
            if rest.first != "(" { words.insert(word) }
        }
        return words
    }

    @Test func whatLibsslOrAProgramCallsKeepsTheQueue() throws {
        let folder = "Sources/CHawserOpenSSL"
        let header = codeOnly(try Tree.read("\(folder)/include/hawser_openssl.h"))
        let declared = Set(header.matches(of: /\b(hawser_openssl_\w+)\(/).map { String($0.1) })
        var callbacks: Set<String> = []
        var exported: Set<String> = []
        for file in Tree.files(below: folder, where: { $0.hasSuffix(".c") }) {
            let code = codeOnly(file.text)
            let words = wordsNotCalled(in: code)
            for function in functions(of: code) {
                if declared.contains(function.name) {
                    exported.insert(function.name)
                } else if words.contains(Substring(function.name)) {
                    callbacks.insert(function.name)
                } else {
                    continue
                }
                let first = function.body.drop { $0.isWhitespace || $0 == "{" }
                #expect(
                    first.hasPrefix("KEEP_ERROR_QUEUE;"),
                    "\(function.name) of \(file.path) does not begin with KEEP_ERROR_QUEUE")
            }
        }
        #expect(exported == declared)
        // One for each kind, so that what finds them is known to find something.
        #expect(
            callbacks.isSuperset(of: [
                "verify_chain", "check_status", "add_timestamps", "free_connection", "copy_mark",
            ]))
    }

    /// `call` keeps the queue, and every function of hawser.h comes through it, itself or by a
    /// function of the same file. `hawser_abi_version` says a number.
    @Test func everyFunctionOfTheInterfaceComesThroughOnePlace() {
        var seen = 0
        for file in Tree.swift(below: "Sources/CHawser") {
            let parts = codeOnly(file.text).components(separatedBy: "@c @implementation")
                .dropFirst()
            for part in parts where !part.contains("func hawser_abi_version(") {
                let body = part.components(separatedBy: "\n}\n").first ?? part
                seen += 1
                #expect(
                    body.contains(/\b(call|open|judge)\(/),
                    "\(file.path): \(body.prefix(60)) does not come through `call`")
            }
        }
        #expect(seen > 10)
    }
}
