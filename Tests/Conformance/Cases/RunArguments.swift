/// What the command line of `conformance` asks for.
package struct RunArguments: Sendable, Equatable {
    /// Files and folders of vectors.
    package var paths: [String] = []
    /// Only these suites and ids; empty for all.
    package var suites: Set<String> = []
    package var ids: Set<String> = []
    /// Where to write what every case came to.
    package var json: String?
    /// The list of known divergences; nil for the one beside the runner's source.
    package var expectations: String?
    /// Whether each case's trace is printed.
    package var explains = false
    /// Whether libcrypto judges the same cases.
    package var isBesideLibcrypto = false

    package static let usage = """
        usage: conformance PATH... [--suite S]... [--id ID]... [--explain] [--json OUT]
                           [--expectations FILE] [--beside-libcrypto]

        Evaluates the vectors of every file, and of every .ndjson file below every folder.

          --suite S            only cases of this suite; may be given again
          --id ID              only this case; may be given again
          --explain            print the trace of every case
          --json OUT           write what every case came to
          --expectations FILE  the known divergences, in place of Tests/Conformance/expectations.json
          --beside-libcrypto   time libcrypto's X509_verify_cert on the same cases

        exit status: 0 everything as expected; 1 a divergence without an entry, or an entry without its
        divergence; 2 could not ask

        """

    package init() {}

    /// The arguments of a command line, without the program's name.
    ///
    /// - Throws: `CaseProblem`.
    package init(_ words: [String]) throws {
        var rest = words[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else {
                throw CaseProblem("`\(option)` needs a value")
            }
            return value
        }
        while let word = rest.popFirst() {
            switch word {
            case "--suite": suites.insert(try value(of: word))
            case "--id": ids.insert(try value(of: word))
            case "--json": json = try value(of: word)
            case "--expectations": expectations = try value(of: word)
            case "--explain": explains = true
            case "--beside-libcrypto": isBesideLibcrypto = true
            default:
                guard !word.hasPrefix("--") else { throw CaseProblem("`\(word)` is no option") }
                paths.append(word)
            }
        }
        guard !paths.isEmpty else { throw CaseProblem("no file or folder is given") }
    }

    /// Whether a case is asked for.
    package func wants(_ vector: ConformanceCase) -> Bool {
        (suites.isEmpty || suites.contains(vector.suite))
            && (ids.isEmpty || ids.contains(vector.id))
    }
}
